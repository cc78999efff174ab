#include "schemes/newmark/laws.hpp"

#include "base/error.hpp"
#include "media/passivity.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::modes {

FetdLaw::FetdLaw(const march::Problem& problem, LocalIndex element, march::Field field, double dt_m)
    : half_m_(dt_m / 2) {
  const bool electric = field == march::Field::electric;
  const Medium& medium = problem.medium_of(element);
  const Vec3 constant = (electric ? medium.eps_r : medium.mu_r) * (electric ? medium.eps_axes : medium.mu_axes);
  inertia_ = (1 / half_m_) * constant;
  present_ = inertia_;
  for (const PoleTerm& term : electric ? medium.electric_poles : medium.magnetic_poles) {
    terms_.push_back(schemes::trapezoidal(term, dt_m));
    stored_.push_back(stored_energy(term));
  }
  double isotropic = electric ? medium.sigma_e : medium.sigma_m;
  for (const schemes::TermConstants& term : terms_) isotropic += term[4] / half_m_;
  for (double& along : present_) along += isotropic;
  if (!march::is_layer(problem, element)) return;
  ensure(isotropic == 0, "absorbing layers have their losses in the stretch and no terms of dispersion");
  const auto stretch = schemes::layer_terms(march::stretch_of(problem, element, field));
  layer_.emplace();
  for (std::size_t x = 0; x < 3; ++x) {
    LayerAxis& axis = (*layer_)[x];
    for (std::size_t k = 0; k < 2; ++k) {
      axis.keep[k] = 1 / (1 + half_m_ * stretch[x].poles[k]);
      axis.residues[k] = constant[x] * stretch[x].residues[k];
    }
    const double first = axis.keep[0] * half_m_;
    present_[x] +=
        constant[x] * stretch[x].rate + axis.residues[0] * first + axis.residues[1] * axis.keep[1] * half_m_ * first;
  }
}

void FetdLaw::known(std::size_t modes, const double* u, const double* states, double* out) const {
  const std::size_t row = 3 * modes;
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t m = 0; m < modes; ++m) out[x * modes + m] = inertia_[x] * u[x * modes + m];
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const double* first = states + 2 * t * row;
    const double of_first = (terms_[t][0] - 1) / (2 * half_m_), of_second = terms_[t][1] / (2 * half_m_);
    for (std::size_t i = 0; i < row; ++i) out[i] -= of_first * first[i] + of_second * first[row + i];
  }
  if (!layer_) return;
  for (std::size_t x = 0; x < 3; ++x) {
    const LayerAxis& axis = (*layer_)[x];
    for (std::size_t m = 0; m < modes; ++m) {
      const std::size_t i = x * modes + m;
      const double first = axis.keep[0] * states[i];
      out[i] -= axis.residues[0] * first + axis.residues[1] * axis.keep[1] * (states[row + i] + half_m_ * first);
    }
  }
}

void FetdLaw::advance(std::size_t modes, const double* u_mid, double* states) const {
  const std::size_t row = 3 * modes;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const auto& [t11, t12, t21, t22, g1, g2] = terms_[t];
    double* first = states + 2 * t * row;
    double* second = first + row;
    for (std::size_t i = 0; i < row; ++i) {
      const double x1 = first[i], x2 = second[i];
      first[i] = t11 * x1 + t12 * x2 + 2 * g1 * u_mid[i];
      second[i] = t21 * x1 + t22 * x2 + 2 * g2 * u_mid[i];
    }
  }
  if (!layer_) return;
  for (std::size_t x = 0; x < 3; ++x) {
    const LayerAxis& axis = (*layer_)[x];
    for (std::size_t m = 0; m < modes; ++m) {
      const std::size_t i = x * modes + m;
      const double first = axis.keep[0] * (states[i] + half_m_ * u_mid[i]);
      const double second = axis.keep[1] * (states[row + i] + half_m_ * first);
      states[i] = 2 * first - states[i];
      states[row + i] = 2 * second - states[row + i];
    }
  }
}

}  // namespace tetrawave::modes
