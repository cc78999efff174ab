// A Hilbert curve through the mesh: elements close on it are close in space, which keeps neighbours in cache.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace tetrawave {

inline constexpr int curve_bits = 21;  ///< per axis; 3 x 21 bits fit one word

/// Position along the Hilbert curve of the cell (x, y, z), each below 2^21, of a cubic grid.
/// J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707, 381 (2004).
std::uint64_t hilbert_code(std::array<std::uint32_t, 3> cell);

/// The cubic grid of 2^21 cells per side over a bounding box.
class CurveGrid {
 public:
  /// `low` and `high`: corners of the box (m); a box without extent is one cell.
  CurveGrid(const Vec3& low, const Vec3& high);

  /// Position along the curve of a point of the box.
  [[nodiscard]] std::uint64_t code(const Vec3& point) const;

 private:
  Vec3 low_;
  double cells_per_m_;
};

}  // namespace tetrawave
