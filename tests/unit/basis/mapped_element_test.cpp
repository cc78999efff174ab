#include "basis/mapped_element.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "basis/quadrature.hpp"
#include "catch.hpp"
#include "spaces.hpp"

using namespace tetrawave;
using namespace tetrawave::basis;
using tetrawave_tests::all_spaces;

namespace {

using Corners = std::array<Vec3, 4>;
constexpr Corners unit{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Middles straight_middles(const Corners& x) {
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  Middles middles;
  for (std::size_t k = 0; k < 6; ++k) middles[k] = 0.5 * (x[edges[k][0]] + x[edges[k][1]]);
  return middles;
}

class Random {
 public:
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vec3 vector() { return {number(), number(), number()}; }
  /// The unit tetrahedron with corners and edges moved by up to `much`.
  Corners corners(double much) {
    Corners result = unit;
    for (Vec3& corner : result) corner = corner + much * vector();
    return result;
  }
  Middles middles(const Corners& corners, double much) {
    Middles result = straight_middles(corners);
    for (Vec3& middle : result) middle = middle + much * vector();
    return result;
  }
  std::array<double, 4> inside() {
    std::array<double, 4> l{};
    double sum = 0;
    for (double& x : l) sum += x = 0.1 + std::abs(number());
    for (double& x : l) x /= sum;
    return l;
  }

 private:
  std::mt19937 engine_{7};
};

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
  return worst;
}

}  // namespace

TEST_CASE("an element without nodes on edges is the straight one, one with them in their middles but for rounding") {
  Random random;
  for (const Space space : all_spaces) {
    const Corners corners = random.corners(0.2);
    const Middles middles = straight_middles(corners);
    const PhysicalElement straight(space, corners);
    const MappedElement same(space, corners, nullptr), near(space, corners, &middles);
    CHECK_FALSE(same.is_curved());
    CHECK(near.is_curved());
    const auto l = random.inside();
    CHECK(same.point(l) == straight.point(l));
    CHECK(same.values(l) == straight.values(l));
    CHECK(same.curls(l) == straight.curls(l));
    CHECK(same.volume(l) == straight.volume());
    CHECK(norm(near.point(l) - straight.point(l)) < 1e-15);
    CHECK(distance(near.values(l), straight.values(l)) < 1e-12);
    CHECK(distance(near.curls(l), straight.curls(l)) < 1e-11);
    for (std::size_t f = 0; f < 4; ++f) {
      const auto at = near.on_face(f, {0.2, 0.5, 0.3});
      CHECK(same.on_face(f, {0.2, 0.5, 0.3}).normal == straight.normal(f));
      CHECK(same.on_face(f, {0.2, 0.5, 0.3}).area == straight.area(f));
      CHECK(norm(at.normal - straight.normal(f)) < 1e-13);
      CHECK(std::abs(at.area - straight.area(f)) < 1e-14);
      const auto mass = near.face_mass(f), exact = straight.face_mass(f);
      CHECK(std::abs(mass(0, 0) - exact(0, 0)) < 1e-12);
    }
    CHECK(std::abs(near.mass()(1, 2) - straight.mass()(1, 2)) < 1e-13);
  }
}

TEST_CASE("the place of a point in a curved element is found again, and points far away are in none") {
  Random random;
  for (int k = 0; k < 50; ++k) {
    const Corners corners = random.corners(0.1);
    const Middles middles = random.middles(corners, 0.06);
    const MappedElement element(Space::mixed_1, corners, &middles);
    const auto l = random.inside();
    const auto found = element.barycentric(element.point(l));
    REQUIRE(found);
    for (std::size_t v = 0; v < 4; ++v) CHECK(std::abs((*found)[v] - l[v]) < 1e-13);
    const auto outside = element.barycentric({30, -20, 50});
    CHECK((!outside || *std::min_element(outside->begin(), outside->end()) < 0));
  }
}

