// Schemes whose half steps are several kernels, for the benchmark: to time the parts, and for comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "march/interface/engine.hpp"

namespace tetrawave::march {

/// A march on one rank, part by part: DGTD-Central in a mesh without open walls, or on GPUs DFDD-ELD
/// (cuda/bench/dissertation_march.hpp).
class Unfused {
 public:
  virtual ~Unfused() = default;
  /// "volume", "surface" and so on, in their order within a half step.
  [[nodiscard]] virtual const std::vector<std::string>& parts() const = 0;
  /// As start_at_rest; element by element.
  virtual void start(double dt_m, const std::vector<double>& electric, const std::vector<double>& magnetic) = 0;
  virtual void advance(std::int64_t steps) = 0;
  /// Runs one part alone, for both half steps, `times` times. The fields are meaningless afterwards.
  virtual void run_part(std::size_t part, std::int64_t times) = 0;
  virtual void synchronize() = 0;
  virtual std::vector<double> field(Field which) = 0;
  /// Minimum of bytes moved by the parts in a step.
  [[nodiscard]] virtual std::int64_t bytes_per_step() const = 0;
};

/// Starts an engine of a leap-frog scheme on one rank with the fields of `start`, E at 0 and H at -dt/2, and in
/// DFDD-ELD with rates of zero.
inline void start_at_rest(Engine& engine, Start start) {
  const std::vector<double> electric = std::move(*std::exchange(start.electric, std::nullopt));
  const std::vector<double> magnetic = std::move(*std::exchange(start.magnetic, std::nullopt));
  engine.start(start);
  StateRegistry registry;
  engine.register_state(registry);
  for (const ElementState& state : registry.elements())
    for (const auto& [name, dofs] : {std::pair("E", &electric), std::pair("H", &magnetic)}) {
      if (state.name != name) continue;
      if (state.single)
        state.load(std::vector<float>(dofs->begin(), dofs->end()));
      else
        state.load(*dofs);
    }
  engine.resume();
}

using UnfusedFactory = std::function<std::unique_ptr<Unfused>(const Problem&, const EngineOptions&)>;

}  // namespace tetrawave::march
