#include "mesh/connect/order_elements.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "catch.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/connect/space_curve.hpp"
#include "mesh/report/face_shares.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr std::array<Ordering, 4> all_orderings{Ordering::none, Ordering::curve, Ordering::parts, Ordering::blocks};

LocalMesh make_mesh(std::int64_t cells, Ordering ordering, int threads = 1, double jitter = 0.2) {
  return build_local_mesh(make_box_slab(make_box({1, 1, 1}, {cells, cells, cells}, jitter), 0, 1),
                          make_tags({0, 0, 0, 0, 0, 0}), comm::Communicator::self(), {ordering, threads});
}

/// The graph of a mesh in its own order; every third element counts as border.
ElementGraph make_graph(std::int64_t cells) {
  const LocalMesh mesh = make_mesh(cells, Ordering::none);
  const CurveGrid grid({0, 0, 0}, {1, 1, 1});
  ElementGraph graph;
  graph.neighbours = mesh.neighbour;
  for (const auto& corners : mesh.corners) graph.curve.push_back(grid.code(centroid(corners)));
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) graph.is_border.push_back(e % 3 == 0 ? 1 : 0);
  return graph;
}

/// A row of elements, each the neighbour of the next.
ElementGraph make_chain(LocalIndex length) {
  ElementGraph graph;
  for (LocalIndex e = 0; e < length; ++e) {
    graph.neighbours.push_back({e - 1, e + 1 < length ? e + 1 : no_neighbour, no_neighbour, no_neighbour});
    graph.curve.push_back(static_cast<std::uint64_t>(e));
    graph.is_border.push_back(0);
  }
  return graph;
}

}  // namespace

TEST_CASE("every order names each element once, those at the border first") {
  const ElementGraph graph = make_graph(9);
  for (const Ordering ordering : all_orderings) {
    std::vector<LocalIndex> order = order_elements(graph, ordering, 1);
    const auto is_border = [&](LocalIndex e) { return graph.is_border[static_cast<std::size_t>(e)] == 1; };
    CHECK(std::is_partitioned(order.begin(), order.end(), is_border));
    std::sort(order.begin(), order.end());
    std::vector<LocalIndex> all(graph.curve.size());
    std::iota(all.begin(), all.end(), 0);
    CHECK(order == all);
  }
}

TEST_CASE("an order is the same on every run and any number of threads") {
  const ElementGraph graph = make_graph(32);  // several pieces of the curve
  for (const Ordering ordering : all_orderings) {
    const auto order = order_elements(graph, ordering, 1);
    CHECK(order_elements(graph, ordering, 1) == order);
    for (const int threads : {3, 8}) CHECK(order_elements(graph, ordering, threads) == order);
  }
}

TEST_CASE("a mesh is the same in any order but for the order, and on any number of threads") {
  const LocalMesh own = make_mesh(12, Ordering::none);
  CHECK(std::is_sorted(own.global_id.begin(), own.global_id.end()));
  for (const Ordering ordering : all_orderings) {
    const LocalMesh mesh = make_mesh(12, ordering, 3);
    REQUIRE(mesh.global_id.size() == own.global_id.size());
    bool same = true;
    for (std::size_t e = 0; e < mesh.global_id.size(); ++e) {
      const auto id = static_cast<std::size_t>(mesh.global_id[e]);
      same = same && mesh.vertices[e] == own.vertices[id] && mesh.corners[e] == own.corners[id] &&
             mesh.boundary[e] == own.boundary[id] && mesh.neighbour_face[e] == own.neighbour_face[id];
      for (std::size_t f = 0; f < 4; ++f) {
        const LocalIndex n = mesh.neighbour[e][f];
        same = same && (n < 0 ? n : mesh.global_id[static_cast<std::size_t>(n)]) == own.neighbour[id][f];
      }
    }
    CHECK(same);
  }
}

TEST_CASE("graphs of one element, of none, and without faces are ordered") {
  for (const Ordering ordering : all_orderings) {
    CHECK(order_elements({}, ordering, 2).empty());
    CHECK(order_elements(make_chain(1), ordering, 2) == std::vector<LocalIndex>{0});
    ElementGraph dust = make_chain(100);
    for (auto& neighbours : dust.neighbours) neighbours.fill(no_neighbour);
    std::vector<LocalIndex> along(100);
    std::iota(along.begin(), along.end(), 0);
    CHECK(order_elements(dust, ordering, 2) == along);
  }
}

TEST_CASE("a chain is cut into its natural blocks, however its elements are numbered along the curve") {
  ElementGraph chain = make_chain(96);
  for (std::size_t e = 0; e < 96; ++e) chain.curve[e] = e % 2 == 0 ? e / 2 : 100 + e;  // even ones first
  const auto order = order_elements(chain, Ordering::blocks, 1);
  for (std::size_t block = 0; block < 3; ++block) {
    std::vector<LocalIndex> members(order.begin() + static_cast<std::ptrdiff_t>(32 * block),
                                    order.begin() + static_cast<std::ptrdiff_t>(32 * block + 32));
    std::sort(members.begin(), members.end());
    std::vector<LocalIndex> expected(32);
    std::iota(expected.begin(), expected.end(), static_cast<LocalIndex>(32 * block));
    CHECK(members == expected);
  }
}

TEST_CASE("blocks hold more faces than the curve alone, parts no fewer") {
  const comm::Communicator self = comm::Communicator::self();
  const FaceShares curve = measure_shares(make_mesh(25, Ordering::curve), self);
  const FaceShares blocks = measure_shares(make_mesh(25, Ordering::blocks), self);
  const FaceShares parts = measure_shares(make_mesh(25, Ordering::parts), self);
  CHECK(curve.faces == 2 * 93750 - 3 * 1250);
  CHECK(blocks.faces == curve.faces);
  CHECK(blocks.in_block > 1.1 * curve.in_block);
  CHECK(blocks.in_block > 0.63);
  CHECK(parts.in_part > curve.in_part);
  CHECK(blocks.mean_distance < 1.1 * curve.mean_distance);
}

TEST_CASE("shares count faces with both elements in one stretch, border and inner apart") {
  LocalMesh mesh;
  const LocalIndex count = 70;
  mesh.border_count = 6;
  for (LocalIndex e = 0; e < count; ++e) {
    mesh.global_id.push_back(e);
    mesh.neighbour.push_back({e - 1, e + 1 < count ? e + 1 : no_neighbour, no_neighbour, no_neighbour});
  }
  mesh.neighbour[0][0] = remote_neighbour;
  const FaceShares shares = measure_shares(mesh, comm::Communicator::self());
  // 69 faces here and half of one elsewhere. Between blocks of 6, 32 and 32: 5|6 and 37|38.
  CHECK(shares.faces == 69);
  CHECK(shares.in_block == Approx(2.0 * 67 / 139));
  CHECK(shares.in_part == Approx(2.0 * 68 / 139));
  CHECK(shares.mean_distance == Approx(1));
}
