#include "schemes/dgtd_central.hpp"

#include "schemes/poles.hpp"

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

/// With terms of dispersion the losses are taken before the update (kernels/poles.hpp), and u decays by 1.
UpdateCoefficients coefficients(const std::vector<Medium>& media, bool electric, double dt_m, double sign) {
  return for_media(media, [=](auto& list, const Medium& medium) {
    const Law law = law_of(Scheme::dgtd_central, medium, electric);
    if (law.any())
      add_plain(list, 1, sign * dt_m / (law.constant + present_part(law, dt_m) + dt_m * law.loss / 2));
    else
      add_class(list, law.constant, law.loss, dt_m, sign);
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
    add_plain(list, 1 + m.sigma_m * dt_m / (2 * m.mu_r), dt_m / (2 * m.mu_r));
  });
}

UpdateCoefficients electric_rate(const std::vector<Medium>& media) {
  return for_media(media, [](auto& list, const Medium& m) { add_plain(list, -m.sigma_e / m.eps_r, 1 / m.eps_r); });
}

UpdateCoefficients magnetic_rate(const std::vector<Medium>& media) {
  return for_media(media, [](auto& list, const Medium& m) { add_plain(list, -m.sigma_m / m.mu_r, -1 / m.mu_r); });
}

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
