#include "modes/fe_iiee/radiation.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "host/sums.hpp"
#include "kernels/pairs/green.hpp"
#include "kernels/pairs/point_blocks.hpp"

namespace tetrawave::modes {

namespace {

using Currents = std::vector<results::SurfaceCurrent>;

using kernels::PointBlocks;

struct Tangents {
  Vec3 first{};
  Vec3 second{};  ///< first x second = n
};

Tangents tangents_of(const Vec3& normal) {
  std::size_t least = 0;
  for (std::size_t x = 1; x < 3; ++x)
    if (std::abs(normal[x]) < std::abs(normal[least])) least = x;
  Vec3 axis{};
  axis[least] = 1;
  const Vec3 across = tetrawave::cross(axis, normal);
  const Vec3 first = (1 / norm(across)) * across;
  return {first, tetrawave::cross(normal, first)};
}

/// The last block is filled up with its last point.
PointBlocks blocks_of(const std::vector<BoundaryPoint>& points, double wave_number) {
  PointBlocks blocks(points.size(), kernels::BoundaryRadiation<1>::point_rows);
  for (std::size_t k = 0; k < blocks.blocks() * PointBlocks::lanes; ++k) {
    const BoundaryPoint& point = points[std::min(k, points.size() - 1)];
    const auto [first, second] = tangents_of(point.normal);
    for (std::size_t x = 0; x < 3; ++x) {
      blocks.at(k, x) = wave_number * point.place_m[x];
      blocks.at(k, 3 + x) = first[x];
      blocks.at(k, 6 + x) = second[x];
    }
  }
  return blocks;
}

/// As kernels::BoundaryRadiation has them, of `count` sets.
std::vector<double> sources_of(const Currents* sets, std::size_t count, const RadiationMedium& medium) {
  std::vector<double> numbers;
  numbers.reserve(sets[0].size() * (3 + 12 * count));
  for (std::size_t k = 0; k < sets[0].size(); ++k) {
    for (const double x : sets[0][k].point_m) numbers.push_back(medium.wave_number * x);
    for (std::size_t set = 0; set < count; ++set)
      for (const double sign : {1.0, -1.0})
        for (std::size_t x = 0; x < 3; ++x) {
          const results::SurfaceCurrent& current = sets[set][k];
          const Complex value = Complex(0, -medium.impedance) * current.electric[x] + sign * current.magnetic[x];
          numbers.insert(numbers.end(), {value.real(), value.imag()});
        }
  }
  return numbers;
}

/// Sources go through the caches in pieces, each past all points of a thread.
template <int sets>
void sum(PointBlocks& points, const std::vector<double>& sources, PointBlocks& sums, int threads, host::Isa isa) {
  using Kernel = kernels::BoundaryRadiation<sets>;
  constexpr std::size_t piece = 512;
  const std::size_t count = sources.size() / Kernel::source_size;
  points.share(threads, [&](std::int64_t first, std::int64_t blocks) {
    for (std::size_t from = 0; from < count; from += piece)
      host::run_sums(isa,
                     Kernel{points.data(), sources.data() + from * Kernel::source_size,
                            static_cast<std::int64_t>(std::min(piece, count - from)), sums.data()},
                     first, blocks);
  });
}

constexpr std::size_t most_sets = 4;

void sum(std::size_t sets, PointBlocks& points, const std::vector<double>& sources, PointBlocks& sums, int threads,
         host::Isa isa) {
  switch (sets) {
    case 1:
      return sum<1>(points, sources, sums, threads, isa);
    case 2:
      return sum<2>(points, sources, sums, threads, isa);
    case 3:
      return sum<3>(points, sources, sums, threads, isa);
    default:
      return sum<most_sets>(points, sources, sums, threads, isa);
  }
}

}  // namespace

std::vector<BoundaryValues> radiate(const std::vector<BoundaryPoint>& points, const std::vector<Currents>& sets,
                                    const RadiationMedium& medium, int threads, host::Isa isa) {
  std::vector<BoundaryValues> result(sets.size(), BoundaryValues(points.size()));
  if (points.empty()) return result;
  const double k = medium.wave_number;
  const double scale = k * k * k / (8 * pi * medium.mu_r);
  PointBlocks blocks = blocks_of(points, k);
  for (std::size_t from = 0; from < sets.size(); from += most_sets) {
    const std::size_t count = std::min(most_sets, sets.size() - from);
    PointBlocks sums(points.size(), 4 * count);
    sum(count, blocks, sources_of(&sets[from], count, medium), sums, threads, isa);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto [first, second] = tangents_of(points[p].normal);
      for (std::size_t set = 0; set < count; ++set) {
        const Complex plus(sums.at(p, 4 * set), sums.at(p, 4 * set + 1));
        const Complex minus(sums.at(p, 4 * set + 2), sums.at(p, 4 * set + 3));
        const Complex along_first = Complex(0, -scale) * (plus + minus), along_second = -scale * (plus - minus);
        for (std::size_t x = 0; x < 3; ++x)
          result[from + set][p][x] = first[x] * along_first + second[x] * along_second;
      }
    }
  }
  return result;
}

}  // namespace tetrawave::modes
