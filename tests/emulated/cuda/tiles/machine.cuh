// What tiles ask of a GPU, on the emulated one: stands in for cuda/tiles/machine.cuh.
#pragma once

#include <cstdint>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "support/emulated_gpu.hpp"

namespace tetrawave::cuda {

inline constexpr int tile_warps = 4;
inline constexpr int tile_threads = 32 * tile_warps;

inline void multiply_small_tile(double (&c)[2], double a, double b) {
  auto& threads = tetrawave_tests::EmulatedThreads::active();
  auto& own = threads.own();
  own.given[0] = a, own.given[1] = b;
  const int lane = own.number % 32;
  const auto product = threads.exchange(1, [&] {
    std::pair<double, double> sum{c[0], c[1]};
    for (int k = 0; k < 4; ++k) {
      const double left = threads.lane_of_warp(lane / 4 * 4 + k).given[0];
      sum.first += left * threads.lane_of_warp(lane % 4 * 8 + k).given[1];
      sum.second += left * threads.lane_of_warp(lane % 4 * 8 + 4 + k).given[1];
    }
    return sum;
  });
  c[0] = product.first, c[1] = product.second;
}

inline void multiply_tile(double (&c)[4], double a0, double a1, double b) {
  double upper[2] = {c[0], c[1]};
  double lower[2] = {c[2], c[3]};
  multiply_small_tile(upper, a0, b);
  multiply_small_tile(lower, a1, b);
  c[0] = upper[0], c[1] = upper[1], c[2] = lower[0], c[3] = lower[1];
}

struct TileTeam {
  int number;
  int warp;
  int lane;

  void sync() const { tetrawave_tests::EmulatedThreads::active().meet(number, tile_threads); }
  void sync_warp() const {
    auto& threads = tetrawave_tests::EmulatedThreads::active();
    threads.meet(3000 + threads.own().number / 32, 32);
  }
  [[nodiscard]] double from_lane(double value, int other) const {
    auto& threads = tetrawave_tests::EmulatedThreads::active();
    threads.own().given[2] = value;
    return threads.exchange(2, [&] { return threads.lane_of_warp(other).given[2]; });
  }
};

/// `count` numbers, each into the first bytes of what the thread writes as one of double precision.
template <class S>
void start_copy(double* to, const S* from, int count) {
  tetrawave_tests::EmulatedThreads::active().own().copies.push_back(
      {to, from, static_cast<std::size_t>(count) * sizeof(S)});
  for (int i = 0; i < count; ++i) to[i] = std::numeric_limits<double>::quiet_NaN();
}
template <class S>
void copy_later(double* to, const S* from) {
  start_copy(to, from, 1);
}
template <class S>
void copy_pair_later(double* to, const S* from) {
  if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0 || reinterpret_cast<std::uintptr_t>(from) % (2 * sizeof(S)) != 0)
    throw std::logic_error("a pair is no multiple of its bytes away");
  start_copy(to, from, 2);
}
template <class S>
double copied(const double* place) {
  S number;
  std::memcpy(&number, place, sizeof(S));
  return number;
}
inline void widen_pair(double* place) {
  float numbers[2];
  std::memcpy(numbers, place, sizeof numbers);
  for (int i = 0; i < 2; ++i) place[i] = numbers[i];
}
inline void wait_for_copies() {
  auto& copies = tetrawave_tests::EmulatedThreads::active().own().copies;
  for (const auto& copy : copies) std::memcpy(copy.to, copy.from, copy.bytes);
  copies.clear();
}
template <class T>
void fetch_tile_rows(const T* /*array*/, std::int64_t /*block*/, int /*rows*/) {}

}  // namespace tetrawave::cuda
