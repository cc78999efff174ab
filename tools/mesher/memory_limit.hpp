// Memory that a small file may not exceed, whatever it claims.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace tetrawave::mesher {

/// While it lives, this process may map `bytes` more than it has now; asking for more throws std::bad_alloc.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uintmax_t bytes);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

 private:
  rlimit before_{};
};

}  // namespace tetrawave::mesher
