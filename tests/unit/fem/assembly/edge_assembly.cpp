#include "fem/assembly/edge_assembly.hpp"

#include <cmath>

#include "basis/functions.hpp"
#include "catch.hpp"
#include "spaces.hpp"
#include "unit/fem/assembly/assembly_problem.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// An assembled matrix with the pattern that it needs.
template <class T>
struct Assembled {
  CsrPattern pattern;
  UnsetVector<T> values;
};

template <class T>
Assembled<T> assemble(const EdgeSpace& space, const Problem<T>& problem, AssemblyMethod method, int threads,
                      std::span<const std::int32_t> copies = {}) {
  const auto walls = problem.walls();
  ElementShapes shapes(problem.box.corners);
  shapes.copies = copies;
  const EdgeAssembly assembly(space, shapes, walls, method, threads);
  CsrMatrix<T> matrix;
  const std::vector<EdgeCoefficients<T>> others(3, {{1, 2, 3}, {4, 5, 6}});
  assembly.assemble(others, problem.kind, std::vector<T>(walls.size(), 1.), matrix);  // nothing of it may stay
  assembly.assemble(problem.coefficients, problem.kind, problem.factors(), matrix);
  return {assembly.pattern(), matrix.values};
}

/// Element by element, term by term, by quadrature.
template <class T>
DenseOf<T> assemble_by_quadrature(const EdgeSpace& space, const Problem<T>& problem) {
  const auto rows = static_cast<std::size_t>(space.unknowns);
  DenseOf<T> result(rows, std::vector<T>(rows));
  const auto put = [&](std::size_t e, std::size_t i, std::size_t j, const T& value) {
    const std::int32_t row = space.of(e)[i], column = space.of(e)[j];
    if (row != EdgeSpace::fixed && column != EdgeSpace::fixed)
      result[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] += value;
  };
  for (std::size_t e = 0; e < space.element_count(); ++e) {
    const QuadratureElement element(space.space, problem.box.corners[e]);
    const EdgeCoefficients<T>& of = problem.coefficients[static_cast<std::size_t>(problem.kind[e])];
    auto matrix = stiffness_by_quadrature(element, of.stiffness);
    add(matrix, mass_by_quadrature(element, of.mass));
    for (std::size_t i = 0; i < matrix.size(); ++i)
      for (std::size_t j = 0; j < matrix.size(); ++j) put(e, i, j, matrix[i][j]);
  }
  for (const FaceTerm<T>& term : problem.terms) {
    const auto e = static_cast<std::size_t>(term.face.first);
    const DenseMatrix mass =
        gram(QuadratureElement(space.space, problem.box.corners[e]).face_mass_root(term.face.second));
    const auto& on_face = basis::reference_element(space.space).on_face[term.face.second];
    for (std::size_t i = 0; i < on_face.size(); ++i)
      for (std::size_t j = 0; j < on_face.size(); ++j) put(e, on_face[i], on_face[j], term.factor * mass(i, j));
  }
  return result;
}

/// max |A - A^T| / max |A|
template <class T>
double asymmetry(const Assembled<T>& matrix) {
  double worst = 0, most = 0;
  const auto& [pattern, values] = matrix;
  for (std::int32_t i = 0; i < pattern.rows(); ++i)
    for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1]; ++k) {
      const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
      const auto begin = pattern.column.begin() + pattern.first[j], end = pattern.column.begin() + pattern.first[j + 1];
      const auto mirror = std::lower_bound(begin, end, i);
      REQUIRE((mirror != end && *mirror == i));
      const T value = values[static_cast<std::size_t>(k)];
      worst = std::max(worst, std::abs(value - values[static_cast<std::size_t>(mirror - pattern.column.begin())]));
      most = std::max(most, std::abs(value));
    }
  return worst / most;
}

template <class T>
double distance_of_values(const UnsetVector<T>& a, const UnsetVector<T>& b) {
  return distance(DenseOf<T>{{a.begin(), a.end()}}, DenseOf<T>{{b.begin(), b.end()}});
}

}  // namespace

TEMPLATE_TEST_CASE(
    "every way of assembly gives the dense sum over elements and terms of walls, symmetric, in one pattern", "", double,
    Complex) {
  const Problem<TestType> problem({2, 2, 2});
  double worst = 0, worst_asymmetry = 0;
  for (const Space space : nested_spaces) {
    INFO(name_of(space));
    const EdgeSpace unknowns = number_unknowns(space, problem.box.vertices, problem.metal);
    const auto expected = assemble_by_quadrature(unknowns, problem);
    const auto reference = assemble(unknowns, problem, AssemblyMethod::by_dof, 1);
    for (const AssemblyMethod method : methods)
      for (const int threads : {1, 2, 4}) {
        const auto found = assemble(unknowns, problem, method, threads);
        CHECK(found.pattern.first == reference.pattern.first);
        CHECK(found.pattern.column == reference.pattern.column);
        worst = std::max(worst, distance(make_dense(CsrMatrix<TestType>{&found.pattern, found.values}), expected));
        worst_asymmetry = std::max(worst_asymmetry, asymmetry(found));
      }
  }
  CHECK(worst < 1e-12);
  CHECK(worst_asymmetry < 1e-14);
}

