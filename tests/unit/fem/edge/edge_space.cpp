#include "fem/edge/edge_space.hpp"

#include <cmath>

#include "basis/functions.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/kuhn_box.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// Functions of an edge, a face and the inside of an element, by hand.
struct PerEntity {
  std::size_t edge, face, inside;
};

PerEntity per_entity(Space space) {
  switch (space) {
    case Space::mixed_1:
      return {1, 0, 0};
    case Space::full_1:
      return {2, 0, 0};
    case Space::mixed_2:
      return {2, 2, 0};
    case Space::full_2:
      return {3, 3, 0};
    case Space::mixed_3:
      return {3, 6, 3};
    case Space::full_3:
    case Space::nested_full_3:
      return {4, 8, 4};
    case Space::full_4:
      break;  // finite elements have none
  }
  return {};
}

struct Entities {
  std::set<Vertices> edges, faces;
};

Entities entities_on(const KuhnBox& box, const std::vector<ElementFace>& walls) {
  Entities result;
  for (const auto& [element, f] : walls) {
    const Vertices face = box.face(static_cast<std::size_t>(element), f);
    result.faces.insert(face);
    result.edges.merge(edges_of(face));
  }
  return result;
}

Entities entities_of(const KuhnBox& box) {
  std::vector<ElementFace> all;
  for (std::size_t e = 0; e < box.vertices.size(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) all.emplace_back(static_cast<LocalIndex>(e), f);
  return entities_on(box, all);
}

Vertices common_vertices(const KuhnBox& box, std::size_t a, std::size_t b) {
  Vertices result;
  std::set_intersection(box.vertices[a].begin(), box.vertices[a].end(), box.vertices[b].begin(), box.vertices[b].end(),
                        std::back_inserter(result));
  return result;
}

std::size_t common_unknowns(const EdgeSpace& space, std::size_t a, std::size_t b) {
  const std::set<std::int32_t> of_a(space.of(a).begin(), space.of(a).end());
  return static_cast<std::size_t>(
      std::count_if(space.of(b).begin(), space.of(b).end(), [&](std::int32_t u) { return of_a.count(u) == 1; }));
}

}  // namespace

TEST_CASE("the functions of a space belong to its edges, faces and insides as counted by hand") {
  for (const Space space : nested_spaces) {
    std::array<std::size_t, 5> count{};
    for (const auto& function : basis::functions_of(space)) ++count[function.vertices.size()];
    const PerEntity expected = per_entity(space);
    CHECK(count == std::array<std::size_t, 5>{0, 0, 6 * expected.edge, 4 * expected.face, expected.inside});
  }
}

TEST_CASE("a box has as many unknowns as its edges, faces and elements have functions") {
  const KuhnBox box = make_kuhn_box({3, 2, 4}, 0.2);
  const Entities all = entities_of(box);
  const auto elements = box.vertices.size();
  REQUIRE(elements == 144);
  REQUIRE(box.node.size() + all.faces.size() == 1 + all.edges.size() + elements);  // Euler
  for (const Space space : nested_spaces) {
    const PerEntity n = per_entity(space);
    const EdgeSpace found = number_unknowns(space, box.vertices, {});
    const std::size_t expected = n.edge * all.edges.size() + n.face * all.faces.size() + n.inside * elements;
    CHECK(static_cast<std::size_t>(found.unknowns) == expected);
    CHECK(found.element_count() == elements);
    std::set<std::int32_t> used(found.unknown.begin(), found.unknown.end());
    CHECK(used.size() == expected);
    CHECK(*used.begin() == 0);
    CHECK(*used.rbegin() == found.unknowns - 1);
  }
}

TEST_CASE("unknowns ascend with the first elements of their edges, faces and insides, on any number of threads") {
  const KuhnBox box = make_kuhn_box({11, 12, 13}, 0.2);
  auto far = box.vertices;  // as of a rank with a few vertices of a large mesh
  for (auto& element : far)
    for (GlobalIndex& v : element) v = 1'000'003 * v + 17;
  for (const Space space : {Space::mixed_1, Space::full_2}) {
    const auto functions = basis::functions_of(space);
    std::vector<std::int32_t> expected;
    std::map<Vertices, std::vector<std::int32_t>> known;
    std::vector<GlobalIndex> lowest;
    for (std::size_t e = 0; e < box.vertices.size(); ++e) {
      std::map<Vertices, std::size_t> seen;  // of this element
      for (std::size_t i = 0; i < functions.size(); ++i) {
        Vertices entity;
        for (const int v : functions[i].vertices) entity.push_back(box.vertices[e][static_cast<std::size_t>(v)]);
        const auto [numbers, is_new] = known.try_emplace(entity);
        for (std::size_t k = 0; is_new && k < functions.size(); ++k)
          if (functions[k].vertices == functions[i].vertices) {
            numbers->second.push_back(static_cast<std::int32_t>(lowest.size()));
            lowest.push_back(entity.front());
          }
        expected.push_back(numbers->second[seen[entity]++]);
      }
    }
    for (const int threads : {1, 3})
      for (const auto* vertices : {&box.vertices, &std::as_const(far)}) {
        const EdgeSpace found = number_unknowns(space, *vertices, {}, threads);
        CHECK(found.unknown == expected);
        REQUIRE(found.vertex.size() == lowest.size());
        std::map<GlobalIndex, std::int32_t> number;
        std::size_t differing = 0;
        for (std::size_t u = 0; u < lowest.size(); ++u)
          differing += number.try_emplace(lowest[u], found.vertex[u]).first->second != found.vertex[u] ? 1 : 0;
        CHECK(differing == 0);
        std::set<std::int32_t> used;
        for (const auto& [vertex, own] : number) used.insert(own);
        CHECK(used.size() == number.size());
        CHECK(number_unknowns(space, *vertices, box.faces_at_x0(), threads).unknown ==
              number_unknowns(space, box.vertices, box.faces_at_x0()).unknown);
      }
  }
}

