// The sums and updates of BoundaryVectors on a device.
#pragma once

#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "fem/device/resident_boundary.hpp"

namespace tetrawave::modes {

/// See BoundaryVectors; the weights and their runs are those of the device.
class ResidentVectors {
 public:
  using Vector = fem::ResidentVector;
  using Parts = std::vector<std::vector<std::complex<double>>>;  ///< [i][k]

  explicit ResidentVectors(std::shared_ptr<fem::ResidentBoundary> device) : device_(std::move(device)) {}

  [[nodiscard]] Vector zero() const { return Vector(device_); }
  [[nodiscard]] Parts products(const std::vector<Vector>& a, const std::vector<Vector>& b, std::size_t from = 0) const;
  [[nodiscard]] std::vector<double> norms(const std::vector<Vector>& a) const;
  void add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
           std::size_t from = 0) const;
  void combine(double alpha, const Vector& x, double beta, Vector& y) const {
    device_->combine(alpha, x.place(), beta, y.place());
  }
  void scale(double factor, Vector& x) const { device_->combine(factor, x.place(), 0, x.place()); }

 private:
  std::shared_ptr<fem::ResidentBoundary> device_;
};

/// The places of the vectors from number `from` on.
[[nodiscard]] fem::ResidentBoundary::Vectors places_of(const std::vector<fem::ResidentVector>& vectors,
                                                       std::size_t from = 0);

}  // namespace tetrawave::modes
