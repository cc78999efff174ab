#include "results/far_field/spread_currents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::results {

namespace {

constexpr std::size_t width = 14;  ///< points of the grid under a window, along an axis
constexpr double half_width = 0.5 * width;
constexpr std::size_t numbers = 12;  ///< of a current
using Numbers = std::array<double, numbers>;
using Weights = std::array<double, width>;

/// Along an axis; |x| <= 1. The sharpness is that of a grid with twice the points that the field needs.
double window(double x) {
  constexpr double sharpness = 2.3 * width;
  return std::exp(sharpness * (std::sqrt(std::max(0.0, 1 - x * x)) - 1));
}

/// The first of its axes is the longest: along it threads share the currents out.
struct Grid {
  double spacing = 0;
  Vec3 low{};
  std::array<std::size_t, 3> axis{0, 1, 2}, size{};

  Grid(const std::vector<SurfaceCurrent>& currents, double wave_number) : spacing(pi / (2 * wave_number)) {
    Vec3 high{};
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    for (const SurfaceCurrent& current : currents)
      for (std::size_t x = 0; x < 3; ++x) {
        low[x] = std::min(low[x], current.point_m[x]);
        high[x] = std::max(high[x], current.point_m[x]);
      }
    std::stable_sort(axis.begin(), axis.end(),
                     [&](std::size_t a, std::size_t b) { return high[a] - low[a] > high[b] - low[b]; });
    for (std::size_t k = 0; k < 3; ++k)
      size[k] = static_cast<std::size_t>((high[axis[k]] - low[axis[k]]) / spacing) + 1 + width;
  }

  [[nodiscard]] double points() const {
    return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
  }
  [[nodiscard]] std::size_t layer() const { return size[1] * size[2]; }
  /// In cells, along axis k. The windows of those in (n - 1, n] are over the points n to n + width - 1.
  [[nodiscard]] double along(const SurfaceCurrent& current, std::size_t k) const {
    return (current.point_m[axis[k]] - low[axis[k]]) / spacing;
  }
  [[nodiscard]] std::size_t first(const SurfaceCurrent& current, std::size_t k) const {
    return static_cast<std::size_t>(std::ceil(along(current, k)));
  }
  [[nodiscard]] Weights weights(const SurfaceCurrent& current, std::size_t k) const {
    const double from = std::ceil(along(current, k)) - along(current, k) - half_width;
    Weights result;
    for (std::size_t i = 0; i < width; ++i) result[i] = window((from + static_cast<double>(i)) / half_width);
    return result;
  }
  [[nodiscard]] Vec3 place(std::size_t point) const {
    const std::array<std::size_t, 3> index{point / layer(), point / size[2] % size[1], point % size[2]};
    Vec3 at{};
    for (std::size_t k = 0; k < 3; ++k)
      at[axis[k]] = low[axis[k]] + spacing * (static_cast<double>(index[k]) - half_width);
    return at;
  }
};

using Column = std::array<double, width * numbers>;

/// Adds along[i] across[j] column to the column at to + i layer + j row. For the widest vectors of the processor, as
/// most of the time is here.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) void add_products(
    const Weights& along, const Weights& across, const Column& column, std::size_t row, std::size_t layer, double* to) {
  const Column own = column;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      double* at = to + i * layer + j * row;
      const double weight = along[i] * across[j];
      for (std::size_t n = 0; n < own.size(); ++n) at[n] += weight * own[n];
    }
}

/// Some currents on the layers of the grid from `first` on.
struct Part {
  std::size_t first = 0;
  std::vector<Numbers> values;

  void add(const Grid& grid, const SurfaceCurrent& current) {
    const Weights along = grid.weights(current, 0), across = grid.weights(current, 1), up = grid.weights(current, 2);
    Column column;
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t x = 0; x < 3; ++x) {
        double* to = column.data() + k * numbers + 2 * x;
        to[0] = up[k] * current.electric[x].real();
        to[1] = up[k] * current.electric[x].imag();
        to[6] = up[k] * current.magnetic[x].real();
        to[7] = up[k] * current.magnetic[x].imag();
      }
    const std::size_t layer = grid.first(current, 0) - first;
    double* to = values[(layer * grid.size[1] + grid.first(current, 1)) * grid.size[2] + grid.first(current, 2)].data();
    add_products(along, across, column, numbers * grid.size[2], numbers * grid.layer(), to);
  }
};

