// Optimised restricted additive Schwarz with many parts on one rank, copies of which share their factors
// (theory/ranks).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fem/edge/edge_element.hpp"
#include "fem/parts/mesh_parts.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/direct_solver.hpp"

namespace tetrawave::fem {

/// What the matrix is assembled from at a frequency, as EdgeAssembly takes it.
struct PartTerms {
  std::vector<EdgeCoefficients<Complex>> media;  ///< per kind of element
  std::vector<Complex> ends;                     ///< per kind of element [1/m]: of the condition where a part ends
  std::vector<Complex> walls;                    ///< per wall of the mesh
};

/// M^-1 = sum over parts of R~^T B^-1 R, as make_schwarz has it for ranks, with the factors of a kind solving all its
/// parts at once. `media`: per element of the mesh. `terms` belong to the matrix that is set next. Analyses begin at
/// once where the solver can.
[[nodiscard]] std::unique_ptr<ApproximateInverse<Complex>> make_part_inverse(MeshParts parts,
                                                                             std::span<const std::int32_t> media,
                                                                             std::function<PartTerms()> terms,
                                                                             const SolverMachine& machine);

}  // namespace tetrawave::fem
