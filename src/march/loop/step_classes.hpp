// Which elements march at which multiple of the smallest time step (THEORY.md 25).
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Per element of this rank a bound of its stable c0 dt [m] up to one factor for all: 1/R with
///   DGTD-Central   R = |M_e^-1/2 (C - sum_f D_f/2) M_h^-1/2| + sum_f |M_e^-1/2 D_f M_h^-1/2|/2,
///   DGTD-Upwind    the same with twice the sum over the faces,
///   DFDD-ELD       R = sum_f |M_e^-1/2 D_f M_h^-1/2|,
/// the neighbours' masses taken as the element's own. The same on any number of ranks and threads.
std::vector<double> bound_steps(const Problem& problem, int threads);

/// Classes from such bounds, at most `most` (1..16): an element's is the largest c with 3^c times the smallest bound of
/// all below `share` of its own, lowered until neighbours differ by one at most, the elements at the faces of a wave
/// are of one class, those of all ports with memory too, and every finer class has layers of elements around it that
/// could be coarser: three in DGTD-Central, two in DFDD-ELD, one in DGTD-Upwind. The coarsest classes that cost more
/// than they save are joined to the next. The same on any number of ranks. A collective.
StepClasses assign_classes(const Problem& problem, const std::vector<double>& bounds, int most,
                           const comm::Communicator& ranks, double share = 1);

/// Sets `coarser` and `behind` from `of_element`. A collective.
void find_borders(StepClasses& classes, const LocalMesh& mesh, const comm::Communicator& ranks);

/// Elements of each class, of all ranks. A collective.
std::vector<std::int64_t> count_classes(const Problem& problem, const comm::Communicator& ranks);

/// How many updates of elements a march without classes takes for one with them.
double gain_by_counting(const std::vector<std::int64_t>& elements);

}  // namespace tetrawave::march
