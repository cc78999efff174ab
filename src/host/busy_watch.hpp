// Threads on cores that have other work to do.
#pragma once

#include <cstdint>

namespace tetrawave::host {

/// Tells parallel regions how many threads pay. Where a core is shared with another program, a thread of the team may
/// wait for its turn for milliseconds, and all others wait for it at the region's end. As long as regions take clearly
/// longer than one thread would, work is done by one; every now and then some regions try them all again. Results do
/// not depend on the number of threads.
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

  /// What a region of all threads took: by the clock, and of the caller's share of the work. Returns for how long from
  /// then on one thread is to work alone, 0: not.
  [[nodiscard]] std::int64_t judge(std::int64_t wall_ns, std::int64_t cpu_ns);

 private:
  int threads_;
  std::int64_t alone_until_ns_ = 0;
  int regions_ = 0;  ///< since the last judgement, and what they took
  std::int64_t wall_ns_ = 0;
  std::int64_t cpu_ns_ = 0;
};

}  // namespace tetrawave::host
