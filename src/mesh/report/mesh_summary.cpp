#include "mesh/report/mesh_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/copy_on_threads.hpp"
#include "base/parallel.hpp"
#include "base/reproducible_sum.hpp"

namespace tetrawave {

namespace {

constexpr int bin_count = 4096;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A logarithmic histogram between two positive numbers.
class LogarithmicBins {
 public:
  LogarithmicBins(double low, double high) : low_(low), width_(std::log(high / low) / bin_count) {}
  [[nodiscard]] bool is_point() const { return !(width_ > 0); }
  [[nodiscard]] std::size_t bin_of(double value) const {
    const double bin = is_point() ? 0 : std::log(value / low_) / width_;
    return static_cast<std::size_t>(std::clamp(bin, 0., bin_count - 1.));
  }
  /// Median of `total` values in bins[0, bin_count).
  [[nodiscard]] double median_of(std::span<const std::int64_t> bins, std::int64_t total) const {
    std::int64_t seen = 0;
    std::size_t middle = 0;
    while ((seen += bins[middle]) < (total + 1) / 2) ++middle;
    return is_point() ? low_ : low_ * std::exp((static_cast<double>(middle) + 0.5) * width_);
  }

 private:
  double low_;
  double width_;
};

/// R = | |a|^2 b x c + |b|^2 c x a + |c|^2 a x b | / (2 |a . (b x c)|), the edges a, b, c from one vertex.
double circumradius(const Corners& x) {
  const Vec3 a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const Vec3 centre = dot(a, a) * cross(b, c) + dot(b, b) * cross(c, a) + dot(c, c) * cross(a, b);
  return norm(centre) / (2 * std::abs(dot(a, cross(b, c))));
}

/// Range of the positive numbers value(i), i < count, within each of the groups given by group_of(i); zeros for a group
/// without values. Collective.
template <class Value, class Group>
std::vector<MeasureRange> find_ranges(std::size_t count, std::size_t groups, const Value& value, const Group& group_of,
                                      int threads, const comm::Communicator& ranks) {
  const std::vector<MeasureRange> none(groups, {infinity, 0, -infinity});
  std::vector<MeasureRange> result = none;
  const std::size_t parts = count_ranges(count, threads);
  std::vector<std::vector<MeasureRange>> ranges(parts);
  for_ranges(count, parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    std::vector<MeasureRange> mine = none;
    for (std::size_t i = first; i < last; ++i) {
      MeasureRange& range = mine[group_of(i)];
      range.min = std::min(range.min, value(i));
      range.max = std::max(range.max, value(i));
    }
    ranges[part] = std::move(mine);
  });
  for (const auto& mine : ranges)
    for (std::size_t g = 0; g < groups; ++g) {
      result[g].min = std::min(result[g].min, mine[g].min);
      result[g].max = std::max(result[g].max, mine[g].max);
    }
  std::vector<LogarithmicBins> scales;
  for (MeasureRange& range : result) {
    range.min = ranks.min(range.min);
    range.max = ranks.max(range.max);
    scales.emplace_back(range.min, range.max);
  }
  std::vector<std::int64_t> bins(groups * bin_count, 0), totals(groups, 0);
  std::vector<std::vector<std::int64_t>> counted(parts);
  for_ranges(count, parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    std::vector<std::int64_t> mine(groups * bin_count, 0);
    for (std::size_t i = first; i < last; ++i) ++mine[group_of(i) * bin_count + scales[group_of(i)].bin_of(value(i))];
    counted[part] = std::move(mine);
  });
  for (const auto& mine : counted)
    for (std::size_t b = 0; b < bins.size(); ++b) {
      bins[b] += mine[b];
      totals[b / bin_count] += mine[b];
    }
  ranks.sum_in_place(totals);
  ranks.sum_in_place(bins);
  for (std::size_t g = 0; g < groups; ++g) {
    if (totals[g] == 0)
      result[g] = {};
    else
      result[g].median = scales[g].median_of(std::span(bins).subspan(g * bin_count, bin_count), totals[g]);
  }
  return result;
}

