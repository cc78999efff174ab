// The elements whose walls are implicit within their step, and their matrices (see
// schemes/leap_frog/elements/wall_correction.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Elements of one part with the same number of wall faces, in list blocks of lanes.
template <class S>
struct WallList {
  int faces = 0;  ///< wall faces of each of its elements, 1..4
  Part part{};
  bool with_other = false;  ///< whether the matrices have columns for the other field, or for the old traces
  int branches = 0;         ///< of its conductors, 0 if it has none
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<std::int32_t> face;     ///< `faces` rows
  std::vector<std::int32_t> wave;     ///< `faces` rows
  std::vector<S> matrix;              ///< faces * columns * dofs rows
  std::vector<S> branch;              ///< faces * branches * branch_numbers rows
  std::vector<LocalIndex> owner;      ///< the elements, without padding
};

struct WallListOptions {
  std::optional<double> border_dt_m{};  ///< with dt_m = 0: the step of the run, see make_wall_lists
  bool with_rates = false;              ///< with dt_m = 0: M^-1 of the incident waves too
  bool only_sizes = false;              ///< lists of their sizes, all zero, for a device that only counts
  int threads = 1;
};

/// All lists of one field for a step dt_m = c0 dt [m] of a leap-frog scheme. With dt_m = 0 the matrices of DGTD-Central
/// are the changes by walls in M_e^-1 K or its dual (theory/stable-step), of elements with such changes; those of
/// DFDD-ELD only hold the fixed dofs at zero (mass-orthogonally; with the masses of a run with steps `border_dt_m` at
/// the borders of LTS levels, or of dt_m if not given).
template <class S>
std::vector<WallList<S>> make_wall_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                         double dt_m, const WallListOptions& options = {});

/// Removes from a field, n dofs per element, the dofs held at zero by walls of DGTD-Central (orthogonally in the mass).
void hold_fixed_dofs(const Problem& problem, Field field, std::vector<double>& dofs, int threads = 1);

}  // namespace tetrawave::march
