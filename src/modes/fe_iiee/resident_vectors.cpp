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

ResidentVectors::Table ResidentVectors::table(const std::vector<Vector>& a, const std::vector<Vector>& b) const {
  fem::ResidentBoundary::Vectors all = modes::places_of(a), last = modes::places_of(b);
  all.insert(all.end(), last.begin(), last.end());
  const std::vector<std::complex<double>> numbers = device_->products_on_host(all, last);
  Table table;
  for (std::size_t i = 0; i < all.size(); ++i)
    table.emplace_back(numbers.data() + i * last.size(), numbers.data() + (i + 1) * last.size());
  return table;
}

std::vector<ResidentVectors::Vector> ResidentVectors::sums(const Table& parts, const std::vector<Vector>& a,
                                                           const std::vector<Vector>& b) const {
  std::vector<Vector> y;
  for (std::size_t k = 0; k < parts.front().size(); ++k) y.emplace_back(device_);
  std::vector<std::complex<double>> numbers;
  for (const auto& row : parts) numbers.insert(numbers.end(), row.begin(), row.end());
  fem::ResidentBoundary::Vectors all = modes::places_of(a), last = modes::places_of(b);
  all.insert(all.end(), last.begin(), last.end());
  device_->sum(numbers, all, to_change(y));
  return y;
}

}  // namespace tetrawave::modes
