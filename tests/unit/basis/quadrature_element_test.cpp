// Matrices by quadrature against the exact tables of the reference element.
#include "basis/quadrature_element.hpp"

#include <cmath>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "spaces.hpp"

using namespace tetrawave;
using namespace tetrawave::basis;

namespace {

/// One of each sign of det J.
const std::array<std::array<Vec3, 4>, 2> shapes{
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{.3, 1.2, .1}, Vec3{1.4, .1, .3}, Vec3{.2, -.1, .9}},
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{1.4, .1, .3}, Vec3{.3, 1.2, .1}, Vec3{.2, -.1, .9}}};

/// W^T W
DenseMatrix gram(const DenseMatrix& w) {
  DenseMatrix a(w.columns(), w.columns());
  for (std::size_t r = 0; r < w.rows(); ++r)
    for (std::size_t i = 0; i < w.columns(); ++i)
      for (std::size_t j = 0; j < w.columns(); ++j) a(i, j) += w(r, i) * w(r, j);
  return a;
}

template <class Work>
void for_every_element(const Work& work) {
  for (const Space space : tetrawave_tests::all_spaces)
    for (const auto& corners : shapes)
      work(reference_element(space), PhysicalElement(space, corners), QuadratureElement(space, corners));
}

}  // namespace

TEST_CASE("mass and curl by quadrature are the exact ones") {
  for_every_element([](const ReferenceElement& e, const PhysicalElement& exact, const QuadratureElement& found) {
    const SymmetricMatrix mass = exact.mass();
    const DenseMatrix found_mass = gram(found.mass_root()), found_curl = found.curl();
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (std::size_t j = 0; j < e.dofs; ++j) {
        REQUIRE(std::abs(found_mass(i, j) - mass(i, j)) < 1e-14);
        REQUIRE(std::abs(found_curl(i, j) - exact.sign() * e.curl(i, j)) < 1e-14);
      }
  });
}

TEST_CASE("masses and curls weighted across the axes by quadrature are those of the metric") {
  Weights weights(Vec3{1.3, 0.9, 1.1});
  weights.across = {0.2, -0.1, 0.3};
  CHECK(norm(weights.inverse() * (weights * Vec3{1, 2, -3}) - Vec3{1, 2, -3}) < 1e-14);
  for_every_element([&](const ReferenceElement& e, const PhysicalElement& exact, const QuadratureElement& found) {
    const SymmetricMatrix mass = exact.mass(weights), stiffness = exact.stiffness(weights);
    const DenseMatrix found_mass = gram(found.mass_root(weights)), found_stiffness = gram(found.curl_root(weights));
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (std::size_t j = 0; j < e.dofs; ++j) {
        REQUIRE(std::abs(found_mass(i, j) - mass(i, j)) < 1e-13);
        REQUIRE(std::abs(found_stiffness(i, j) - stiffness(i, j)) < 1e-11);
      }
  });
}

TEST_CASE("face matrices by quadrature are the exact ones, whose other rows vanish") {
  for_every_element([](const ReferenceElement& e, const PhysicalElement& exact, const QuadratureElement& found) {
    for (std::size_t f = 0; f < 4; ++f) {
      const SymmetricMatrix face_mass = exact.face_mass(f);
      const DenseMatrix coupling = found.coupling(f), tangential = gram(found.face_mass_root(f));
      DenseMatrix rest(e.dofs, e.face_dofs);  // what the rows of the face do not explain
      for (std::size_t i = 0; i < e.dofs; ++i)
        for (std::size_t k = 0; k < e.face_dofs; ++k) rest(i, k) = exact.sign() * e.face[f](i, k);
      for (std::size_t k = 0; k < e.face_dofs; ++k)
        for (std::size_t l = 0; l < e.face_dofs; ++l) {
          rest(e.on_face[f][k], l) -= coupling(k, l);
          REQUIRE(std::abs(tangential(k, l) - face_mass(e.on_face[f][k], e.on_face[f][l])) < 1e-14);
        }
      for (std::size_t i = 0; i < e.dofs; ++i)
        for (std::size_t k = 0; k < e.face_dofs; ++k) REQUIRE(std::abs(rest(i, k)) < 1e-14);
    }
  });
}

TEST_CASE("the inverse of W^T W solves every column, also where W^T W itself rounds to a singular matrix") {
  for (const double d : {0.5, 1e-8}) {
    DenseMatrix w(3, 2), x(2, 2);  // W = [1 1; d 0; 0 d], A = [1 + d^2, 1; 1, 1 + d^2], A (1, -1) = d^2 (1, -1)
    w(0, 0) = w(0, 1) = 1;
    w(1, 0) = w(2, 1) = d;
    x(0, 0) = 1;
    x(1, 0) = -1;
    x(0, 1) = -3;
    x(1, 1) = 3;
    GramInverse(w).apply(x);
    for (std::size_t i = 0; i < 2; ++i) {
      const double expected = (i == 0 ? 1 : -1) / (d * d);
      CHECK(std::abs(x(i, 0) / expected - 1) < 1e-7);
      CHECK(std::abs(x(i, 1) / expected + 3) < 3e-7);
    }
  }
}
