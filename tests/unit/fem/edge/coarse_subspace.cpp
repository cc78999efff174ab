#include "fem/edge/coarse_subspace.hpp"

#include "basis/functions.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/helmholtz.hpp"
#include "unit/fem/edge/kuhn_box.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

std::vector<double> expand(const Subspace& subspace, const std::vector<double>& y) {
  std::vector<double> x(subspace.rows());
  for (std::size_t row = 0; row < x.size(); ++row)
    subspace.for_row(row, [&](std::size_t c, double value) { x[row] += value * y[c]; });
  return x;
}

Vec3 field_at(const EdgeSpace& space, const KuhnBox& box, std::size_t element, const std::vector<double>& x) {
  const auto values = basis::PhysicalElement(space.space, box.corners[element]).values({.1, .2, .3, .4});
  Vec3 field{};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (space.of(element)[i] != EdgeSpace::fixed)
      field = field + x[static_cast<std::size_t>(space.of(element)[i])] * values[i];
  return field;
}

/// int curl u . curl v, or int u . v.
CsrMatrix<double> assemble(const EdgeAssembly& assembly, const KuhnBox& box, bool curls) {
  const double s = curls ? 1 : 0, m = curls ? 0 : 1;
  const std::vector<EdgeCoefficients<double>> coefficients{{{s, s, s}, {m, m, m}}};
  CsrMatrix<double> matrix;
  assembly.assemble<double>(coefficients, std::vector<std::int32_t>(box.vertices.size()), {}, matrix);
  return matrix;
}

/// The faces at x = 0 and at x = 1: two pieces of metal.
std::vector<ElementFace> two_plates(const KuhnBox& box) {
  std::vector<ElementFace> faces = box.faces_at_x0();
  for (const ElementFace& at : box.outer_faces()) {
    const Vertices face = box.face(static_cast<std::size_t>(at.first), at.second);
    if (std::all_of(face.begin(), face.end(), [&](auto v) { return box.node.at(v)[0] == 1; })) faces.push_back(at);
  }
  return faces;
}

/// The gradients have no curl, and are as many as they must be and independent.
void check_gradients(const KuhnBox& box, const std::vector<ElementFace>& metal, std::int32_t columns) {
  const EdgeSpace space = number_unknowns(Space::mixed_1, box.vertices, metal);
  const Subspace gradients = gradient_subspace(space, box.vertices);
  CHECK(gradients.columns == columns);
  const std::vector<std::array<Vec3, 4>> corners = box.corners;
  const EdgeAssembly assembly(space, corners, {}, AssemblyMethod::by_dof, 1);
  const auto stiffness = make_dense(assemble(assembly, box, true)), mass = make_dense(assemble(assembly, box, false));
  std::vector<std::vector<double>> all;
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
    std::vector<double> unit(static_cast<std::size_t>(columns));
    unit[c] = 1;
    all.push_back(expand(gradients, unit));
    CHECK(norm(multiply(stiffness, all.back())) < 1e-12 * norm(multiply(mass, all.back())) * 1e3);
  }
  // A dense solution of P^T M P y = 1 that fits: the columns are independent.
  DenseOf<double> gram(all.size(), std::vector<double>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto image = multiply(mass, all[i]);
    for (std::size_t j = 0; j < all.size(); ++j)
      gram[i][j] = std::inner_product(image.begin(), image.end(), all[j].begin(), 0.);
  }
  const std::vector<double> ones(all.size(), 1);
  const auto y = solve_dense(gram, ones);
  CHECK(distance(multiply(gram, y), ones) < 1e-10);
  CHECK(norm(y) < 1e6);
}

}  // namespace