/// Range of a quality measure over all elements.
MeasureRange summarise(const std::vector<ElementQuality>& elements, double ElementQuality::*measure, int threads,
                       const comm::Communicator& ranks) {
  const auto value = [&](std::size_t e) { return elements[e].*measure; };
  return find_ranges(
             elements.size(), 1, value, [](std::size_t) { return std::size_t{0}; }, threads, ranks)
      .front();
}

void find_bounds(const LocalMesh& mesh, int threads, const comm::Communicator& ranks, MeshSummary& summary) {
  summary.low_m.fill(infinity);
  summary.high_m.fill(-infinity);
  std::vector<std::array<Vec3, 2>> boxes(count_ranges(mesh.corners.size(), threads), {summary.low_m, summary.high_m});
  for_ranges(mesh.corners.size(), boxes.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    auto [low, high] = boxes[range];
    for (std::size_t e = first; e < last; ++e)
      for (const Vec3& corner : mesh.corners[e])
        for (std::size_t axis = 0; axis < 3; ++axis) {
          low[axis] = std::min(low[axis], corner[axis]);
          high[axis] = std::max(high[axis], corner[axis]);
        }
    boxes[range] = {low, high};
  });
  for (const auto& [low, high] : boxes)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      summary.low_m[axis] = std::min(summary.low_m[axis], low[axis]);
      summary.high_m[axis] = std::max(summary.high_m[axis], high[axis]);
    }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    summary.low_m[axis] = ranks.min(summary.low_m[axis]);
    summary.high_m[axis] = ranks.max(summary.high_m[axis]);
  }
}

std::vector<double> add_over_ranks(std::vector<ReproducibleSum>& sums, const comm::Communicator& ranks) {
  std::vector<double> values;
  for (ReproducibleSum& sum : sums) {
    ranks.sum_in_place(sum.words());
    values.push_back(sum.value());
  }
  return values;
}

/// Sums of a range of elements on one thread.
struct RangeSums {
  std::vector<ReproducibleSum> sums;
  std::vector<GlobalIndex> counts{};
};

/// Adds the words of all ranges, in any order.
std::vector<ReproducibleSum> join(std::vector<RangeSums>& ranges) {
  std::vector<ReproducibleSum> all = std::move(ranges.front().sums);
  for (std::size_t r = 1; r < ranges.size(); ++r)
    for (std::size_t k = 0; k < all.size(); ++k) all[k].merge(ranges[r].sums[k]);
  return all;
}

void add_regions(const LocalMesh& mesh, const std::vector<ElementQuality>& elements, int threads,
                 const comm::Communicator& ranks, MeshSummary& summary) {
  const std::size_t regions = mesh.region_names.size();
  std::vector<RangeSums> ranges(count_ranges(elements.size(), threads));
  std::vector<double> edges;
  resize_on_threads(edges, elements.size(), threads);
  for_ranges(elements.size(), ranges.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    RangeSums mine{std::vector<ReproducibleSum>(regions, ReproducibleSum(summary.volume_m3.max)),
                   std::vector<GlobalIndex>(regions, 0)};
    for (std::size_t e = first; e < last; ++e) {
      const auto region = static_cast<std::size_t>(mesh.region[e]);
      mine.sums[region].add(elements[e].volume_m3);
      ++mine.counts[region];
      edges[e] = elements[e].longest_edge_m;
    }
    ranges[range] = std::move(mine);
  });
  summary.region_elements.assign(regions, 0);
  for (const RangeSums& range : ranges)
    for (std::size_t r = 0; r < regions; ++r) summary.region_elements[r] += range.counts[r];
  ranks.sum_in_place(summary.region_elements);
  summary.region_edge_m = summarise_groups(edges, mesh.region, regions, threads, ranks);
  auto sums = join(ranges);
  summary.region_volume_m3 = add_over_ranks(sums, ranks);
}

