// Conductors with a skin effect as laws between traces on the wall, integrated by the trapezoidal rule (theory/walls).
#pragma once

#include <vector>

namespace tetrawave::schemes {

/// Z_s = sum_b R_b s/(s + p_b): resistances over that of free space, rates over c0 [1/m].
struct ConductorBranches {
  std::vector<double> ohms;
  std::vector<double> rates_per_m;
};

/// direct + sum_b gain_b/(s + pole_b), with as many terms as there are branches.
struct WallLaw {
  double direct = 0;
  std::vector<double> gain;
  std::vector<double> pole_per_m;
};
/// Z_s itself: gain_b = -R_b p_b.
[[nodiscard]] WallLaw impedance_law(const ConductorBranches& branches);
/// 1/Z_s, also a sum of simple poles on the negative axis and at 0 with positive gains: between two rates there is a
/// zero of Z_s. Missing terms have gain 0.
[[nodiscard]] WallLaw admittance_law(const ConductorBranches& branches);

/// The law at s = 2/dt: the coefficient of the unknown in the trapezoidal rule.
[[nodiscard]] double present_part(const WallLaw& law, double dt_m);

/// One term: with the mean u of old and new traces q <- keep q + take u, and
///   law(u) = present_part (u + 1/2 sum_b share_b q_b),   q_b before the step.
struct BranchStep {
  double share = 0;
  double keep = 0;
  double take = 0;
};
[[nodiscard]] BranchStep branch_step(const WallLaw& law, std::size_t term, double dt_m);

}  // namespace tetrawave::schemes
