// A material as users describe it; media/material.hpp has its numbers.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/place.hpp"
#include "base/types.hpp"

namespace tetrawave {

/// chi = delta/(1 + j w tau), with exp(+j w t) as in all terms.
struct DebyeTerm {
  double delta = 0;
  double tau_s = 0;
};

/// chi = delta w0^2/(w0^2 + 2 j w damping - w^2), w0 = 2 pi frequency.
struct LorentzTerm {
  double delta = 0;
  double frequency_hz = 0;
  double damping_rad_per_s = 0;
};

/// chi = -wp^2/(w^2 - j w collision), wp = 2 pi plasma_frequency.
struct DrudeTerm {
  double plasma_frequency_hz = 0;
  double collision_rad_per_s = 0;
};

/// chi(t) = Re(residue exp(-pole t)) u(t).
struct ComplexPoleTerm {
  std::complex<double> residue_per_s;
  std::complex<double> pole_rad_per_s;
};

/// One term added to eps_r, or to mu_r.
struct DispersionTerm {
  std::variant<DebyeTerm, LorentzTerm, DrudeTerm, ComplexPoleTerm> model;
  Place place;
};

/// `wideband-debye`: a laminate of this eps_r and loss tangent at one frequency, with a nearly constant loss tangent
/// from `from` to `to`. It replaces eps_r and electric_dispersion.
struct WidebandDebye {
  double eps_r = 1;
  double loss_tangent = 0;
  double at_hz = 0;
  double from_hz = 0;
  double to_hz = 0;
  Place place;
};

struct KerrTerm {
  double chi3_m2_per_v2 = 0;  ///< given, or from n2
  std::optional<double> n2_m2_per_w;
  Place place{};
};

struct Material {
  std::string name;
  double eps_r = 1;
  double mu_r = 1;
  double sigma_s_per_m = 0;
  double sigma_m_ohm_per_m = 0;
  std::optional<Vec3> eps_diagonal{};  ///< eps_r: [a, b, c] along x, y, z, instead of eps_r
  std::optional<Vec3> mu_diagonal{};
  double loss_tangent = 0;  ///< at every frequency: eps_r (1 - j loss_tangent); in the time domain as a wideband_debye
  Place loss_tangent_place{};
  std::vector<DispersionTerm> electric_dispersion{};
  std::vector<DispersionTerm> magnetic_dispersion{};
  std::optional<WidebandDebye> wideband_debye{};
  std::optional<KerrTerm> kerr{};
  Place place{};
};

}  // namespace tetrawave
