#include "terms/dispersion/update_coefficients.hpp"

#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::schemes {

namespace {

/// (constant/dt + loss/2) u+ = (constant/dt - loss/2) u + sign (...).
void add_class(UpdateCoefficients& list, double constant, double loss, double dt_m, double sign) {
  const double ratio = loss * dt_m / (2 * constant);
  list.decay.push_back((1 - ratio) / (1 + ratio));
  list.gain.push_back(sign * dt_m / constant / (1 + ratio));
}

void add_padding(UpdateCoefficients& list) {
  list.decay.push_back(1);
  list.gain.push_back(0);
}

template <class Add>
UpdateCoefficients for_media(const std::vector<Medium>& media, const Add& add) {
  UpdateCoefficients list;
  for (const Medium& medium : media) add(list, medium);
  add_padding(list);
  return list;
}

void add_plain(UpdateCoefficients& list, double decay, double gain) {
  list.decay.push_back(decay);
  list.gain.push_back(gain);
}

}  // namespace

namespace {

/// With dispersion, or in anisotropic media, losses are applied before the update (terms/dispersion/kernel.hpp), and u
/// decays by 1.
UpdateCoefficients coefficients(const std::vector<Medium>& media, bool electric, double dt_m, double sign) {
  return for_media(media, [=](auto& list, const Medium& medium) {
    const Law law = law_of(Scheme::dgtd_central, medium, electric);
    if (law.any() || law.is_projected())
      add_plain(list, 1, sign * dt_m / mass_of(law, dt_m).mean);
    else
      add_class(list, law.constant, law.loss, dt_m, sign);
  });
}

UpdateCoefficients rates(const std::vector<Medium>& media, bool electric) {
  return for_media(media, [electric](auto& list, const Medium& m) {
    const double constant = electric ? m.eps_r : m.mu_r;
    const double loss = (electric ? m.sigma_e : m.sigma_m) / constant;
    const bool apart = law_of(Scheme::dfdd_eld, m, electric).is_projected();
    add_plain(list, apart ? 0 : -loss, (electric ? 1 : -1) / constant);
  });
}

}  // namespace

UpdateCoefficients electric_coefficients(const std::vector<Medium>& media, double dt_m) {
  return coefficients(media, true, dt_m, 1);
}

UpdateCoefficients magnetic_coefficients(const std::vector<Medium>& media, double dt_m) {
  return coefficients(media, false, dt_m, -1);
}

UpdateCoefficients magnetic_back_step(const std::vector<Medium>& media, double dt_m) {
  return for_media(media, [dt_m](auto& list, const Medium& m) {
    const bool apart = law_of(Scheme::dgtd_central, m, false).is_projected();
    add_plain(list, apart ? 1 : 1 + m.sigma_m * dt_m / (2 * m.mu_r), dt_m / (2 * m.mu_r));
  });
}

UpdateCoefficients electric_rate(const std::vector<Medium>& media) { return rates(media, true); }

UpdateCoefficients magnetic_rate(const std::vector<Medium>& media) { return rates(media, false); }

UpdateCoefficients electric_inverse(const std::vector<Medium>& media) {
  return for_media(media, [](auto& list, const Medium& m) { add_plain(list, 0, 1 / m.eps_r); });
}

UpdateCoefficients magnetic_inverse(const std::vector<Medium>& media) {
  return for_media(media, [](auto& list, const Medium& m) { add_plain(list, 0, 1 / m.mu_r); });
}

std::vector<double> electric_weights(const std::vector<Medium>& media) {
  std::vector<double> weights;
  for (const Medium& medium : media) weights.push_back(medium.eps_r);
  weights.push_back(0);
  return weights;
}

std::vector<double> magnetic_weights(const std::vector<Medium>& media) {
  std::vector<double> weights;
  for (const Medium& medium : media) weights.push_back(medium.mu_r);
  weights.push_back(0);
  return weights;
}

}  // namespace tetrawave::schemes
