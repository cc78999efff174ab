// Choice of the number of threads on shared cores.
#pragma once

#include <cstdint>

namespace tetrawave::host {

/// Recommends the number of threads of parallel regions. If a core is shared with another program, a thread of the team
/// may wait for milliseconds, and all others wait for it at the end of the region. As long as regions take clearly
/// longer than with one thread, work is done by one; occasionally some regions try all threads again. Results do not
/// depend on the number of threads.
class BusyWatch {
 public:
  explicit BusyWatch(int threads) : threads_(threads) {}

  /// One region, from its construction to its end.
  class Region {
   public:
    explicit Region(BusyWatch& watch);
    ~Region();
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

   private:
    BusyWatch& watch_;
    bool measures_ = false;
    std::int64_t wall_ns_ = 0;
    std::int64_t cpu_ns_ = 0;
  };

  /// Evaluates a region of all threads: its wall time, and that of the caller's share of the work. Returns for how long
  /// one thread should work alone from now on, 0: not at all.
  [[nodiscard]] std::int64_t judge(std::int64_t wall_ns, std::int64_t cpu_ns);

 private:
  int threads_;
  std::int64_t alone_until_ns_ = 0;
  int regions_ = 0;  ///< since the last evaluation, and their duration
  std::int64_t wall_ns_ = 0;
  std::int64_t cpu_ns_ = 0;
};

}  // namespace tetrawave::host
