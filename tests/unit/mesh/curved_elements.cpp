#include "mesh/curved_elements.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "mesh/report/metal_edges.hpp"
#include "mesh/solid_edges.hpp"
#include "temporary_directory.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

MeshSlab read(const WholeMesh& mesh) {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", mesh);
  return read_mesh_slab(directory / "m.h5", 0, 1, 2);
}

/// Of the volume and the area of the sphere.
std::array<double, 2> errors_of(LocalMesh mesh, bool straight) {
  if (straight) mesh.curved = {};
  const MeshSummary summary = summarise_mesh(mesh, 2, 1, comm::Communicator::self());
  return {std::abs(summary.region_volume_m3[0] / (pi / 6) - 1), std::abs(summary.tag_area_m2[0] / (pi / 2) - 1)};
}

}  // namespace

TEST_CASE("volume and area of a ball converge with the fourth order of curved elements, the second of straight ones") {
  std::array<std::vector<std::array<double, 2>>, 2> errors;
  for (const int cells : {2, 4, 8}) {
    const LocalMesh mesh = build_octant(make_round_octant(cells));
    for (const bool straight : {false, true}) errors[straight ? 1 : 0].push_back(errors_of(mesh, straight));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    INFO((k == 0 ? "volume " : "area ") << errors[0][0][k] << " " << errors[0][1][k] << " " << errors[0][2][k]
                                        << " straight " << errors[1][0][k] << " " << errors[1][1][k] << " "
                                        << errors[1][2][k]);
    for (std::size_t level = 1; level < 3; ++level) {
      CHECK(std::log2(errors[0][level - 1][k] / errors[0][level][k]) > 3.4);
      CHECK(std::log2(errors[1][level - 1][k] / errors[1][level][k]) < 2.3);
      CHECK(errors[0][level][k] < 0.05 * errors[1][level][k]);
    }
    CHECK(errors[0][2][k] < 1e-4);
  }
}

TEST_CASE("only elements with an edge off its middle are curved, and every vertex order finds its edges") {
  WholeMesh whole = make_round_octant(3);
  const LocalMesh mesh = build_octant(whole);
  const auto count = static_cast<std::size_t>(
      std::count_if(mesh.curved.number.begin(), mesh.curved.number.end(), [](std::int32_t n) { return n >= 0; }));
  CHECK(count == mesh.curved.middles.size());
  CHECK(count > 100);
  CHECK(count < mesh.corners.size() + 1);
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const basis::Middles* middles = mesh.curved.of(e);
    for (std::size_t k = 0; middles != nullptr && k < 6; ++k) {
      const Vec3 a = mesh.corners[e][edge_corners[k][0]], b = mesh.corners[e][edge_corners[k][1]];
      const bool on_sphere = std::abs(norm(a) - norm(b)) < 1e-9;
      if (on_sphere)
        CHECK(std::abs(norm((*middles)[k]) - norm(a)) < 1e-14);
      else
        CHECK((*middles)[k] == 0.5 * (a + b));
      CHECK(bulge_of(mesh, e, edge_corners[k][1], edge_corners[k][0]) == (*middles)[k] - 0.5 * (a + b));
    }
  }
  // the same mesh with straight edges
  const EdgeNodes none = drop_edge_nodes(whole);
  CHECK_FALSE(none.empty());
  add_edge_nodes(whole, {});
  const LocalMesh straight = build_octant(whole);
  CHECK(straight.curved.empty());
  CHECK(straight.curved.of(0) == nullptr);
}

namespace {

/// The octant without the ball of half its radius, three times as long along x + y: boundary tag 1 are the planes and
/// the inner surface.
WholeMesh hollow_octant(int cells) {
  WholeMesh whole = make_round_octant(cells), shell = whole;
  for (auto* list : {&shell.elements, &shell.faces}) list->clear();
  shell.nodes.clear();
  shell.region.clear();
  std::vector<std::int64_t> number(whole.nodes.size(), -1);
  const auto keep = [&](std::int64_t node) {
    std::int64_t& n = number[static_cast<std::size_t>(node)];
    if (n < 0) {
      n = static_cast<std::int64_t>(shell.nodes.size());
      shell.nodes.push_back(whole.nodes[static_cast<std::size_t>(node)]);
    }
    return n;
  };
  for (std::size_t e = 0; e < whole.region.size(); ++e) {
    const auto* const first = &whole.elements[10 * e];
    const auto is_inner = [&](std::int64_t node) { return norm(whole.nodes[static_cast<std::size_t>(node)]) < 0.51; };
    if (std::all_of(first, first + 4, is_inner)) continue;
    for (std::size_t k = 0; k < 10; ++k) shell.elements.push_back(keep(first[k]));
    shell.region.push_back(0);
  }
  for (const std::int64_t node : whole.faces) shell.faces.push_back(keep(node));
  for (Vec3& x : shell.nodes) x = x + (x[0] + x[1]) * Vec3{1, 1, 0};
  return shell;
}

}  // namespace

TEST_CASE("smooth metal has no edges, however few its faces are, and with flat faces it has") {
  LocalMesh mesh = build_octant(hollow_octant(2));
  const auto alone = comm::Communicator::self();
  CHECK(find_solid_edges(mesh, {false, true}, 1, alone).level.empty());
  CHECK(measure_metal_edges(mesh, {false, true}, 1, alone).solids.at(1).edges == 0);
  mesh.curved = {};
  CHECK(find_solid_edges(mesh, {false, true}, 1, alone).elements > 0);
  CHECK(measure_metal_edges(mesh, {false, true}, 1, alone).solids.at(1).edges > 0);
}

TEST_CASE("an element turned inside out is named with its place, the worst of several") {
  WholeMesh mesh = make_round_octant(2);
  const auto pull = [&](std::size_t element, double to) {
    mesh.nodes[static_cast<std::size_t>(mesh.elements[10 * element + 4])] = {to, to, to};
  };
  pull(1, 1.2);
  pull(40, 3);
  const auto failure = catch_failure([&] { (void)find_curved_elements(read(mesh), 1); });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK_THAT(failure.text, ContainsSubstring("octant: element "));
  CHECK_THAT(failure.text, ContainsSubstring("is turned inside out by its curved edges (its Jacobian falls to -"));
  CHECK_THAT(failure.text, ContainsSubstring("of the straight element's): use smaller elements there"));
}

TEST_CASE("elements that see a face between them with different edges are refused") {
  const auto failure = catch_failure([&] {
    (void)build_octant(make_round_octant(2),
                       [](std::vector<CurvedElement>& curved) { curved.erase(curved.begin() + 3); });
  });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK_THAT(failure.text, ContainsSubstring("see the face between them with different edges"));
}
