// Symmetric factors of a sparse matrix, real or complex: by MUMPS on the cores of hosts, or on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/shared_rows.hpp"

namespace tetrawave::fem {

/// Predicted cost of the factors of a matrix, from the analysis of its pattern.
struct FactorPlan {
  double operations = 0;   ///< floating-point operations of the factorisation; 0 if not known
  double entries = 0;      ///< of the factors
  std::int64_t bytes = 0;  ///< on the rank with the largest need
};

/// A = L D L^T, or L L^T if A is positive definite. T: double or Complex.
///
/// Of several ranks the first has the matrix, the right-hand sides and the solutions; the others may share the factors
/// and the work: all calls, including the destructor, are collective, in which the others pass an empty matrix and
/// empty columns. Errors are the same on all ranks. With FactorRequest::shared each has the matrix of its own elements,
/// and those rows of right-hand sides and solutions that it owns.
template <class T>
class DirectSolver {
 public:
  virtual ~DirectSolver() = default;

  /// Finds the order of elimination, once for all matrices of the pattern. Throws UserError (out_of_memory) if there is
  /// no memory for the factors.
  virtual FactorPlan analyse() = 0;

  /// Begins with `analyse` beside the caller's work, where the solver can; the next call waits for it.
  virtual void begin_analysis() {}

  /// Factors of this matrix; the order of elimination is found with the first. Throws UserError: unstable if the matrix
  /// is singular, or not positive definite though its kind says so; out_of_memory.
  virtual void factorise(const CsrMatrix<T>& matrix) = 0;

  /// Replaces `count` consecutive right-hand sides by solutions.
  virtual void solve(std::vector<T>& columns, std::int32_t count) = 0;

  /// Whether it takes matrices and vectors that are on its device.
  [[nodiscard]] virtual bool is_resident() const { return false; }
  /// Consecutive right-hand sides and their solutions on the device, done when it returns. On one rank.
  virtual void solve_resident(const T* /*sides*/, T* /*solutions*/, std::int32_t /*count*/) {
    throw InternalError("the solver takes vectors of the host");
  }

  /// Of a real matrix as last factorised: how many of its eigenvalues are negative (Sylvester); nothing if pivots were
  /// changed, whose signs do not tell.
  [[nodiscard]] virtual std::optional<std::int64_t> negative_pivots() const = 0;

  /// Memory of factors and workspace on the rank with the largest need.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;

  /// Seconds of the parts of what was done for factors so far, by name, where the solver knows them.
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> seconds() const { return {}; }
};

/// What factors are made by and for.
struct FactorRequest {
  const CsrPattern* pattern = nullptr;  ///< of all rows; outlives the solver. Empty on all ranks but the first
  MatrixKind kind = MatrixKind::symmetric;
  bool is_single = false;  ///< factors in single precision: solutions have 5 to 6 digits until they are refined
  const SharedRows* shared = nullptr;  ///< of the rows of `pattern`, where ranks share them out; outlives the solver
};

/// A device that factorises in place of MUMPS.
class FactorDevice {
 public:
  virtual ~FactorDevice() = default;
  [[nodiscard]] virtual std::unique_ptr<DirectSolver<double>> make_real(const FactorRequest& request) const = 0;
  [[nodiscard]] virtual std::unique_ptr<DirectSolver<Complex>> make_complex(const FactorRequest& request) const = 0;
  /// The library with its version.
  [[nodiscard]] virtual std::string name() const = 0;
};

class AssemblyDevice;
class IterationDevice;

/// What systems are assembled and solved on.
struct SolverMachine {
  explicit SolverMachine(int of_threads) : threads(of_threads) {}
  SolverMachine(int of_threads, std::shared_ptr<const FactorDevice> factors_on,
                std::shared_ptr<const IterationDevice> iterations_on = nullptr,
                std::shared_ptr<const AssemblyDevice> assembles_on = nullptr)
      : threads(of_threads),
        factor_device(std::move(factors_on)),
        iteration_device(std::move(iterations_on)),
        assembly_device(std::move(assembles_on)) {}
  int threads = 1;
  std::shared_ptr<const FactorDevice> factor_device;        ///< nullptr: MUMPS
  std::shared_ptr<const IterationDevice> iteration_device;  ///< nullptr: the host's threads
  std::shared_ptr<const AssemblyDevice> assembly_device;    ///< of edge elements; nullptr: the host's threads

  /// The library that factorises, with its version.
  [[nodiscard]] std::string direct_solver() const;
  /// The device that iterates, or empty.
  [[nodiscard]] std::string iterates_on() const;
};

/// By MUMPS on all ranks (P. R. Amestoy et al., SIAM J. Matrix Anal. Appl. 23 (2001) 15; users' guide 5.5), with
/// pivoting but for positive definite matrices, or by a device on the first rank. Does no work yet. Throws UserError
/// (unavailable) in a build without MUMPS.
template <class T>
[[nodiscard]] std::unique_ptr<DirectSolver<T>> make_direct_solver(const FactorRequest& request,
                                                                  const SolverMachine& machine,
                                                                  const comm::Communicator& ranks);

/// Throws UserError (unstable, 76) if the factors have lost their digits: where a solution has a relative residual
/// above 1e-6, and above the tolerance.
template <class T>
void check_factors(double residual, double tolerance);

/// MUMPS with its version, or "MUMPS not built in".
[[nodiscard]] std::string describe_direct_solver();

}  // namespace tetrawave::fem
