// Assignment of elements to multiples of the smallest time step, the LTS levels (theory/lts).
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Per element of this rank a bound of its stable c0 dt [m] up to one common factor: 1/R with
///   DGTD-Central   R = |M_e^-1/2 (C - sum_f D_f/2) M_h^-1/2| + sum_f |M_e^-1/2 D_f M_h^-1/2|/2,
///   DGTD-Upwind    the same with twice the sum over the faces,
///   DFDD-ELD       R = sum_f |M_e^-1/2 D_f M_h^-1/2|,
/// the neighbours' masses taken as the element's own. The same on any number of ranks and threads.
std::vector<double> bound_steps(const Problem& problem, int threads);

/// Levels from such bounds, at most `most` (1..16): an element's level is the largest c with 3^c times the smallest
/// bound of all below `share` of its own, lowered until neighbours differ by at most one, the elements at the faces of
/// a wave are on one level, those of all dispersive ports too, and every finer level has layers of elements around it
/// that could be coarser: three in DGTD-Central, two in DFDD-ELD, one in DGTD-Upwind. The coarsest levels that cost
/// more than they save are merged with the next. The same on any number of ranks. Collective.
StepClasses assign_classes(const Problem& problem, const std::vector<double>& bounds, int most,
                           const comm::Communicator& ranks, double share = 1);

/// Sets `coarser` and `behind` from `of_element`. Collective.
void find_borders(StepClasses& classes, const LocalMesh& mesh, const comm::Communicator& ranks);

/// Elements on each level, of all ranks. Collective.
std::vector<std::int64_t> count_classes(const Problem& problem, const comm::Communicator& ranks);

/// Ratio of element updates without LTS to those with it.
double gain_by_counting(const std::vector<std::int64_t>& elements);

}  // namespace tetrawave::march
