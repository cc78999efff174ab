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

void make_from_file(const MeshFileSpec& spec, double unit_m, const std::filesystem::path& output) {
  if (spec.file.extension() == ".h5")
    fail(ExitCode::bad_case, "{}: error: {} is Tetrawave's own mesh already: there is nothing to make", spec.place.text,
         spec.file.string());
  run_mesher(spec, unit_m, output);
}

}  // namespace

void make_mesh(const CommandLine& line, const comm::Communicator& ranks) {
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    if (line.output->extension() != ".h5")
      fail(ExitCode::usage, "tetrawave: error: the name of the mesh file ends in .h5, found '{}'",
           line.output->string());
    const Case given = read_case(line.case_file, line.overrides);
    if (const auto* box = std::get_if<BoxSpec>(&given.mesh))
      write_box(*box, *line.output);
    else
      make_from_file(std::get<MeshFileSpec>(given.mesh), given.unit_m, *line.output);
    log::info("mesh: {}", line.output->string());
  });
}

}  // namespace tetrawave::app
