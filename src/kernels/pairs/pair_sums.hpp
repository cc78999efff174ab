// What a backend gives for the sums of kernels::BoundaryRadiation over all pairs of points and sources.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::kernels {

class PairSums {
 public:
  static constexpr int sum_rows = 4;  ///< re, im of S+, of S-

  virtual ~PairSums() = default;
  /// BoundaryRadiation::point_rows numbers a point; kept until the next call.
  virtual void set_points(const std::vector<double>& points) = 0;
  /// Of sources with `sets` sets of currents, BoundaryRadiation::source_size(sets) numbers each: sum_rows numbers per
  /// set and point, [point][set][sum_rows]. The same bits each time.
  [[nodiscard]] virtual std::vector<double> sum(const std::vector<double>& sources, int sets, Precision precision) = 0;
};

}  // namespace tetrawave::kernels
