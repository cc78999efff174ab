// Linear functionals of the fields (probes, port voltages and currents) and exact sums, computed by teams.
//
// A team type T provides index() (of the team), rank() and size() (of its members), sum(TwoSum), sum(int64),
// max(double) over its members, leads() (rank 0), and lanes<S>, the lanes of a block of elements. On the CPU a team is
// one thread; on the GPU a thread block.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// A sum in two doubles: the order of its terms affects only the last bits of `low`.
struct TwoSum {
  double high = 0;
  double low = 0;

  /// Knuth's error-free addition.
  TW_FN void add(double x) {
    const double sum = high + x;
    const double part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  TW_FN void add(const TwoSum& other) {
    add(other.high);
    low += other.low;
  }
};

/// history[row][f] = sum over the items of functional f of weights . dofs, as (high, low); row = step mod rows.
template <class S>
struct Sample {
  const S* field = nullptr;
  int dofs = 0;
  const std::int64_t* first_item = nullptr;  ///< per functional, and one past the last
  const std::int32_t* element = nullptr;     ///< per item
  const double* weight = nullptr;            ///< per item, dofs
  double* history = nullptr;
  std::int64_t rows = 1;
  std::int64_t columns = 0;       ///< functionals of both fields
  std::int64_t first_column = 0;  ///< offset of those of this field
  const std::int64_t* step = nullptr;
  double share = 1;   ///< of the sums
  bool adds = false;  ///< adds to the row

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t f = team.index();
    TwoSum sum;
    for (std::int64_t item = first_item[f] + team.rank(); item < first_item[f + 1]; item += team.size())
      sum.add(product(item, Team::template lanes<S>));
    sum = team.sum(sum);
    if (!team.leads()) return;
    double* out = history + ((*step % rows) * columns + first_column + f) * 2;
    TwoSum total{share * sum.high, 0};
    total.low = fma(share, sum.high, -total.high) + share * sum.low;
    if (adds) total.add(TwoSum{out[0], out[1]});
    out[0] = total.high;
    out[1] = total.low;
  }

 private:
  TW_FN double product(std::int64_t item, int lanes) const {
    const std::int64_t own = element[item];
    double sum = 0;
    for (int i = 0; i < dofs; ++i)
      sum += weight[item * dofs + i] * static_cast<double>(field[((own / lanes) * dofs + i) * lanes + own % lanes]);
    return sum;
  }
};

/// work(item, row, at) on the `dofs` rows of each of `count` listed elements, `chunk` of them by each team; `slot` of
/// each, and `at` the place of the row in the array of a field.
template <class S, class Team, class Work>
TW_FN void for_listed_rows(const Team& team, std::int64_t count, std::int64_t chunk, int dofs, const std::int32_t* slot,
                           const Work& work) {
  constexpr int lanes = Team::template lanes<S>;
  const std::int64_t begin = team.index() * chunk;
  const std::int64_t end = begin + chunk < count ? begin + chunk : count;
  for (std::int64_t i = begin * dofs + team.rank(); i < end * dofs; i += team.size()) {
    const std::int64_t item = i / dofs;
    const std::int64_t row = i % dofs;
    const std::int64_t own = slot[item];
    work(item, row, ((own / lanes) * dofs + row) * lanes + own % lanes);
  }
}

/// Largest magnitude of each team's chunk of `value`.
template <class S>
struct ChunkMaximum {
  const S* value = nullptr;
  std::int64_t count = 0;
  std::int64_t chunk = 0;
  double* maximum = nullptr;  ///< per team; not_finite for infinity and NaN

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t first = team.index() * chunk;
    const std::int64_t last = first + chunk < count ? first + chunk : count;
    constexpr std::uint64_t magnitude = 0x7fffffffffffffff;
    constexpr std::uint64_t infinity = 0x7ff0000000000000;
    std::uint64_t bits = 0;  // magnitudes are in the order of their bits, infinity and NaN above all
    for (std::int64_t i = first + team.rank(); i < last; i += team.size()) {
      const std::uint64_t own = std::bit_cast<std::uint64_t>(static_cast<double>(value[i])) & magnitude;
      bits = own > bits ? own : bits;
    }
    const double largest = team.max(bits < infinity ? std::bit_cast<double>(bits) : not_finite);
    if (team.leads()) maximum[team.index()] = largest;
  }

  static constexpr double not_finite = 1.7976931348623157e308;  ///< the largest double, in place of NaN and infinity
};

/// Exact fixed-point sum of each team's chunk: high and low words of value/scale in units of 2^-31 and 2^-62. The total
/// is the same in any order, on any number of teams and ranks.
template <class S>
struct ChunkSum {
  const S* value = nullptr;
  std::int64_t count = 0;
  std::int64_t chunk = 0;
  double inverse_scale = 1;       ///< 1 / a power of two not below the largest magnitude
  std::int64_t* words = nullptr;  ///< per team: high, low

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t first = team.index() * chunk;
    const std::int64_t last = first + chunk < count ? first + chunk : count;
    std::int64_t high = 0;
    std::int64_t low = 0;
    for (std::int64_t i = first + team.rank(); i < last; i += team.size()) {
      const double x = static_cast<double>(value[i]) * inverse_scale * 2147483648.0;
      const auto whole = static_cast<std::int64_t>(x);
      high += whole;
      low += static_cast<std::int64_t>((x - static_cast<double>(whole)) * 2147483648.0);
    }
    high = team.sum(high);
    low = team.sum(low);
    if (!team.leads()) return;
    words[2 * team.index()] = high;
    words[2 * team.index() + 1] = low;
  }
};

/// `count` numbers <- numbers + steps.
struct Tick {
  std::int64_t* number = nullptr;
  std::int64_t count = 0;
  std::int64_t steps = 0;
  template <class Team>
  TW_FN void operator()(const Team& team) const {
    for (std::int64_t i = team.rank(); i < count; i += team.size()) number[i] += steps;
  }
};

}  // namespace tetrawave::kernels
