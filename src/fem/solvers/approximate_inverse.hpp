// Preconditioners M of a symmetric matrix, real or complex, A = L + D + U (U = L^T): M^-1 is applied.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"
#include "fem/sparse/subspace.hpp"

namespace tetrawave::fem {

/// Systems whose solutions together are M^-1 x: y[to] = X[from] with X = B^-1 x[places], of all systems one after the
/// other, column by column.
struct SystemColumns {
  std::vector<std::size_t> first;    ///< of each system, and the end
  std::vector<std::int32_t> places;  ///< per number of X
  std::vector<std::int32_t> from, to;
};

/// M^-1 of one pattern. Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., chapter 10.
template <class T>
class ApproximateInverse {
 public:
  virtual ~ApproximateInverse() = default;
  /// Makes M for this matrix, which must outlive its use. Throws UserError (unstable) if there is none.
  virtual void set_matrix(const CsrMatrix<T>& matrix) = 0;
  /// Takes a matrix near the last one, which must outlive its use, and keeps of M what is dear to make. False: nothing
  /// is, and nothing was done.
  virtual bool follow(const CsrMatrix<T>& matrix) { return matrix.values.empty(); }
  /// y = M^-1 x; y is not x.
  virtual void apply(const std::vector<T>& x, std::vector<T>& y) = 0;
  /// Whether it consists of systems, which may be solved where the vectors are.
  [[nodiscard]] virtual bool has_systems() const { return false; }
  [[nodiscard]] virtual SystemColumns systems() const { return {}; }
  /// X of x[places], on the device that has the factors. The work on both is finished before and after.
  virtual void solve_systems(const T* /*sides*/, T* /*solutions*/) {
    throw InternalError("the preconditioner has no systems");
  }
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// none: M = 1. jacobi: M = D. ssor: M = (D + w L) D^-1 (D + w U) / (w (2 - w)), solved exactly, on one thread.
/// ssor-ai: the inverses of both factors as Neumann series of first order,
/// M^-1 = w (2 - w) (1 - w D^-1 U) D^-1 (1 - w L D^-1): two products on all threads.
/// ilu: ILU(0), incomplete factors on the pattern of A, or of A with a shifted diagonal where those are unstable, on
/// one thread. ilut: the same with fill-in, ILUT(p, tau) (10.4.1), on all threads in the order of a dissection.
/// p-multigrid: see make_p_multigrid; only there `coarse` is needed. w is SolverOptions::relaxation. `pattern`,
/// `coarse` and `team` outlive it.
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_approximate_inverse(const SolverOptions& spec,
                                                                              const CsrPattern& pattern,
                                                                              const Subspace& coarse, ThreadTeam& team);

/// 1 / a_ii. Throws UserError (unstable) for a zero.
template <class T>
[[nodiscard]] std::vector<T> invert_diagonal(const CsrMatrix<T>& matrix, const std::vector<std::int64_t>& diagonal);

template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_ssor(double relaxation, const CsrPattern& pattern);
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_incomplete_factors(const std::optional<FillIn>& fill_in,
                                                                             const CsrPattern& pattern,
                                                                             ThreadTeam& team);

/// The order in which rows are eliminated, in nodes one after the other: no row of a node refers to another node of its
/// stage, before or after fill-in, so that threads share out the nodes of a stage.
struct EliminationStages {
  std::vector<std::int32_t> order;     ///< rows
  std::vector<std::size_t> first{0};   ///< of each node in `order`, and the end
  std::vector<std::size_t> stages{0};  ///< the first node of each, and the end
};
/// Of factors without fill-in, which stay as they are in the order of the matrix, and of a pattern without positions:
/// one node. Else a nested dissection, the same on any number of threads.
[[nodiscard]] EliminationStages find_stages(const std::optional<FillIn>& fill_in, const CsrPattern& pattern,
                                            int threads);

/// A strict triangle by rows: entries [begin, end) of each.
template <class T>
struct Triangle {
  std::vector<std::int64_t> begin, end;
  UnsetVector<std::int32_t> column;
  UnsetVector<T> value;
};
/// A is about L U, rows and columns in the order of elimination; L has ones on its diagonal.
template <class T>
struct TriangularFactors {
  Triangle<T> lower, upper;
  std::vector<T> inverse;  ///< 1 / u_ii
};
/// Throws UserError (unstable) if there are none.
template <class T>
[[nodiscard]] TriangularFactors<T> factorise_incompletely(const std::optional<FillIn>& fill_in,
                                                          const EliminationStages& stages, const CsrMatrix<T>& matrix,
                                                          ThreadTeam& team);

/// Rows that p-multigrid sweeps: those that are no column of P by themselves. Of P^T.
[[nodiscard]] std::vector<bool> find_swept(const Subspace& transposed);

/// y = M^-1 x by a symmetric cycle from y = 0: a sweep forward, y += P (P^T A P)^-1 P^T (x - A y), a sweep backward,
/// which leave out the unknowns that are columns of P. P^T A P is factorised by the direct solver; with a matrix to
/// follow its factors stay. `relaxation` is that of the sweeps. Pattern, subspace and team outlive it. On one thread
/// but for a product. Throws UserError (unavailable) in a build without MUMPS.
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_p_multigrid(double relaxation, const CsrPattern& pattern,
                                                                      const Subspace& coarse, ThreadTeam& team);

}  // namespace tetrawave::fem
