// Optimised restricted additive Schwarz (A. St-Cyr, M. J. Gander, S. J. Thomas, SIAM J. Sci. Comput. 29 (2007) 2402):
// the exact solution in the part of each rank and what overlaps it, of which the rank's own rows are kept
// (theory/ranks).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/sparse/rank_exchange.hpp"

namespace tetrawave::fem {

/// The contributions of a rank to the local systems of others: from its elements that overlap their parts, and from the
/// conditions at the ends of these.
template <class T>
struct SchwarzOverlap {
  using Place = std::array<std::int32_t, 2>;  ///< row and column, by their numbers among all
  std::vector<std::vector<Place>> places;     ///< per rank
  /// Per rank, one per place, for the matrix that the preconditioner is made of next.
  std::function<std::vector<std::vector<T>>()> values;
};

/// M^-1 = sum over ranks of R~^T B^-1 R, with B of the rank's elements, those that overlap them and the condition at
/// their end, R its rows and R~ those that it owns; B = L D L^T by the direct solver on the rank itself. `set_matrix`
/// takes the matrix of the rank's elements; vectors have the rank's own rows. All calls are collective. Everything but
/// the overlap must outlive it.
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_schwarz(const CsrPattern& elements, const SharedRows& rows,
                                                                  SchwarzOverlap<T> overlap,
                                                                  const SolverMachine& machine);

}  // namespace tetrawave::fem
