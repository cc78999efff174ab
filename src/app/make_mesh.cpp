#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "mesh/box_mesh.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/run_mesher.hpp"

namespace tetrawave::app {

namespace {

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
      write_mesh(*line.output, make_whole(make_box_slab(*box, 0, 1)));
    else
      make_from_file(std::get<MeshFileSpec>(given.mesh), given.unit_m, *line.output);
    log::info("mesh: {}", line.output->string());
  });
}

}  // namespace tetrawave::app
