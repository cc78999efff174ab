// A few threads that wait for short pieces of work: starting threads for each would cost more than the work.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tetrawave::fem {

/// The caller and `threads - 1` others. One caller at a time.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const noexcept { return static_cast<int>(others_.size()) + 1; }

  /// Calls work(member) for every member of [0, size()), each on its thread, member 0 on the caller's; returns when all
  /// have finished. `work` must not throw.
  void run(const std::function<void(int)>& work);

 private:
  void serve(int member);

  const std::function<void(int)>* work_ = nullptr;
  bool ends_ = false;
  std::atomic<std::int32_t> round_{0};
  std::atomic<std::int32_t> unfinished_{0};
  std::vector<std::jthread> others_;
};

/// Useful number of threads for vectors of `rows` numbers: one for some thousands.
[[nodiscard]] int useful_threads(std::int32_t rows, int threads);

}  // namespace tetrawave::fem
