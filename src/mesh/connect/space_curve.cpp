#include "mesh/connect/space_curve.hpp"

#include <algorithm>

namespace tetrawave {

namespace {

/// Skilling's AxestoTranspose: converts a cell's coordinates to the bits of its Hilbert index, bit b of axis a being
/// bit 3 b + (2 - a) of the index.
void turn_axes_into_transpose(std::array<std::uint32_t, 3>& x) {
  constexpr std::uint32_t top = 1u << (curve_bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    const std::uint32_t below = q - 1;
    for (auto& axis : x) {
      if ((axis & q) != 0) {
        x[0] ^= below;  // invert
      } else {
        const std::uint32_t swapped = (x[0] ^ axis) & below;  // exchange
        x[0] ^= swapped;
        axis ^= swapped;
      }
    }
  }
  x[1] ^= x[0];  // Gray code
  x[2] ^= x[1];
  std::uint32_t flips = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    if ((x[2] & q) != 0) flips ^= q - 1;
  }
  for (auto& axis : x) axis ^= flips;
}

}  // namespace

std::uint64_t hilbert_code(std::array<std::uint32_t, 3> cell) {
  turn_axes_into_transpose(cell);
  std::uint64_t code = 0;
  for (int bit = curve_bits - 1; bit >= 0; --bit) {
    for (const std::uint32_t axis : cell) code = code << 1 | ((axis >> bit) & 1u);
  }
  return code;
}

CurveGrid::CurveGrid(const Vec3& low, const Vec3& high) : low_(low) {
  const double extent = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  cells_per_m_ = extent > 0 ? static_cast<double>(1 << curve_bits) / extent : 0;
}

std::uint64_t CurveGrid::code(const Vec3& point) const {
  constexpr double last = (1 << curve_bits) - 1;
  std::array<std::uint32_t, 3> cell{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cell[axis] = static_cast<std::uint32_t>(std::clamp((point[axis] - low_[axis]) * cells_per_m_, 0., last));
  }
  return hilbert_code(cell);
}

}  // namespace tetrawave
