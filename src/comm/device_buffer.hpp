// Memory of a device that devices of other ranks reach.
#pragma once

#include <cstddef>

namespace tetrawave::comm {

/// Numbers on the first rank's device that the devices of all its ranks read and write. It goes on all ranks together,
/// after their work on it is finished.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  virtual ~DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  /// As this rank's device reaches it.
  [[nodiscard]] virtual double* data() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
};

}  // namespace tetrawave::comm
