// Matrices by quadrature against the exact tables of the reference element.
#include "basis/quadrature_element.hpp"

#include <cmath>

#include "basis/physical_element.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::basis;

namespace {

/// One of each sign of det J.
const std::array<std::array<Vec3, 4>, 2> shapes{
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{.3, 1.2, .1}, Vec3{1.4, .1, .3}, Vec3{.2, -.1, .9}},
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{1.4, .1, .3}, Vec3{.3, 1.2, .1}, Vec3{.2, -.1, .9}}};

template <class Work>
void for_every_element(const Work& work) {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2})
    for (const auto& corners : shapes)
      work(reference_element(space), PhysicalElement(space, corners), QuadratureElement(space, corners));
}

}  // namespace

TEST_CASE("mass and curl by quadrature are the exact ones") {
  for_every_element([](const ReferenceElement& e, const PhysicalElement& exact, const QuadratureElement& found) {
    const SymmetricMatrix mass = exact.mass();
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (std::size_t j = 0; j < e.dofs; ++j) {
        REQUIRE(std::abs(found.mass()(i, j) - mass(i, j)) < 1e-14);
        REQUIRE(std::abs(found.curl()(i, j) - exact.sign() * e.curl(i, j)) < 1e-14);
      }
  });
}

TEST_CASE("face matrices by quadrature are the exact ones, whose other rows vanish") {
  for_every_element([](const ReferenceElement& e, const PhysicalElement& exact, const QuadratureElement& found) {
    for (std::size_t f = 0; f < 4; ++f) {
      const SymmetricMatrix face_mass = exact.face_mass(f);
      const DenseMatrix coupling = found.coupling(f), tangential = found.face_mass(f);
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

TEST_CASE("a factored matrix solves all columns of a right-hand side as it solves one") {
  SymmetricMatrix a(4);
  DenseMatrix right(4, 3);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) a(i, j) = (i == j ? 5 : 1) + static_cast<double>(i + j);
    for (std::size_t j = 0; j < 3; ++j) right(i, j) = std::sin(static_cast<double>(3 * i + j));
  }
  const SymmetricMatrix whole = a;
  a.factor();
  DenseMatrix found = right;
  a.solve(found);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 4; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += whole(i, k) * found(k, j);
      CHECK(std::abs(sum - right(i, j)) < 1e-14);
    }
}
