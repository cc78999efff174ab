// Schemes whose half steps are several kernels, for the benchmark: to time the parts, and for comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "march/interface/engine.hpp"

namespace tetrawave::march {

/// DGTD-Central on one rank, in a mesh without open walls, part by part.
class Unfused {
 public:
  virtual ~Unfused() = default;
  /// "volume", "surface" and so on, in their order within a half step.
  [[nodiscard]] virtual const std::vector<std::string>& parts() const = 0;
  /// Time levels as in the engine: E at 0, H at -dt/2, element by element.
  virtual void start(double dt_m, const std::vector<double>& electric, const std::vector<double>& magnetic) = 0;
  virtual void advance(std::int64_t steps) = 0;
  /// Runs one part alone, for both half steps, `times` times. The fields are meaningless afterwards.
  virtual void run_part(std::size_t part, std::int64_t times) = 0;
  virtual void synchronize() = 0;
  virtual std::vector<double> field(Field which) = 0;
  /// Minimum of bytes moved by the parts in a step.
  [[nodiscard]] virtual std::int64_t bytes_per_step() const = 0;
};

using UnfusedFactory = std::function<std::unique_ptr<Unfused>(const Problem&, const EngineOptions&)>;

}  // namespace tetrawave::march
