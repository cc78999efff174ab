// Of the dense reference: the penalty on jumps of the tangential electric field.
#include <cmath>

#include "support/dense_reference.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

void DenseReference::add_penalty(const Vector& u, Vector& right) const {
  const auto impedance = [this](std::size_t e) { return std::sqrt(medium(e).mu_r / medium(e).eps_r); };
  for (std::size_t e = 0; problem_.penalty > 0 && e < elements_.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = problem_.mesh->boundary[e][f];
      const LocalIndex behind = problem_.mesh->neighbour[e][f];
      const auto other = static_cast<std::size_t>(behind < 0 ? 0 : behind);
      const double z = impedance(e);
      if (tag >= 0) {
        if (problem_.walls[static_cast<std::size_t>(tag)] == march::Wall::electric)
          elements_[e].face_mass[f].add_product(-problem_.penalty / z, &u[e * dofs_], &right[e * dofs_]);
        continue;
      }
      if (brake_shares(e, f) != Vec3{} || class_of(e) != class_of(other)) continue;
      if (!problem_.undamped.empty() && (problem_.undamped[e] >> f & 1) != 0) continue;
      const double scale = problem_.penalty / (z + impedance(other));
      for (const Point& p : face_points(bases_[e], f)) {
        const Vec3 n = bases_[e].normal(f);
        const Vec3 jump = value_at(other, &u[other * dofs_], p.at) - value_at(e, &u[e * dofs_], p.at);
        const Vec3 along = jump - dot(n, jump) * n;
        const std::vector<Vec3>& values = bases_[e].values(p.at);
        for (std::size_t i = 0; i < dofs_; ++i) right[e * dofs_ + i] += scale * p.weight * dot(values[i], along);
      }
    }
}

double DenseReference::penalty_power(const Vector& u) const {
  Vector right(u.size(), 0.0);
  add_penalty(u, right);
  double power = 0;
  for (std::size_t k = 0; k < u.size(); ++k) power -= u[k] * right[k];
  return power;
}

double DenseReference::coupling(const Vector& e, const Vector& h) const {
  const Vector right = curl_of_magnetic(h);
  double sum = 0;
  for (std::size_t k = 0; k < e.size(); ++k) sum += e[k] * right[k];
  return sum;
}

bool DenseReference::is_stable_with_penalty(double dt_m) const {
  const std::size_t size = elements_.size() * dofs_;
  DenseMatrix rest(2 * size);
  for (std::size_t j = 0; j < size; ++j) {
    Vector unit(size, 0.0);
    unit[j] = 1;
    Vector of_electric(size, 0.0);
    add_penalty(unit, of_electric);
    const Vector curl = curl_of_magnetic(unit);
    for (std::size_t i = 0; i < size; ++i) {
      rest(i, j) = of_electric[i];
      rest(i, size + j) = rest(size + j, i) = curl[i];
    }
    const std::size_t e = j / dofs_;
    for (std::size_t i = 0; i < dofs_; ++i) {
      rest(e * dofs_ + i, j) += 2 / dt_m * medium(e).eps_r * elements_[e].mass(i, j % dofs_);
      rest(size + e * dofs_ + i, size + j) += 2 / dt_m * medium(e).mu_r * elements_[e].mass(i, j % dofs_);
    }
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    DenseMatrix any(dofs_);
    Vector ones(dofs_, 1.0);
    hold_at_metal(e, any, ones);
    for (std::size_t i = 0; i < dofs_; ++i) {
      if (ones[i] != 0) continue;
      for (std::size_t k = 0; k < 2 * size; ++k) rest(e * dofs_ + i, k) = rest(k, e * dofs_ + i) = 0;
      rest(e * dofs_ + i, e * dofs_ + i) = 1;
    }
  }
  return rest.factor();
}

}  // namespace tetrawave_tests
