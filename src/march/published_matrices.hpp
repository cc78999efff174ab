// The matrices [U] and [T] of DFDD-ELD in dispersive media by the published recursive convolutions (dissertation eq.
// 4.23, 4.24, 4.30, 4.31), which every element of such a medium has for itself.
#pragma once

#include <vector>

#include "march/problem.hpp"

namespace tetrawave::march {

/// [U] | [T] over dt_m = c0 dt of the rate of `field`, for these elements in blocks of `lanes`: 2 n^2 rows, entry
/// `column * n + row`,
///   U = -A^-1 M,   T = -+(dt/b) A^-1 C^T  (- for E, + for H),   A = a M + dt^2/(4 b) S0 (schemes/walls.hpp),
/// C^T = int curl N_i . N_j, zero in the rows of dofs that walls hold at zero.
template <class S>
std::vector<S> make_published_matrices(const Problem& problem, const std::vector<LocalIndex>& elements, Field field,
                                       double dt_m, int lanes);

extern template std::vector<double> make_published_matrices(const Problem&, const std::vector<LocalIndex>&, Field,
                                                            double, int);
extern template std::vector<float> make_published_matrices(const Problem&, const std::vector<LocalIndex>&, Field,
                                                           double, int);

}  // namespace tetrawave::march
