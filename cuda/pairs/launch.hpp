// Launches of the sums over pairs of points; defined in the .cu files of this folder. Free of CUDA's own headers.
#pragma once

#include <cstdint>

#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

/// Points of S on the device: rows[row * stride + point], the last ones repeated up to the stride.
template <class S>
struct DevicePoints {
  const S* rows = nullptr;
  std::int64_t count = 0;
  std::int64_t stride = 0;  ///< whole thread blocks
};

/// Sources on the device, BoundaryRadiation::source_size(sets) numbers each.
struct DeviceSources {
  const double* numbers = nullptr;
  std::int64_t count = 0;
  int sets = 1;
};

inline constexpr int pair_threads = 128;      ///< of a block of the tiled sums
inline constexpr int most_sets_at_once = 10;  ///< that a thread keeps sums of

/// How many ranges the sources are cut into, each with partial sums of its own, so that the GPU has enough blocks.
template <class S>
std::int64_t count_ranges_of_sources(const DevicePoints<S>& points, std::int64_t sources, int sets,
                                     int multiprocessors);

/// Partial sums of the sets from `first_set` on, `together` of them: partial[(range * 4 together + row) * stride +
/// point].
template <class S>
void launch_tiles_of_pairs(Stream& stream, const DevicePoints<S>& points, const DeviceSources& sources, int first_set,
                           int together, std::int64_t ranges, S* partial);
/// sums[(point * sets + set) * 4 + row] of those, ranges in their order.
template <class S>
void launch_join_of_ranges(Stream& stream, const DevicePoints<S>& points, const S* partial, int first_set, int together,
                           int sets, std::int64_t ranges, double* sums);

/// The paper's mapping: adds what the sources [first, first + count) of one face of S' give to fields[(point * sets +
/// set) * 12], E and curl E at each point, a thread for `targets` points in a row.
void launch_face_of_sources(Stream& stream, const DevicePoints<double>& points, const DeviceSources& sources,
                            std::int64_t first, std::int64_t count, std::int64_t targets, int threads,
                            bool currents_shared, double* fields);
/// sums[(point * sets + set) * 4 + row] of these.
void launch_tangents_of_fields(Stream& stream, const DevicePoints<double>& points, const double* fields, int sets,
                               double* sums);

int multiprocessors_of(int device);

}  // namespace tetrawave::cuda