TEMPLATE_TEST_CASE(
    "elements that are copies, of one medium and of several, with walls and without, make the same matrix", "", double,
    Complex) {
  const Problem<TestType> problem({3, 4, 5}, 0);
  const std::vector<std::int32_t> copies = problem.copies();
  REQUIRE(2 * (static_cast<std::size_t>(*std::max_element(copies.begin(), copies.end())) + 1) < copies.size());
  const EdgeSpace unknowns = number_unknowns(Space::full_2, problem.box.vertices, problem.metal);
  const auto expected = assemble(unknowns, problem, AssemblyMethod::by_dof, 1);
  for (const int threads : {1, 3}) {
    const auto found = assemble(unknowns, problem, AssemblyMethod::by_dof, threads, copies);
    CHECK(found.pattern.column == expected.pattern.column);
    CHECK(distance_of_values(found.values, expected.values) < 1e-13);
  }
}

TEST_CASE("a pattern has the pairs of unknowns that meet in an element, columns ascending, and no others") {
  const Problem<double> problem({2, 2, 2});
  for (const Space space : {Space::mixed_1, Space::full_2, Space::mixed_3}) {
    const EdgeSpace unknowns = number_unknowns(space, problem.box.vertices, problem.metal);
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::size_t e = 0; e < unknowns.element_count(); ++e)
      for (const std::int32_t i : unknowns.of(e))
        for (const std::int32_t j : unknowns.of(e))
          if (i != EdgeSpace::fixed && j != EdgeSpace::fixed) pairs.emplace(i, j);
    for (const AssemblyMethod method : methods) {
      const CsrPattern pattern = assemble(unknowns, problem, method, 2).pattern;
      std::vector<std::pair<std::int32_t, std::int32_t>> found;
      for (std::int32_t i = 0; i < pattern.rows(); ++i)
        for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1];
             ++k)
          found.emplace_back(i, pattern.column[static_cast<std::size_t>(k)]);
      CHECK(found == std::vector(pairs.begin(), pairs.end()));
    }
  }
}

TEMPLATE_TEST_CASE(
    "assembly by unknowns and by rows gives the same bits on any number of threads, atomic the same to rounding", "",
    double, Complex) {
  const Problem<TestType> problem({8, 8, 8});
  const EdgeSpace unknowns = number_unknowns(Space::mixed_2, problem.box.vertices, problem.metal);
  REQUIRE(unknowns.unknowns > 4 * 4096);  // so that four threads get a range each
  const auto by_dof = assemble(unknowns, problem, AssemblyMethod::by_dof, 1);
  const auto by_row = assemble(unknowns, problem, AssemblyMethod::by_row, 1);
  CHECK(asymmetry(by_dof) == 0);
  CHECK(asymmetry(by_row) < 1e-14);
  CHECK(by_dof.pattern.column == by_row.pattern.column);
  CHECK(distance_of_values(by_row.values, by_dof.values) < 1e-14);
  double worst = 0;
  for (const int threads : {1, 2, 4}) {
    for (const AssemblyMethod method : methods) {
      const auto found = assemble(unknowns, problem, method, threads);
      CHECK(found.pattern.first == by_dof.pattern.first);
      CHECK(found.pattern.column == by_dof.pattern.column);
      if (method == AssemblyMethod::by_dof) CHECK(found.values == by_dof.values);
      if (method == AssemblyMethod::by_row) CHECK(found.values == by_row.values);
      if (method == AssemblyMethod::atomic) worst = std::max(worst, distance_of_values(found.values, by_dof.values));
    }
  }
  CHECK(worst < 1e-14);
}

TEMPLATE_TEST_CASE("no atomic addition is lost where all elements of a fan meet in one edge", "", double, Complex) {
  constexpr GlobalIndex elements = 20000;
  KuhnBox fan;
  for (GlobalIndex e = 0; e < elements; ++e) {
    fan.vertices.push_back({0, 1, 2 + e, 3 + e});
    const double angle = static_cast<double>(e) * 2 * std::acos(-1.) / elements;
    const double next = static_cast<double>(e + 1) * 2 * std::acos(-1.) / elements;
    fan.corners.push_back(
        {Vec3{0, 0, 0}, {0, 0, 1}, {std::cos(angle), std::sin(angle), 0.5}, {std::cos(next), std::sin(next), 0.5}});
  }
  const EdgeSpace unknowns = number_unknowns(Space::full_1, fan.vertices, {});
  const TestType mass = make_number<TestType>(0.5, 1);
  const std::vector<EdgeCoefficients<TestType>> coefficients{{{1, 1, 1}, {mass, mass, mass}}};
  const std::vector<std::int32_t> kind(elements, 0);
  std::vector<UnsetVector<TestType>> found;
  for (const AssemblyMethod method : {AssemblyMethod::by_dof, AssemblyMethod::atomic}) {
    const EdgeAssembly assembly(unknowns, fan.corners, {}, method, 4);
    CsrMatrix<TestType> matrix;
    for (int again = 0; again < (method == AssemblyMethod::atomic ? 10 : 1); ++again) {
      assembly.assemble(coefficients, kind, {}, matrix);
      found.push_back(matrix.values);
    }
  }
  for (const UnsetVector<TestType>& values : found) CHECK(distance_of_values(values, found[0]) < 1e-12);
}

