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
  SparseRowsOf<double> moments;       ///< P: a row for each unknown of the system
  SparseRowsOf<double> from_outside;  ///< T: a row for each unknown of S'; without rows: 0
  SparseRowsOf<double> electric;      ///< E
  SparseRowsOf<double> magnetic;      ///< B
  std::vector<double> weights;        ///< of the points of S in inner products
  const CsrPattern* system = nullptr;
  const CsrMatrix<double>* mass = nullptr;        ///< S
  std::shared_ptr<const FactorDevice> factors{};  ///< of S; nullptr: MUMPS
};

/// Vectors are places on the device, of two complex numbers for each point of S. Work on them is finished when a call
/// returns that gives numbers or places.
class ResidentBoundary {
 public:
  using Vector = Complex*;
  using Vectors = std::vector<const Complex*>;

  virtual ~ResidentBoundary() = default;

  /// A vector that is 0; `give` takes it back.
  [[nodiscard]] virtual Vector take() = 0;
  virtual void give(Vector vector) = 0;
  [[nodiscard]] virtual std::vector<Complex> download(const Complex* vector) = 0;
  /// y = alpha x + beta y
  virtual void combine(double alpha, const Complex* x, double beta, Vector y) = 0;
  /// y += sum_i factors[i] x_i
  virtual void add(std::span<const Complex> factors, std::span<const Complex* const> x, Vector y) = 0;
  /// (a_i, b_k) = sum w conj(a_i) b_k, [i][k].
  [[nodiscard]] virtual std::vector<Complex> products(const Vectors& a, const Vectors& b) = 0;
  /// (a_i, a_i)
  [[nodiscard]] virtual std::vector<double> squares(const Vectors& a) = 0;

  /// At a frequency: matrix of the system, flux by the unknowns.
  virtual void set_frequency(const CsrMatrix<Complex>& matrix, const SparseRows& flux) = 0;
  /// Right-hand sides of Psi, and room for their solutions.
  [[nodiscard]] virtual const ResidentColumns& drive(const Vectors& psi) = 0;
  /// Adds to those.
  virtual void add_to_sides(const std::vector<std::vector<Complex>>& sides) = 0;
  [[nodiscard]] virtual std::vector<std::vector<Complex>> download_sides() = 0;
  virtual void upload_solutions(const std::vector<std::vector<Complex>>& solutions) = 0;
  [[nodiscard]] virtual std::vector<Complex> download_solution(std::size_t k) = 0;
  /// Of the solutions, `places` three numbers a source, j k0 J times `factor`: as of kernels::BoundaryRadiation.
  [[nodiscard]] virtual std::span<const double> find_sources(const Vectors& psi, const std::vector<double>& places,
                                                             double factor) = 0;
  /// Sources that are on the host in the place of those.
  [[nodiscard]] virtual std::span<const double> upload_sources(const std::vector<double>& sources) = 0;
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
  explicit ResidentVector(std::shared_ptr<ResidentBoundary> on) : on_(std::move(on)), place_(on_->take()) {}
  ResidentVector(const ResidentVector& other) : ResidentVector(other.on_) { on_->combine(1, other.place_, 0, place_); }
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
