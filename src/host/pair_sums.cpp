#include "host/pair_sums.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "host/sums.hpp"
#include "kernels/pairs/green.hpp"
#include "kernels/pairs/point_blocks.hpp"

namespace tetrawave::host {

namespace {

/// Points and what comes of them in lanes of one number type.
template <class S>
class PairSumsOf {
 public:
  PairSumsOf(int threads, Isa isa) : threads_(threads), isa_(isa), points_(0, rows) {}

  /// The last block is filled up with its last point.
  void set_points(const std::vector<double>& points) {
    count_ = points.size() / rows;
    points_ = kernels::PointBlocks<S>(count_, rows);
    for (std::size_t k = 0; count_ > 0 && k < points_.blocks() * kernels::PointBlocks<S>::lanes; ++k)
      for (std::size_t row = 0; row < rows; ++row)
        points_.at(k, row) = static_cast<S>(points[std::min(k, count_ - 1) * rows + row]);
  }

  void sum(std::span<const S> sources, int sets, std::vector<double>& result) {
    result.assign(count_ * static_cast<std::size_t>(sets) * kernels::PairSums::sum_rows, 0);
    for (int first = 0; first < sets && count_ > 0; first += most_sets) {
      using Add = void (PairSumsOf::*)(std::span<const S>, int, int, std::vector<double>&);
      constexpr std::array<Add, most_sets> adds{&PairSumsOf::add<1>, &PairSumsOf::add<2>, &PairSumsOf::add<3>,
                                                &PairSumsOf::add<4>};
      const int together = std::min(most_sets, sets - first);
      (this->*adds[static_cast<std::size_t>(together - 1)])(sources, sets, first, result);
    }
  }

 private:
  static constexpr int most_sets = 4;
  static constexpr std::size_t rows = kernels::BoundaryRadiation<S, 1>::point_rows;

  /// Sources go through the caches in pieces, each past all points of a thread.
  template <int together>
  void add(std::span<const S> sources, int sets, int first_set, std::vector<double>& result) {
    using Kernel = kernels::BoundaryRadiation<S, together>;
    constexpr std::int64_t piece = 512;
    const std::int64_t stride = Kernel::source_size(sets);
    const std::int64_t count = static_cast<std::int64_t>(sources.size()) / stride;
    kernels::PointBlocks<S> sums(count_, Kernel::sum_rows);
    points_.share(threads_, [&](std::int64_t first, std::int64_t blocks) {
      for (std::int64_t from = 0; from < count; from += piece)
        run_sums(isa_,
                 Kernel{points_.data(), sources.data() + from * stride, std::min(piece, count - from), stride,
                        first_set, sums.data()},
                 first, blocks);
    });
    for (std::size_t p = 0; p < count_; ++p)
      for (std::size_t i = 0; i < Kernel::sum_rows; ++i)
        result[(p * static_cast<std::size_t>(sets) + static_cast<std::size_t>(first_set)) * 4 + i] = sums.at(p, i);
  }

  int threads_;
  Isa isa_;
  std::size_t count_ = 0;
  kernels::PointBlocks<S> points_;
};

class HostPairSums : public kernels::PairSums {
 public:
  HostPairSums(int threads, Isa isa) : of_double_(threads, isa), of_single_(threads, isa) {}

  void set_points(const std::vector<double>& points, const kernels::PointsOfFaces& /*faces*/) override {
    of_double_.set_points(points);
    of_single_.set_points(points);
  }
  std::span<const double> find_sums(std::span<const double> sources, int sets, Precision precision) override {
    if (precision == Precision::double_precision)
      of_double_.sum(sources, sets, sums_);
    else
      of_single_.sum(std::vector<float>(sources.begin(), sources.end()), sets, sums_);
    return sums_;
  }

 private:
  PairSumsOf<double> of_double_;
  PairSumsOf<float> of_single_;
  std::vector<double> sums_;
};

}  // namespace

std::unique_ptr<kernels::PairSums> make_pair_sums(int threads, Isa isa) {
  return std::make_unique<HostPairSums>(threads, isa);
}

}  // namespace tetrawave::host
