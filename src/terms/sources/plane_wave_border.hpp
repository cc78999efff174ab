// A plane wave as what enters through the border of a total-field region (theory/sources, theory/fetd).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::march {

/// A plane wave incident through the border of a total-field region, on this rank.
struct PlaneWaveBorder {
  std::int32_t wave = 0;       ///< row of Start::source_waves
  Vec3 direction{};            ///< direction of propagation, a unit vector
  Vec3 electric{};             ///< E of the wave 1 [1]
  Vec3 magnetic{};             ///< eta0 H
  double index = 1;            ///< of refraction
  double first_m = 0;          ///< the least direction . r of the border, where the delay is zero
  std::vector<bool> is_total;  ///< per element
  std::vector<std::pair<LocalIndex, std::uint8_t>> faces;  ///< of the border, from the side of the total field

  /// c0 times the delay at a point.
  [[nodiscard]] double delay_m(const Vec3& point_m) const {
    return std::max(0.0, index * (dot(direction, point_m) - first_m));
  }
};

}  // namespace tetrawave::march
