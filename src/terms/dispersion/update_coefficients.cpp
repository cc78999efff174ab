#include "terms/dispersion/update_coefficients.hpp"

#include <utility>

#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/flow_step.hpp"

namespace tetrawave::schemes {

namespace {

/// `of(medium)` is decay and gain.
template <class Of>
UpdateCoefficients for_media(const std::vector<Medium>& media, const Of& of) {
  UpdateCoefficients list;
  const auto add = [&](const std::pair<double, double>& numbers) {
    list.decay.push_back(numbers.first);
    list.gain.push_back(numbers.second);
  };
  for (const Medium& medium : media) add(of(medium));
  add({1, 0});
  return list;
}

double constant_of(const Medium& medium, bool electric) { return electric ? medium.eps_r : medium.mu_r; }
double loss_of(const Medium& medium, bool electric) { return electric ? medium.sigma_e : medium.sigma_m; }

}  // namespace

/// With dispersion, or in anisotropic media, losses are applied before the update (terms/dispersion/kernel.hpp), and u
/// decays by 1. Else (constant/dt + loss/2) u+ = (constant/dt - loss/2) u + sign (...).
UpdateCoefficients update_coefficients(const std::vector<Medium>& media, bool electric, double dt_m) {
  const double sign = electric ? 1 : -1;
  return for_media(media, [=](const Medium& medium) -> std::pair<double, double> {
    const Law law = law_of(Scheme::dgtd_central, medium, electric);
    if (law.exact && !law.any()) {
      const FlowStep flow = flow_step(law, dt_m);
      return {flow.keep, sign * dt_m * flow.force / law.constant};
    }
    if (law.any() || law.is_projected()) return {1, sign * dt_m / mass_of(law, dt_m).mean};
    const double ratio = law.loss * dt_m / (2 * law.constant);
    return {(1 - ratio) / (1 + ratio), sign * dt_m / law.constant / (1 + ratio)};
  });
}

UpdateCoefficients magnetic_back_step(const std::vector<Medium>& media, double dt_m) {
  return for_media(media, [dt_m](const Medium& m) -> std::pair<double, double> {
    const bool apart = law_of(Scheme::dgtd_central, m, false).is_projected();
    return {apart ? 1 : 1 + m.sigma_m * dt_m / (2 * m.mu_r), dt_m / (2 * m.mu_r)};
  });
}

UpdateCoefficients field_rates(const std::vector<Medium>& media, bool electric) {
  return for_media(media, [electric](const Medium& m) -> std::pair<double, double> {
    const double constant = constant_of(m, electric);
    const double loss = loss_of(m, electric) / constant;
    const bool apart = law_of(Scheme::dfdd_eld, m, electric).is_projected();
    return {apart ? 0 : -loss, (electric ? 1 : -1) / constant};
  });
}

UpdateCoefficients inverse_masses(const std::vector<Medium>& media, bool electric) {
  return for_media(media, [electric](const Medium& m) -> std::pair<double, double> {
    return {0, 1 / constant_of(m, electric)};
  });
}

UpdateCoefficients scaled(UpdateCoefficients list, double keep, double factor) {
  for (std::size_t k = 0; k + 1 < list.gain.size(); ++k) {
    list.decay[k] = keep;
    list.gain[k] *= factor;
  }
  return list;
}

std::vector<double> energy_weights(const std::vector<Medium>& media, bool electric) {
  std::vector<double> weights;
  for (const Medium& medium : media) weights.push_back(constant_of(medium, electric));
  weights.push_back(0);
  return weights;
}

}  // namespace tetrawave::schemes
