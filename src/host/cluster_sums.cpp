#include "host/cluster_sums.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "fem/clusters/cluster_pairs.hpp"
#include "fem/clusters/skeletons.hpp"
#include "host/pair_sums.hpp"
#include "host/sums.hpp"
#include "kernels/pairs/fields.hpp"
#include "kernels/pairs/green.hpp"
#include "kernels/pairs/point_blocks.hpp"

namespace tetrawave::host {

namespace {

using Complex = std::complex<double>;
using Boundary = kernels::BoundaryRadiation<double, 1>;
constexpr std::size_t frame_rows = Boundary::point_rows;
constexpr std::size_t lanes = kernels::PointBlocks<double>::lanes;

Vec3 place_at(std::span<const double> numbers, std::size_t at) {
  return {numbers[at], numbers[at + 1], numbers[at + 2]};
}

/// Points in a row: of one of several sets.
struct Range {
  std::int64_t first = 0, count = 0;
};

/// Sets of points in lanes of their own.
struct BlockedPoints {
  kernels::PointBlocks<double> blocks{0, 1};
  std::vector<std::int64_t> first{0};  ///< block of each set; at the end, their number

  /// numbers(point) gives the `rows` numbers of a point. Blocks are filled up with the last point of their set.
  template <class Numbers>
  BlockedPoints(const std::vector<Range>& sets, std::size_t rows, const Numbers& numbers) {
    constexpr std::int64_t width = lanes;
    for (const Range& set : sets) first.push_back(first.back() + (set.count + width - 1) / width);
    blocks = kernels::PointBlocks<double>(static_cast<std::size_t>(first.back()) * lanes, rows);
    for (std::size_t set = 0; set < sets.size(); ++set)
      for (std::int64_t k = 0; k < (first[set + 1] - first[set]) * width; ++k) {
        const double* from = numbers(sets[set].first + std::min(k, sets[set].count - 1));
        for (std::size_t row = 0; row < rows; ++row)
          blocks.at(static_cast<std::size_t>(first[set] * width + k), row) = from[row];
      }
  }
};

/// Points and sources at fixed places.
class ClusterSystem {
 public:
  ClusterSystem(std::shared_ptr<const fem::ClusterTree> targets, std::shared_ptr<const fem::ClusterTree> sources,
                fem::ClusterPairs pairs, const std::vector<double>& points, double tolerance, int threads, Isa isa)
      : target_tree_(std::move(targets)),
        source_tree_(std::move(sources)),
        pairs_(std::move(pairs)),
        targets_(*target_tree_, fem::far_targets(*target_tree_, pairs_), tolerance, threads),
        sources_(*source_tree_, fem::far_sources(*source_tree_, pairs_), tolerance, threads),
        frames_(of_points(points)),
        leaves_(points_of_leaves(), frame_rows,
                [this](std::int64_t p) { return frames_.data() + static_cast<std::size_t>(p) * frame_rows; }),
        skeletons_(points_of_skeletons(), 3,
                   [this](std::int64_t k) {
                     const std::int64_t p = targets_.points()[static_cast<std::size_t>(k)];
                     return target_tree_->places()[static_cast<std::size_t>(p)].data();
                   }),
        threads_(threads),
        isa_(isa) {}

  /// As kernels::PairSums::sum has it.
  [[nodiscard]] std::vector<double> sum(std::span<const double> sources, int sets) {
    const std::size_t points = target_tree_->places().size();
    std::vector<double> result(points * static_cast<std::size_t>(sets) * 4);
    take_sources(sources, sets);
    add_far(sets, result);
    for (int first = 0; first < sets; first += 4) {
      using Add = void (ClusterSystem::*)(int, int, std::vector<double>&);
      constexpr std::array<Add, 4> adds{&ClusterSystem::add_near<1>, &ClusterSystem::add_near<2>,
                                        &ClusterSystem::add_near<3>, &ClusterSystem::add_near<4>};
      (this->*adds[static_cast<std::size_t>(std::min(4, sets - first) - 1)])(first, sets, result);
    }
    return result;
  }

  [[nodiscard]] std::int64_t bytes() const {
    const std::size_t numbers = frames_.size() + near_.size() + far_.size();
    return targets_.bytes() + sources_.bytes() + static_cast<std::int64_t>(numbers * sizeof(double));
  }

  [[nodiscard]] double pairs_of_sum() const {
    double pairs = 0;
    for (std::size_t t = 0; t < pairs_.far.size(); ++t) {
      for (const std::int32_t s : pairs_.far[t])
        pairs +=
            static_cast<double>(targets_.rank(t)) * static_cast<double>(sources_.rank(static_cast<std::size_t>(s)));
      for (const std::int32_t s : pairs_.near[t])
        pairs += static_cast<double>(target_tree_->clusters()[t].count) *
                 static_cast<double>(source_tree_->clusters()[static_cast<std::size_t>(s)].count);
    }
    return pairs;
  }

