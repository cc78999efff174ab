// What a march leaves, made by an engine or by the dense reference, and how two such results compare.
#pragma once

#include <vector>

#include "march/interface/engine.hpp"
#include "support/situations.hpp"

namespace tetrawave_tests {

/// Everything that a march leaves.
struct Outcome {
  std::vector<double> electric;  ///< after the last step
  std::vector<double> magnetic;
  double present_energy = 0;
  std::vector<double> record;  ///< of all steps and the last half step
  std::vector<double> before_start;
  std::vector<tetrawave::march::EnergyRow> energies;
};

/// Starts an engine (again) and advances it by these numbers of steps.
Outcome run_engine(tetrawave::march::Engine& engine, const tetrawave::march::Start& start,
                   const std::vector<std::int64_t>& pieces);
/// The energy after all steps of a start over that after a tenth of them.
double energy_growth(tetrawave::march::Engine& engine, const tetrawave::march::Start& start);
Outcome run_reference(const Situation& situation, const tetrawave::march::Start& start);

/// max |a - b| / max |b|; infinity when the sizes differ or a number is not finite.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
/// The same for the energies of two outcomes, electric, magnetic and dispersive ones each by themselves.
double largest_energy_difference(const Outcome& a, const Outcome& b);
/// The largest of those differences over everything in an outcome.
double largest_difference(const Outcome& a, const Outcome& b);
/// How many times more rounding the inverse mass of a space adds than that of full-1 on these meshes: the mixed spaces
/// invert a second matrix of every element.
double rounding_of(tetrawave::Space space);
/// Whether two outcomes are the same to the last bit.
bool are_identical(const Outcome& a, const Outcome& b);

/// Of the dofs of all elements of `whole`, element by element, those of the elements of `part`.
std::vector<double> pick_dofs(const std::vector<double>& dofs, const tetrawave::LocalMesh& whole,
                              const tetrawave::LocalMesh& part);

}  // namespace tetrawave_tests
