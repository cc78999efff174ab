// The operations of a fem::ResidentBoundary, one by one, against those of the host or their formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "modes/fe_iiee/boundary_vectors.hpp"
#include "modes/fe_iiee/resident_vectors.hpp"

namespace tetrawave_tests {

/// Sums and updates of blocks of vectors on a device against those of the host, for more of them than a kernel takes.
inline void check_vectors(const tetrawave::fem::IterationDevice& device) {
  using namespace tetrawave;
  using Vectors = std::vector<modes::BoundaryVectors::Vector>;
  using Resident = std::vector<fem::ResidentVector>;
  constexpr std::size_t points = 700, from = 2;
  fem::BoundaryMatrices matrices;
  for (std::size_t p = 0; p < points; ++p) matrices.weights.push_back(1 + 0.3 * std::sin(static_cast<double>(p)));
  fem::CsrPattern one_unknown, none;
  one_unknown.first = {0, 1};
  one_unknown.column = {0};
  fem::CsrMatrix<double> mass;
  mass.pattern = &none;
  matrices.system = &one_unknown;
  matrices.mass = &mass;
  const std::shared_ptr<fem::ResidentBoundary> boundary = device.make_boundary(matrices);
  const modes::BoundaryVectors host(matrices.weights, 2, 1);
  const modes::ResidentVectors space(boundary);
  const auto make = [&](std::size_t count, double seed, Vectors& on_host, Resident& on_device) {
    std::vector<double> sums(4 * points * count);
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] = std::sin(seed + 1.3 * static_cast<double>(n % 7919));
    std::vector<fem::ResidentBoundary::Vector> places;
    for (std::size_t k = 0; k < count; ++k) places.push_back(on_device.emplace_back(boundary).place());
    boundary->take_sums(boundary->upload_sums(sums), 0.5, places);
    for (std::size_t k = 0; k < count; ++k) {
      auto& vector = on_host.emplace_back();
      for (std::size_t p = 0; p < points; ++p) {
        const double* const own = &sums[4 * (p * count + k)];
        vector.push_back(fem::Complex(0, -0.5) * fem::Complex(own[0] + own[2], own[1] + own[3]));
        vector.push_back(-0.5 * fem::Complex(own[0] - own[2], own[1] - own[3]));
      }
    }
  };
  const auto compare = [&](const Vectors& expected, const Resident& found) {
    REQUIRE(found.size() == expected.size());
    double worst = 0, largest = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto numbers = boundary->download(found[k].place());
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        worst = std::max(worst, std::abs(numbers[n] - expected[k][n]));
        largest = std::max(largest, std::abs(expected[k][n]));
      }
    }
    CHECK(worst <= 1e-12 * largest);
  };
  for (const std::size_t rows : {1U, 5U, 70U})
    for (const std::size_t sides : {1U, 3U, 40U}) {
      INFO(rows << " vectors by " << sides);
      Vectors a, b;
      Resident resident_a, resident_b;
      make(rows + from, 0.3, a, resident_a);
      make(sides, 0.7, b, resident_b);
      compare(a, resident_a);
      modes::BoundaryVectors::List list_of_b;
      modes::ResidentVectors::List resident_list;
      for (const auto& vector : b) list_of_b.push_back(&vector);
      for (const auto& vector : resident_b) resident_list.push_back(&vector);
      const std::vector<double> norms = host.norms(list_of_b), found = space.norms(resident_list);
      for (std::size_t k = 0; k < sides; ++k) CHECK(std::abs(found[k] - norms[k]) < 1e-13 * norms[k]);
      std::vector<double> factors;
      for (std::size_t k = 0; k < sides; ++k) factors.push_back(static_cast<double>(k));  // one is 0
      Vectors c = host.scaled(factors, list_of_b);
      Resident resident_c = space.scaled(factors, resident_list);
      compare(c, resident_c);
      host.combine(0.5, list_of_b, -3, c);
      space.combine(0.5, resident_list, -3, resident_c);
      compare(c, resident_c);
      const auto table = host.table(a, b), resident_table = space.table(resident_a, resident_b);
      REQUIRE(resident_table.size() == table.size());
      for (std::size_t i = 0; i < table.size(); ++i)
        for (std::size_t k = 0; k < sides; ++k)
          CHECK(std::abs(resident_table[i][k] - table[i][k]) < 1e-11);  // of sums up to 1,800
      compare(host.sums(table, a, b), space.sums(table, resident_a, resident_b));
      host.add(-0.5, host.products(a, b, from), a, c, from);
      space.add(-0.5, space.products(resident_a, resident_b, from), resident_a, resident_c, from);
      compare(c, resident_c);
    }
}

/// Numbers without a pattern.
inline std::complex<double> number_at(std::size_t i, double seed) {
  const double at = seed + static_cast<double>(i * i % 977);
  return {std::sin(at), std::cos(1.7 * at)};
}
template <class T>
T value_at(std::size_t i, double seed) {
  if constexpr (std::is_same_v<T, double>)
    return number_at(i, seed).real();
  else
    return number_at(i, seed);
}

