// Coefficients of DGTD-Upwind: media and faces, and the Runge-Kutta method (theory/upwind).
#pragma once

#include <array>
#include <vector>

#include "media/material.hpp"
#include "terms/walls/walls.hpp"

namespace tetrawave::schemes {

/// LSERK(5,4) of Carpenter and Kennedy: w <- a w + dt F(u, t + c dt), u <- u + b w.
struct RungeKuttaStage {
  double a;
  double b;
  double c;
};
inline constexpr std::array<RungeKuttaStage, 5> lserk54{{
    {0, 1432997174477.0 / 9575080441755.0, 0},
    {-567301805773.0 / 1357537059087.0, 5161836677717.0 / 13612068292357.0, 1432997174477.0 / 9575080441755.0},
    {-2404267990393.0 / 2016746695238.0, 1720146321549.0 / 2090206949498.0, 2526269341429.0 / 6820363962896.0},
    {-3550918686646.0 / 2091501179385.0, 3134564353537.0 / 4481467310338.0, 2006345519317.0 / 3224310063776.0},
    {-1275806237668.0 / 842570457699.0, 2277821191437.0 / 14882151754819.0, 2802321613138.0 / 2924317926251.0},
}};

/// a b/b_before, b_before of the stage before: u + b w = u + back (u - u_before) + b dt F, as w is (u - u_before)/b
/// after a stage.
constexpr double lserk54_back(std::size_t stage) {
  return stage == 0 ? 0 : lserk54[stage].a * lserk54[stage].b / lserk54[stage - 1].b;
}

/// Rates per material class of one field: du/dt = gain M^-1(...) - loss u, both times dt_m. Padding: 0.
struct StageCoefficients {
  std::vector<double> gain;
  std::vector<double> loss;
};
StageCoefficients stage_coefficients(const std::vector<Medium>& media, bool electric, double dt_m);

/// Factors of the traces on one side of a face (schemes/upwind/stage.hpp):
///   E:  [0] n x h+  - [1] n x h  +  [2] e+  - [3] e,     H: likewise [4..7] with e and h exchanged.
using FaceCoefficients = std::array<double, 8>;

/// Between two media of impedances Z (own) and Z+, with a resistive sheet of conductance G (0: none) between them.
FaceCoefficients upwind_face(double own_impedance, double other_impedance, double sheet_conductance);
/// A wall, at which the element is its own neighbour.
FaceCoefficients upwind_wall(const WallSpec& wall, double own_impedance);

/// Factors o_e, c_e, o_h, c_h of the power c_e int |n x (o_e E+ - E)|^2 + c_h int |n x (o_h H+ - H)|^2 that the flux
/// takes from the jump at a face, on one side of it: between media, PEC and PMC. 0 at sheets, which dissipate power
/// themselves, at open walls and at ports.
std::array<double, 4> jump_factors(const FaceCoefficients& face);

/// Factors of the moments of an incident wave through an open wall (other_admittance 0), or of half the voltage of the
/// source in a resistive sheet: of E, of H (rotated moment).
std::array<double, 2> upwind_incident(double own_admittance, double other_admittance, double wall_admittance);

}  // namespace tetrawave::schemes
