#include "schemes/dfdd/coefficients.hpp"

#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::schemes {

RateCoefficients rate_coefficients(const std::vector<Medium>& media, bool electric, double dt_m) {
  RateCoefficients list;
  for (const Medium& medium : media) {
    const auto [a, b] = implicit_constants(medium, electric, dt_m);
    list.gain.push_back(dt_m / a);
    list.pull.push_back(4 * a / (dt_m * dt_m));
    list.stiffness.push_back(4 * a * b / (dt_m * dt_m));
  }
  list.gain.push_back(0);
  list.pull.push_back(0);
  list.stiffness.push_back(1);
  return list;
}

}  // namespace tetrawave::schemes
