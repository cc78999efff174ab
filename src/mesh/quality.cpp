#include "mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

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
  /// Of `total` values in bins[0, bin_count).
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

MeasureRange summarise(const std::vector<ElementQuality>& elements, double ElementQuality::*measure, int threads,
                       const comm::Communicator& ranks) {
  double low = infinity, high = -infinity;
  std::int64_t total = static_cast<std::int64_t>(elements.size());
  for (const ElementQuality& element : elements) {
    low = std::min(low, element.*measure);
    high = std::max(high, element.*measure);
  }
  low = ranks.min(low);
  high = ranks.max(high);
  total = ranks.sum(total);
  const LogarithmicBins scale(low, high);
  if (scale.is_point()) return {low, low, high};

  std::vector<std::vector<std::int64_t>> parts(count_ranges(elements.size(), threads));
  for_ranges(elements.size(), parts.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    parts[range].assign(bin_count, 0);
    for (std::size_t e = first; e < last; ++e) ++parts[range][scale.bin_of(elements[e].*measure)];
  });
  std::vector<std::int64_t> bins(bin_count, 0);
  for (const auto& part : parts)
    for (std::size_t b = 0; b < part.size(); ++b) bins[b] += part[b];
  ranks.sum_in_place(bins);
  return {low, scale.median_of(bins, total), high};
}

void find_bounds(const LocalMesh& mesh, const comm::Communicator& ranks, MeshSummary& summary) {
  summary.low_m.fill(infinity);
  summary.high_m.fill(-infinity);
  for (const Corners& corners : mesh.corners) {
    for (const Vec3& corner : corners) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        summary.low_m[axis] = std::min(summary.low_m[axis], corner[axis]);
        summary.high_m[axis] = std::max(summary.high_m[axis], corner[axis]);
      }
    }
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

void add_regions(const LocalMesh& mesh, const std::vector<ElementQuality>& elements, const comm::Communicator& ranks,
                 MeshSummary& summary) {
  std::vector<ReproducibleSum> sums(mesh.region_names.size(), ReproducibleSum(summary.volume_m3.max));
  summary.region_elements.assign(mesh.region_names.size(), 0);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto region = static_cast<std::size_t>(mesh.region[e]);
    sums[region].add(elements[e].volume_m3);
    ++summary.region_elements[region];
  }
  ranks.sum_in_place(summary.region_elements);
  std::vector<double> edges;
  edges.reserve(elements.size());
  for (const ElementQuality& element : elements) edges.push_back(element.longest_edge_m);
  summary.region_edge_m = summarise_groups(edges, mesh.region, mesh.region_names.size(), ranks);
  summary.region_volume_m3 = add_over_ranks(sums, ranks);
}

/// Each of the two elements of an inner face adds half of its area.
void add_tags(const LocalMesh& mesh, std::size_t tag_count, const comm::Communicator& ranks, MeshSummary& summary) {
  // A triangle with edges up to L has an area below L^2.
  const double bound = summary.longest_edge_m.max * summary.longest_edge_m.max;
  std::vector<ReproducibleSum> sums(tag_count, ReproducibleSum(bound));
  for (std::size_t e = 0; e < mesh.boundary.size(); ++e) {
    for (std::size_t f = 0; f < 4; ++f) {
      if (mesh.boundary[e][f] < 0) continue;
      const double share = mesh.neighbour[e][f] == no_neighbour ? 1 : 0.5;
      sums[static_cast<std::size_t>(mesh.boundary[e][f])].add(share * face_area(mesh.corners[e], f));
    }
  }
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
                                           std::size_t groups, const comm::Communicator& ranks) {
  std::vector<MeasureRange> result(groups, {infinity, 0, -infinity});
  const auto group_of = [&](std::size_t i) { return static_cast<std::size_t>(group[i]); };
  for (std::size_t i = 0; i < values.size(); ++i) {
    MeasureRange& range = result[group_of(i)];
    range.min = std::min(range.min, values[i]);
    range.max = std::max(range.max, values[i]);
  }
  std::vector<LogarithmicBins> scales;
  for (MeasureRange& range : result) {
    range.min = ranks.min(range.min);
    range.max = ranks.max(range.max);
    scales.emplace_back(range.min, range.max);
  }
  std::vector<std::int64_t> bins(groups * bin_count, 0), totals(groups, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t g = group_of(i);
    ++totals[g];
    ++bins[g * bin_count + scales[g].bin_of(values[i])];
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

MeshSummary summarise_mesh(const LocalMesh& mesh, std::size_t tag_count, int threads, const comm::Communicator& ranks) {
  std::vector<ElementQuality> elements(mesh.corners.size());
  for_each_index(elements.size(), threads, [&](std::size_t e) { elements[e] = measure_element(mesh.corners[e]); });
  MeshSummary summary;
  summary.element_count = mesh.global_element_count;
  find_bounds(mesh, ranks, summary);
  summary.volume_m3 = summarise(elements, &ElementQuality::volume_m3, threads, ranks);
  summary.inradius_m = summarise(elements, &ElementQuality::inradius_m, threads, ranks);
  summary.radius_ratio = summarise(elements, &ElementQuality::radius_ratio, threads, ranks);
  summary.shortest_edge_m = summarise(elements, &ElementQuality::shortest_edge_m, threads, ranks);
  summary.longest_edge_m = summarise(elements, &ElementQuality::longest_edge_m, threads, ranks);
  add_regions(mesh, elements, ranks, summary);
  add_tags(mesh, tag_count, ranks, summary);
  return summary;
}

}  // namespace tetrawave
