#include "cuda/iteration/iteration_device.hpp"

#include "cuda/iteration/iteration_backend.hpp"
#include "fem/device/device_iteration.hpp"

namespace tetrawave::cuda {

std::shared_ptr<const fem::IterationDevice> make_iteration_device(int device, int threads) {
  const auto make = [device, threads] { return IterationBackend(device, threads); };
  return std::make_shared<fem::device::DeviceOf<decltype(make)>>(make, place_of(device).name);
}

}  // namespace tetrawave::cuda
