// Of the dense reference: walls with admittances of their own, metal that holds E at zero, ports of one mode, systems
// of the mass, stable steps.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "support/dense_reference.hpp"
#include "terms/ports/port_memory.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

void DenseReference::hold_at_metal(std::size_t e, DenseMatrix& matrix, Vector& right) const {
  if (!problem_.holds_metal || medium(e).chi3 > 0) return;
  for (std::size_t f = 0; f < 4; ++f) {
    const std::int32_t tag = problem_.mesh->boundary[e][f];
    if (tag < 0 || problem_.walls[static_cast<std::size_t>(tag)] != march::Wall::electric) continue;
    const std::vector<Point> points = face_points(bases_[e], f);
    for (std::size_t i = 0; i < dofs_; ++i) {
      double trace = 0;  // of the function along the face
      for (const Point& p : points)
        trace = std::max(trace, norm(cross(bases_[e].normal(f), bases_[e].values(p.at)[i])));
      if (trace < 1e-9) continue;
      for (std::size_t j = 0; j < dofs_; ++j) matrix(i, j) = matrix(j, i) = 0;
      matrix(i, i) = 1;
      right[i] = 0;
    }
  }
}

void DenseReference::hold_electric() {
  for (std::size_t e = 0; problem_.holds_metal && e < elements_.size(); ++e) {
    DenseMatrix mass = weighted_mass(e, true, 0);
    Vector right(dofs_, 0.0);
    mass.add_product(1, &electric_[e * dofs_], right.data());
    hold_at_metal(e, mass, right);
    const Vector held = mass.solve(std::move(right));
    std::copy(held.begin(), held.end(), electric_.begin() + static_cast<std::ptrdiff_t>(e * dofs_));
  }
}

std::vector<double> DenseReference::mode_voltages(const Vector& u) const {
  std::vector<double> voltages;
  for (const march::ModalTermination& port : problem_.terminations)
    add_sample(voltages, {problem_.electric[port.functional]}, u);
  return voltages;
}

void DenseReference::add_responses(std::size_t e, const DenseMatrix& matrix, std::vector<Vector>& responses) const {
  for (std::size_t p = 0; p < responses.size(); ++p)
    for (std::size_t f = 0; f < 4; ++f) {
      if (elements_[e].wave[f] != problem_.terminations[p].wave) continue;
      DenseMatrix own = matrix;
      Vector moment = elements_[e].incident[f];
      hold_at_metal(e, own, moment);
      const Vector part = own.solve(std::move(moment));
      for (std::size_t i = 0; i < dofs_; ++i) responses[p][e * dofs_ + i] += part[i];
    }
}

/// The convolution of what has left, half steps ago one, two, .. steps, with the kernel of the mode.
double DenseReference::returned_wave(const march::PortMemory& memory, const std::vector<double>& left) const {
  const ExponentialSum& kernel = modal_reflection();
  const double step = memory.cutoff_per_m * dt_m_;
  const double sign = memory.kind == march::PortMemory::Kind::te ? 1 : -1;
  const double most = march::largest_return_of_steps(kernel, memory.cutoff_per_m, dt_m_);
  double sum = 0;
  for (std::size_t m = 1; m <= left.size(); ++m)
    sum += step * kernel(static_cast<double>(m) * step) * left[left.size() - m];
  return sign * sum / std::max(1.0, most + 1e-6);
}

/// n x H = y (2 w - (v + v_before)/2) e: with v = v~ + g q.
void DenseReference::run_mode_currents(Vector& u, const std::vector<double>& before,
                                       const std::vector<Vector>& responses) {
  const std::vector<double> after = mode_voltages(u);
  for (std::size_t p = 0; p < responses.size(); ++p) {
    const march::ModalTermination& port = problem_.terminations[p];
    double w = start_.waves[static_cast<std::size_t>(port.wave - 1)](half_step_);
    if (port.memory) w += returned_wave(*port.memory, left_[port.wave]);
    const double gain = mode_voltages(responses[p])[p];
    const double q = port.admittance * (2 * w - (before[p] + after[p]) / 2) / (1 + port.admittance * gain / 2);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += q * responses[p][k];
    left_[port.wave].push_back((before[p] + after[p] + gain * q) / 2 - w);
  }
}

double DenseReference::open_share(std::size_t e, std::size_t f, bool electric) const {
  const double own = std::sqrt(medium(e).eps_r / medium(e).mu_r);
  const auto given = problem_.open_admittance.find({static_cast<LocalIndex>(e), static_cast<std::uint8_t>(f)});
  const double wall = given == problem_.open_admittance.end() ? own : given->second;
  return (electric ? own : wall) / (own + wall);
}

DenseReference::Vector DenseReference::solve_mass(const Vector& right, bool electric) const {
  std::vector<DenseMatrix>& factors = factors_[electric ? 0 : 1];
  factors.resize(elements_.size());
  Vector result(right.size(), 0.0);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const auto first = static_cast<std::ptrdiff_t>(e * dofs_);
    Vector own(right.begin() + first, right.begin() + first + static_cast<std::ptrdiff_t>(dofs_));
    if (std::all_of(own.begin(), own.end(), [](double x) { return x == 0; })) continue;
    const bool is_new = factors[e].rows == 0;
    DenseMatrix mass(dofs_);
    if (is_new) mass.add(electric ? medium(e).eps_r : medium(e).mu_r, weighted_mass(e, electric, step_of(e)));
    if (electric) hold_at_metal(e, mass, own);
    if (is_new) {
      factors[e] = std::move(mass);
      ensure(factors[e].factor(), "a mass of the dense reference is not positive definite");
    }
    own = factors[e].solve_by_factor(std::move(own));
    std::copy(own.begin(), own.end(), result.begin() + first);
  }
  return result;
}

bool DenseReference::is_stable(double dt_m) const {
  if (problem_.penalty > 0) return is_stable_with_penalty(dt_m);
  const std::size_t size = elements_.size() * dofs_;
  DenseMatrix rest(size);
  for (std::size_t j = 0; j < size; ++j) {
    Vector unit(size, 0.0);
    unit[j] = 1;
    const Vector column = curl_of_electric(solve_mass(curl_of_magnetic(unit), true));  // -K^T M_e^-1 K
    for (std::size_t i = 0; i < size; ++i) rest(i, j) = column[i];
    const std::size_t e = j / dofs_;
    for (std::size_t i = 0; i < dofs_; ++i)
      rest(e * dofs_ + i, j) += 4 / (dt_m * dt_m) * medium(e).mu_r * elements_[e].mass(i, j % dofs_);
  }
  return rest.factor();
}

}  // namespace tetrawave_tests
