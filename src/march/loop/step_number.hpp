// The number of the present step, on the device.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/sample.hpp"

namespace tetrawave::march {

/// Steps of a batch are counted at its end: each reads a number of its own.
template <class Backend>
class StepNumber {
 public:
  static constexpr std::int64_t most = 16;  ///< steps of a batch

  explicit StepNumber(Backend& backend) : numbers_(backend, static_cast<std::size_t>(most)) {}

  [[nodiscard]] const std::int64_t* data() const { return numbers_.data() + in_batch_; }
  void set(std::int64_t step) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(most));
    std::iota(numbers.begin(), numbers.end(), step);
    numbers_.upload(numbers);
  }
  /// What is queued from now on is of batches of so many steps, at most `most`.
  void begin_batches(std::int64_t steps) {
    steps_ = steps;
    in_batch_ = 0;
  }
  /// A step has been queued.
  void count(Backend& backend) {
    if (++in_batch_ < steps_) return;
    in_batch_ = 0;
    backend.for_teams(kernels::Tick{numbers_.data(), most, steps_}, 1);
  }

 private:
  typename Backend::template Buffer<std::int64_t> numbers_;
  std::int64_t steps_ = 1;
  std::int64_t in_batch_ = 0;
};

}  // namespace tetrawave::march
