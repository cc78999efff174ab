// Dense matrices of DFDD-ELD for elements whose history is added to the rate before the update: of dispersive media by
// the published recursive convolutions ([U] and [T] of the dissertation, eq. 4.23, 4.24, 4.30, 4.31), and of
// anisotropic media with losses or dispersion (schemes/dfdd/dispersion_axes.hpp).
#pragma once

#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// [U] | [T] over dt_m = c0 dt of the rate of `field`, for these elements in blocks of `lanes`: 2 n^2 rows, entry
/// `column * n + row`,
///   U = -A^-1 M,   T = t A^-1 C^T,   A = a M + dt^2/(4 b) S0 (terms/walls/walls.hpp), a and b with their axes,
/// t = -dt/b for E and dt/b for H of the published convolutions, else -dt; C^T = int curl N_i . N_j, zero in the rows
/// of dofs that walls hold at zero.
template <class S>
std::vector<S> make_rate_matrices(const Problem& problem, const std::vector<LocalIndex>& elements, Field field,
                                  double dt_m, int lanes, bool published, int threads);

}  // namespace tetrawave::march
