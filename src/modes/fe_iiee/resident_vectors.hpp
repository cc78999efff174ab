// The sums and updates of BoundaryVectors on a device.
#pragma once

#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "fem/device/resident_boundary.hpp"
#include "modes/fe_iiee/boundary_vectors.hpp"

namespace tetrawave::modes {

/// See BoundaryVectors; the weights and their runs are those of the device.
class ResidentVectors {
 public:
  using Vector = fem::ResidentVector;
  using List = std::vector<const Vector*>;
  using Parts = const std::complex<double>*;  ///< on the device, until the next products
  using Table = BoundaryVectors::Table;

  explicit ResidentVectors(std::shared_ptr<fem::ResidentBoundary> device) : device_(std::move(device)) {}

  [[nodiscard]] std::vector<Vector> scaled(const std::vector<double>& factors, const List& x) const;
  [[nodiscard]] Parts products(const std::vector<Vector>& a, const std::vector<Vector>& b, std::size_t from = 0) const;
  [[nodiscard]] std::vector<double> norms(const List& a) const;
  void add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
           std::size_t from = 0) const;
  void combine(double alpha, const List& x, double beta, std::vector<Vector>& y) const;
  [[nodiscard]] Table table(const std::vector<Vector>& a, const std::vector<Vector>& b) const;
  [[nodiscard]] std::vector<Vector> sums(const Table& parts, const std::vector<Vector>& a,
                                         const std::vector<Vector>& b) const;

 private:
  std::shared_ptr<fem::ResidentBoundary> device_;
};

/// The places of the vectors from number `from` on.
[[nodiscard]] fem::ResidentBoundary::Vectors places_of(const std::vector<fem::ResidentVector>& vectors,
                                                       std::size_t from = 0);

}  // namespace tetrawave::modes
