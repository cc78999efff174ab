// BiCGStab on a device of the rows that a rank owns, and what it asks of the other ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fem/solvers/bicgstab.hpp"
#include "march/exchange/carrier.hpp"

namespace tetrawave::fem {

/// The ghosts of a rank's rows. T: double or Complex.
template <class T>
class RankLink {
 public:
  virtual ~RankLink() = default;
  /// Those that add up sums.
  [[nodiscard]] virtual const comm::Communicator& ranks() const = 0;
  /// The own rows whose values an exchange takes.
  [[nodiscard]] virtual const std::vector<std::int32_t>& taken() const = 0;
  /// Of them and of the ghosts, in their orders, the numbers [values] that travel between this rank and each other one;
  /// none: by `exchange`, on all ranks.
  [[nodiscard]] virtual std::optional<std::vector<march::Route>> routes() const = 0;
  /// Values of the ghosts for those of the rows that are taken, in the host's memory. Collective.
  virtual void exchange(const T* values, T* ghosts) = 0;
};

/// Of this rank [s].
struct IterationSeconds {
  double all = 0;       ///< of iterations
  double exchange = 0;  ///< of these, in which rows with ghosts waited for them
  double sums = 0;      ///< sums of other ranks under way and waited for
};

/// BiCGStab of a rank's own rows. All calls but the last two are collective.
template <class T>
class RankIteration {
 public:
  virtual ~RankIteration() = default;
  /// Once, before the first solution.
  virtual void open() = 0;
  /// The matrix that is iterated with; `weights`: of squares in norms, or none.
  virtual void set_matrix(const CsrMatrix<T>& matrix, const std::vector<double>& weights) = 0;
  /// As BiCgStab::solve.
  virtual IterationOutcome solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                                 ResidualHistory& history) = 0;
  [[nodiscard]] virtual IterationSeconds seconds() = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

}  // namespace tetrawave::fem
