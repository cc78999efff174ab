// Products of a matrix whose rows ranks share out with vectors of which each has its own rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/stopwatch.hpp"
#include "fem/shared/shared_matrix.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem {

/// Parts of the time of iterations on this rank [s].
struct SharedSeconds {
  double product = 0;         ///< with own rows, but for the next two; of an iteration on a GPU all other time
  double exchange = 0;        ///< values packed and sent, and waited for; of `gather` the vector collected on rank 0;
                              ///< of `halo` on a GPU only what it did not work beside
  double redistribution = 0;  ///< of `gather`: the whole vector sent to all ranks
  double sums = 0;            ///< inner products, waiting for other ranks included
  double preconditioner = 0;  ///< with its own exchange
};

/// Values of ghosts, by messages between the ranks concerned, or from the whole vector (numbers of Meng's dissertation,
/// 3.4.3), which rank 0 collects and sends to all.
template <class T>
class GhostValues {
 public:
  /// `ghosts` are the rows that `exchange` wants. All must outlive it.
  GhostValues(const SharedRows& rows, const RankExchange& exchange, VectorExchange way, SharedSeconds& seconds)
      : rows_(rows), exchange_(exchange), way_(way), seconds_(seconds) {}

  void start(const std::vector<T>& own);
  /// Waits for the ghosts of the vector of the last `start`.
  [[nodiscard]] const std::vector<T>& finish();
  [[nodiscard]] std::int64_t bytes() const;

  [[nodiscard]] VectorExchange way() const { return way_; }
  [[nodiscard]] const RankExchange& exchange() const { return exchange_; }
  /// VectorExchange::gather: by way of rank 0.
  void collect(const T* own, T* ghosts);

 private:
  const SharedRows& rows_;
  const RankExchange& exchange_;
  VectorExchange way_;
  SharedSeconds& seconds_;
  RankExchange::Flight<T> flight_;
  std::vector<T> whole_;  ///< of `gather`
};

/// Ghosts of an iteration on a device.
template <class T>
class SharedLink final : public RankLink<T> {
 public:
  /// All must outlive it.
  SharedLink(const SharedRows& rows, GhostValues<T>& ghosts) : rows_(rows), ghosts_(ghosts) {}
  [[nodiscard]] const comm::Communicator& ranks() const override { return rows_.ranks; }
  [[nodiscard]] const std::vector<std::int32_t>& taken() const override { return ghosts_.exchange().given(); }
  [[nodiscard]] std::optional<std::vector<march::Route>> routes() const override;
  void exchange(const T* values, T* ghosts) override { ghosts_.collect(values, ghosts); }

 private:
  const SharedRows& rows_;
  GhostValues<T>& ghosts_;
};

/// A x of own rows; the inner part is multiplied while ghosts are under way. Collective.
template <class T>
class SharedProduct final : public RowProduct<T> {
 public:
  /// Everything must outlive it.
  SharedProduct(MatrixFormat format, const SharedMatrix<T>& matrix, GhostValues<T>& ghosts, SharedSeconds& seconds,
                ThreadTeam& team);

  /// `values`: of the inner part of the constructor's matrix.
  void set_values(std::span<const T> values) override { inner_->set_values(values); }
  void multiply(const std::vector<T>& x, std::vector<T>& y) override;
  void subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                std::vector<T>& y) override;
  [[nodiscard]] std::int64_t bytes() const override { return inner_->bytes(); }

 private:
  void add_outer(double factor, std::vector<T>& y);

  const SharedMatrix<T>& matrix_;
  GhostValues<T>& ghosts_;
  SharedSeconds& seconds_;
  std::unique_ptr<RowProduct<T>> inner_;
};

/// M^-1 of own rows, collective but for `set_matrix`, which is given the inner matrix of `matrix`: none and jacobi, and
/// ssor-ai of the whole matrix; ssor and ilu of each rank's own rows and columns. All must outlive it.
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_shared_inverse(const SolverOptions& spec,
                                                                         const SharedMatrix<T>& matrix,
                                                                         const SharedRows& rows, GhostValues<T>& ghosts,
                                                                         ThreadTeam& team);

}  // namespace tetrawave::fem
