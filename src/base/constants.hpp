// Physical constants (CODATA 2018) and the internal normalised units.
//
// Inside the solver time is c0 t [m], the magnetic field is eta0 H [V/m], an electric conductivity is
// eta0 sigma [1/m], a magnetic one sigma_m/eta0 [1/m]; permittivity and permeability are relative.
#pragma once

#include <numbers>

namespace tetrawave {

inline constexpr double pi = std::numbers::pi;
inline constexpr double c0_m_per_s = 299792458.0;
inline constexpr double mu0_h_per_m = 1.25663706212e-6;
inline constexpr double eps0_f_per_m = 8.8541878128e-12;
inline constexpr double eta0_ohm = mu0_h_per_m * c0_m_per_s;

}  // namespace tetrawave
