// BiCGStab with the scaling, the preconditioner and the format given in the case, on the cores of the host or on a
// device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fem/solvers/bicgstab.hpp"
#include "fem/sparse/diagonal_scaling.hpp"
#include "march/exchange/carrier.hpp"

namespace tetrawave::fem {

class ElementRows;
class FactorDevice;

/// What an iteration is made for.
struct IterationRequest {
  const CsrPattern* pattern = nullptr;  ///< outlives the iteration
  int threads = 1;                      ///< of the host
  Preconditioner preconditioner = Preconditioner::none;
  double relaxation = 1;  ///< of SSOR and SSOR-AI
  bool scales = false;    ///< by the diagonal
  MatrixFormat format = MatrixFormat::csr;
  double tolerance = 0;  ///< ||b - A x|| / ||b||
  std::int64_t max_iterations = 0;
  const Subspace* coarse = nullptr;               ///< of p-multigrid; outlives the iteration
  std::shared_ptr<const FactorDevice> factors{};  ///< of its subspace; nullptr: MUMPS
  FillIn fill_in{};                               ///< of ilut
};

/// The course of one right-hand side.
struct IterationCourse {
  std::int64_t iterations = 0;
  ResidualHistory history;
};

/// BiCGStab for matrices of one pattern. T: double or Complex.
template <class T>
class SystemIteration {
 public:
  using Sides = std::vector<const std::vector<T>*>;
  using Solutions = std::vector<std::vector<T>*>;

  virtual ~SystemIteration() = default;

  /// Takes a matrix, which must outlive its use, and makes the preconditioner, or keeps what is dear of that of another
  /// matrix as long as it serves. Throws UserError (unstable) if there is none.
  virtual void prepare(const CsrMatrix<T>& matrix) = 0;
  /// A x = b from x for every right-hand side. Throws UserError (unstable) if one does not converge.
  virtual std::vector<IterationCourse> solve(const Sides& b, const Solutions& x) = 0;
  /// Whether `prepare` takes matrices that are on its device.
  [[nodiscard]] virtual bool is_on_device() const { return false; }
  /// Whether `solve_resident` takes vectors that are there.
  [[nodiscard]] virtual bool is_resident() const { return false; }
  /// As `solve`, of one right-hand side; returns the iterations. The work on both vectors is finished before and after.
  virtual std::int64_t solve_resident(const T* /*b*/, T* /*x*/) {
    ensure(false, "only a resident iteration takes vectors of a device");
    return 0;
  }
  /// A few iterations from x, without a check of convergence.
  virtual void iterate(const Sides& b, const Solutions& x, std::int64_t count) = 0;
  /// Seconds of a product of the matrix with a vector, the mean of some.
  [[nodiscard]] virtual double time_product(std::int64_t products) = 0;
  /// Whether the preconditioner is that of the last matrix, not of one before it.
  [[nodiscard]] virtual bool is_fresh() const = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// The ghosts of a rank's rows. T: double or Complex.
template <class T>
class RankLink {
 public:
  virtual ~RankLink() = default;
  /// Those that add up sums.
  [[nodiscard]] virtual const comm::Communicator& ranks() const = 0;
  /// The own rows that other ranks need, in the order of the routes.
  [[nodiscard]] virtual const std::vector<std::int32_t>& taken() const = 0;
  /// Of them and of the ghosts, in their orders, the numbers [values] that travel between this rank and each other one;
  /// none: by `exchange`, on all ranks.
  [[nodiscard]] virtual std::optional<std::vector<march::Route>> routes() const = 0;
  /// Values of the ghosts for those of all own rows, in the host's memory. Collective.
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
  /// Vectors over the rows of a rank's elements, which must outlive it, on the device: `factors` are those of the
  /// scaling, by own row, or none. After `set_matrix`.
  virtual void set_elements(const ElementRows& /*rows*/, const std::vector<double>& /*factors*/) {
    ensure(false, "only iterations of real numbers have vectors of elements on a device");
  }
  /// As `solve`: contributions to b, and values x, as `set_elements` has them; the work on both is finished before and
  /// after.
  virtual IterationOutcome solve_resident(const IterationLimits& /*limits*/, const T* /*b*/, T* /*x*/) {
    ensure(false, "only iterations of real numbers have vectors of elements on a device");
    return {};
  }
  [[nodiscard]] virtual IterationSeconds seconds() = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

class ResidentBoundary;
struct BoundaryMatrices;
class ResidentStep;
struct StepMatrices;

/// A device that iterates in place of the host's cores.
class IterationDevice {
 public:
  virtual ~IterationDevice() = default;
  /// Throws UserError (unavailable) for a preconditioner that it lacks.
  [[nodiscard]] virtual std::unique_ptr<SystemIteration<double>> make_real(const IterationRequest& request) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SystemIteration<Complex>> make_complex(
      const IterationRequest& request) const = 0;
  [[nodiscard]] virtual bool has(Preconditioner preconditioner) const = 0;
  /// BiCGStab with M^-1 of systems (ApproximateInverse::systems) whose factors are on this device.
  [[nodiscard]] virtual std::unique_ptr<SystemIteration<Complex>> make_by_systems(
      const IterationRequest& request, std::unique_ptr<ApproximateInverse<Complex>> inverse) const = 0;
  /// Of own rows: none, jacobi and ssor-ai. The pattern has as many rows as a rank owns; columns from there on are
  /// `ghosts`, in every row those of lower ranks left of the own ones and those of higher ranks right of them.
  [[nodiscard]] virtual std::unique_ptr<RankIteration<double>> make_real(const IterationRequest& request,
                                                                         std::size_t ghosts,
                                                                         RankLink<double>& link) const = 0;
  [[nodiscard]] virtual std::unique_ptr<RankIteration<Complex>> make_complex(const IterationRequest& request,
                                                                             std::size_t ghosts,
                                                                             RankLink<Complex>& link) const = 0;
  /// Steps of a linear system in time; the matrices are copied.
  [[nodiscard]] virtual std::unique_ptr<ResidentStep> make_step(const StepMatrices& matrices) const = 0;
  /// Boundary values of mode fe-iiee.
  [[nodiscard]] virtual std::unique_ptr<ResidentBoundary> make_boundary(const BoundaryMatrices& matrices) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
};

/// Throws UserError (unstable).
[[noreturn]] void fail_without_convergence(Preconditioner preconditioner, double tolerance,
                                           const IterationOutcome& outcome);

/// On the cores of the host.
template <class T>
class IterativeSolver : public SystemIteration<T> {
 public:
  using typename SystemIteration<T>::Sides;
  using typename SystemIteration<T>::Solutions;