 private:
  static constexpr int front = 4;  // numbers before the currents of a source: padding, so that these are complex; k r'
  [[nodiscard]] static std::int64_t stride_of(int sets) { return front + 12 * std::int64_t{sets}; }

  [[nodiscard]] std::vector<double> of_points(const std::vector<double>& points) const {
    std::vector<double> frames;
    frames.reserve(points.size());
    for (const std::int64_t p : target_tree_->order())
      frames.insert(frames.end(), points.begin() + p * std::int64_t{frame_rows},
                    points.begin() + (p + 1) * std::int64_t{frame_rows});
    return frames;
  }
  /// Of clusters: the points of leaves, none of others.
  [[nodiscard]] std::vector<Range> points_of_leaves() const {
    std::vector<Range> ranges;
    for (const fem::Cluster& one : target_tree_->clusters())
      ranges.push_back({one.first, one.children == 0 ? one.count : 0});
    return ranges;
  }
  [[nodiscard]] std::vector<Range> points_of_skeletons() const {
    std::vector<Range> ranges;
    for (std::size_t k = 0; k < target_tree_->clusters().size(); ++k)
      ranges.push_back({targets_.first()[k], targets_.rank(k)});
    return ranges;
  }

  /// Currents of the points, and those of skeletons that radiate as they do.
  void take_sources(std::span<const double> sources, int sets) {
    const std::int64_t stride = stride_of(sets), given = Boundary::source_size(sets);
    const auto& order = source_tree_->order();
    near_.resize(order.size() * static_cast<std::size_t>(stride));
    for_each_index(order.size(), threads_, [&](std::size_t k) {
      std::copy_n(sources.begin() + order[k] * given, given, near_.begin() + static_cast<std::int64_t>(k) * stride + 1);
    });
    const auto& kept = sources_.points();
    far_.resize(kept.size() * static_cast<std::size_t>(stride));
    for (std::size_t k = 0; k < kept.size(); ++k)
      std::copy_n(near_.begin() + kept[k] * stride, front, far_.begin() + static_cast<std::int64_t>(k) * stride);
    sources_.gather(reinterpret_cast<const Complex*>(near_.data() + front),
                    reinterpret_cast<Complex*>(far_.data() + front), 6 * std::int64_t{sets}, stride / 2);
  }

  /// Fields of far clusters at skeletons, and from there at points.
  void add_far(int sets, std::vector<double>& result) {
    const std::int64_t width = 6 * std::int64_t{sets};
    std::vector<Complex> at_skeletons(targets_.points().size() * static_cast<std::size_t>(width));
    for (int first = 0; first < sets; first += 2)
      sets - first == 1 ? fill_fields<1>(first, sets, at_skeletons) : fill_fields<2>(first, sets, at_skeletons);
    std::vector<Complex> fields(target_tree_->places().size() * static_cast<std::size_t>(width));
    targets_.spread(at_skeletons.data(), fields.data(), width);
    for_each_index(target_tree_->places().size(), threads_, [&](std::size_t p) {
      const double* frame = frames_.data() + p * frame_rows;
      double* to =
          result.data() + static_cast<std::size_t>(target_tree_->order()[p]) * static_cast<std::size_t>(sets) * 4;
      for (int set = 0; set < sets; ++set) {
        const Complex* of = fields.data() + p * static_cast<std::size_t>(width) + 6 * set;
        for (int half = 0; half < 2; ++half) {
          Complex first = 0, second = 0;
          for (int x = 0; x < 3; ++x) {
            first += frame[3 + x] * of[3 * half + x];
            second += frame[6 + x] * of[3 * half + x];
          }
          const double sign = half == 0 ? 1 : -1;
          to[4 * set + 2 * half] = first.real() - sign * second.imag();
          to[4 * set + 2 * half + 1] = first.imag() + sign * second.real();
        }
      }
    });
  }

