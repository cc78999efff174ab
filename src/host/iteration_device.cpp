#include "host/iteration_device.hpp"

#include "fem/device/device_iteration.hpp"
#include "host/iteration_backend.hpp"

namespace tetrawave::host {

std::shared_ptr<const fem::IterationDevice> make_iteration_device(int threads, std::int64_t least_rows_of_level,
                                                                  Transport transport) {
  const auto make = [threads, transport] { return IterationBackend(threads, transport); };
  return std::make_shared<fem::device::DeviceOf<decltype(make)>>(make, tetrawave::format("{} CPU threads", threads),
                                                                 least_rows_of_level);
}

}  // namespace tetrawave::host