/// Some entries in some of the rows.
template <class T>
tetrawave::fem::SparseRowsOf<T> make_rows(std::size_t rows, std::size_t columns, double seed) {
  tetrawave::fem::SparseRowsOf<T> result;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < row % 5; ++k)
      result.add_entry(static_cast<std::int32_t>((3 * row + 7 * k) % columns), value_at<T>(5 * row + k, seed));
    result.end_row();
  }
  return result;
}

template <class T>
std::vector<std::complex<double>> product(const tetrawave::fem::SparseRowsOf<T>& a,
                                          const std::vector<std::complex<double>>& x) {
  std::vector<std::complex<double>> y(a.rows());
  for (std::size_t row = 0; row < y.size(); ++row)
    for (auto k = static_cast<std::size_t>(a.first[row]); k < static_cast<std::size_t>(a.first[row + 1]); ++k)
      y[row] += a.value[k] * x[static_cast<std::size_t>(a.column[k])];
  return y;
}

/// x of S x = b, S with 4 on its diagonal and 1 beside it.
inline std::vector<std::complex<double>> solve_bands(std::vector<std::complex<double>> b) {
  std::vector<double> pivot(b.size(), 4);
  for (std::size_t i = 1; i < b.size(); ++i) {
    pivot[i] -= 1 / pivot[i - 1];
    b[i] -= b[i - 1] / pivot[i - 1];
  }
  for (std::size_t i = b.size(); i-- > 0;) b[i] = (b[i] - (i + 1 < b.size() ? b[i + 1] : 0.0)) / pivot[i];
  return b;
}

/// S of solve_bands.
inline void make_bands(std::size_t size, tetrawave::fem::CsrPattern& pattern,
                       tetrawave::fem::CsrMatrix<double>& matrix) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = i > 0 ? i - 1 : 0; k < std::min(size, i + 2); ++k) {
      pattern.column.push_back(static_cast<std::int32_t>(k));
      matrix.values.push_back(k == i ? 4 : 1);
    }
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  matrix.pattern = &pattern;
}

/// What a ResidentBoundary is made of, and what drives it.
struct BoundaryChain {
  static constexpr std::size_t rows = 90, inner = 37, points = 31, sources = 11;

  BoundaryChain(std::size_t sets, bool is_whole) {
    using tetrawave::fem::Complex;
    for (std::size_t i = 0; i < rows; ++i) {
      system.column.push_back(static_cast<std::int32_t>(i));
      system.first.push_back(static_cast<std::int64_t>(i + 1));
      matrix.values.push_back(number_at(i, 0.1));
    }
    matrix.pattern = &system;
    make_bands(inner, bands, mass);
    for (std::size_t u = 0; u < 50; ++u) of.unknowns.push_back(static_cast<std::int32_t>(u + u / 2));
    of.moments = make_rows<double>(of.unknowns.size(), 2 * points, 0.2);
    of.from_outside = make_rows<double>(inner, 2 * points, 0.3);
    of.electric = make_rows<double>(3 * sources, inner, 0.4);
    of.magnetic = make_rows<double>(3 * sources, rows, 0.5);
    of.weights.assign(points, 1.0);
    of.system = &system;
    of.mass = &mass;
    if (!is_whole) of.most_rows_of_inverse = 0;
    flux = make_rows<Complex>(inner, rows, 0.6);
    for (std::size_t i = 0; i < 3 * sources; ++i) places.push_back(number_at(i, 0.7).real());
    drive.sets = sets;
    drive.rows = {0, 5, 6, 89};
    for (std::size_t i = 0; i < drive.rows.size() * sets; ++i) drive.sides.push_back(number_at(i, 1.1));
    for (std::size_t i = 0; i < inner * sets; ++i) drive.flux.push_back(number_at(i, 1.2));
    for (std::size_t i = 0; i < width() * sources; ++i)
      drive.sources.push_back(i % width() < 3 ? 0 : number_at(i, 1.3).real());
  }
  BoundaryChain(const BoundaryChain&) = delete;
  BoundaryChain& operator=(const BoundaryChain&) = delete;
  [[nodiscard]] std::size_t width() const { return 3 + 12 * drive.sets; }  ///< of a source

  tetrawave::fem::CsrPattern system, bands;
  tetrawave::fem::CsrMatrix<double> mass;
  tetrawave::fem::CsrMatrix<tetrawave::fem::Complex> matrix;
  tetrawave::fem::BoundaryMatrices of;
  tetrawave::fem::SparseRows flux;
  std::vector<double> places;
  tetrawave::fem::BoundaryDrive drive;
};

