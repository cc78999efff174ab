#include "basis/reference_element.hpp"

#include <cmath>

#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "catch.hpp"
#include "spaces.hpp"

using namespace tetrawave;
using namespace tetrawave::basis;
using tetrawave_tests::Approx;

namespace {

const std::array<Vec3, 4> reference_corners{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
const std::array<Vec3, 4> skewed_corners{Vec3{.1, .2, -.1}, Vec3{.3, 1.2, .1}, Vec3{1.4, .1, .3}, Vec3{.2, -.1, .9}};

double trace(const SymmetricMatrix& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i) sum += m(i, i);
  return sum;
}

double frobenius(const SymmetricMatrix& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) sum += m(i, j) * m(i, j);
  return std::sqrt(sum);
}

double frobenius(const Table& m) {
  double sum = 0;
  for (const double x : m.entries) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("masses, curls and face matrices of the reference tetrahedron have the given traces and norms") {
  struct Published {
    Space space;
    std::size_t dofs;
    double trace_m, norm_m, norm_c, norm_d, norm_f;
  };
  const auto p =
      GENERATE(Published{Space::mixed_1, 6, .35, .1870828693, .5773502692, .4082482905, .4330127019},
               Published{Space::full_1, 12, .6, .2915475947, .7071067812, .5400617249, .6123724357},
               Published{Space::mixed_2, 20, .6198412698, .2997822181, .7382881852, .5544015793, .6313524904},
               Published{Space::full_2, 30, .6817460317, .3060707366, .7412920402, .5623610940, .6455410529});
  const ReferenceElement& e = reference_element(p.space);
  CHECK(e.dofs == p.dofs);
  const PhysicalElement element(p.space, reference_corners);
  CHECK(trace(element.mass()) == Approx(p.trace_m).epsilon(1e-9));
  CHECK(frobenius(element.mass()) == Approx(p.norm_m).epsilon(1e-9));
  CHECK(frobenius(e.curl) == Approx(p.norm_c).epsilon(1e-9));
  CHECK(frobenius(element.face_mass(0)) == Approx(p.norm_f).epsilon(1e-9));
  double face_norm = 0;  // D^ has rows of the face only: others vanish
  for (const double x : e.face[0].entries) face_norm += x * x;
  CHECK(std::sqrt(face_norm) == Approx(p.norm_d).epsilon(1e-9));
}

TEST_CASE("integration by parts holds exactly: C - C^T is the sum of the face matrices") {
  for (const Space space : tetrawave_tests::dgtd_spaces) {
    const ReferenceElement& e = reference_element(space);
    double worst = 0;
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (std::size_t j = 0; j < e.dofs; ++j) {
        double difference = e.curl(i, j) - e.curl(j, i);
        for (std::size_t f = 0; f < 4; ++f)
          for (std::size_t k = 0; k < e.face_dofs; ++k)
            if (e.on_face[f][k] == j) difference -= e.face[f](i, k);
        worst = std::max(worst, std::abs(difference));
      }
    CHECK(worst < 1e-15);
  }
}

TEST_CASE("the mass of a skewed element equals quadrature of the physical basis") {
  for (const Space space : tetrawave_tests::dgtd_spaces) {
    const PhysicalElement element(space, skewed_corners);
    const SymmetricMatrix mass = element.mass();
    SymmetricMatrix expected(mass.size());
    for (const TetrahedronPoint& q : tetrahedron_rule(8)) {
      const auto values = element.values(q.barycentric);
      for (std::size_t i = 0; i < mass.size(); ++i)
        for (std::size_t j = 0; j < mass.size(); ++j)
          expected(i, j) += q.weight * element.volume() * dot(values[i], values[j]);
    }
    for (std::size_t i = 0; i < mass.size(); ++i)
      for (std::size_t j = 0; j < mass.size(); ++j) REQUIRE(std::abs(mass(i, j) - expected(i, j)) < 1e-13);
  }
}

TEST_CASE("two elements of a face see the same tangential traces in the same order") {
  const std::array<Vec3, 4> other{skewed_corners[1], skewed_corners[2], skewed_corners[3], Vec3{1.5, 1.4, 1.2}};
  for (const Space space : tetrawave_tests::dgtd_spaces) {
    const ReferenceElement& e = reference_element(space);
    const PhysicalElement a(space, skewed_corners);  // shared face: opposite its vertex 0
    const PhysicalElement b(space, other);           // opposite its vertex 3
    const Vec3 n = a.normal(0);
    for (const TrianglePoint& q : triangle_rule(3)) {
      const auto va = a.values(from_face(0, q.barycentric));
      const auto vb = b.values(from_face(3, q.barycentric));
      for (std::size_t k = 0; k < e.face_dofs; ++k)
        REQUIRE(norm(cross(n, va[e.on_face[0][k]] - vb[e.on_face[3][k]])) < 1e-12);
    }
  }
}

TEST_CASE("the face matrix of a skewed element equals quadrature with its outward normal") {
  for (const Space space : tetrawave_tests::dgtd_spaces) {
    const ReferenceElement& e = reference_element(space);
    const PhysicalElement element(space, skewed_corners);
    for (std::size_t f = 0; f < 4; ++f) {
      std::vector<double> sums(e.dofs * e.face_dofs, 0.0);
      for (const TrianglePoint& q : triangle_rule(8)) {
        const auto values = element.values(from_face(f, q.barycentric));
        for (std::size_t i = 0; i < e.dofs; ++i)
          for (std::size_t k = 0; k < e.face_dofs; ++k)
            sums[i * e.face_dofs + k] +=
                q.weight * element.area(f) * dot(values[i], cross(element.normal(f), values[e.on_face[f][k]]));
      }
      for (std::size_t i = 0; i < sums.size(); ++i)
        REQUIRE(std::abs(sums[i] - element.sign() * e.face[f].entries[i]) < 1e-13);
    }
  }
}

TEST_CASE("Gauss's rule integrates polynomials of twice its degree") {
  const GaussRule rule = gauss_rule(7);
  double sum = 0;
  for (std::size_t i = 0; i < 7; ++i) sum += rule.weights[i] * std::pow(rule.nodes[i], 12);
  CHECK(sum == Approx(2. / 13).epsilon(1e-13));
}

TEST_CASE("functions and their curls at a point are the values of the exact polynomials") {
  const std::array<double, 4> point{0.1, 0.2, 0.3, 0.4};
  const std::array<double, 3> xi{0.2, 0.3, 0.4};
  for (const Space space : tetrawave_tests::dgtd_spaces) {
    const ReferenceElement& e = reference_element(space);
    const auto values = e.evaluate(point);
    const auto curls = e.evaluate_curls(point);
    REQUIRE(values.size() == e.dofs);
    REQUIRE(curls.size() == e.dofs);
    double worst = 0;
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (int c = 0; c < 3; ++c) {
        const auto at = [](int axis) { return static_cast<std::size_t>(axis % 3); };
        const auto& v = e.functions[i];
        const Polynomial curl = v[at(c + 2)].derivative((c + 1) % 3) - v[at(c + 1)].derivative((c + 2) % 3);
        worst = std::max(worst, std::abs(values[i][at(c)] - v[at(c)].evaluate(xi)));
        worst = std::max(worst, std::abs(curls[i][at(c)] - curl.evaluate(xi)));
      }
    CHECK(worst < 1e-14);
  }
}
