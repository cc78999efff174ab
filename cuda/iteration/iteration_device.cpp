#include "cuda/iteration/iteration_device.hpp"

#include "cuda/iteration/iteration_backend.hpp"
#include "fem/device/device_iteration.hpp"

namespace tetrawave::cuda {

std::shared_ptr<const fem::IterationDevice> make_iteration_device(int device, int threads,
                                                                  std::int64_t least_rows_of_level,
                                                                  Transport transport) {
  const auto make = [device, threads, transport] { return IterationBackend(device, threads, transport); };
  return std::make_shared<fem::device::DeviceOf<decltype(make)>>(make, place_of(device).name, least_rows_of_level);
}

}  // namespace tetrawave::cuda
