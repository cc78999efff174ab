#include "memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"

namespace tetrawave::mesher {

MemoryLimit::MemoryLimit(std::uintmax_t bytes) {
  ensure(getrlimit(RLIMIT_AS, &before_) == 0, "the limit of memory can be read");
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages == 0) return;  // no /proc: no limit
  rlimit limit = before_;
  const rlim_t now = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  limit.rlim_cur = std::min<rlim_t>(before_.rlim_cur, now + bytes);
  ensure(setrlimit(RLIMIT_AS, &limit) == 0, "the limit of memory can be lowered");
}

MemoryLimit::~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

}  // namespace tetrawave::mesher
