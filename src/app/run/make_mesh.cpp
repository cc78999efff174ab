#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/make/make_mesh_file.hpp"
#include "mesh/make/run_mesher.hpp"
#include "model/set_up/mesh_setup.hpp"
#include "modes/assembly_2d/setup.hpp"

namespace tetrawave::app {

namespace {

void make_from_file(MeshInput spec, const Case& given, const std::filesystem::path& output) {
  const MeshRecipe recipe = modes::mesh_recipe(given);
  if (!is_mesh_to_make(recipe))
    fail(ExitCode::bad_case, "{}: error: {} is already a Tetrawave mesh: there is nothing to generate", spec.place.text,
         spec.file.string());
  if (given.mode != Mode::assembly_2d && !given.planar) return make_mesh_file(recipe, output, 0);
  spec.order = given.assembly_2d.order;
  run_mesher(spec, given.unit_m, output, 2);
}

/// The mesh as named by the case, without absorbing layers, which are added at each run.
void leave_out_layers(Case& given) {
  if (!given.pml || given.pml->faces.empty()) return;
  log::info("boundaries.pml: the layers are not in this mesh; 'run' and 'check' add them");
  given.pml.reset();
  if (auto* box = std::get_if<BoxMesh>(&given.mesh)) box->layer_cells = {};
}

}  // namespace

void make_mesh(const CommandLine& line, const comm::Communicator& ranks) {
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    if (line.output->extension() != ".h5")
      fail(ExitCode::usage, "tetrawave: error: the name of the mesh file must end in .h5, found '{}'",
           line.output->string());
    Case given = read_case(line.case_file, line.overrides);
    leave_out_layers(given);
    if (const auto* box = std::get_if<BoxMesh>(&given.mesh))
      write_mesh(*line.output, make_whole(make_box_slab(*box, 0, 1)));
    else if (std::holds_alternative<RectangleMesh>(given.mesh))
      write_mesh(*line.output, make_whole(modes::load_triangles(given, {})));
    else
      make_from_file(std::get<MeshInput>(given.mesh), given, *line.output);
    log::info("mesh: {}", line.output->string());
  });
}

}  // namespace tetrawave::app
