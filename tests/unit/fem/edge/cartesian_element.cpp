#include "fem/edge/cartesian_element.hpp"

#include "catch.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/edge_matrices.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

std::vector<double> times(const basis::SymmetricMatrix& matrix, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix(i, j) * x[j];
  return y;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off = std::max(off, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return off / size;
}

}  // namespace

TEST_CASE("fields along x, y, z have the moments and the curls of the functions that they are made of") {
  Random random(3);
  for (const Space space : nested_spaces) {
    INFO(name_of(space));
    CartesianElement element(space);
    double worst = 0;
    for (int repeat = 0; repeat < 8; ++repeat) {
      const auto corners = random.corners();
      const basis::PhysicalElement physical(space, corners);
      element.set(corners);
      std::vector<double> dofs;
      for (std::size_t i = 0; i < element.functions(); ++i) dofs.push_back(random.number());
      std::vector<double> field(3 * element.modes()), curl(3 * element.curl_modes());
      element.field(dofs.data(), element.modes(), field.data());
      element.curl(dofs.data(), curl.data());

      std::vector<double> moments(dofs.size(), 0.0), curl_moments(dofs.size(), 0.0);
      element.add_moments(field.data(), moments.data());
      element.add_curl_moments(curl.data(), curl_moments.data());
      const auto mass = times(physical.mass(), dofs), stiffness = times(physical.stiffness(), dofs);
      worst = std::max({worst, distance(moments, mass), distance(curl_moments, stiffness)});
      double energy = 0, curl_energy = 0;
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        energy += dofs[i] * mass[i];
        curl_energy += dofs[i] * stiffness[i];
      }
      worst = std::max({worst, std::abs(element.product(field.data(), field.data(), element.modes()) / energy - 1),
                        std::abs(element.product(curl.data(), curl.data(), element.curl_modes()) / curl_energy - 1)});

      // The dofs of the curl are a field with its values.
      std::vector<double> of_curl(dofs.size(), 0.0);
      element.add_dofs(curl.data(), of_curl.data());
      const std::array<double, 4> point{0.1, 0.2, 0.3, 0.4};
      const auto values = physical.values(point), curls = physical.curls(point);
      Vec3 found{}, wanted{};
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        found = found + of_curl[i] * values[i];
        wanted = wanted + dofs[i] * curls[i];
      }
      worst = std::max(worst, norm(found - wanted) / norm(wanted));
    }
    CHECK(worst < 1e-11);
  }
}
