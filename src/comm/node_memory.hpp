// Memory that the ranks of one host share.
#pragma once

#include <cstddef>

#include "comm/communicator.hpp"

namespace tetrawave::comm {

/// Pages that all ranks of a communicator read and write. What one writes, others see after the next barrier or
/// `agree`.
class NodeMemory {
 public:
  /// Collective, with the same size on all ranks. Not there if the ranks are on several hosts, or /dev/shm is too
  /// small.
  NodeMemory(const Communicator& ranks, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] bool is_there() const { return data_ != nullptr; }
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::byte* data_ = nullptr;
};

}  // namespace tetrawave::comm