  /// The subspace, of p-multigrid, and the team must outlive the solver. `inverse`: in place of the preconditioner of
  /// the request.
  IterativeSolver(const IterationRequest& request, const Subspace& coarse, ThreadTeam& team,
                  std::unique_ptr<ApproximateInverse<T>> inverse = nullptr);
  IterativeSolver(const IterativeSolver&) = delete;
  IterativeSolver& operator=(const IterativeSolver&) = delete;

  void prepare(const CsrMatrix<T>& matrix) override;
  std::vector<IterationCourse> solve(const Sides& b, const Solutions& x) override;
  void iterate(const Sides& b, const Solutions& x, std::int64_t count) override;
  [[nodiscard]] double time_product(std::int64_t products) override;
  [[nodiscard]] bool is_fresh() const override { return is_fresh_; }
  [[nodiscard]] std::int64_t bytes() const override;

 private:
  std::int64_t solve_one(const std::vector<T>& b, std::vector<T>& x);
  [[nodiscard]] IterationOutcome run(const std::vector<T>& b, std::vector<T>& x);
  void judge(const IterationOutcome& outcome);

  IterationRequest request_;
  std::vector<std::int64_t> diagonal_;
  CsrMatrix<T> scaled_;
  DiagonalScaling<T> scaling_;
  std::unique_ptr<RowProduct<T>> product_;
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  std::vector<double> weights_;  // of squares in norms
  BiCgStab<T> iteration_;
  std::vector<T> right_hand_side_;  // scaled
  const CsrMatrix<T>* solved_ = nullptr;
  ResidualHistory history_;
  bool is_fresh_ = false;
  bool serves_ = false;    // for the next matrix
  double fresh_pace_ = 0;  // iterations for each digit of the residual, with the matrix that it was made for
};

/// An iteration on a device, or, without one, on threads of its own of the host, then without p-multigrid.
template <class T>
[[nodiscard]] std::unique_ptr<SystemIteration<T>> make_iteration(const IterationRequest& request,
                                                                 const IterationDevice* device);

}  // namespace tetrawave::fem
