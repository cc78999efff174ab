// One static problem solved by one algorithm, measured phase by phase.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modes/assembly_2d/setup.hpp"
#include "statics/coloring.hpp"

namespace tetrawave::modes {

/// a-fem, ebe-v1 and ebe-v2 on a backend.
using StaticSolver =
    std::function<fem::Solution(const fem::StaticProblem&, const fem::Coloring&, const fem::SolveOptions&)>;

/// Solutions of `serial`, keyed by what they depend on, so that a study computes each only once.
class SerialReference {
 public:
  /// Values in the problem's numbering.
  const std::vector<double>& values(const StaticSetup& setup, const fem::Adjacency& adjacency);
  /// A solution of `serial` obtained elsewhere.
  void keep(const StaticSetup& setup, const std::vector<double>& values);

 private:
  std::string key_;
  std::vector<double> values_;
};

struct StaticRun {
  std::vector<double> values;  ///< in the problem's numbering
  fem::SolveFigures figures;
  double seconds_adjacency = 0;
  double seconds_order = 0;  ///< for finding the order in which the colouring visits the elements
  double seconds_coloring = 0;
  double seconds_balance = 0;             ///< for evening out the colours
  std::vector<std::int32_t> colors;       ///< per element; empty without colouring
  std::vector<std::int64_t> color_sizes;  ///< empty without colouring
  std::optional<double> difference;       ///< relative L2 difference of the potential to `serial`
};

/// Colours, checks the colouring, solves request.repeats times and keeps the fastest of each phase.
[[nodiscard]] StaticRun run_static(const StaticSetup& setup, const StaticSolver& solver, SerialReference& reference);

/// Lumped circuit values: SI units, per metre unless axisymmetric.
struct StaticQuantities {
  double energy = 0;
  std::vector<double> charges;        ///< per potential of the case; electrostatic
  std::optional<double> capacitance;  ///< charge of the highest potential over the largest difference of potentials
  double current = 0;                 ///< sum of the positive currents
  std::optional<double> inductance;   ///< 2 energy / current^2: for windings of one turn
};

[[nodiscard]] StaticQuantities find_quantities(const StaticSetup& setup, const std::vector<double>& values);

}  // namespace tetrawave::modes
