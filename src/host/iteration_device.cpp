#include "host/iteration_device.hpp"

#include "fem/device/device_iteration.hpp"
#include "host/iteration_backend.hpp"

namespace tetrawave::host {

std::shared_ptr<const fem::IterationDevice> make_iteration_device(int threads) {
  const auto make = [threads] { return IterationBackend(threads); };
  return std::make_shared<fem::device::DeviceOf<decltype(make)>>(make, tetrawave::format("{} CPU threads", threads));
}

}  // namespace tetrawave::host