  template <int together>
  void fill_fields(int first_set, int sets, std::vector<Complex>& at_skeletons) {
    using Kernel = kernels::FieldRadiation<double, together>;
    const std::int64_t stride = stride_of(sets);
    kernels::PointBlocks<double> sums(skeletons_.blocks.blocks() * lanes, Kernel::sum_rows);
    for_each_task(pairs_.far.size(), threads_, [&](std::size_t t) {
      const std::int64_t block = skeletons_.first[t], blocks = skeletons_.first[t + 1] - block;
      for (const std::int32_t s : pairs_.far[t]) {
        const auto source = static_cast<std::size_t>(s);
        run_sums(isa_,
                 Kernel{skeletons_.blocks.data(), far_.data() + sources_.first()[source] * stride + 1,
                        sources_.rank(source), stride, first_set, sums.data()},
                 block, blocks);
      }
      for (std::int64_t k = 0; k < targets_.rank(t); ++k) {
        Complex* to = at_skeletons.data() + (targets_.first()[t] + k) * 6 * sets + 6 * std::int64_t{first_set};
        for (std::size_t i = 0; i < Kernel::sum_rows; i += 2) {
          const auto from = static_cast<std::size_t>(block) * lanes + static_cast<std::size_t>(k);
          to[i / 2] = {sums.at(from, i), sums.at(from, i + 1)};
        }
      }
    });
  }

  template <int together>
  void add_near(int first_set, int sets, std::vector<double>& result) {
    using Kernel = kernels::BoundaryRadiation<double, together>;
    const std::int64_t stride = stride_of(sets);
    kernels::PointBlocks<double> sums(leaves_.blocks.blocks() * lanes, Kernel::sum_rows);
    const auto& clusters = target_tree_->clusters();
    for_each_task(clusters.size(), threads_, [&](std::size_t t) {
      const std::int64_t block = leaves_.first[t], blocks = leaves_.first[t + 1] - block;
      for (const std::int32_t s : pairs_.near[t]) {
        const fem::Cluster& source = source_tree_->clusters()[static_cast<std::size_t>(s)];
        run_sums(isa_,
                 Kernel{leaves_.blocks.data(), near_.data() + source.first * stride + 1, source.count, stride,
                        first_set, sums.data()},
                 block, blocks);
      }
      if (blocks == 0) return;
      for (std::int64_t k = 0; k < clusters[t].count; ++k) {
        const std::int64_t point = target_tree_->order()[static_cast<std::size_t>(clusters[t].first + k)];
        double* to = result.data() + (point * sets + first_set) * 4;
        const auto from = static_cast<std::size_t>(block) * lanes + static_cast<std::size_t>(k);
        for (std::size_t i = 0; i < Kernel::sum_rows; ++i) to[i] += sums.at(from, i);
      }
    });
  }

  std::shared_ptr<const fem::ClusterTree> target_tree_, source_tree_;
  fem::ClusterPairs pairs_;
  fem::Skeletons targets_, sources_;
  std::vector<double> frames_;  ///< of the points, in the tree's order
  BlockedPoints leaves_, skeletons_;
  int threads_;
  Isa isa_;
  std::vector<double> near_, far_;  ///< sources: all points, and all skeletons
};

class ClusterSums : public kernels::PairSums {
 public:
  ClusterSums(const kernels::ClusterChoice& choice, int threads, std::unique_ptr<kernels::PairSums> all, Isa isa)
      : choice_(choice), threads_(threads), isa_(isa), all_(std::move(all)), some_(make_pair_sums(threads, isa)) {}

  void set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) override {
    points_ = points;
    faces_ = faces;
    places_.clear();
    all_->set_points(points, faces);
  }

  void see_places(std::span<const double> sources, int sets) override {
    if (!places_of(sources, sets)) prepare();
  }
  [[nodiscard]] bool is_resident() const override { return all_->is_resident() && !places_.empty() && !system_; }
  [[nodiscard]] const double* find_resident_sums(std::span<const double> sources, int sets,
                                                 Precision precision) override {
    return all_->find_resident_sums(sources, sets, precision);
  }

  std::span<const double> find_sums(std::span<const double> sources, int sets, Precision precision) override {
    see_places(sources, sets);
    if (!system_) return all_->find_sums(sources, sets, precision);
    ensure(precision == Precision::double_precision, "sums by clusters are of double precision");
    for (;;) {
      sums_ = system_->sum(sources, sets);
      const double error = error_of(sums_, sources, sets);
      constexpr double least = 1e-12;  // of skeletons: what rounding leaves of their choice
      if (error <= choice_.tolerance || own_tolerance_ <= least) {
        report_.error = std::max(report_.error, error);
        report_.bytes = system_->bytes();
        return sums_;
      }
      own_tolerance_ = std::max(least, own_tolerance_ * std::min(0.3, 0.5 * choice_.tolerance / error));
      build(fem::pair_up(*targets_, *sources_));
    }
  }

  [[nodiscard]] kernels::ClusterReport clusters() const override { return report_; }
  [[nodiscard]] double seconds_transfer() const override { return all_->seconds_transfer(); }

