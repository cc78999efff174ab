#include "fem/edge/curved_edge_element.hpp"

#include "basis/mapped_element.hpp"
#include "basis/quadrature.hpp"
#include "catch.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/edge_matrices.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr std::array<Vec3, 4> corners{{{0, 0, 0}, {1, 0.1, 0}, {-0.1, 0.9, 0.1}, {0, 0.2, 1.1}}};

/// Edges that go off their straight middles by `size` of a length of about 1.
basis::Middles make_middles(double size) {
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  constexpr std::array<Vec3, 6> ways{
      {{0.3, -0.8, 0.2}, {0.1, 0.5, -0.7}, {-0.6, 0.1, 0.4}, {0.5, 0.6, 0.1}, {-0.2, 0.3, 0.9}, {0.4, -0.7, 0.3}}};
  basis::Middles middles;
  for (std::size_t k = 0; k < 6; ++k) middles[k] = 0.5 * (corners[edges[k][0]] + corners[edges[k][1]]) + size * ways[k];
  return middles;
}

Dense rows_of_curved(Space space, const basis::Middles& middles, const EdgeCoefficients<Complex>& media) {
  EdgeElement<Complex> element(space);
  element.set(corners, media, &middles);
  Dense result(element.size(), Vector(element.size(), Complex(7, 7)));  // rows are overwritten
  for (std::size_t i = 0; i < element.size(); ++i) element.row(i, result[i].data());
  return result;
}

/// From the functions in space, by a rule of a high degree.
Dense by_quadrature(Space space, const basis::Middles& middles, const EdgeCoefficients<Complex>& media, int degree) {
  const basis::MappedElement element(space, corners, &middles);
  const std::size_t n = basis::reference_element(space).dofs;
  Dense result(n, Vector(n));
  for (const auto& q : basis::tetrahedron_rule(degree)) {
    const auto values = element.values(q.barycentric), curls = element.curls(q.barycentric);
    const double weight = q.weight * element.volume(q.barycentric);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t x = 0; x < 3; ++x)
          result[i][j] +=
              weight * (media.stiffness[x] * curls[i][x] * curls[j][x] + media.mass[x] * values[i][x] * values[j][x]);
  }
  return result;
}

}  // namespace

TEST_CASE("rows of an element with nodes in the middles of its edges are those of the straight one") {
  Random random(3);
  for (const Space space : nested_spaces) {
    INFO(name_of(space));
    const EdgeCoefficients<Complex> media{random.triple(), random.triple()};
    CHECK(distance(rows_of_curved(space, make_middles(0), media), rows_of(space, corners, media)) < 1e-13);
  }
}

TEST_CASE("rows of a curved element are those of its mapped functions, and the rule is good enough for small bulges") {
  Random random(4);
  for (const Space space : nested_spaces) {
    INFO(name_of(space));
    const EdgeCoefficients<Complex> media{random.triple(), random.triple()};
    std::vector<double> errors;
    for (const double size : {0.04, 0.02}) {
      const basis::Middles middles = make_middles(size);
      const Dense exact = by_quadrature(space, middles, media, 16);
      CHECK(distance(by_quadrature(space, middles, media, 20), exact) < 1e-7);
      errors.push_back(distance(rows_of_curved(space, middles, media), exact));
    }
    INFO(errors[0] << " " << errors[1]);
    CHECK(errors[0] < 3e-3);
    CHECK(errors[0] / errors[1] > 3.5);
    CHECK(distance(rows_of_curved(space, make_middles(0.04), media), rows_of(space, corners, media)) > 0.02);
  }
}

TEST_CASE("an element that was curved is straight again when it takes up a straight one") {
  const EdgeCoefficients<Complex> media{{1, 2, 3}, {4, 5, 6}};
  EdgeElement<Complex> element(Space::mixed_2);
  const basis::Middles middles = make_middles(0.04);
  element.set(corners, media, &middles);
  element.set(corners, media);
  Vector row(element.size());
  element.row(2, row.data());
  CHECK(row == rows_of(Space::mixed_2, corners, media)[2]);
}
