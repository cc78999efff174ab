// Boxes as test problems: a mesh made on the spot, walls by face name, one medium.
#pragma once

#include <map>
#include <string>

#include "march/interface/problem.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/make/box_mesh.hpp"

namespace tetrawave_tests {

/// A box problem with its mesh. Not copyable: the problem points to the mesh.
struct BoxProblem {
  tetrawave::LocalMesh mesh;
  tetrawave::march::Problem problem;

  BoxProblem(const tetrawave::BoxMesh& box, tetrawave::Space space,
             const std::map<std::string, tetrawave::march::Wall>& walls, tetrawave::Medium medium = {},
             const tetrawave::comm::Communicator& ranks = tetrawave::comm::Communicator::world()) {
    using namespace tetrawave;
    const MeshSlab slab = make_box_slab(box, ranks.rank(), ranks.size());
    FaceTags tags;
    for (const auto& name : slab.group_names) {
      tags.of_group.push_back(static_cast<std::int32_t>(tags.names.size()));
      tags.names.push_back(name);
      tags.allowed_inside.push_back(false);
      const auto wall = walls.find(name);
      problem.walls.push_back(wall == walls.end() ? march::Wall::electric : wall->second);
    }
    mesh = build_local_mesh(slab, tags, ranks);
    problem.mesh = &mesh;
    problem.space = space;
    problem.media = {medium};
  }
  BoxProblem(const BoxProblem&) = delete;
  BoxProblem& operator=(const BoxProblem&) = delete;
};

inline tetrawave::BoxMesh unit_box(std::int64_t cells, double jitter = 0) {
  tetrawave::BoxMesh box;
  box.size_m = {1, 1, 1};
  box.cells = {cells, cells, cells};
  box.jitter = jitter;
  return box;
}

}  // namespace tetrawave_tests