 private:
  /// Whether the sources are where those of the last sum were.
  bool places_of(std::span<const double> sources, int sets) {
    const auto stride = static_cast<std::size_t>(Boundary::source_size(sets));
    std::vector<Vec3> places;
    for (std::size_t at = 0; at < sources.size(); at += stride) places.push_back(place_at(sources, at));
    if (places == places_ && !places.empty()) return true;
    places_ = std::move(places);
    return false;
  }

  /// Trees of the points and sources; where clusters pay, what they need.
  void prepare() {
    Stopwatch watch;
    report_ = {};
    system_.reset();
    constexpr double margin = 3;  // sums are a tenth of the skeletons' tolerance off
    own_tolerance_ = margin * choice_.tolerance;
    const std::size_t count = points_.size() / frame_rows;
    if (count == 0 || places_.empty()) return;
    if (choice_.sums > 0 && !fem::may_pay(count, places_.size(), choice_.sums, choice_.speed)) return;
    std::vector<Vec3> points;
    for (std::size_t at = 0; at < points_.size(); at += frame_rows) points.push_back(place_at(points_, at));
    targets_ = std::make_shared<fem::ClusterTree>(points, fem::points_of_target_leaf);
    sources_ = std::make_shared<fem::ClusterTree>(places_, fem::points_of_source_leaf);
    fem::ClusterPairs pairs = fem::pair_up(*targets_, *sources_);
    const fem::PairForecast forecast = fem::forecast(*targets_, *sources_, pairs, choice_.tolerance);
    report_.used = choice_.sums == 0 || forecast.pays(choice_.sums, choice_.speed);
    report_.seconds_build += watch.lap();
    if (report_.used) build(std::move(pairs));
  }

  void build(fem::ClusterPairs pairs) {
    Stopwatch watch;
    system_.emplace(targets_, sources_, std::move(pairs), points_, own_tolerance_, threads_, isa_);
    report_.pairs_of_sum = system_->pairs_of_sum();
    report_.seconds_build += watch.lap();
  }

  /// Of some points, others in each sum, against all pairs: root mean square over that of the sums at all points.
  double error_of(const std::vector<double>& found, std::span<const double> sources, int sets) {
    constexpr std::size_t some = 16;
    const std::size_t points = points_.size() / frame_rows, width = static_cast<std::size_t>(sets) * sum_rows;
    std::vector<std::size_t> numbers;
    std::vector<double> frames;
    for (std::size_t k = 0; k < some; ++k) {
      constexpr double golden = 0.6180339887498949;  // steps that fill a range evenly
      seed_ = std::fmod(seed_ + golden, 1.0);
      numbers.push_back(std::min(points - 1, static_cast<std::size_t>(seed_ * static_cast<double>(points))));
      const auto from = points_.begin() + static_cast<std::ptrdiff_t>(numbers.back() * frame_rows);
      frames.insert(frames.end(), from, from + std::ptrdiff_t{frame_rows});
    }
    some_->set_points(frames, faces_);
    const std::span<const double> exact = some_->find_sums(sources, sets, Precision::double_precision);
    double worst = 0;
    for (std::size_t set = 0; set < static_cast<std::size_t>(sets); ++set) {
      double off = 0, size = 0;
      for (std::size_t i = set * sum_rows; i < (set + 1) * sum_rows; ++i) {
        for (std::size_t k = 0; k < some; ++k) off += std::pow(found[numbers[k] * width + i] - exact[k * width + i], 2);
        for (std::size_t p = 0; p < points; ++p) size += std::pow(found[p * width + i], 2);
      }
      if (size > 0)
        worst = std::max(worst, std::sqrt(off / static_cast<double>(some) / (size / static_cast<double>(points))));
    }
    return worst;
  }

  kernels::ClusterChoice choice_;
  int threads_;
  Isa isa_;
  std::unique_ptr<kernels::PairSums> all_, some_;
  std::vector<double> points_;
  kernels::PointsOfFaces faces_;
  std::vector<Vec3> places_;  ///< of the sources
  std::vector<double> sums_;
  std::shared_ptr<fem::ClusterTree> targets_, sources_;
  std::optional<ClusterSystem> system_;
  double own_tolerance_ = 0;  ///< that skeletons are chosen with
  double seed_ = 0;
  kernels::ClusterReport report_;
};

}  // namespace

std::unique_ptr<kernels::PairSums> make_cluster_sums(const kernels::ClusterChoice& choice, int threads,
                                                     std::unique_ptr<kernels::PairSums> pairs, Isa isa) {
  ensure(choice.tolerance > 0, "sums by clusters have a tolerance");
  return std::make_unique<ClusterSums>(choice, threads, std::move(pairs), isa);
}

}  // namespace tetrawave::host
