// What a backend gives for the sums of kernels::BoundaryRadiation over all pairs of points and sources.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "comm/device_buffer.hpp"

namespace tetrawave::kernels {

/// Sums that clusters of points make up (theory/fe-iiee#sums-by-clusters).
struct ClusterChoice {
  double tolerance = 0;  ///< of the sums; 0: all pairs
  double sums = 0;       ///< how many are expected from the same places; 0: clusters whatever that costs
  double speed = 1;      ///< of sums over all pairs, which may be another device's, to those of the threads
};

/// How the work is done; but for `clusters`, how a GPU shares it among its threads.
struct PairMapping {
  /// As J. M. Badia et al. (IEEE Access 8 (2020), doi 10.1109/ACCESS.2020.2993103, III B) do it: a thread for a face of
  /// S, a launch for a face of S', sums in global memory. Else a thread for one or two points, sources in tiles.
  bool is_papers = false;
  int threads = 64;             ///< of a block
  bool currents_shared = true;  ///< in shared memory
  ClusterChoice clusters{};
};

/// What clusters have come to.
struct ClusterReport {
  bool used = false;         ///< else all pairs, which were expected to take less
  double error = 0;          ///< largest of a sum, of some of its points against all pairs
  double seconds_build = 0;  ///< of trees and skeletons
  double pairs_of_sum = 0;   ///< that are evaluated
  std::int64_t bytes = 0;
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
  /// set and point, [point][set][sum_rows]. The same bits each time. They stay where they are until the next call.
  [[nodiscard]] virtual std::span<const double> find_sums(std::span<const double> sources, int sets,
                                                          Precision precision) = 0;
  [[nodiscard]] std::vector<double> sum(std::span<const double> sources, int sets, Precision precision) {
    const std::span<const double> sums = find_sums(sources, sets, precision);
    return {sums.begin(), sums.end()};
  }
  /// Tells the places of sources to come, where that decides how they are summed.
  virtual void see_places(std::span<const double> /*sources*/, int /*sets*/) {}
  /// Whether `find_resident_sums` takes sources at these places on the device of the sums.
  [[nodiscard]] virtual bool is_resident() const { return false; }
  /// `find_sums` on the device, with the sources there; they stay until the next call. Null where it is not resident.
  [[nodiscard]] virtual const double* find_resident_sums(std::span<const double> /*sources*/, int /*sets*/,
                                                         Precision /*precision*/) {
    return nullptr;
  }
  /// Sources that are on the host, for `find_resident_sums`, and its sums on the host, until the next call of each.
  /// Where it is resident.
  [[nodiscard]] virtual const double* upload_sources(std::span<const double> /*sources*/) { return nullptr; }
  [[nodiscard]] virtual std::span<const double> download_sums(std::span<const double> /*sums*/) { return {}; }
  /// Where ranks sum together, each at points of its own: a buffer of so many numbers. Collective; throws the same on
  /// all ranks where there can be none. Null of sums that no device does.
  [[nodiscard]] virtual std::unique_ptr<comm::DeviceBuffer> make_buffer(const comm::Communicator& /*ranks*/,
                                                                        std::size_t /*numbers*/) {
    return nullptr;
  }
  /// Numbers of this device, into such a buffer; is finished when it returns.
  virtual void put_in_buffer(std::span<const double> /*numbers*/, double* /*buffer*/) {}
  /// Sources that are in a buffer: the sums at the points of this rank, to a place in it; is finished when it returns.
  virtual void sum_in_buffer(std::span<const double> /*sources*/, int /*sets*/, Precision /*precision*/,
                             double* /*sums*/) {}
  /// Of the places of the last sum.
  [[nodiscard]] virtual ClusterReport clusters() const { return {}; }
  /// Spent so far on copies to and from a device.
  [[nodiscard]] virtual double seconds_transfer() const { return 0; }
};

}  // namespace tetrawave::kernels
