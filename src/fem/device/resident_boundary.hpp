// Boundary values of mode fe-iiee on a device: from those to right-hand sides, from solutions to what radiates, and
// vectors of boundary values (theory/fe-iiee).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fem/solvers/linear_solver.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/sparse_rows.hpp"

namespace tetrawave::fem {

/// side = P Psi,   J = j k0 E S^-1 (F x - T Psi),   M = B x,   x the solution, J and M three numbers a source, F that
/// of a frequency. They are copied, but for the patterns.
struct BoundaryMatrices {
  SparseRowsOf<double> moments;  ///< P: a row for each of these unknowns of the system
  std::vector<std::int32_t> unknowns;
  SparseRowsOf<double> from_outside;  ///< T: a row for each unknown of S'; without rows: 0
  SparseRowsOf<double> electric;      ///< E
  SparseRowsOf<double> magnetic;      ///< B
  std::vector<double> weights;        ///< of the points of S in inner products
  const CsrPattern* system = nullptr;
  const CsrMatrix<double>* mass = nullptr;        ///< S
  std::int32_t most_rows_of_inverse = 8192;       ///< of S up to which S^-1 is kept with all its entries, else factors
  std::shared_ptr<const FactorDevice> factors{};  ///< of S; nullptr: MUMPS
};

/// What drives a case beside Psi, for each of its sets: b on the right-hand side, t of S J = F x - T Psi + t, and what
/// it adds to the sources of J and M.
struct BoundaryDrive {
  std::vector<std::int32_t> rows;  ///< of the system, where b is not 0
  std::vector<Complex> sides;      ///< b, [set][row]
  std::vector<Complex> flux;       ///< t, [set][unknown of S']
  std::vector<double> sources;     ///< as of kernels::BoundaryRadiation, with 0 for places
  std::size_t sets = 0;
};

/// Vectors are places on the device, of two complex numbers for each point of S. Work on them is finished when a call
/// returns that gives numbers or places.
class ResidentBoundary {
 public:
  using Vector = Complex*;
  using Vectors = std::vector<const Complex*>;

  virtual ~ResidentBoundary() = default;

  /// Room for so many columns, and vectors.
  virtual void reserve(std::int32_t columns, std::size_t vectors) = 0;
  /// A vector of any values; `give` takes it back.
  [[nodiscard]] virtual Vector take() = 0;
  virtual void give(Vector vector) = 0;
  [[nodiscard]] virtual std::vector<Complex> download(const Complex* vector) = 0;
  /// y_k = alpha_k x_k + beta y_k, where a factor of 0 leaves out what it is of.
  virtual void combine(std::span<const double> alpha, const Vectors& x, double beta, const std::vector<Vector>& y) = 0;
  /// (a_i, b_k) = sum w conj(a_i) b_k, [i][k], on the device until the next call.
  [[nodiscard]] virtual const Complex* products(const Vectors& a, const Vectors& b) = 0;
  /// The same numbers on the host.
  [[nodiscard]] virtual std::vector<Complex> products_on_host(const Vectors& a, const Vectors& b) = 0;
  /// y_k = sum_i parts[i][k] x_i
  virtual void sum(const std::vector<Complex>& parts, const Vectors& x, const std::vector<Vector>& y) = 0;
  /// y_k += factor sum_i parts[i][k] x_i, with parts on the device.
  virtual void add(double factor, const Complex* parts, const Vectors& x, const std::vector<Vector>& y) = 0;
  /// (a_i, a_i)
  [[nodiscard]] virtual std::vector<double> squares(const Vectors& a) = 0;

  /// At a frequency: matrix of the system, flux by the unknowns, three numbers a source that are its place in the sums.
  virtual void set_frequency(const CsrMatrix<Complex>& matrix, const SparseRows& flux,
                             const std::vector<double>& places) = 0;
  /// At the same frequency.
  virtual void set_drive(const BoundaryDrive& drive) = 0;
  /// Right-hand sides of Psi and, `with_case`, of what drives the case; room for their solutions. No vectors: of the
  /// latter alone.
  [[nodiscard]] virtual const ResidentColumns<Complex>& drive(const Vectors& psi, bool with_case) = 0;
  [[nodiscard]] virtual std::vector<std::vector<Complex>> download_sides() = 0;
  virtual void upload_solution(std::size_t k, const std::vector<Complex>& solution) = 0;
  [[nodiscard]] virtual std::vector<std::vector<Complex>> download_solutions() = 0;
  /// Of the solutions of `drive`, j k0 J times `factor`: as of kernels::BoundaryRadiation.
  [[nodiscard]] virtual std::span<const double> find_sources(const Vectors& psi, double factor, bool with_case) = 0;
  [[nodiscard]] virtual std::vector<double> download_sources() = 0;
  /// Sums that are on the host in the place of those on the device.
  [[nodiscard]] virtual const double* upload_sums(std::span<const double> sums) = 0;
  /// Psi of sums on the device.
  virtual void take_sums(const double* sums, double scale, const std::vector<Vector>& psi) = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// A vector of it, with values of its own.
class ResidentVector {
 public:
  /// Of any values.
  explicit ResidentVector(std::shared_ptr<ResidentBoundary> on) : on_(std::move(on)), place_(on_->take()) {}
  ResidentVector(const ResidentVector& other) : ResidentVector(other.on_) {
    constexpr double whole = 1;
    on_->combine({&whole, 1}, {other.place_}, 0, {place_});
  }
  ResidentVector(ResidentVector&& other) noexcept : on_(std::move(other.on_)), place_(other.place_) {}
  ResidentVector& operator=(ResidentVector other) noexcept {
    std::swap(on_, other.on_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~ResidentVector() {
    if (on_) on_->give(place_);
  }
  [[nodiscard]] Complex* place() const { return place_; }

 private:
  std::shared_ptr<ResidentBoundary> on_;
  Complex* place_;
};

}  // namespace tetrawave::fem
