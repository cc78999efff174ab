// Model order reduction of a family of sparse systems A(f) x = b(f) that are combinations of a few fixed matrices with
// known functions of frequency: Galerkin projection onto solutions at some frequencies (theory/fast-sweep).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/shared_rows.hpp"

namespace tetrawave::fem {

/// Columns of a table as combinations of a few of them.
struct ColumnInterpolation {
  std::vector<std::size_t> chosen;            ///< columns of which all others are combinations
  std::vector<std::vector<Complex>> weights;  ///< per column: one per chosen column
};

/// Sums of each column's entries with fixed pseudorandom signs, 192 of them: norms of vectors, and linear dependence
/// between vectors, are those of their sums, norms to some 10 percent. Entries of several ranks follow one another.
/// Collective.
[[nodiscard]] std::vector<std::vector<Complex>> sketches(const std::vector<std::vector<Complex>>& columns,
                                                         const comm::Communicator& ranks);

/// Chooses columns greedily until the remainder of every column is below `tolerance` times the norm of the largest.
/// `columns`: [column][row], all of one length.
[[nodiscard]] ColumnInterpolation interpolate_columns(const std::vector<std::vector<Complex>>& columns,
                                                      double tolerance);

/// Vectors as combinations of a few columns.
class ColumnBasis {
 public:
  /// `columns`: independent, all of one length.
  explicit ColumnBasis(const std::vector<std::vector<Complex>>& columns);
  /// One number per column: the least-squares fit.
  [[nodiscard]] std::vector<Complex> coefficients(const std::vector<Complex>& vector) const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// Matrices known by what they make of vectors alone, which is 0 but in some rows.
struct AppliedTerms {
  std::size_t count = 0;
  std::vector<std::int32_t> rows;
  /// Number of a term, vectors -> [vector][row]
  std::function<std::vector<std::vector<Complex>>(std::size_t, const std::vector<std::vector<Complex>>&)> apply;
};

/// Systems of several right-hand sides at a list of frequencies; all terms but applied ones are symmetric. The basis is
/// real: the real and the imaginary parts of solutions, which preserves symmetry and halves the memory. Not for several
/// threads at a time.
///
/// Ranks that share out the rows have the matrices and the right-hand sides of their own elements, to be added, and
/// solutions in the rows of these. Then all calls but `solve` and `expand` are collective; applied terms are for one
/// rank.
class ReducedModel {
 public:
  /// A(f) = sum_q weights[f][q] terms[q], applied terms behind the others. The terms' pattern and `rows` must outlive
  /// the model.
  ReducedModel(std::vector<CsrMatrix<Complex>> terms, AppliedTerms applied, std::vector<std::vector<Complex>> weights,
               std::size_t sets, int threads, const SharedRows* rows = nullptr);
  ~ReducedModel();
  ReducedModel(const ReducedModel&) = delete;
  ReducedModel& operator=(const ReducedModel&) = delete;

  /// The right-hand side of a set at frequency number f, zero but in `rows` (none: values of all rows); those of all
  /// sets must be given before `solve` at f.
  void add_side(std::size_t set, std::size_t f, const std::vector<std::int32_t>& rows,
                const std::vector<Complex>& values);
  /// U C U^T, added to the system at frequency number f: columns of U, zero but in `rows` (none: values of all rows),
  /// and C, row by row.
  void add_update(std::size_t f, const std::vector<std::int32_t>& rows,
                  const std::vector<std::vector<Complex>>& columns, const std::vector<Complex>& middle);
  /// Adds solutions to the space. Parts already contained to 1e-9 are left out.
  void extend(const std::vector<std::vector<Complex>>& solutions);
  /// Number of basis vectors.
  [[nodiscard]] std::size_t size() const;

  struct Solution {
    std::vector<std::vector<Complex>> coefficients;  ///< per set, of the basis
    std::vector<double> residual;                    ///< per set: ||b - A x|| / ||b||, to some 10 percent by a sketch
    /// Per set: ||A_r^-1|| ||b - A x|| / ||x||, A_r the reduced matrix: a relative error of x up to a factor that
    /// hardly depends on the frequency.
    std::vector<double> indicator;
    std::vector<std::vector<Complex>> of_update;  ///< per set: U^T x of `add_update`
  };
  [[nodiscard]] Solution solve(std::size_t f) const;

  /// Writes entries `rows` of a solution into `to`, which is zero there; or returns all entries.
  void expand(const std::vector<Complex>& coefficients, const std::vector<std::int32_t>& rows,
              std::vector<Complex>& to) const;
  [[nodiscard]] std::vector<Complex> expand(const std::vector<Complex>& coefficients) const;

  /// Memory of terms and basis.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tetrawave::fem