double area_of(const LocalMesh& mesh, std::size_t e, std::size_t face) {
  const basis::Middles* middles = mesh.curved.of(e);
  return middles == nullptr ? face_area(mesh.corners[e], face) : curved_face_area(mesh.corners[e], *middles, face);
}

/// Each of the two elements of an inner face adds half of its area.
void add_tags(const LocalMesh& mesh, std::size_t tag_count, int threads, const comm::Communicator& ranks,
              MeshSummary& summary) {
  // A triangle with edges up to L has an area below L^2.
  const double stretch = mesh.curved.empty() ? 1 : 16;  // which no face that is not turned inside out has
  const double bound = stretch * summary.longest_edge_m.max * summary.longest_edge_m.max;
  std::vector<RangeSums> ranges(count_ranges(mesh.boundary.size(), threads));
  for_ranges(mesh.boundary.size(), ranges.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    std::vector<ReproducibleSum> mine(tag_count, ReproducibleSum(bound));
    for (std::size_t e = first; e < last; ++e)
      for (std::size_t f = 0; f < 4; ++f) {
        if (mesh.boundary[e][f] < 0) continue;
        const double share = mesh.neighbour[e][f] == no_neighbour ? 1 : 0.5;
        mine[static_cast<std::size_t>(mesh.boundary[e][f])].add(share * area_of(mesh, e, f));
      }
    ranges[range].sums = std::move(mine);
  });
  auto sums = join(ranges);
  summary.tag_area_m2 = add_over_ranks(sums, ranks);
}

}  // namespace

ElementQuality measure_element(const Corners& corners) {
  ElementQuality quality;
  quality.volume_m3 = std::abs(signed_volume(corners));
  double surface = 0;
  for (std::size_t face = 0; face < 4; ++face) surface += face_area(corners, face);
  quality.inradius_m = 3 * quality.volume_m3 / surface;
  quality.radius_ratio = 3 * quality.inradius_m / circumradius(corners);
  const auto [shortest, longest] = edge_range(corners);
  quality.shortest_edge_m = shortest;
  quality.longest_edge_m = longest;
  return quality;
}

std::vector<MeasureRange> summarise_groups(const std::vector<double>& values, const std::vector<std::int32_t>& group,
                                           std::size_t groups, int threads, const comm::Communicator& ranks) {
  const auto value = [&](std::size_t i) { return values[i]; };
  const auto group_of = [&](std::size_t i) { return static_cast<std::size_t>(group[i]); };
  return find_ranges(values.size(), groups, value, group_of, threads, ranks);
}

MeshSummary summarise_mesh(const LocalMesh& mesh, std::size_t tag_count, int threads, const comm::Communicator& ranks) {
  std::vector<ElementQuality> elements;
  resize_on_threads(elements, mesh.corners.size(), threads);
  for_each_index(elements.size(), threads, [&](std::size_t e) {
    elements[e] = measure_element(mesh.corners[e]);
    if (const basis::Middles* middles = mesh.curved.of(e))
      elements[e].volume_m3 = curved_volume(mesh.corners[e], *middles);
  });
  MeshSummary summary;
  summary.element_count = mesh.global_element_count;
  find_bounds(mesh, threads, ranks, summary);
  summary.volume_m3 = summarise(elements, &ElementQuality::volume_m3, threads, ranks);
  summary.inradius_m = summarise(elements, &ElementQuality::inradius_m, threads, ranks);
  summary.radius_ratio = summarise(elements, &ElementQuality::radius_ratio, threads, ranks);
  summary.shortest_edge_m = summarise(elements, &ElementQuality::shortest_edge_m, threads, ranks);
  summary.longest_edge_m = summarise(elements, &ElementQuality::longest_edge_m, threads, ranks);
  add_regions(mesh, elements, threads, ranks, summary);
  add_tags(mesh, tag_count, threads, ranks, summary);
  return summary;
}

}  // namespace tetrawave
