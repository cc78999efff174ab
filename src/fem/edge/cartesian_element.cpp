#include "fem/edge/cartesian_element.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::fem {

namespace {

double row_times(const basis::Table& table, std::size_t row, const double* x) {
  const double* entries = &table.entries[row * table.columns];
  double sum = 0;
  for (std::size_t i = 0; i < table.columns; ++i) sum += entries[i] * x[i];
  return sum;
}

void add_row(const basis::Table& table, std::size_t row, double factor, double* out) {
  const double* entries = &table.entries[row * table.columns];
  for (std::size_t i = 0; i < table.columns; ++i) out[i] += factor * entries[i];
}

}  // namespace

CartesianElement::CartesianElement(Space space) : reference_(&basis::reference_element(space)) {}

void CartesianElement::set(const std::array<Vec3, 4>& corners) {
  for (std::size_t a = 0; a < 3; ++a) tangents_[a] = corners[a + 1] - corners[0];
  for (std::size_t a = 0; a < 3; ++a) gradients_[a] = cross(tangents_[(a + 1) % 3], tangents_[(a + 2) % 3]);
  det_ = dot(tangents_[0], gradients_[0]);
  for (Vec3& gradient : gradients_) gradient = (1 / det_) * gradient;
}

void CartesianElement::field(const double* dofs, std::size_t count, double* out) const {
  std::fill(out, out + 3 * count, 0.0);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t m = 0; m < count; ++m) {
      const double covariant = row_times(reference_->components, a * modes() + m, dofs);
      for (std::size_t x = 0; x < 3; ++x) out[x * count + m] += gradients_[a][x] * covariant;
    }
}

void CartesianElement::curl(const double* dofs, double* out) const {
  const std::size_t count = curl_modes();
  std::fill(out, out + 3 * count, 0.0);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t m = 0; m < count; ++m) {
      const double contravariant = row_times(reference_->curl_components, c * count + m, dofs) / det_;
      for (std::size_t x = 0; x < 3; ++x) out[x * count + m] += tangents_[c][x] * contravariant;
    }
}

void CartesianElement::add_moments(const double* v, double* out) const {
  const double volume = std::abs(det_) / 6;
  for (std::size_t m = 0; m < modes(); ++m)
    for (std::size_t a = 0; a < 3; ++a) {
      double along = 0;
      for (std::size_t x = 0; x < 3; ++x) along += gradients_[a][x] * v[x * modes() + m];
      add_row(reference_->components, a * modes() + m, volume * reference_->modes[m] * along, out);
    }
}

void CartesianElement::add_curl_moments(const double* v, double* out) const {
  const double factor = std::copysign(1.0 / 6, det_);
  for (std::size_t m = 0; m < curl_modes(); ++m)
    for (std::size_t c = 0; c < 3; ++c) {
      double along = 0;
      for (std::size_t x = 0; x < 3; ++x) along += tangents_[c][x] * v[x * curl_modes() + m];
      add_row(reference_->curl_components, c * curl_modes() + m, factor * reference_->modes[m] * along, out);
    }
}

void CartesianElement::add_dofs(const double* v, double* dofs) const {
  const basis::Table& to_dofs = reference_->to_dofs;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t m = 0; m < curl_modes(); ++m) {
      double covariant = 0;
      for (std::size_t x = 0; x < 3; ++x) covariant += tangents_[a][x] * v[x * curl_modes() + m];
      const std::size_t column = a * reference_->low_modes + m;
      for (std::size_t i = 0; i < functions(); ++i) dofs[i] += to_dofs(i, column) * covariant;
    }
}

double CartesianElement::product(const double* u, const double* v, std::size_t count) const {
  double sum = 0;
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t m = 0; m < count; ++m) sum += reference_->modes[m] * u[x * count + m] * v[x * count + m];
  return std::abs(det_) / 6 * sum;
}

}  // namespace tetrawave::fem
