#include "terms/walls/conductors.hpp"

#include <algorithm>
#include <utility>

namespace tetrawave::schemes {

namespace {

/// f(-z) and -f'(-z) of f(s) = sum_b R_b/(s + p_b).
std::pair<double, double> value_and_slope(const ConductorBranches& branches, double z) {
  double value = 0;
  double slope = 0;
  for (std::size_t b = 0; b < branches.ohms.size(); ++b) {
    const double distance = branches.rates_per_m[b] - z;
    value += branches.ohms[b] / distance;
    slope += branches.ohms[b] / (distance * distance);
  }
  return {value, slope};
}

/// The zero of f(-z) between two neighbouring rates, where it rises from -infinity to infinity.
double zero_between(const ConductorBranches& branches, double low, double high) {
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (value_and_slope(branches, middle).first < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

WallLaw impedance_law(const ConductorBranches& branches) {
  WallLaw law;
  for (std::size_t b = 0; b < branches.ohms.size(); ++b) {
    law.direct += branches.ohms[b];
    law.gain.push_back(-branches.ohms[b] * branches.rates_per_m[b]);
    law.pole_per_m.push_back(branches.rates_per_m[b]);
  }
  return law;
}

// Z_s = s f(s): 1/Z_s has the poles 0, with gain 1/f(0), and z, f(-z) = 0, with gain 1/(-z f'(-z)).
WallLaw admittance_law(const ConductorBranches& branches) {
  ConductorBranches used;
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t b = 0; b < branches.ohms.size(); ++b)
    if (branches.ohms[b] > 0) sorted.emplace_back(branches.rates_per_m[b], branches.ohms[b]);
  std::sort(sorted.begin(), sorted.end());
  WallLaw law;
  for (const auto& [rate, ohms] : sorted) {
    used.rates_per_m.push_back(rate);
    used.ohms.push_back(ohms);
    law.direct += ohms;
  }
  law.direct = 1 / law.direct;
  law.gain.push_back(1 / value_and_slope(used, 0).first);
  law.pole_per_m.push_back(0);
  for (std::size_t b = 0; b + 1 < sorted.size(); ++b) {
    const double z = zero_between(used, sorted[b].first, sorted[b + 1].first);
    law.gain.push_back(1 / (z * value_and_slope(used, z).second));
    law.pole_per_m.push_back(z);
  }
  law.gain.resize(branches.ohms.size(), 0.0);
  law.pole_per_m.resize(branches.ohms.size(), 0.0);
  return law;
}

double present_part(const WallLaw& law, double dt_m) {
  double sum = law.direct;
  for (std::size_t b = 0; b < law.gain.size(); ++b) sum += law.gain[b] / (2 / dt_m + law.pole_per_m[b]);
  return sum;
}

// q' = u - pole q: q+ = keep q + take u, and the mean of q and q+ is (1 + keep)/2 q + take/2 u.
BranchStep branch_step(const WallLaw& law, std::size_t term, double dt_m) {
  const double half = law.pole_per_m[term] * dt_m / 2;
  const double keep = (1 - half) / (1 + half);
  return {law.gain[term] * (1 + keep) / present_part(law, dt_m), keep, dt_m / (1 + half)};
}

}  // namespace tetrawave::schemes
