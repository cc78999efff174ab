// Coefficients of the leap-frog schemes for the update kernels in each medium, for E or H (`electric`).
#pragma once

#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// Coefficients per material class of one field: u <- decay u + gain M^-1(...). The last class is the padding (1, 0).
struct UpdateCoefficients {
  std::vector<double> decay;
  std::vector<double> gain;
};

/// DGTD-Central over a step dt_m = c0 dt: (eps/dt + sigma/2) M e+ = (eps/dt - sigma/2) M e + ... (theory/central); of H
/// with mu and a negative gain (Faraday's law).
UpdateCoefficients update_coefficients(const std::vector<Medium>& media, bool electric, double dt_m);
/// H from t = 0 back to -dt/2, explicitly: the start of leap-frog from fields given at t = 0. Without the losses of
/// media that are projected (terms/dispersion/coefficients.hpp).
UpdateCoefficients magnetic_back_step(const std::vector<Medium>& media, double dt_m);
/// Rates at t = 0: decay -sigma/eps (0 in projected media), gain 1/eps; -sigma_m/mu, -1/mu.
UpdateCoefficients field_rates(const std::vector<Medium>& media, bool electric);
/// M^-1 of the lossless operator, for the stable step: decay 0, gain 1/eps or 1/mu (K and K^T).
UpdateCoefficients inverse_masses(const std::vector<Medium>& media, bool electric);
/// Gains times `factor`, decays `keep`, but for the padding.
UpdateCoefficients scaled(UpdateCoefficients list, double keep, double factor);
/// Energy weights: eps or mu per class, padding 0.
std::vector<double> energy_weights(const std::vector<Medium>& media, bool electric);

}  // namespace tetrawave::schemes