/// Right-hand sides and sources of vectors, or of none, with what drives the chain or without.
inline void check_chain_of(tetrawave::fem::ResidentBoundary& boundary, const BoundaryChain& chain,
                           const std::vector<tetrawave::fem::ResidentBoundary::Vector>& vectors, bool with_case) {
  using tetrawave::fem::Complex;
  INFO(vectors.size() << " vectors, driven: " << with_case);
  constexpr std::size_t rows = BoundaryChain::rows, inner = BoundaryChain::inner;
  const std::size_t sets = chain.drive.sets, driven = with_case ? chain.drive.rows.size() : 0;
  const tetrawave::fem::ResidentBoundary::Vectors psi(vectors.begin(), vectors.end());
  const tetrawave::fem::ResidentColumns<tetrawave::fem::Complex>& columns = boundary.drive(psi, with_case);
  REQUIRE(columns.count == static_cast<std::int32_t>(sets));
  const auto sides = boundary.download_sides();
  std::vector<std::vector<Complex>> x(sets);
  for (std::size_t k = 0; k < sets; ++k) {
    for (std::size_t i = 0; i < rows; ++i) x[k].push_back(number_at(i + k, 0.9));
    boundary.upload_solution(k, x[k]);
  }
  CHECK(boundary.download_solutions() == x);
  const std::vector<double> residuals = columns.find_residuals();
  constexpr double factor = -0.3;
  REQUIRE(boundary.find_sources(psi, factor, with_case).size() == BoundaryChain::sources * chain.width());
  const std::vector<double> found = boundary.download_sources();
  for (std::size_t k = 0; k < sets; ++k) {
    const auto values =
        vectors.empty() ? std::vector<Complex>(2 * BoundaryChain::points) : boundary.download(vectors[k]);
    std::vector<Complex> side(rows);
    const std::vector<Complex> moments = product(chain.of.moments, values);
    for (std::size_t u = 0; u < moments.size(); ++u) side[static_cast<std::size_t>(chain.of.unknowns[u])] = moments[u];
    for (std::size_t i = 0; i < driven; ++i)
      side[static_cast<std::size_t>(chain.drive.rows[i])] += chain.drive.sides[k * driven + i];
    double rest = 0, all = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      CHECK(std::abs(sides[k][i] - side[i]) < 1e-13);
      rest += std::norm(side[i] - chain.matrix.values[i] * x[k][i]);
      all += std::norm(side[i]);
    }
    CHECK(std::abs(residuals[k] - std::sqrt(rest / all)) < 1e-12 * residuals[k]);
    std::vector<Complex> b = product(chain.flux, x[k]);
    const std::vector<Complex> outside = product(chain.of.from_outside, values);
    for (std::size_t i = 0; i < inner; ++i) b[i] += (with_case ? chain.drive.flux[k * inner + i] : 0.0) - outside[i];
    const std::vector<Complex> j = product(chain.of.electric, solve_bands(b)), m = product(chain.of.magnetic, x[k]);
    for (std::size_t s = 0; s < BoundaryChain::sources; ++s)
      for (std::size_t c = 0; c < 3; ++c) {
        const double* const own = &found[s * chain.width()];
        CHECK(own[c] == chain.places[3 * s + c]);
        for (const double sign : {1.0, -1.0}) {
          const std::size_t at = 3 + 12 * k + (sign > 0 ? 0 : 6) + 2 * c;
          const double* const of_case = &chain.drive.sources[s * chain.width() + at];
          Complex expected = factor * j[3 * s + c] + sign * m[3 * s + c];
          if (with_case) expected += Complex(of_case[0], of_case[1]);
          CHECK(std::abs(Complex(own[at], own[at + 1]) - expected) < 1e-12);
        }
      }
  }
}

/// From boundary values to right-hand sides, and from solutions to what radiates, for `sets` of them; S^-1 whole or by
/// factors.
inline void check_chain(const tetrawave::fem::IterationDevice& device,
                        const std::shared_ptr<const tetrawave::fem::FactorDevice>& factors, std::size_t sets,
                        bool is_whole) {
  using namespace tetrawave;
  INFO(sets << " sets, S^-1 " << (is_whole ? "whole" : "by factors"));
  BoundaryChain chain(sets, is_whole);
  chain.of.factors = factors;
  const std::unique_ptr<fem::ResidentBoundary> boundary = device.make_boundary(chain.of);
  boundary->set_frequency(chain.matrix, chain.flux, chain.places);
  boundary->set_drive(chain.drive);
  boundary->reserve(static_cast<std::int32_t>(sets), sets);
  std::vector<fem::ResidentBoundary::Vector> vectors;
  std::vector<double> sums;
  for (std::size_t k = 0; k < sets; ++k) vectors.push_back(boundary->take());
  for (std::size_t i = 0; i < 4 * BoundaryChain::points * sets; ++i) sums.push_back(number_at(i, 0.8).real());
  boundary->take_sums(boundary->upload_sums(sums), 1, vectors);
  check_chain_of(*boundary, chain, vectors, false);
  check_chain_of(*boundary, chain, vectors, true);
  check_chain_of(*boundary, chain, {}, true);
}

/// All of them, for one and for more right-hand sides than a kernel takes.
inline void check_boundary(const tetrawave::fem::IterationDevice& device,
                           const std::shared_ptr<const tetrawave::fem::FactorDevice>& factors) {
  check_vectors(device);
  for (const std::size_t sets : {1U, 18U})
    for (const bool is_whole : {true, false}) check_chain(device, factors, sets, is_whole);
}

}  // namespace tetrawave_tests