TEST_CASE("metal takes the unknowns of its edges and faces and no others") {
  const KuhnBox box = make_kuhn_box({3, 2, 4}, 0.2);
  const Entities all = entities_of(box);
  auto inner_sheet = box.faces_at_x0();
  for (const auto& [name, at] : box.faces())
    if (at.size() == 2) {
      inner_sheet.push_back(at[1]);  // seen from one side
      break;
    }
  for (const auto& walls : {box.outer_faces(), box.faces_at_x0(), inner_sheet}) {
    const Entities metal = entities_on(box, walls);
    for (const Space space : nested_spaces) {
      const PerEntity n = per_entity(space);
      const EdgeSpace found = number_unknowns(space, box.vertices, walls);
      CHECK(static_cast<std::size_t>(found.unknowns) == n.edge * (all.edges.size() - metal.edges.size()) +
                                                            n.face * (all.faces.size() - metal.faces.size()) +
                                                            n.inside * box.vertices.size());
      const auto functions = basis::functions_of(space);
      for (std::size_t e = 0; e < box.vertices.size(); ++e)
        for (std::size_t i = 0; i < functions.size(); ++i) {
          Vertices entity;
          for (const int v : functions[i].vertices) entity.push_back(box.vertices[e][static_cast<std::size_t>(v)]);
          const bool is_fixed = metal.edges.count(entity) + metal.faces.count(entity) > 0;
          REQUIRE((found.of(e)[i] == EdgeSpace::fixed) == is_fixed);
        }
    }
  }
}

TEST_CASE("elements share the unknowns of their common face or edge and no others") {
  const KuhnBox box = make_kuhn_box({2, 2, 2}, 0.2);
  for (const Space space : nested_spaces) {
    const PerEntity n = per_entity(space);
    const EdgeSpace found = number_unknowns(space, box.vertices, {});
    const std::array<std::size_t, 4> expected{0, 0, n.edge, 3 * n.edge + n.face};
    for (std::size_t a = 0; a < box.vertices.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        REQUIRE(common_unknowns(found, a, b) == expected[common_vertices(box, a, b).size()]);
  }
}

TEST_CASE("both elements of a face number its functions alike and see the same traces, whatever the sign of det J") {
  const KuhnBox box = make_kuhn_box({2, 2, 2}, 0.2);
  const auto signs = [&](int sign) {
    return std::count_if(box.corners.begin(), box.corners.end(), [&](const auto& corners) {
      return basis::PhysicalElement(Space::mixed_1, corners).sign() == sign;
    });
  };
  REQUIRE(signs(1) > 10);
  REQUIRE(signs(-1) > 10);
  for (const Space space : nested_spaces) {
    const EdgeSpace found = number_unknowns(space, box.vertices, {});
    const auto& on_face = basis::reference_element(space).on_face;
    double worst = 0;
    for (const auto& [name, at] : box.faces()) {
      if (at.size() < 2) continue;
      const auto a = static_cast<std::size_t>(at[0].first), b = static_cast<std::size_t>(at[1].first);
      const auto fa = at[0].second, fb = at[1].second;
      const basis::PhysicalElement left(space, box.corners[a]), right(space, box.corners[b]);
      for (const std::array<double, 3>& point : {std::array{.2, .5, .3}, std::array{.7, .1, .2}}) {
        const auto from_left = left.values(basis::from_face(fa, point));
        const auto from_right = right.values(basis::from_face(fb, point));
        for (std::size_t k = 0; k < on_face[fa].size(); ++k) {
          const std::size_t i = on_face[fa][k], j = on_face[fb][k];
          REQUIRE(found.of(a)[i] == found.of(b)[j]);
          worst = std::max(worst, norm(cross(left.normal(fa), from_left[i] - from_right[j])));
        }
      }
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("unknowns are numbered as elements first meet them") {
  const KuhnBox box = make_kuhn_box({2, 1, 1}, 0);
  const EdgeSpace found = number_unknowns(Space::nested_full_3, box.vertices, box.faces_at_x0());
  std::set<std::int32_t> met;
  for (std::size_t e = 0; e < found.element_count(); ++e) {
    for (const std::int32_t u : found.of(e))
      if (u != EdgeSpace::fixed) met.insert(u);
    CHECK(*met.rbegin() + 1 == static_cast<std::int32_t>(met.size()));
  }
  CHECK(static_cast<std::int32_t>(met.size()) == found.unknowns);
}
