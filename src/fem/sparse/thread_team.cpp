#include "fem/sparse/thread_team.hpp"

#include <emmintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <limits>

#include "base/parallel.hpp"

namespace tetrawave::fem {

namespace {

/// Waits until `value` differs from `old`: spins for some microseconds, the typical pause between two pieces of work,
/// then sleeps. It never yields: on a shared core that would give away a whole time slice, whereas a thread that is
/// woken runs soon.
std::int32_t wait_for_change(const std::atomic<std::int32_t>& value, std::int32_t old) {
  constexpr int looks = 200;
  for (int i = 0; i < looks; ++i) {
    const std::int32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    _mm_pause();
  }
  for (;;) {
    const std::int32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);  // returns at once where it has changed
  }
}

void wake_all(const std::atomic<std::int32_t>& value) {
  static_assert(sizeof value == sizeof(std::int32_t));
  syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, std::numeric_limits<std::int32_t>::max(), nullptr, nullptr, 0);
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  for (int member = 1; member < threads; ++member) others_.emplace_back([this, member] { serve(member); });
}

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  round_.fetch_add(1, std::memory_order_release);
  wake_all(round_);
  for (auto& other : others_) other.join();
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  if (others_.empty()) return work(0);
  work_ = &work;
  unfinished_.store(static_cast<std::int32_t>(others_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  wake_all(round_);
  work(0);
  std::int32_t left = unfinished_.load(std::memory_order_acquire);
  while (left != 0) left = wait_for_change(unfinished_, left);
}

void ThreadTeam::serve(int member) {
  // The caller waits for all before the next round: none is missed.
  for (std::int32_t seen = 0;;) {
    seen = wait_for_change(round_, seen);
    if (ends_) return;
    (*work_)(member);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_all(unfinished_);
  }
}

int useful_threads(std::int32_t rows, int threads) {
  return static_cast<int>(count_ranges(static_cast<std::size_t>(rows), threads));
}

}  // namespace tetrawave::fem
