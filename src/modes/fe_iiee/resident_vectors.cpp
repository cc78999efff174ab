#include "modes/fe_iiee/resident_vectors.hpp"

#include <cmath>

namespace tetrawave::modes {

fem::ResidentBoundary::Vectors places_of(const std::vector<fem::ResidentVector>& vectors, std::size_t from) {
  fem::ResidentBoundary::Vectors places;
  for (std::size_t i = from; i < vectors.size(); ++i) places.push_back(vectors[i].place());
  return places;
}

ResidentVectors::Parts ResidentVectors::products(const std::vector<Vector>& a, const std::vector<Vector>& b,
                                                 std::size_t from) const {
  const auto found = device_->products(places_of(a, from), places_of(b));
  Parts parts;
  for (auto row = found.begin(); row != found.end(); row += static_cast<std::ptrdiff_t>(b.size()))
    parts.emplace_back(row, row + static_cast<std::ptrdiff_t>(b.size()));
  return parts;
}

std::vector<double> ResidentVectors::norms(const std::vector<Vector>& a) const {
  std::vector<double> norms = device_->squares(places_of(a));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

void ResidentVectors::add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
                          std::size_t from) const {
  const auto places = places_of(x, from);
  std::vector<std::complex<double>> factors(places.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = factor * parts[i][k];
    device_->add(factors, places, y[k].place());
  }
}

}  // namespace tetrawave::modes
