// A finite array with two media, walls and fields of no symmetry, as marches get it.
#pragma once

#include <cmath>

#include "basis/reference_element.hpp"
#include "march/interface/engine.hpp"
#include "mesh/array/array_elements.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/hash.hpp"
#include "unit_cell_meshes.hpp"

namespace tetrawave_tests {

/// The problem points to the mesh.
struct ArrayProblem {
  tetrawave::LocalMesh mesh;
  tetrawave::march::Problem problem;

  ArrayProblem(std::array<std::int64_t, 2> size, tetrawave::Space space,
               tetrawave::Ordering ordering = tetrawave::Ordering::blocks) {
    using namespace tetrawave;
    const UnitCells cells = make_unit_cells(make_cell_mesh());
    mesh =
        build_array_mesh(cells, make_grid(cells, size), make_tags({3, 1, 2}), ordering, 1, comm::Communicator::self());
    problem.mesh = &mesh;
    problem.space = space;
    problem.media.resize(mesh.region_names.size());
    Medium& lid = problem.media.back();
    lid.eps_r = 2;
    lid.sigma_e = 0.1;
    problem.walls = {march::Wall::electric, march::Wall::electric, march::Wall::open, march::Wall::open};
  }
  ArrayProblem(const ArrayProblem&) = delete;
  ArrayProblem& operator=(const ArrayProblem&) = delete;

  [[nodiscard]] tetrawave::march::Start make_start(double dt_m, std::int64_t steps) const {
    using namespace tetrawave;
    march::Start start;
    start.dt_m = dt_m;
    start.steps = steps;
    const std::size_t dofs = basis::reference_element(problem.space).dofs;
    for (auto* field : {&start.electric, &start.magnetic}) {
      field->emplace();
      for (const GlobalIndex id : mesh.global_id)
        for (std::size_t i = 0; i < dofs; ++i)
          (*field)->push_back(to_unit_interval(hash_words(id, i, field == &start.electric)) - 0.5);
    }
    return start;
  }
  /// The same elements, none of which knows that it is a copy.
  void forget_copies() {
    mesh.shape.clear();
    mesh.shape_corners.clear();
  }
};

}  // namespace tetrawave_tests
