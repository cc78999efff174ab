#include "cuda/iteration/iteration_device.hpp"

#include <cuda_runtime_api.h>

#include "cuda/check.hpp"
#include "cuda/iteration/iteration_backend.hpp"
#include "fem/device/device_iteration.hpp"

namespace tetrawave::cuda {

bool IterationBackend::is_idle() const {
  const cudaError_t code = cudaStreamQuery(static_cast<cudaStream_t>(stream().handle()));
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();  // it would be that of the next launch
    return false;
  }
  check(code, "cudaStreamQuery");
  return true;
}

std::shared_ptr<const fem::IterationDevice> make_iteration_device(int device, int threads,
                                                                  std::int64_t least_rows_of_level) {
  const auto make = [device, threads] { return IterationBackend(device, threads); };
  return std::make_shared<fem::device::DeviceOf<decltype(make)>>(make, place_of(device).name, least_rows_of_level);
}

}  // namespace tetrawave::cuda
