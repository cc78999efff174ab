#include "modes/fe_iiee/boundary_vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tetrawave::modes {

namespace {

using Complex = BoundaryVectors::Complex;

// Numbers are (re, im) pairs in a row. conj(a) b has the real part of the plain product of the pairs and the imaginary
// part of that of a with -j b, so that sums of products are sums over doubles.

/// Eight doubles in a row of an array. Only inside of functions: it is passed in other registers on every machine.
using Pack [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;

constexpr std::size_t lanes = 8, together = 4;
constexpr std::size_t weights_of_piece = 256;

/// sums[i] += a_i . b, turned[i] += a_i . -j b, for four a.
[[gnu::target_clones("arch=skylake-avx512", "arch=haswell", "default")]] void add_dots(
    const std::array<const double*, together>& a, const double* b, const double* turned_b, std::size_t count,
    std::array<double, together>& sums, std::array<double, together>& turned) {
  Pack plain0{}, plain1{}, plain2{}, plain3{}, other0{}, other1{}, other2{}, other3{};
  const double *const x0 = a[0], *const x1 = a[1], *const x2 = a[2], *const x3 = a[3];
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    const Pack x = *reinterpret_cast<const Pack*>(b + n), y = *reinterpret_cast<const Pack*>(turned_b + n);
    const Pack a0 = *reinterpret_cast<const Pack*>(x0 + n), a1 = *reinterpret_cast<const Pack*>(x1 + n);
    const Pack a2 = *reinterpret_cast<const Pack*>(x2 + n), a3 = *reinterpret_cast<const Pack*>(x3 + n);
    plain0 += a0 * x, plain1 += a1 * x, plain2 += a2 * x, plain3 += a3 * x;
    other0 += a0 * y, other1 += a1 * y, other2 += a2 * y, other3 += a3 * y;
  }
  const Pack* const plain[] = {&plain0, &plain1, &plain2, &plain3};
  const Pack* const other[] = {&other0, &other1, &other2, &other3};
  for (std::size_t i = 0; i < together; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sums[i] += (*plain[i])[lane];
      turned[i] += (*other[i])[lane];
    }
    for (std::size_t m = n; m < count; ++m) {
      sums[i] += a[i][m] * b[m];
      turned[i] += a[i][m] * turned_b[m];
    }
  }
}

/// y += sum of four factors times x
[[gnu::target_clones("arch=skylake-avx512", "arch=haswell", "default")]] void add_multiples(
    const std::array<Complex, together>& factor, const std::array<const double*, together>& x, double* y,
    std::size_t count) {
  constexpr Pack signs{-1, 1, -1, 1, -1, 1, -1, 1};
  const Pack re0 = factor[0].real() - Pack{}, re1 = factor[1].real() - Pack{};
  const Pack re2 = factor[2].real() - Pack{}, re3 = factor[3].real() - Pack{};
  const Pack im0 = factor[0].imag() * signs, im1 = factor[1].imag() * signs;
  const Pack im2 = factor[2].imag() * signs, im3 = factor[3].imag() * signs;
  const double *const x0 = x[0], *const x1 = x[1], *const x2 = x[2], *const x3 = x[3];
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    const Pack a0 = *reinterpret_cast<const Pack*>(x0 + n), a1 = *reinterpret_cast<const Pack*>(x1 + n);
    const Pack a2 = *reinterpret_cast<const Pack*>(x2 + n), a3 = *reinterpret_cast<const Pack*>(x3 + n);
    Pack sum = *reinterpret_cast<const Pack*>(y + n);
    sum += re0 * a0 + re1 * a1 + re2 * a2 + re3 * a3;
    sum += im0 * __builtin_shufflevector(a0, a0, 1, 0, 3, 2, 5, 4, 7, 6);
    sum += im1 * __builtin_shufflevector(a1, a1, 1, 0, 3, 2, 5, 4, 7, 6);
    sum += im2 * __builtin_shufflevector(a2, a2, 1, 0, 3, 2, 5, 4, 7, 6);
    sum += im3 * __builtin_shufflevector(a3, a3, 1, 0, 3, 2, 5, 4, 7, 6);
    *reinterpret_cast<Pack*>(y + n) = sum;
  }
  for (; n + 2 <= count; n += 2)
    for (std::size_t i = 0; i < together; ++i) {
      y[n] += factor[i].real() * x[i][n] - factor[i].imag() * x[i][n + 1];
      y[n + 1] += factor[i].real() * x[i][n + 1] + factor[i].imag() * x[i][n];
    }
}

const double* numbers_of(const BoundaryVectors::Vector& vector) {
  return reinterpret_cast<const double*>(vector.data());
}

/// The places of four vectors from number `i` on, of the last one again behind the end.
std::array<const double*, together> four_from(const std::vector<BoundaryVectors::Vector>& vectors, std::size_t i,
                                              std::size_t offset) {
  std::array<const double*, together> places{};
  for (std::size_t n = 0; n < together; ++n)
    places[n] = numbers_of(vectors[std::min(i + n, vectors.size() - 1)]) + offset;
  return places;
}

}  // namespace

BoundaryVectors::BoundaryVectors(std::vector<double> weights, std::size_t run, int threads)
    : weights_(std::move(weights)),
      run_(run),
      team_(std::make_unique<fem::ThreadTeam>(std::clamp(static_cast<int>(count_pieces()), 1, std::max(1, threads)))) {}

std::size_t BoundaryVectors::count_pieces() const {
  return (weights_.size() + weights_of_piece - 1) / weights_of_piece;
}

