#include "host/busy_watch.hpp"

#include <omp.h>
#include <time.h>

#include <algorithm>

namespace tetrawave::host {

namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

std::int64_t BusyWatch::judge(std::int64_t wall_ns, std::int64_t cpu_ns) {
  constexpr int enough = 16;
  constexpr std::int64_t least_ns = 100'000;
  constexpr std::int64_t times_alone = 20;  // trying costs a twentieth at most
  constexpr std::int64_t longest_ns = 2'000'000'000;
  wall_ns_ += wall_ns;
  cpu_ns_ += cpu_ns;
  if (++regions_ < enough || wall_ns_ < least_ns) return 0;
  const bool waits = 2 * wall_ns_ > 3 * threads_ * cpu_ns_;
  const std::int64_t alone_ns = waits ? std::min(times_alone * wall_ns_, longest_ns) : 0;
  regions_ = 0;
  wall_ns_ = cpu_ns_ = 0;
  return alone_ns;
}

BusyWatch::Region::Region(BusyWatch& watch) : watch_(watch) {
  if (watch_.threads_ == 1) return;
  wall_ns_ = read_clock(CLOCK_MONOTONIC);
  measures_ = wall_ns_ >= watch_.alone_until_ns_;
  if (measures_)
    cpu_ns_ = read_clock(CLOCK_THREAD_CPUTIME_ID);
  else
    omp_set_num_threads(1);
}

BusyWatch::Region::~Region() {
  if (watch_.threads_ == 1) return;
  if (!measures_) {
    omp_set_num_threads(watch_.threads_);
    return;
  }
  const std::int64_t now_ns = read_clock(CLOCK_MONOTONIC);
  const std::int64_t alone_ns = watch_.judge(now_ns - wall_ns_, read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns_);
  if (alone_ns > 0) watch_.alone_until_ns_ = now_ns + alone_ns;
}

}  // namespace tetrawave::host
