#include "mesh/array/array_elements.hpp"

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/report/face_shares.hpp"
#include "unit_cell_meshes.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

struct Element {
  std::array<GlobalIndex, 4> vertices;
  std::array<Vec3, 4> corners;
  std::int32_t region;
  std::array<GlobalIndex, 4> neighbour;  ///< global ids, or what LocalMesh says
  std::array<std::uint8_t, 4> neighbour_face;
  std::array<std::int32_t, 4> boundary;
  bool at_border;
  friend bool operator==(const Element&, const Element&) = default;
};

std::map<GlobalIndex, Element> by_id(const LocalMesh& mesh) {
  std::map<GlobalIndex, Element> all;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    std::array<GlobalIndex, 4> neighbour{};
    for (std::size_t f = 0; f < 4; ++f) {
      const LocalIndex n = mesh.neighbour[k][f];
      neighbour[f] = n < 0 ? n : mesh.global_id[static_cast<std::size_t>(n)];
    }
    all[mesh.global_id[k]] = {mesh.vertices[k],       mesh.corners[k],  mesh.region[k],       neighbour,
                              mesh.neighbour_face[k], mesh.boundary[k], e < mesh.border_count};
  }
  return all;
}

}  // namespace

TEST_CASE("an array repeated from patterns of cells is the one whose slabs are matched face by face") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  const auto alone = comm::Communicator::self();
  for (const std::array<std::int64_t, 2> size :
       {std::array<std::int64_t, 2>{1, 1}, {2, 1}, {3, 2}, {4, 5}, {1, 6}, {7, 3}})
    for (const Ordering ordering : {Ordering::blocks, Ordering::curve, Ordering::none}) {
      const ArrayGrid grid = make_grid(cells, size);
      const FaceTags tags = make_tags({3, 1, 2});
      const LocalMesh plain =
          build_local_mesh(make_array_slab(cells, grid, 0, 1, 2), tags, alone, {ordering, 2, CutWeights{}});
      const LocalMesh repeated = build_array_mesh(cells, grid, tags, ordering, 2, alone);
      CHECK(repeated.global_element_count == plain.global_element_count);
      CHECK(repeated.element_count() == plain.element_count());
      CHECK(repeated.region_names == plain.region_names);
      CHECK(repeated.group_names == plain.group_names);
      CHECK((by_id(repeated) == by_id(plain)));
      CHECK(repeated.peers.empty());
      if (ordering == Ordering::none) CHECK(repeated.global_id == plain.global_id);
    }
}

TEST_CASE("blocks of an array do not reach across cells but for what is left of them") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());  // 144 elements in the middle: 16 are left
  const ArrayGrid grid = make_grid(cells, {6, 5});
  const auto alone = comm::Communicator::self();
  const LocalMesh mesh = build_array_mesh(cells, grid, make_tags({3, 1, 2}), Ordering::blocks, 1, alone);
  const ArrayNumbers numbers = number_elements(cells, grid);
  std::size_t of_one_cell = 0, blocks = 0;
  for (std::size_t first = 0; first + 32 <= mesh.global_id.size(); first += 32, ++blocks) {
    const auto cell = numbers.cell_of(mesh.global_id[first]);
    of_one_cell += std::all_of(mesh.global_id.begin() + static_cast<std::ptrdiff_t>(first),
                               mesh.global_id.begin() + static_cast<std::ptrdiff_t>(first) + 32,
                               [&](GlobalIndex id) { return numbers.cell_of(id) == cell; })
                       ? 1
                       : 0;
  }
  std::size_t whole = 0;
  for (std::int64_t cell = 0; cell < grid.cell_count(); ++cell)
    whole += grid.unit(cells, grid.cell(cell)).elements.size() / 32;
  CHECK(of_one_cell >= whole);
  CHECK(blocks > whole);
  const LocalMesh plain = build_local_mesh(make_array_slab(cells, grid, 0, 1, 1), make_tags({3, 1, 2}), alone,
                                           {Ordering::blocks, 1, CutWeights{}});
  CHECK(measure_shares(mesh, alone).in_block > 0.9 * measure_shares(plain, alone).in_block);
}

TEST_CASE("what is wrong with the walls of an array is told of its cells") {
  const UnitCells cells = make_unit_cells(make_cell_mesh());
  const FaceTags tags = make_tags({3, 1, -1});
  const auto failure = catch_failure([&] {
    (void)build_array_mesh(cells, make_grid(cells, {9, 9}), tags, Ordering::blocks, 2, comm::Communicator::self());
  });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(failure.text.find("outer face") != std::string::npos);
}
