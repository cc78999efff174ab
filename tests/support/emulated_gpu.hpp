// CUDA on one thread of a CPU, as far as cuda/tiles/*.cuh ask for it: the threads of a thread block run one after the
// other, each warp up to where it waits for others. Who reads what another thread has not yet written gets other
// numbers in another order of threads; asynchronous copies arrive when they are waited for, their places being NaN
// meanwhile.
#pragma once

#include <ucontext.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#define __device__
#define __forceinline__ inline
#define __builtin_assume(condition)

struct double2 {
  double x;
  double y;
};
struct float2 {
  float x;
  float y;
};
inline double2 make_double2(double x, double y) { return {x, y}; }
template <class T>
T __ldg(const T* place) {
  return *place;
}
template <class T>
void __stcs(T* place, T value) {
  *place = value;
}
template <class T>
T __ldcs(const T* place) {
  return *place;
}
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t index) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(high) << 32 | low) >> (8 * index)) & 0xffu;
}
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
/// One thread loads the matrices for all.
struct EmulatedIndex {
  unsigned x;
};
inline constexpr EmulatedIndex threadIdx{0};
inline constexpr EmulatedIndex blockDim{1};

namespace tetrawave_tests {

/// The threads of a thread block.
class EmulatedThreads {
 public:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  struct Thread {
    int number = 0;
    bool is_done = false;
    double given[3] = {};  ///< to the other lanes of the warp
    std::vector<Copy> copies;
    std::unique_ptr<char[]> stack;
    ucontext_t context = {};
  };

  /// work(number of the thread) for `count` threads, of whole warps, which take turns from the last one on if
  /// `backwards`.
  static void run(int count, bool backwards, const std::function<void(int)>& work) {
    EmulatedThreads all(work);
    for (int i = 0; i < count; ++i) all.begin(i);
    active_ = &all;
    while (all.living_ > 0) {
      bool has_moved = false;
      for (int first = 0; first < count; first += 32) {  // a warp goes on alone as far as it can
        do {
          all.is_stuck_ = true;
          for (int i = first; i < first + 32; ++i)
            all.resume(*all.threads_[static_cast<std::size_t>(backwards ? count - 1 - i : i)]);
          if (all.failure_) std::rethrow_exception(all.failure_);
          has_moved = has_moved || !all.is_stuck_;
        } while (!all.is_stuck_);
      }
      if (!has_moved) throw std::logic_error("threads wait for others that do not come");
    }
    active_ = nullptr;
  }
  static EmulatedThreads& active() { return *active_; }
  [[nodiscard]] Thread& own() { return *own_; }
  [[nodiscard]] const Thread& lane_of_warp(int lane) const {
    return *threads_[static_cast<std::size_t>(own_->number / 32 * 32 + lane)];
  }

  /// Waits until so many threads wait at this place.
  void meet(int place, int members) {
    Meeting& meeting = meetings_[place];
    const std::int64_t turn = meeting.turn;
    if (++meeting.arrived == members) {
      meeting = {0, turn + 1};
      is_stuck_ = false;
    }
    while (meetings_[place].turn == turn) swapcontext(&own_->context, &scheduler_);
  }
  /// `read` sees what all lanes of the warp have given; `kind` of instruction.
  template <class Read>
  auto exchange(int kind, const Read& read) {
    const int place = 1000 * kind + own_->number / 32;
    meet(place, 32);
    const auto result = read();
    meet(place, 32);
    return result;
  }

 private:
  struct Meeting {
    int arrived = 0;
    std::int64_t turn = 0;
  };

  explicit EmulatedThreads(const std::function<void(int)>& work) : work_(work) {}

  void begin(int number) {
    threads_.push_back(std::make_unique<Thread>());
    Thread& thread = *threads_.back();
    thread.number = number;
    constexpr std::size_t stack_size = 1 << 17;
    thread.stack = std::make_unique_for_overwrite<char[]>(stack_size);
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_size;
    thread.context.uc_link = &scheduler_;
    makecontext(&thread.context, &EmulatedThreads::enter, 0);
    ++living_;
  }
  static void enter() {
    EmulatedThreads& all = *active_;
    try {
      all.work_(all.own_->number);
    } catch (...) {
      all.failure_ = std::current_exception();
    }
    all.own_->is_done = true;
    --all.living_;
    all.is_stuck_ = false;
  }
  void resume(Thread& thread) {
    if (thread.is_done) return;
    own_ = &thread;
    swapcontext(&scheduler_, &thread.context);
  }

  inline static EmulatedThreads* active_ = nullptr;
  const std::function<void(int)>& work_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Thread* own_ = nullptr;
  std::map<int, Meeting> meetings_;
  ucontext_t scheduler_ = {};
  std::exception_ptr failure_;
  int living_ = 0;
  bool is_stuck_ = false;
};

}  // namespace tetrawave_tests