/// Parts of about as many currents each, in an order that does not depend on the threads.
std::vector<Part> spread_parts(const std::vector<SurfaceCurrent>& currents, const Grid& grid, int threads) {
  constexpr std::size_t most = 32;
  std::vector<std::size_t> begin(grid.size[0] - width + 2, 0);  // of the currents of a cell
  for (const SurfaceCurrent& current : currents) ++begin[grid.first(current, 0) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> order(currents.size()), next(begin.begin(), begin.end() - 1);
  for (std::size_t c = 0; c < currents.size(); ++c) order[next[grid.first(currents[c], 0)]++] = c;
  std::vector<std::size_t> cells;
  for (std::size_t p = 0; p <= most; ++p)
    cells.push_back(static_cast<std::size_t>(std::lower_bound(begin.begin(), begin.end(), p * currents.size() / most) -
                                             begin.begin()));
  cells.front() = 0;
  std::vector<Part> parts(most);
  for_each_task(most, threads, [&](std::size_t p) {
    if (begin[cells[p]] == begin[cells[p + 1]]) return;
    parts[p].first = cells[p];
    parts[p].values.resize((cells[p + 1] - cells[p] + width - 1) * grid.layer());
    for (std::size_t k = begin[cells[p]]; k < begin[cells[p + 1]]; ++k) parts[p].add(grid, currents[order[k]]);
  });
  return parts;
}

/// The sums of the parts in their order, where there are any.
std::vector<SurfaceCurrent> join(const std::vector<Part>& parts, const Grid& grid, int threads) {
  return collect<SurfaceCurrent>(static_cast<std::size_t>(grid.points()), threads, [&](std::size_t point, auto& list) {
    Numbers sum{};
    for (const Part& part : parts) {
      const std::size_t from = part.first * grid.layer();
      if (point < from || point >= from + part.values.size()) continue;
      for (std::size_t n = 0; n < numbers; ++n) sum[n] += part.values[point - from][n];
    }
    if (std::all_of(sum.begin(), sum.end(), [](double number) { return number == 0; })) return;
    SurfaceCurrent& current = list.emplace_back();
    current.point_m = grid.place(point);
    for (std::size_t x = 0; x < 3; ++x) {
      current.electric[x] = {sum[2 * x], sum[2 * x + 1]};
      current.magnetic[x] = {sum[6 + 2 * x], sum[7 + 2 * x]};
    }
  });
}

}  // namespace

SpreadCurrents::SpreadCurrents(const std::vector<SurfaceCurrent>& currents, double wave_number, std::size_t directions,
                               int threads)
    : given_(currents) {
  constexpr double cost = 2000;  // directions in which a current radiates in the time that it is spread in
  constexpr double less = 0.8;
  const auto count = static_cast<double>(currents.size()), sums = static_cast<double>(directions);
  if (sums < cost || currents.empty()) return;
  const Grid grid(currents, wave_number);
  if (cost * count + grid.points() * sums > less * count * sums) return;
  is_spread_ = true;
  spread_ = join(spread_parts(currents, grid, threads), grid, threads);
}

double SpreadCurrents::factor(const Vec3& direction) const {
  if (!is_spread_) return 1;
  static const basis::GaussRule rule = basis::gauss_rule(48);
  double factor = 1;
  for (const double u : direction) {
    double sum = 0;
    for (std::size_t g = 0; g < rule.nodes.size(); ++g)
      sum += rule.weights[g] * window(rule.nodes[g]) * std::cos(0.5 * pi * half_width * u * rule.nodes[g]);
    factor /= half_width * sum;
  }
  return factor;
}

}  // namespace tetrawave::results
