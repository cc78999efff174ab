// Loops over vectors of one length, and sums independent of the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/stopwatch.hpp"
#include "comm/communicator.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/thread_team.hpp"

namespace tetrawave::fem {

/// a b without std::complex's case distinctions for infinities.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// conj(a) b.
inline Complex times_conjugate(Complex a, Complex b) {
  return {a.real() * b.real() + a.imag() * b.imag(), a.real() * b.imag() - a.imag() * b.real()};
}

inline double square(Complex a) { return a.real() * a.real() + a.imag() * a.imag(); }

inline double times(double a, double b) { return a * b; }
inline double times_conjugate(double a, double b) { return a * b; }
inline double square(double a) { return a * a; }

/// Sums of doubles that make one sum of numbers of type T.
template <class T>
inline constexpr std::size_t parts_of = sizeof(T) / sizeof(double);

inline void add_parts(Complex value, double* sums) {
  sums[0] += value.real();
  sums[1] += value.imag();
}
inline void add_parts(double value, double* sums) { sums[0] += value; }

/// The number that add_parts has summed.
template <class T>
T join_parts(const double* sums) {
  if constexpr (parts_of<T> == 1)
    return sums[0];
  else
    return {sums[0], sums[1]};
}

/// Ranks that each have a part of every vector, and the time that their sums have taken.
struct RankSums {
  comm::Communicator ranks;
  double seconds = 0;

  void add_up(std::span<double> sums) {
    Stopwatch watch;
    ranks.sum_in_place(sums);
    seconds += watch.lap();
  }
};

/// Vectors of `size` numbers, divided into blocks of 4096. Sums are over all ranks if there are some. Team and ranks
/// must outlive this.
class BlockedVectors {
 public:
  BlockedVectors(ThreadTeam& team, std::size_t size, RankSums* ranks = nullptr)
      : team_(team), size_(size), ranks_(ranks) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Calls work(i) for every i of [0, size()).
  template <class Work>
  void for_each(const Work& work) {
    team_.run([&](int member) {
      const auto [first, last] = blocks_of(member);
      for (std::size_t i = first * block; i < std::min(last * block, size_); ++i) work(i);
    });
  }

  /// `count` sums over all i: work(i, partial) adds to partial[0 .. count). Each block is summed separately, and the
  /// blocks in order, so the result does not depend on the threads.
  template <std::size_t count, class Work>
  std::array<double, count> sum(const Work& work) {
    partial_.resize(block_count() * count);
    team_.run([&](int member) {
      const auto [first, last] = blocks_of(member);
      for (std::size_t b = first; b < last; ++b) {
        std::array<double, count> here{};
        for (std::size_t i = b * block; i < std::min((b + 1) * block, size_); ++i) work(i, here);
        std::copy(here.begin(), here.end(), partial_.begin() + static_cast<std::ptrdiff_t>(b * count));
      }
    });
    std::array<double, count> total{};
    for (std::size_t k = 0; k < partial_.size(); ++k) total[k % count] += partial_[k];
    if (ranks_ != nullptr) ranks_->add_up(total);
    return total;
  }

 private:
  static constexpr std::size_t block = 4096;

  [[nodiscard]] std::size_t block_count() const { return (size_ + block - 1) / block; }
  [[nodiscard]] std::array<std::size_t, 2> blocks_of(int member) const {
    const auto m = static_cast<std::size_t>(member), members = static_cast<std::size_t>(team_.size());
    return {m * block_count() / members, (m + 1) * block_count() / members};
  }

  ThreadTeam& team_;
  std::size_t size_;
  RankSums* ranks_;
  std::vector<double> partial_;
};

}  // namespace tetrawave::fem
