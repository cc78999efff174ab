// Coefficients of DGTD-Central for the update kernels in each medium.
#pragma once

#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// Coefficients per material class of one field: u <- decay u + gain M^-1(...). The last class is the padding (1, 0).
struct UpdateCoefficients {
  std::vector<double> decay;
  std::vector<double> gain;
};

/// E over a step dt_m = c0 dt: (eps/dt + sigma/2) M e+ = (eps/dt - sigma/2) M e + ... (theory/central).
UpdateCoefficients electric_coefficients(const std::vector<Medium>& media, double dt_m);
/// H over a step dt_m; the gain is negative (Faraday's law).
UpdateCoefficients magnetic_coefficients(const std::vector<Medium>& media, double dt_m);
/// H from t = 0 back to -dt/2, explicitly: the start of leap-frog from fields given at t = 0. Without the losses of
/// media that are projected (terms/dispersion/coefficients.hpp).
UpdateCoefficients magnetic_back_step(const std::vector<Medium>& media, double dt_m);
/// Rates at t = 0: decay -sigma/eps (0 in projected media), gain 1/eps; -sigma_m/mu, -1/mu.
UpdateCoefficients electric_rate(const std::vector<Medium>& media);
UpdateCoefficients magnetic_rate(const std::vector<Medium>& media);
/// M^-1 of the lossless operator, for the stable step: decay 0, gain 1/eps or 1/mu (K and K^T).
UpdateCoefficients electric_inverse(const std::vector<Medium>& media);
UpdateCoefficients magnetic_inverse(const std::vector<Medium>& media);
/// Energy weights: eps or mu per class, padding 0.
std::vector<double> electric_weights(const std::vector<Medium>& media);
std::vector<double> magnetic_weights(const std::vector<Medium>& media);

}  // namespace tetrawave::schemes
