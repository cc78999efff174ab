#include "fem/edge/line_modes.hpp"

#include <cmath>
#include <functional>
#include <numeric>

#include "base/constants.hpp"
#include "basis/mapped_element.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using tetrawave_tests::Approx;

namespace {

constexpr double width_m = 4e-3, height_m = 2e-3, eps_of_filling = 6;
constexpr double half = 0.5;

/// Plates at y = 0 and y = height between magnetic walls, half filled: up to half of the height, or of the width.
/// `bulge`: of the diagonals of its squares, over their sides.
CrossSection half_filled(std::size_t cells, bool in_series, double bulge = 0) {
  CrossSection section;
  section.normal = {0, 0, 1};
  const std::size_t nx = cells, ny = cells;
  const auto id = [&](std::size_t i, std::size_t k) { return static_cast<GlobalIndex>(k * (nx + 1) + i); };
  const auto point = [&](std::size_t i, std::size_t k) {
    return Vec3{width_m * static_cast<double>(i) / static_cast<double>(nx),
                height_m * static_cast<double>(k) / static_cast<double>(ny), 0};
  };
  for (std::size_t k = 0; k < ny; ++k)
    for (std::size_t i = 0; i < nx; ++i) {
      const bool filled = 2 * (in_series ? k : i) < cells;
      section.triangles.push_back(
          {{id(i, k), id(i + 1, k), id(i, k + 1)}, {point(i, k), point(i + 1, k), point(i, k + 1)}, {}});
      section.triangles.push_back({{id(i + 1, k), id(i, k + 1), id(i + 1, k + 1)},
                                   {point(i + 1, k), point(i, k + 1), point(i + 1, k + 1)},
                                   {}});
      section.eps.insert(section.eps.end(), 2, filled ? eps_of_filling : 1);
      const Vec3 offset = bulge * (point(i + 1, k + 1) - point(i, k));
      section.triangles[section.triangles.size() - 2].bulge[2] = section.triangles.back().bulge[0] = offset;
    }
  for (const std::size_t k : {std::size_t{0}, ny})
    for (std::size_t i = 0; i < nx; ++i) section.metal.push_back({id(i, k), id(i + 1, k)});
  section.inverse_mu.assign(section.eps.size(), 1);
  section.wall.assign(section.eps.size(), 1.5);
  section.static_field = [eps = section.eps, in_series](std::size_t t, const std::array<double, 3>&) {
    return Vec3{0, in_series ? 1 / eps[t] : 1, 0};
  };
  section.static_eps = in_series ? 2 / (1 + 1 / eps_of_filling) : (1 + eps_of_filling) / 2;
  section.norm = 2.5;
  return section;
}

/// beta/k0 of the dominant mode: (k_1/eps_1) tan(k_1 d/2) + (k_2/eps_2) tan(k_2 d/2) = 0 in series, without the eps in
/// parallel; k_i^2 = eps_i k0^2 - beta^2, d the size across the layers.
double exact_index(double k0, bool in_series) {
  const double d = half * (in_series ? height_m : width_m);
  const auto residue = [&](double square) {  // of (beta/k0)^2
    const double inside = k0 * std::sqrt(eps_of_filling - square), outside = k0 * std::sqrt(square - 1);
    const double scale = in_series ? eps_of_filling : 1;
    return inside / scale * std::tan(inside * d) - outside * std::tanh(outside * d);
  };
  double low = 1.0000001, high = eps_of_filling - 1e-9;
  const double pole = pi / (2 * d * k0);  // of the first tangent
  low = std::max(low, eps_of_filling - pole * pole + 1e-9);
  for (int step = 0; step < 200; ++step) {
    const double middle = half * (low + high);
    (residue(middle) > 0 ? low : high) = middle;
  }
  return std::sqrt(low);
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TEST_CASE("the mode of a half filled line of plates has the index of the closed form in every space") {
  for (const bool in_series : {true, false})
    for (const auto& [space, limit] : {std::pair{Space::mixed_1, 2e-2},
                                       {Space::full_1, 3e-3},
                                       {Space::mixed_2, 3e-4},
                                       {Space::full_2, 3e-4},
                                       {Space::mixed_3, 1e-5},
                                       {Space::nested_full_3, 1e-5}}) {
      CAPTURE(in_series, static_cast<int>(space));
      const LineModes modes(half_filled(8, in_series), space);
      for (const double hz : {0.1e9, 5e9, 20e9}) {
        const double k0 = 2 * pi * hz / c0_m_per_s;
        const LineMode mode = modes.solve(k0);
        CHECK(mode.index == Approx(exact_index(k0, in_series)).epsilon(limit));
        CHECK(product(mode.current, mode.field) == Approx(2.5).epsilon(1e-9));
        CHECK(mode.overlap <= 1 + 1e-9);
        CHECK(mode.overlap > 0.5);
      }
    }
}

TEST_CASE("the mode of a line at a complex frequency continues that of the real axis") {
  for (const bool in_series : {true, false}) {
    CAPTURE(in_series);
    const LineModes modes(half_filled(8, in_series), Space::mixed_2);
    const double k0 = 2 * pi * 20e9 / c0_m_per_s, step = 1e-3 * k0;
    const LineMode below = modes.solve(k0 - step), here = modes.solve(k0), above = modes.solve(k0 + step);
    const LineModeOf<Complex> mode = modes.solve(Complex(k0, step));
    CHECK(mode.index.real() == Approx(here.index).epsilon(1e-6));
    CHECK(mode.index.imag() == Approx((above.index - below.index) / 2).epsilon(1e-4));
    const Complex norm = std::inner_product(mode.current.begin(), mode.current.end(), mode.field.begin(), Complex(0));
    CHECK(std::abs(norm - 2.5) < 1e-9);
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < mode.field.size(); ++i) {
      largest = std::max(largest, std::abs(here.current[i]));
      off = std::max(off, std::abs(mode.current[i].imag() - (above.current[i] - below.current[i]) / 2));
    }
    CHECK(off < 1e-6 * largest);
  }
}

TEST_CASE("curved edges within a medium leave the mode of the line as it is") {
  for (const bool in_series : {true, false})
    for (const auto& [space, limit] :
         {std::pair{Space::mixed_1, 2e-2}, {Space::mixed_2, 5e-4}, {Space::mixed_3, 2e-5}}) {
      CAPTURE(in_series, static_cast<int>(space));
      const double k0 = 2 * pi * 20e9 / c0_m_per_s;
      const LineMode mode = LineModes(half_filled(8, in_series, 0.1), space).solve(k0);
      CHECK(mode.index == Approx(exact_index(k0, in_series)).epsilon(limit));
      CHECK(product(mode.current, mode.field) == Approx(2.5).epsilon(1e-9));
      const LineMode straight = LineModes(half_filled(8, in_series), space).solve(k0);
      CHECK(product(mode.wall, mode.field) == Approx(product(straight.wall, straight.field)).epsilon(5 * limit));
    }
}

TEST_CASE("traces of a triangle whose corners are numbered in another order") {
  const std::array<Vec3, 3> x{Vec3{0.2, 0.1, 0}, {1.3, 0.4, 0}, {0.5, 1.7, 0}};
  for (const Space space :
       {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2, Space::mixed_3, Space::nested_full_3})
    for (const std::array<std::uint8_t, 3>& order :
         {std::array<std::uint8_t, 3>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      CAPTURE(static_cast<int>(space), order);
      const auto& on_face = basis::reference_element(space).on_face[3];
      const std::size_t n = basis::reference_element(space).face_dofs;
      std::vector<double> turn = turn_traces(space, order);
      if (order == std::array<std::uint8_t, 3>{0, 1, 2}) {
        CHECK(turn.empty());
        continue;
      }
      const basis::MappedElement one(space, {x[0], x[1], x[2], Vec3{0.3, 0.2, 1}}, nullptr);
      const basis::MappedElement other(space, {x[order[0]], x[order[1]], x[order[2]], Vec3{0.9, 0.1, 2}}, nullptr);
      for (const std::array<double, 3>& l :
           {std::array<double, 3>{0.2, 0.3, 0.5}, {0.7, 0.1, 0.2}, {0.05, 0.9, 0.05}}) {
        const auto of_one = one.values(one.on_face(3, l).barycentric);
        const auto of_other = other.values(other.on_face(3, {l[order[0]], l[order[1]], l[order[2]]}).barycentric);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t axis = 0; axis < 2; ++axis) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += turn[i * n + k] * of_one[on_face[k]][axis];
            CHECK(sum == Approx(of_other[on_face[i]][axis]).margin(1e-11));
          }
      }
    }
}

