// The dense matrices of the stored layout: A0 times them is what they were made from, with the exact element matrices.
#include "schemes/central/stored.hpp"
#include "schemes/dfdd/stored.hpp"
#include "schemes/stored/equation.hpp"

#include <algorithm>
#include <cmath>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "spaces.hpp"
#include "terms/dispersion/update_coefficients.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using basis::DenseMatrix;

namespace {

constexpr double dt_m = 0.03;

/// One element whose face f is an open wall where `open[f]`; the other faces are PEC.
struct OneElement {
  LocalMesh mesh;
  Problem problem;

  OneElement(Space space, const Medium& medium, const std::array<bool, 4>& open) {
    mesh.global_id = {0};
    mesh.corners = {{Vec3{.1, .2, -.1}, Vec3{1.4, .1, .3}, Vec3{.3, 1.2, .1}, Vec3{.2, -.1, .9}}};
    mesh.region = {0};
    mesh.neighbour = {{no_neighbour, no_neighbour, no_neighbour, no_neighbour}};
    mesh.boundary = {{0, 0, 0, 0}};
    for (std::size_t f = 0; f < 4; ++f) mesh.boundary[0][f] = open[f] ? 1 : 0;
    problem.mesh = &mesh;
    problem.space = space;
    problem.media = {medium};
    problem.walls = {Wall::electric, Wall::open};
  }
  OneElement(const OneElement&) = delete;
  OneElement& operator=(const OneElement&) = delete;
};

/// (constant/dt + loss/2) M + wall/4 sum_f F_f, or with the other sign of all but the first term.
basis::SymmetricMatrix make_a0(const OneElement& one, double constant, double loss, double wall, double sign) {
  const basis::PhysicalElement element(one.problem.space, one.mesh.corners[0]);
  basis::SymmetricMatrix a0 = element.mass();
  for (std::size_t i = 0; i < a0.size(); ++i)
    for (std::size_t j = 0; j < a0.size(); ++j) a0(i, j) *= constant / dt_m + sign * loss / 2;
  for (std::size_t f = 0; f < 4; ++f) {
    if (one.mesh.boundary[0][f] != 1) continue;
    const auto face = element.face_mass(f);
    for (std::size_t i = 0; i < a0.size(); ++i)
      for (std::size_t j = 0; j < a0.size(); ++j) a0(i, j) += sign * wall / 4 * face(i, j);
  }
  return a0;
}

/// Largest entry of A0 A2 - (..), A0 A1 -+ C, A0 P -+ D/2, relative to the largest of A0.
double residual(const OneElement& one, const DenseMatrix& found, bool electric) {
  const Medium& m = one.problem.media[0];
  const double constant = electric ? m.eps_r : m.mu_r;
  const double loss = electric ? m.sigma_e : m.sigma_m;
  const double wall = electric ? 1 / m.impedance() : m.impedance();
  const auto a0 = make_a0(one, constant, loss, wall, 1), last = make_a0(one, constant, loss, wall, -1);
  const auto& e = basis::reference_element(one.problem.space);
  const double sign = (electric ? 1 : -1) * basis::PhysicalElement(one.problem.space, one.mesh.corners[0]).sign();
  double worst = 0;
  double size = 0;
  for (std::size_t i = 0; i < e.dofs; ++i) {
    size = std::max(size, a0(i, i));
    for (std::size_t c = 0; c < found.columns(); ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < e.dofs; ++k) sum += a0(i, k) * found(k, c);
      if (c < e.dofs)
        sum -= last(i, c);
      else if (c < 2 * e.dofs)
        sum -= sign * e.curl(i, c - e.dofs);
      else
        sum -= sign / 2 * e.face[(c - 2 * e.dofs) / e.face_dofs](i, (c - 2 * e.dofs) % e.face_dofs);
      worst = std::max(worst, std::abs(sum));
    }
  }
  return worst / size;
}

}  // namespace

TEST_CASE("the stored matrices of DGTD-Central solve their equations, with losses and open walls") {
  const auto open = GENERATE(std::array<bool, 4>{}, std::array<bool, 4>{false, true, false, false},
                             std::array<bool, 4>{true, true, true, true});
  for (const Space space : tetrawave_tests::all_spaces) {
    const OneElement one(space, Medium{3, 1.5, 0.8, 0.6}, open);
    const ElementMatrices found = central_matrices(one.problem, 0, dt_m);
    const StoredShape shape = stored_shape(Scheme::dgtd_central, space);
    CHECK(found[0].rows() == static_cast<std::size_t>(shape.dofs));
    CHECK(found[1].columns() == static_cast<std::size_t>(shape.columns));
    CHECK(residual(one, found[0], true) < 1e-13);
    CHECK(residual(one, found[1], false) < 1e-13);
  }
}