TEST_CASE("a field of the lowest order is the same field in every space") {
  const KuhnBox box = make_kuhn_box({3, 2, 2}, 0.2);
  const EdgeSpace lowest = number_unknowns(Space::mixed_1, box.vertices, box.faces_at_x0());
  const std::vector<double> y = make_vector<double>(static_cast<std::size_t>(lowest.unknowns), 3);
  for (const Space name : nested_spaces) {
    const EdgeSpace space = number_unknowns(name, box.vertices, box.faces_at_x0());
    const Subspace subspace = lowest_order_subspace(space);
    REQUIRE(subspace.columns == lowest.unknowns);
    REQUIRE(subspace.rows() == static_cast<std::size_t>(space.unknowns));
    const std::vector<double> x = expand(subspace, y);
    double worst = 0;
    for (std::size_t e = 0; e < box.vertices.size(); ++e)
      worst = std::max(worst, norm(field_at(space, box, e, x) - field_at(lowest, box, e, y)));
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("the gradient of a linear potential is the constant field, one vertex being at zero") {
  const KuhnBox box = make_kuhn_box({3, 2, 2}, 0.2);
  const Vec3 constant{0.3, -1.2, 0.7};
  for (const Space name : {Space::mixed_1, Space::full_2}) {
    const EdgeSpace space = number_unknowns(name, box.vertices, {});
    const Subspace gradients = gradient_subspace(space, box.vertices);
    REQUIRE(gradients.columns == static_cast<std::int32_t>(box.node.size()) - 1);
    // The ends of edges by columns; the vertex at zero has none.
    std::map<GlobalIndex, std::size_t> column_of;
    const auto functions = basis::functions_of(name);
    for (std::size_t e = 0; e < box.vertices.size(); ++e)
      for (std::size_t i = 0; i < 6; ++i)
        gradients.for_row(static_cast<std::size_t>(space.of(e)[i]), [&](std::size_t c, double value) {
          const auto end = static_cast<std::size_t>(functions[i].vertices[value > 0 ? 1 : 0]);
          column_of.try_emplace(box.vertices[e][end], c);
          REQUIRE(column_of.at(box.vertices[e][end]) == c);
        });
    REQUIRE(column_of.size() == box.node.size() - 1);
    GlobalIndex zero = 0;
    for (const auto& [vertex, point] : box.node)
      if (column_of.count(vertex) == 0) zero = vertex;
    std::vector<double> potential(column_of.size());
    for (const auto& [vertex, c] : column_of) potential[c] = dot(constant, box.node.at(vertex) - box.node.at(zero));
    const std::vector<double> x = expand(gradients, potential);
    for (std::size_t e = 0; e < box.vertices.size(); ++e) REQUIRE(norm(field_at(space, box, e, x) - constant) < 1e-12);
  }
}

TEST_CASE("gradients have no curl and are independent, with a potential for each piece of metal") {
  const KuhnBox box = make_kuhn_box({3, 2, 2}, 0.2);  // 36 vertices, 9 of them on each plate
  check_gradients(box, {}, 35);
  check_gradients(box, box.faces_at_x0(), 27);
  check_gradients(box, two_plates(box), 18 + 2 - 1);
  check_gradients(box, box.outer_faces(), 2);
}

TEST_CASE("two meshes that do not touch have a potential at zero each") {
  KuhnBox box = make_kuhn_box({2, 1, 1}, 0);
  const std::size_t elements = box.vertices.size();
  for (std::size_t e = 0; e < elements; ++e) {
    auto vertices = box.vertices[e];
    for (GlobalIndex& vertex : vertices) vertex += 1000;
    box.vertices.push_back(vertices);
    box.corners.push_back(box.corners[e]);
  }
  check_gradients(box, {}, 2 * 12 - 2);
}

TEST_CASE("p-multigrid takes the lowest order, and of the lowest order the gradients") {
  const KuhnBox box = make_kuhn_box({2, 1, 1}, 0);
  for (const Space name : nested_spaces) {
    const EdgeSpace space = number_unknowns(name, box.vertices, {});
    const std::int32_t edges = number_unknowns(Space::mixed_1, box.vertices, {}).unknowns;
    CHECK(coarse_subspace(space, box.vertices).columns == (name == Space::mixed_1 ? 12 - 1 : edges));
  }
}
