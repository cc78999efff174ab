#include "media/material.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "media/passivity.hpp"
#include "media/wideband_debye.hpp"

namespace tetrawave {

namespace {

void throw_if_any(const std::vector<std::string>& errors) {
  if (errors.empty()) return;
  constexpr std::size_t most = 20;
  std::string text = errors.front();
  for (std::size_t i = 1; i < std::min(most, errors.size()); ++i) text += "\n" + errors[i];
  if (errors.size() > most) text += tetrawave::format("\n{} more errors are not shown", errors.size() - most);
  throw UserError(ExitCode::bad_case, text);
}

/// eps_r or mu_r: a mean and the ratio of each axis to it.
void set_constant(double isotropic, const std::optional<Vec3>& diagonal, double& mean, Vec3& axes) {
  mean = isotropic;
  if (!diagonal) return;
  const Vec3& d = *diagonal;
  const bool equal = d[0] == d[1] && d[1] == d[2];
  mean = equal ? d[0] : std::cbrt(d[0] * d[1] * d[2]);
  if (!equal) axes = (1 / mean) * d;
}

std::vector<PoleTerm> make_terms(const std::vector<DispersionTerm>& terms) {
  std::vector<PoleTerm> result;
  for (const DispersionTerm& term : terms) result.push_back(make_pole_term(term));
  return result;
}

/// Errors in the terms of one material, electric or magnetic.
class TermChecker {
 public:
  TermChecker(const Material& material, const char* list, const char* constant, std::vector<std::string>& errors)
      : material_(material), list_(list), constant_(constant), errors_(errors) {}

  void check(const std::vector<DispersionTerm>& specs, const std::vector<PoleTerm>& terms, double sigma) {
    bool stable = true;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (is_stable(terms[i])) continue;
      stable = false;
      errors_.push_back(tetrawave::format(
          "{}: error: {}.{}: the term grows in time, as its pole has the real part {:.6g} rad/s; a term decays as "
          "exp(-pole t), so that real parts are at least 0",
          specs[i].place.text, path(), i, -poles_of(terms[i]).front().real() * c0_m_per_s));
    }
    if (stable) check_passivity(specs, terms, sigma);
  }

 private:
  [[nodiscard]] std::string path() const { return tetrawave::format("materials.{}.{}", material_.name, list_); }

  void check_passivity(const std::vector<DispersionTerm>& specs, const std::vector<PoleTerm>& terms, double sigma) {
    const auto active = find_active_frequency(terms, sigma);
    if (!active) return;
    std::string guilty;
    const Place* place = nullptr;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (is_passive(terms[i])) continue;
      guilty += tetrawave::format("{}{}", guilty.empty() ? "" : ", ", i);
      if (place == nullptr) place = &specs[i].place;
    }
    errors_.push_back(tetrawave::format(
        "{}: error: {}: the medium gives energy: the imaginary part of {} is {:+.4g} at {:.6g} GHz, and must not be "
        "above 0 at any frequency (exp(+j w t)); look at term {}",
        place->text, path(), constant_, active->imaginary_part, active->frequency_hz * 1e-9, guilty));
  }

  const Material& material_;
  const char* list_;
  const char* constant_;
  std::vector<std::string>& errors_;
};

void check_laminate(const Material& material, std::vector<std::string>& errors) {
  if (!material.wideband_debye) return;
  const WidebandDebyeFit fit = fit_wideband_debye(*material.wideband_debye);
  if (fit.eps_r > 0) return;
  errors.push_back(
      tetrawave::format("{}: error: materials.{}: with this loss tangent over this band eps_r would be {:.4g} at "
                        "infinite frequency; give "
                        "a narrower band",
                        material.wideband_debye->place.text, material.name, fit.eps_r));
}

double fastest_rate_per_m(const Medium& medium) {
  const auto least = [](const Vec3& axes) { return *std::min_element(axes.begin(), axes.end()); };
  return std::max(fastest_rate_per_m(medium.electric_poles, medium.eps_r * least(medium.eps_axes), medium.sigma_e),
                  fastest_rate_per_m(medium.magnetic_poles, medium.mu_r * least(medium.mu_axes), medium.sigma_m));
}

}  // namespace

ComplexConstants constants_at(const Medium& medium, std::complex<double> frequency_hz) {
  const std::complex<double> s = std::complex<double>(0, 1) * (2 * pi * frequency_hz / c0_m_per_s);
  ComplexConstants result{medium.complex_eps_r() + medium.sigma_e / s, medium.mu_r + medium.sigma_m / s};
  for (const PoleTerm& term : medium.electric_poles) result.eps += susceptibility(term, s);
  for (const PoleTerm& term : medium.magnetic_poles) result.mu += susceptibility(term, s);
  return result;
}

double runge_kutta_step_limit_m(const Medium& medium) {
  if (!medium.is_dispersive()) return INFINITY;
  const auto relaxes = [](const PoleTerm& term) { return term.states == 1; };
  const bool only_relaxes = std::all_of(medium.electric_poles.begin(), medium.electric_poles.end(), relaxes) &&
                            std::all_of(medium.magnetic_poles.begin(), medium.magnetic_poles.end(), relaxes);
  constexpr double real_axis = 4.65, half_disc = 3.17;
  return (only_relaxes ? real_axis : half_disc) / fastest_rate_per_m(medium);
}

double resonance_shift(const Medium& medium, double dt_m) {
  double highest = 0;
  const auto visit = [&](const std::vector<PoleTerm>& terms, double constant) {
    for (const PoleTerm& term : terms)
      if (term.states == 2) highest = std::max(highest, std::sqrt(term.a0 + std::abs(term.b0) / constant));
  };
  visit(medium.electric_poles, medium.eps_r);
  visit(medium.magnetic_poles, medium.mu_r);
  const double half = highest * dt_m / 2;
  return half > 0 ? 1 - std::atan(half) / half : 0;
}

Medium make_medium(const Material& material) {
  Medium medium;
  medium.sigma_e = eta0_ohm * material.sigma_s_per_m;
  medium.sigma_m = material.sigma_m_ohm_per_m / eta0_ohm;
  set_constant(material.eps_r, material.eps_diagonal, medium.eps_r, medium.eps_axes);
  set_constant(material.mu_r, material.mu_diagonal, medium.mu_r, medium.mu_axes);
  medium.loss_tangent = material.loss_tangent;
  medium.electric_poles = make_terms(material.electric_dispersion);
  medium.magnetic_poles = make_terms(material.magnetic_dispersion);
  if (material.kerr) medium.chi3 = material.kerr->chi3_m2_per_v2;
  if (material.wideband_debye) {
    const WidebandDebyeFit fit = fit_wideband_debye(*material.wideband_debye);
    medium.eps_r = fit.eps_r;
    for (const DebyeTerm& term : fit.terms) medium.electric_poles.push_back(make_pole_term({term, {}}));
  }
  return medium;
}

void check_media(const std::vector<Material>& materials) {
  std::vector<std::string> errors;
  for (const Material& material : materials) {
    const Medium medium = make_medium(material);
    if (!material.wideband_debye)
      TermChecker(material, "electric_dispersion", "eps", errors)
          .check(material.electric_dispersion, medium.electric_poles, medium.sigma_e);
    TermChecker(material, "magnetic_dispersion", "mu", errors)
        .check(material.magnetic_dispersion, medium.magnetic_poles, medium.sigma_m);
    check_laminate(material, errors);
  }
  throw_if_any(errors);
}

}  // namespace tetrawave