TEST_CASE("the stored matrices of DFDD-ELD solve their equations, without the dofs that walls hold") {
  for (const Space space : tetrawave_tests::all_spaces) {
    OneElement one(space, Medium{3, 1.5, 0, 0}, {false, true, false, false});
    one.mesh.boundary[0] = {-1, 1, 0, -1};  // neighbours behind two faces
    one.problem.scheme = Scheme::dfdd_eld;
    const basis::PhysicalElement element(space, one.mesh.corners[0]);
    const auto& e = basis::reference_element(space);
    const auto mass = element.mass(), stiffness = element.stiffness(), wall = element.face_mass(1);
    const double impedance = one.problem.media[0].impedance();
    const auto both = dfdd_matrices(one.problem, 0, dt_m);
    for (const bool electric : {true, false}) {
      const double a = electric ? 3 : 1.5, b = electric ? 1.5 : 3, loss = electric ? 1 / impedance : impedance;
      const DenseMatrix& found = both[electric ? 0 : 1];
      REQUIRE(found.columns() == static_cast<std::size_t>(stored_shape(Scheme::dfdd_eld, space).columns));
      const auto is_held = [&](std::size_t i) {
        return electric && std::find(e.on_face[2].begin(), e.on_face[2].end(), i) != e.on_face[2].end();
      };
      const double sign = (electric ? 1 : -1) * element.sign();
      double worst = 0;
      for (std::size_t i = 0; i < e.dofs; ++i)
        for (std::size_t c = 0; c < found.columns(); ++c) {
          if (is_held(i)) {
            CHECK(found(i, c) == 0);
            continue;
          }
          if (c < e.dofs && is_held(c)) continue;  // multiplied with zero
          double sum = 0;                          // A0 times what was found, less what it was made from
          const double implicit = dt_m * dt_m / (4 * b);
          for (std::size_t k = 0; k < e.dofs; ++k)
            sum += (a * mass(i, k) + implicit * stiffness(i, k) + dt_m / 2 * loss * wall(i, k)) * found(k, c);
          if (c < e.dofs) {
            sum -= a * mass(i, c) + implicit * stiffness(i, c) - dt_m / 2 * loss * wall(i, c);
          } else if (c < 2 * e.dofs) {
            sum += dt_m / b * stiffness(i, c - e.dofs);
          } else {
            const std::size_t face = (c - 2 * e.dofs) / e.face_dofs;
            if (one.mesh.boundary[0][face] < 0) sum -= sign * dt_m * e.face[face](i, (c - 2 * e.dofs) % e.face_dofs);
          }
          worst = std::max(worst, std::abs(sum));
        }
      CHECK(worst < 1e-13);
    }
  }
}

TEST_CASE("where nothing is lost the first stored matrix is the identity to the last bit") {
  const OneElement one(Space::full_2, Medium{3, 1.5, 0, 0}, {});
  for (const DenseMatrix& matrix : central_matrices(one.problem, 0, dt_m))
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      for (std::size_t j = 0; j < matrix.rows(); ++j) REQUIRE(matrix(i, j) == (i == j ? 1 : 0));
}

TEST_CASE("what a wave adds to an element solves A0 x = g") {
  OneElement one(Space::full_1, Medium{3, 1.5, 0.8, 0.6}, {false, false, true, false});
  DrivenFace face{0, 2, 1, {}, {}};
  for (int i = 0; i < 12; ++i) {
    face.direct.push_back(std::sin(1 + i));
    face.rotated.push_back(std::cos(2 * i));
  }
  const double z = std::sqrt(0.5);
  for (const Field field : {Field::electric, Field::magnetic}) {
    const bool electric = field == Field::electric;
    const auto x = stored_wave(one.problem, face, field, dt_m);
    const auto a0 = electric ? make_a0(one, 3, 0.8, 1 / z, 1) : make_a0(one, 1.5, 0.6, z, 1);
    for (std::size_t i = 0; i < 12; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 12; ++k) sum += a0(i, k) * x[k];
      CHECK(std::abs(sum - (electric ? face.direct[i] / z : face.rotated[i])) < 1e-12);
    }
  }
}

TEST_CASE("stored blocks hold every element in its lane, and zeros in padding") {
  OneElement one(Space::mixed_1, Medium{}, {});
  ElementLayout<double> layout;
  layout.lanes = 8;
  constexpr LocalIndex elements = 14;  // 3 border, 11 inner
  layout.elements = elements;
  layout.border_elements = 3;
  layout.border = {0, 1};
  layout.inner = {1, 2};
  const StoredShape shape{2, 3};
  const auto make = [](LocalIndex e) {
    ElementMatrices m{DenseMatrix(2, 3), DenseMatrix(2, 3)};
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        m[0](i, j) = 1000 * (e + 1) + static_cast<double>(10 * i + j);
        m[1](i, j) = -m[0](i, j);
      }
    return m;
  };
  const auto blocks = make_stored_blocks<double>(shape, layout, elements, {1, 2}, make, 2);
  REQUIRE(blocks[0].size() == 2 * 8 * 6);
  for (std::int32_t place = 0; place < 16; ++place)
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 2; ++row) {
        const double expected = place < 11 ? 1000 * (place + 4) + 10 * row + column : 0;
        CHECK(blocks[0][layout.at(place, 6, column * 2 + row)] == expected);
        CHECK(blocks[1][layout.at(place, 6, column * 2 + row)] == -expected);
      }
  const auto border = make_stored_blocks<double>(shape, layout, elements, {0, 1}, make, 1);
  CHECK(border[0][layout.at(2, 6, 0)] == 3000);
  CHECK(border[0][layout.at(3, 6, 0)] == 0);
}