TEST_CASE("at low frequencies the mode of a line is its static one") {
  const LineModes modes(half_filled(4, true), Space::mixed_2);
  const LineMode mode = modes.solve(2 * pi * 1e7 / c0_m_per_s);
  CHECK(mode.index * mode.index == Approx(2 / (1 + 1 / eps_of_filling)).epsilon(1e-5));
  CHECK(mode.overlap == Approx(1).epsilon(1e-6));
}

TEST_CASE("a table of modes is the modes themselves, solved one by one or interpolated") {
  std::vector<double> few{1e9, 7e9, 16e9}, many;
  for (int k = 0; k <= 40; ++k) many.push_back(1e9 + 15e9 * k / 40);
  const LineModes modes(half_filled(4, false), Space::mixed_2);
  const LineModeTable one_by_one(LineModes(half_filled(4, false), Space::mixed_2), few);
  const LineModeTable interpolated(LineModes(half_filled(4, false), Space::mixed_2), many);
  CHECK(one_by_one.points() == 0);
  CHECK(interpolated.points() >= 6);
  CHECK(interpolated.error() < 1e-8);
  for (const double hz : few) {
    const LineMode mode = modes.solve(2 * pi * hz / c0_m_per_s);
    CHECK(one_by_one.at(hz).current == mode.current);
    const LineMode& found = interpolated.at(hz);
    CHECK(found.index == Approx(mode.index).epsilon(1e-8));
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < mode.field.size(); ++i) {
      difference = std::max({difference, std::abs(found.field[i] - mode.field[i])});
      size = std::max(size, std::abs(mode.field[i]));
    }
    CHECK(difference < 1e-7 * size);
  }
}