TEMPLATE_TEST_CASE("a product with a large matrix is the sum of the products with its elements", "", double, Complex) {
  const Problem<TestType> problem({8, 8, 8});
  const EdgeSpace unknowns = number_unknowns(Space::mixed_2, problem.box.vertices, problem.metal);
  const std::vector<TestType> x = make_vector<TestType>(static_cast<std::size_t>(unknowns.unknowns), 2);
  std::vector<TestType> expected(x.size());
  const auto add_product = [&](std::size_t e, const std::vector<std::size_t>& functions, const auto& matrix) {
    for (std::size_t i = 0; i < functions.size(); ++i)
      for (std::size_t j = 0; j < functions.size(); ++j) {
        const std::int32_t row = unknowns.of(e)[functions[i]], column = unknowns.of(e)[functions[j]];
        if (row != EdgeSpace::fixed && column != EdgeSpace::fixed)
          expected[static_cast<std::size_t>(row)] += matrix(i, j) * x[static_cast<std::size_t>(column)];
      }
  };
  std::vector<std::size_t> all(unknowns.functions);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t e = 0; e < unknowns.element_count(); ++e) {
    const auto matrix = rows_of(unknowns.space, problem.box.corners[e],
                                problem.coefficients[static_cast<std::size_t>(problem.kind[e])]);
    add_product(e, all, [&](std::size_t i, std::size_t j) { return matrix[i][j]; });
  }
  for (const FaceTerm<TestType>& term : problem.terms) {
    const auto e = static_cast<std::size_t>(term.face.first);
    const DenseMatrix mass =
        gram(QuadratureElement(unknowns.space, problem.box.corners[e]).face_mass_root(term.face.second));
    add_product(e, basis::reference_element(unknowns.space).on_face[term.face.second],
                [&](std::size_t i, std::size_t j) { return term.factor * mass(i, j); });
  }
  for (const AssemblyMethod method : methods) {
    const auto found = assemble(unknowns, problem, method, 4);
    std::vector<TestType> product(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (auto k = static_cast<std::size_t>(found.pattern.first[i]);
           k < static_cast<std::size_t>(found.pattern.first[i + 1]); ++k)
        product[i] += found.values[k] * x[static_cast<std::size_t>(found.pattern.column[k])];
    CHECK(tetrawave_tests::distance(product, expected) < 1e-13);
  }
}

TEMPLATE_TEST_CASE("moments of an element go to its unknowns, nothing to metal", "", double, Complex) {
  const KuhnBox box = make_kuhn_box({1, 1, 1}, 0);
  const EdgeSpace space = number_unknowns(Space::full_1, box.vertices, box.faces_at_x0());
  std::vector<TestType> sum(static_cast<std::size_t>(space.unknowns)), expected = sum;
  for (LocalIndex e = 0; e < 6; ++e) {
    std::vector<double> moments;
    for (std::size_t i = 0; i < space.functions; ++i) {
      moments.push_back(std::sin(static_cast<double>(17 * e) + static_cast<double>(i)));
      const std::int32_t u = space.of(static_cast<std::size_t>(e))[i];
      if (u != EdgeSpace::fixed) expected[static_cast<std::size_t>(u)] += make_number<TestType>(2, -1) * moments.back();
    }
    EdgeAssembly::scatter(space, e, moments, make_number<TestType>(2, -1), sum);
    const std::vector<TestType> others = make_vector<TestType>(space.functions, e + 1);
    for (std::size_t i = 0; i < space.functions; ++i) {
      const std::int32_t u = space.of(static_cast<std::size_t>(e))[i];
      if (u != EdgeSpace::fixed) expected[static_cast<std::size_t>(u)] += others[i];
    }
    EdgeAssembly::scatter(space, e, others, sum);
  }
  CHECK(sum == expected);
}

TEST_CASE("an unknown lies at the middle of the edge, the face or the element of its function") {
  const KuhnBox box = make_kuhn_box({2, 2, 1}, 0.2);
  const EdgeSpace space = number_unknowns(Space::mixed_2, box.vertices, {});
  const EdgeAssembly assembly(space, box.corners, {}, AssemblyMethod::by_row, 1);
  const auto functions = basis::functions_of(Space::mixed_2);
  for (std::size_t e = 0; e < box.corners.size(); ++e)
    for (std::size_t i = 0; i < functions.size(); ++i) {
      Vec3 middle{};
      for (const int v : functions[i].vertices)
        middle = middle + (1.0 / static_cast<double>(functions[i].vertices.size())) *
                              box.corners[e][static_cast<std::size_t>(v)];
      const Vec3 place = assembly.pattern().positions[static_cast<std::size_t>(space.of(e)[i])];
      REQUIRE(norm(place - middle) < 1e-14);
    }
}
