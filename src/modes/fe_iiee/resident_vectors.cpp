#include "modes/fe_iiee/resident_vectors.hpp"

#include <cmath>

namespace tetrawave::modes {

fem::ResidentBoundary::Vectors places_of(const std::vector<fem::ResidentVector>& vectors, std::size_t from) {
  fem::ResidentBoundary::Vectors places;
  for (std::size_t i = from; i < vectors.size(); ++i) places.push_back(vectors[i].place());
  return places;
}

namespace {

fem::ResidentBoundary::Vectors places_of(const ResidentVectors::List& vectors) {
  fem::ResidentBoundary::Vectors places;
  for (const fem::ResidentVector* vector : vectors) places.push_back(vector->place());
  return places;
}

std::vector<fem::ResidentBoundary::Vector> to_change(std::vector<fem::ResidentVector>& vectors) {
  std::vector<fem::ResidentBoundary::Vector> places;
  for (fem::ResidentVector& vector : vectors) places.push_back(vector.place());
  return places;
}

}  // namespace

std::vector<ResidentVectors::Vector> ResidentVectors::scaled(const std::vector<double>& factors, const List& x) const {
  std::vector<Vector> y;
  for (std::size_t k = 0; k < x.size(); ++k) y.emplace_back(device_);
  device_->combine(factors, places_of(x), 0, to_change(y));
  return y;
}

ResidentVectors::Parts ResidentVectors::products(const std::vector<Vector>& a, const std::vector<Vector>& b,
                                                 std::size_t from) const {
  return device_->products(places_of(a, from), places_of(b));
}

std::vector<double> ResidentVectors::norms(const List& a) const {
  std::vector<double> norms = device_->squares(places_of(a));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

void ResidentVectors::add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
                          std::size_t from) const {
  device_->add(factor, parts, places_of(x, from), to_change(y));
}

void ResidentVectors::combine(double alpha, const List& x, double beta, std::vector<Vector>& y) const {
  device_->combine(std::vector<double>(x.size(), alpha), places_of(x), beta, to_change(y));
}

void ResidentVectors::scale(double factor, std::vector<Vector>& x) const {
  device_->combine(std::vector<double>(x.size(), factor), modes::places_of(x), 0, to_change(x));
}

}  // namespace tetrawave::modes
