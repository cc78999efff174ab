#include "fem/edge/shared_space.hpp"

#include <map>

#include "catch.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh_slabs.hpp"
#include "spaces.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// Faces with tag 0.
std::vector<fem::ElementFace> metal_of(const LocalMesh& mesh) {
  std::vector<fem::ElementFace> metal;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f)
      if (mesh.boundary[static_cast<std::size_t>(e)][f] == 0) metal.emplace_back(e, f);
  return metal;
}

/// An unknown of an element, as all ranks tell of it.
struct Told {
  GlobalIndex element = 0;
  std::int64_t function = 0;
  std::int64_t number = 0;
};

}  // namespace

TEST_CASE("unknowns of edge elements on several ranks are those of one rank by other numbers") {
  const Communicator world = Communicator::world();
  const FaceTags tags = make_tags({0, 0, 1, 1, 1, 0}, 2);
  const MeshSlab slab = make_box_slab(make_box({1, 1, 1.5}, {3, 4, 5}, 0.2), 0, 1);
  const LocalMesh mine = build_local_mesh(cut_slab(slab, world.rank(), world.size()), tags, world);
  const LocalMesh whole = build_local_mesh(cut_slab(slab, 0, 1), tags, Communicator::self());
  for (const Space space : nested_spaces) {
    const fem::EdgeSpace alone = fem::number_unknowns(space, whole.vertices, metal_of(whole));
    const fem::SharedSpace shared = fem::number_shared_unknowns(space, mine, metal_of(mine), world);
    CHECK(shared.rows.total() == alone.unknowns);
    CHECK(shared.rows.number.size() == static_cast<std::size_t>(shared.own.unknowns));
    std::vector<Told> told;
    for (std::size_t e = 0; e < mine.global_id.size(); ++e)
      for (std::size_t i = 0; i < shared.own.functions; ++i) {
        const std::int32_t u = shared.own.of(e)[i];
        told.push_back({mine.global_id[e], static_cast<std::int64_t>(i),
                        u == fem::EdgeSpace::fixed ? u : shared.rows.number[static_cast<std::size_t>(u)]});
      }
    std::map<GlobalIndex, std::size_t> element;
    for (std::size_t e = 0; e < whole.global_id.size(); ++e) element[whole.global_id[e]] = e;
    std::map<std::int64_t, std::int32_t> of_shared;
    std::map<std::int32_t, std::int64_t> of_alone;
    int wrong = 0;
    for (const Told& one : world.all_gather(std::span<const Told>(told))) {
      const std::int32_t u = alone.of(element.at(one.element))[static_cast<std::size_t>(one.function)];
      if ((u == fem::EdgeSpace::fixed) != (one.number == fem::EdgeSpace::fixed)) ++wrong;
      if (u == fem::EdgeSpace::fixed) continue;
      if (of_shared.emplace(one.number, u).first->second != u) ++wrong;
      if (of_alone.emplace(u, one.number).first->second != one.number) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(of_shared.size() == static_cast<std::size_t>(alone.unknowns));
    CHECK(of_shared.begin()->first == 0);
    CHECK(of_shared.rbegin()->first == alone.unknowns - 1);
  }
}