TEST_CASE("curls of mapped functions are the curls of their values") {
  Random random;
  constexpr double step = 1e-5;
  for (const Space space : all_spaces) {
    const Corners corners = random.corners(0.1);
    const Middles middles = random.middles(corners, 0.06);
    const MappedElement element(space, corners, &middles);
    const auto l = random.inside();
    const Vec3 place = element.point(l);
    // slope[a][b] = d N_b / d x_a
    std::array<std::vector<Vec3>, 3> slope;
    for (std::size_t a = 0; a < 3; ++a) {
      Vec3 ahead = place, behind = place;
      ahead[a] += step;
      behind[a] -= step;
      slope[a] = element.values(element.barycentric(ahead).value());
      const auto before = element.values(element.barycentric(behind).value());
      for (std::size_t i = 0; i < before.size(); ++i) slope[a][i] = (0.5 / step) * (slope[a][i] - before[i]);
    }
    const auto curls = element.curls(l);
    for (std::size_t i = 0; i < curls.size(); ++i) {
      const Vec3 wanted{slope[1][i][2] - slope[2][i][1], slope[2][i][0] - slope[0][i][2],
                        slope[0][i][1] - slope[1][i][0]};
      CHECK(norm(curls[i] - wanted) < 1e-7);
    }
  }
}

TEST_CASE("two elements see the same tangential functions on a curved face between them") {
  Random random;
  for (const Space space : all_spaces) {
    const Corners corners = random.corners(0.1);
    const Middles middles = random.middles(corners, 0.06);
    Corners other = corners;  // vertex 3 on the other side of the face of the others
    other[3] = {0.3, 0.4, -0.9};
    Middles its = straight_middles(other);
    for (const std::size_t edge : {0U, 1U, 3U}) its[edge] = middles[edge];
    const MappedElement first(space, corners, &middles), second(space, other, &its);
    const std::array<double, 3> l{0.2, 0.3, 0.5};
    const auto at = first.on_face(3, l), behind = second.on_face(3, l);
    CHECK(norm(first.point(at.barycentric) - second.point(behind.barycentric)) < 1e-15);
    CHECK(norm(at.normal + behind.normal) < 1e-13);
    CHECK(std::abs(at.area - behind.area) < 1e-14);
    const auto values = first.values(at.barycentric), theirs = second.values(behind.barycentric);
    for (const std::size_t i : reference_element(space).on_face[3])
      CHECK(norm(cross(at.normal, values[i] - theirs[i])) < 1e-12);
  }
}

TEST_CASE("a constant field is in the spaces of degree 2 and 3 of a curved element") {
  Random random;
  for (const Space space : {Space::mixed_2, Space::full_2, Space::mixed_3, Space::full_3}) {
    const Corners corners = random.corners(0.1);
    const Middles middles = random.middles(corners, 0.03);
    const MappedElement element(space, corners, &middles);
    const Vec3 field{0.3, -1.2, 0.7};
    const std::size_t n = reference_element(space).dofs;
    std::vector<double> dofs(n, 0);
    SymmetricMatrix mass(n);  // of one rule on both sides, so that its own error falls out
    for (const auto& q : tetrahedron_rule(8)) {
      const auto values = element.values(q.barycentric);
      const double weight = q.weight * element.volume(q.barycentric);
      for (std::size_t i = 0; i < n; ++i) {
        dofs[i] += weight * dot(values[i], field);
        for (std::size_t j = 0; j < n; ++j) mass(i, j) += weight * dot(values[i], values[j]);
      }
    }
    mass.factor();
    mass.solve(dofs.data());
    const auto l = random.inside();
    const auto values = element.values(l), curls = element.curls(l);
    Vec3 found{}, curl{};
    for (std::size_t i = 0; i < n; ++i) {
      found = found + dofs[i] * values[i];
      curl = curl + dofs[i] * curls[i];
    }
    CHECK(norm(found - field) < 1e-10);
    CHECK(norm(curl) < 1e-9);
  }
}

TEST_CASE("the determinant of an element shows where its edges turn it inside out") {
  CHECK(std::abs(least_relative_determinant(unit, straight_middles(unit)) - 1) < 1e-14);
  Middles middles = straight_middles(unit);
  middles[0] = {0.5, 0, 0.1};
  CHECK(least_relative_determinant(unit, middles) > 0.3);
  middles[0] = {0.5, 0.8, 0};  // beyond the middle of the face
  CHECK(least_relative_determinant(unit, middles) < 0);
}
