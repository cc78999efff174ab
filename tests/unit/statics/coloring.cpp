#include "statics/coloring.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "catch.hpp"
#include "mesh/triangles/triangle_mesh.hpp"
#include "statics/visiting_order.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;

namespace {

TriangleMesh make_square(std::int64_t cells) {
  RectangleMesh spec;
  spec.size_m = {1, 1};
  spec.cells = {cells, cells};
  return make_rectangle(spec);
}

Incidence by_size(const TriangleMesh& mesh, std::size_t size) {
  return list_entities(mesh.elements, 3, 3, size, static_cast<std::int32_t>(mesh.nodes.size()));
}

/// `count` triangles around node 0.
Incidence make_fan(std::int32_t count) {
  Incidence fan;
  for (std::int32_t i = 1; i <= count; ++i) fan.entities.insert(fan.entities.end(), {0, i, i % count + 1});
  fan.entity_count = count + 1;
  return fan;
}

/// Looks at all pairs of elements.
bool are_apart(const Incidence& incidence, const std::vector<std::int32_t>& colors) {
  for (std::size_t a = 0; a < colors.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (colors[a] != colors[b]) continue;
      for (const std::int32_t entity : incidence.of(a))
        for (const std::int32_t other : incidence.of(b))
          if (entity == other) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("the three colourings keep triangles of a colour apart") {
  const TriangleMesh mesh = make_square(9);
  for (const std::size_t size : {1, 2}) {
    const Incidence incidence = by_size(mesh, size);
    const Adjacency adjacency = find_adjacency(incidence);
    for (const auto& colors :
         {color_classically(incidence, adjacency), color_fast(incidence, adjacency), color_by_table(incidence)}) {
      CHECK(are_apart(incidence, colors));
      CHECK_NOTHROW(check_coloring(incidence, group_by_color(colors)));
    }
  }
}

TEST_CASE("the table of used colours gives the colours of the search") {
  for (const std::int64_t cells : {1, 2, 7, 60}) {
    const Incidence incidence = by_size(make_square(cells), 1);
    const Adjacency adjacency = find_adjacency(incidence);
    const auto fast = color_fast(incidence, adjacency);
    CHECK(color_by_table(incidence) == fast);
    // Sweeps in the order of the elements are first-fit, too.
    CHECK(color_classically(incidence, adjacency) == fast);
  }
}

TEST_CASE("a regular mesh of triangles has seven colours of even size") {
  const Coloring coloring = group_by_color(color_by_table(by_size(make_square(100), 1)));
  CHECK(coloring.count() >= 6);
  CHECK(coloring.count() <= 7);
  const auto sizes = coloring.sizes();
  const double mean = 20000. / static_cast<double>(sizes.size());
  CHECK(static_cast<double>(*std::max_element(sizes.begin(), sizes.end())) < 1.6 * mean);
}

TEST_CASE("visited with the smallest number of neighbours last, elements need fewer colours") {
  // Triangles of a jittered square, shuffled: first-fit in this order is at its worst.
  Incidence shuffled;
  const Incidence square = by_size(make_square(50), 1);
  std::vector<std::int32_t> order(square.element_count());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k * 1237 % order.size());
  shuffled = reorder(square, order);
  const Coloring before = group_by_color(color_by_table(shuffled));
  const auto smallest_last = order_smallest_last(shuffled, find_adjacency(shuffled));
  CHECK(std::set<std::int32_t>(smallest_last.begin(), smallest_last.end()).size() == order.size());
  const auto colors = back_in_place(color_by_table(reorder(shuffled, smallest_last)), smallest_last);
  const Coloring after = group_by_color(colors);
  CHECK_NOTHROW(check_coloring(shuffled, after));
  CHECK(before.count() >= 9);
  CHECK(after.count() <= 7);
}

TEST_CASE("balanced colours are as many, as apart, and even") {
  // Triangles in an order that leaves first-fit with nearly empty colours.
  const Incidence square = by_size(make_square(40), 1);
  std::vector<std::int32_t> order(square.element_count());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k * 1237 % order.size());
  for (const Incidence& mesh : {square, reorder(square, order)}) {
    auto colors = color_by_table(mesh);
    const Coloring before = group_by_color(colors);
    balance_colors(mesh, colors);
    const Coloring after = group_by_color(colors);
    CHECK_NOTHROW(check_coloring(mesh, after));
    CHECK(are_apart(mesh, colors));
    CHECK(after.count() == before.count());
    const auto largest = [](const Coloring& coloring) {
      const auto sizes = coloring.sizes();
      const auto all = static_cast<double>(coloring.order.size());
      return static_cast<double>(*std::max_element(sizes.begin(), sizes.end()) *
                                 static_cast<std::int64_t>(sizes.size())) /
             all;
    };
    CHECK(largest(before) > 1.15);
    CHECK(largest(after) <= balanced_within);
  }
}

TEST_CASE("colours that cannot be more even stay as they are") {
  // All triangles around a node differ; a triangle alone has one colour.
  auto fan = color_by_table(make_fan(9));
  const auto before = fan;
  balance_colors(make_fan(9), fan);
  CHECK(fan == before);
  std::vector<std::int32_t> one{0}, none;
  balance_colors({3, {0, 1, 2}, 3}, one);
  balance_colors({3, {}, 0}, none);
  CHECK(one == std::vector<std::int32_t>{0});
  CHECK(none.empty());
}

TEST_CASE("triangles that share only edges need no more than four colours") {
  const Coloring coloring = group_by_color(color_by_table(by_size(make_square(30), 2)));
  CHECK(coloring.count() <= 4);
}

TEST_CASE("two hundred triangles around a node have two hundred colours") {
  const Incidence fan = make_fan(200);
  const Adjacency adjacency = find_adjacency(fan);
  const auto colors = color_by_table(fan);
  CHECK(std::set<std::int32_t>(colors.begin(), colors.end()).size() == 200);
  CHECK(color_fast(fan, adjacency) == colors);
  CHECK(color_classically(fan, adjacency) == colors);
}

TEST_CASE("tetrahedra are coloured by their faces with the same routine") {
  // Three tetrahedra in a row: the first and the last share an edge, but no face.
  const std::vector<std::int32_t> elements{0, 1, 2, 3, 4, 3, 2, 1, 5, 4, 3, 2};
  const Incidence faces = list_entities(elements, 4, 4, 3, 6);
  CHECK(faces.stride == 4);
  CHECK(faces.entity_count == 10);
  CHECK(color_by_table(faces) == std::vector<std::int32_t>{0, 1, 0});
  CHECK(color_by_table(list_entities(elements, 4, 4, 2, 6)) == std::vector<std::int32_t>{0, 1, 2});
  CHECK(color_by_table(list_entities(elements, 4, 4, 1, 6)) == std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("a colouring that is not one is found out") {
  const Incidence incidence = by_size(make_square(4), 1);
  auto colors = color_by_table(incidence);
  Coloring missing = group_by_color(colors);
  missing.order[3] = missing.order[2];
  CHECK_THROWS_AS(check_coloring(incidence, missing), InternalError);
  colors[1] = colors[0];
  CHECK_THROWS_AS(check_coloring(incidence, group_by_color(colors)), InternalError);
}

TEST_CASE("adjacency lists the elements of every node, ascending") {
  const Adjacency adjacency = find_adjacency(make_fan(4));
  CHECK(std::vector<std::int32_t>(adjacency.of(0).begin(), adjacency.of(0).end()) ==
        std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(std::vector<std::int32_t>(adjacency.of(1).begin(), adjacency.of(1).end()) == std::vector<std::int32_t>{0, 3});
}
