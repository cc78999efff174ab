// Subspaces of edge elements in which the preconditioner p-multigrid solves exactly (theory/preconditioners).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/sparse/subspace.hpp"

namespace tetrawave::fem {

/// The mixed-1 space, which is nested in the others: the unknowns of its functions.
[[nodiscard]] Subspace lowest_order_subspace(const EdgeSpace& space);

/// Gradients of the continuous piecewise linear potentials that are constant on each connected piece of metal: one
/// column per vertex or piece, less one for each connected part of the mesh. In unknowns of mixed-1 functions a
/// gradient is the difference of the potentials at the ends of an edge. `vertices`: as of number_unknowns.
[[nodiscard]] Subspace gradient_subspace(const EdgeSpace& space, std::span<const std::array<GlobalIndex, 4>> vertices);

/// What p-multigrid takes: the lowest order, and in the mixed-1 space itself the gradients.
[[nodiscard]] Subspace coarse_subspace(const EdgeSpace& space, std::span<const std::array<GlobalIndex, 4>> vertices);

}  // namespace tetrawave::fem
