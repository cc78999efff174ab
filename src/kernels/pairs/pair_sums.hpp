// What a backend gives for the sums of kernels::BoundaryRadiation over all pairs of points and sources.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::kernels {

/// How a GPU shares the work among its threads.
struct PairMapping {
  /// As J. M. Badia et al. (IEEE Access 8 (2020), doi 10.1109/ACCESS.2020.2993103, III B) do it: a thread for a face of
  /// S, a launch for a face of S', sums in global memory. Else a thread for one or two points, sources in tiles.
  bool is_papers = false;
  int threads = 64;             ///< of a block
  bool currents_shared = true;  ///< in shared memory
};

/// Points and sources come face by face.
struct PointsOfFaces {
  std::int64_t targets = 1;  ///< of a face of S
  std::int64_t sources = 1;  ///< of a face of S'
};

class PairSums {
 public:
  static constexpr std::size_t sum_rows = 4;  ///< re, im of S+, of S-

  virtual ~PairSums() = default;
  /// BoundaryRadiation::point_rows numbers a point; kept until the next call.
  virtual void set_points(const std::vector<double>& points, const PointsOfFaces& faces) = 0;
  /// Of sources with `sets` sets of currents, BoundaryRadiation::source_size(sets) numbers each: sum_rows numbers per
  /// set and point, [point][set][sum_rows]. The same bits each time.
  [[nodiscard]] virtual std::vector<double> sum(const std::vector<double>& sources, int sets, Precision precision) = 0;
  /// Spent so far on copies to and from a device.
  [[nodiscard]] virtual double seconds_transfer() const { return 0; }
};

}  // namespace tetrawave::kernels
