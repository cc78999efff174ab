#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "mesh/box_mesh.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/run_mesher.hpp"

namespace tetrawave::app {

namespace {

void write_box(const BoxSpec& box, const std::filesystem::path& output) {
  const MeshSlab slab = make_box_slab(box, 0, 1);
  WholeMesh mesh;
  mesh.nodes = slab.nodes;
  for (const auto& element : slab.elements) mesh.elements.insert(mesh.elements.end(), element.begin(), element.end());
  mesh.region = slab.region;
  for (const auto& face : slab.faces) mesh.faces.insert(mesh.faces.end(), face.begin(), face.end());
  mesh.face_group = slab.face_group;
  mesh.region_names = slab.region_names;
  mesh.group_names = slab.group_names;
  mesh.source = slab.source;
  write_mesh(output, mesh);
}

}  // namespace

void make_mesh(const CommandLine& line, const comm::Communicator& ranks) {
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    const Case given = read_case(line.case_file, line.overrides);
    if (const auto* box = std::get_if<BoxSpec>(&given.mesh))
      write_box(*box, *line.output);
    else
      run_mesher(std::get<MeshFileSpec>(given.mesh), given.unit_m, *line.output);
    log::info("mesh: {}", line.output->string());
  });
}

}  // namespace tetrawave::app