void BoundaryVectors::for_pieces(const std::function<void(std::size_t, std::size_t, std::size_t)>& work) const {
  const std::size_t pieces = count_pieces(), members = static_cast<std::size_t>(team_->size());
  team_->run([&](int member) {
    const auto m = static_cast<std::size_t>(member);
    for (std::size_t piece = m * pieces / members; piece < (m + 1) * pieces / members; ++piece)
      work(piece, piece * weights_of_piece, std::min((piece + 1) * weights_of_piece, weights_.size()));
  });
}

BoundaryVectors::Parts BoundaryVectors::products(const std::vector<Vector>& a, const std::vector<Vector>& b,
                                                 std::size_t from) const {
  Parts result(a.size() - from, std::vector<Complex>(b.size(), Complex(0)));
  if (result.empty() || b.empty()) return result;
  const std::size_t rows = result.size(), count = rows * b.size(), width = 2 * run_ * weights_of_piece;
  std::vector<Complex> of_pieces(count_pieces() * count);
  for_pieces([&](std::size_t piece, std::size_t first, std::size_t end) {
    thread_local std::vector<double> room;  // w b and -j w b of every b
    room.resize(2 * width * b.size());
    const std::size_t numbers = 2 * run_ * (end - first);
    for (std::size_t k = 0; k < b.size(); ++k) {
      double* const plain = room.data() + 2 * k * width;
      double* const turned = plain + width;
      for (std::size_t w = first, n = 0; w < end; ++w)
        for (std::size_t r = 0; r < run_; ++r, n += 2) {
          const Complex value = weights_[w] * b[k][w * run_ + r];
          plain[n] = turned[n + 1] = value.real();
          plain[n + 1] = turned[n] = value.imag();
          turned[n + 1] = -turned[n + 1];
        }
    }
    Complex* const to = of_pieces.data() + piece * count;
    for (std::size_t i = 0; i < rows; i += together) {
      const auto places = four_from(a, from + i, 2 * run_ * first);
      for (std::size_t k = 0; k < b.size(); ++k) {
        std::array<double, together> real{}, imaginary{};
        const double* const plain = room.data() + 2 * k * width;
        add_dots(places, plain, plain + width, numbers, real, imaginary);
        for (std::size_t n = 0; n < std::min(together, rows - i); ++n)
          to[(i + n) * b.size() + k] = {real[n], imaginary[n]};
      }
    }
  });
  for (std::size_t piece = 0; piece < count_pieces(); ++piece)
    for (std::size_t at = 0; at < count; ++at) result[at / b.size()][at % b.size()] += of_pieces[piece * count + at];
  return result;
}

std::vector<double> BoundaryVectors::norms(const List& a) const {
  std::vector<double> of_pieces(count_pieces() * a.size()), result(a.size());
  for_pieces([&](std::size_t piece, std::size_t first, std::size_t end) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      double sum = 0;
      for (std::size_t w = first; w < end; ++w) {
        double own = 0;
        for (std::size_t n = w * run_; n < (w + 1) * run_; ++n) own += std::norm((*a[k])[n]);
        sum += weights_[w] * own;
      }
      of_pieces[piece * a.size() + k] = sum;
    }
  });
  for (std::size_t at = 0; at < of_pieces.size(); ++at) result[at % a.size()] += of_pieces[at];
  for (double& one : result) one = std::sqrt(one);
  return result;
}

void BoundaryVectors::add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
                          std::size_t from) const {
  if (x.size() == from) return;
  for_pieces([&](std::size_t, std::size_t first, std::size_t end) {
    const std::size_t offset = 2 * run_ * first, numbers = 2 * run_ * (end - first);
    for (std::size_t i = from; i < x.size(); i += together) {
      const auto places = four_from(x, i, offset);
      for (std::size_t k = 0; k < y.size(); ++k) {
        std::array<Complex, together> factors{};
        for (std::size_t n = 0; n < std::min(together, x.size() - i); ++n) factors[n] = factor * parts[i + n - from][k];
        add_multiples(factors, places, reinterpret_cast<double*>(y[k].data()) + offset, numbers);
      }
    }
  });
}

std::vector<BoundaryVectors::Vector> BoundaryVectors::scaled(const std::vector<double>& factors, const List& x) const {
  std::vector<Vector> y(x.size(), Vector(weights_.size() * run_));
  for_pieces([&](std::size_t, std::size_t first, std::size_t end) {
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t n = run_ * first; n < run_ * end; ++n) y[k][n] = factors[k] * (*x[k])[n];
  });
  return y;
}

void BoundaryVectors::combine(double alpha, const List& x, double beta, std::vector<Vector>& y) const {
  for_pieces([&](std::size_t, std::size_t first, std::size_t end) {
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t n = run_ * first; n < run_ * end; ++n) y[k][n] = alpha * (*x[k])[n] + beta * y[k][n];
  });
}

BoundaryVectors::Table BoundaryVectors::table(const std::vector<Vector>& a, const std::vector<Vector>& b) const {
  Table all = products(a, b), own = products(b, b);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<BoundaryVectors::Vector> BoundaryVectors::sums(const Table& parts, const std::vector<Vector>& a,
                                                           const std::vector<Vector>& b) const {
  std::vector<Vector> y(parts.front().size(), Vector(weights_.size() * run_));
  const auto of_b = parts.begin() + static_cast<std::ptrdiff_t>(a.size());
  add(1, Parts(parts.begin(), of_b), a, y);
  add(1, Parts(of_b, parts.end()), b, y);
  return y;
}

}  // namespace tetrawave::modes
