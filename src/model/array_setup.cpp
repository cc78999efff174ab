#include "model/array_setup.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "mesh/array/array_mesh.hpp"
#include "mesh/file/mesh_file.hpp"

namespace tetrawave::modes {

namespace {

const Place& place_of(const Case& given) { return std::get<MeshInput>(given.mesh).place; }

UnitCells read_unit_cells(const Case& given, const std::filesystem::path& file) {
  try {
    return make_unit_cells(read_mesh_slab(file, 0, 1));
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", place_of(given).text, error.what()));
  }
}

/// A group missing in the mesh is reported together with those of the boundaries.
void check_port_cells(const Case& given, const UnitCells& cells) {
  constexpr unsigned antenna = 1U << 4;
  const auto& groups = cells.mesh.group_names;
  for (const PortDescription& port : given.ports) {
    const auto group = std::find(groups.begin(), groups.end(), port.boundary);
    if (group == groups.end()) continue;
    const unsigned found = cells_of_group(cells, static_cast<std::int32_t>(group - groups.begin()));
    if ((found & ~antenna) == 0) continue;
    fail(ExitCode::bad_case,
         "{}: error: port '{}': its surface '{}' has faces outside of the antenna cell, which is {:.6g} to {:.6g} m "
         "along x and {:.6g} to {:.6g} m along y; a port lies in that cell, and is copied with it",
         port.boundary_place.text, port.name, port.boundary, cells.low_m[0], cells.high_m[0], cells.low_m[1],
         cells.high_m[1]);
  }
}

std::vector<std::string> port_groups(const Case& given) {
  std::vector<std::string> groups;
  for (const PortDescription& port : given.ports) groups.push_back(port.boundary);
  return groups;
}

/// The names of ports' surfaces in every cell.
void add_port_groups(std::vector<std::string>& names, const std::vector<std::string>& of_cell, const ArrayGrid& grid) {
  for (const std::string& group : of_cell) {
    if (std::find(names.begin(), names.end(), group) == names.end()) continue;
    for (std::int64_t i = 0; i < grid.size[0]; ++i)
      for (std::int64_t j = 0; j < grid.size[1]; ++j) names.push_back(tetrawave::format("{}.{}.{}", group, i, j));
  }
}

/// The plain mesh, made on rank 0 and read by all from a temporary file.
MeshSlab read_explicit(const Case& given, const UnitCells& cells, const ArrayGrid& grid,
                       const std::filesystem::path& scratch, const comm::Communicator& ranks) {
  // of this process: a finite-element mode has the whole mesh on each rank
  std::string name = tetrawave::format("array-{}.h5", ::getpid());
  ranks.broadcast(name);
  const std::filesystem::path file = scratch / name;
  ranks.agree([&] {
    if (ranks.rank() == 0) write_mesh(file, make_explicit_array(cells, grid, port_groups(given)));
  });
  MeshSlab slab;
  ranks.agree([&] { slab = read_mesh_slab(file, ranks.rank(), ranks.size()); });
  std::error_code ignored;
  if (ranks.rank() == 0) std::filesystem::remove(file, ignored);
  return slab;
}

/// Delay of every cell due to the beam and its phase, the shortest being 0.
std::vector<double> delays_s(const ArrayDescription& array, const ArrayGrid& grid) {
  std::vector<double> delays;
  for (std::int64_t i = 0; i < grid.size[0]; ++i)
    for (std::int64_t j = 0; j < grid.size[1]; ++j) {
      double delay = 0;
      if (array.scan_deg) {
        const double theta = (*array.scan_deg)[0] * pi / 180, phi = (*array.scan_deg)[1] * pi / 180;
        const Vec3 direction{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
        delay = dot(grid.shift({i + 1, j + 1}), direction) / c0_m_per_s;
      }
      if (!array.phase_deg.empty()) delay -= array.phase_deg[delays.size()] / (360 * array.frequency_hz);
      delays.push_back(delay);
    }
  const double shortest = *std::min_element(delays.begin(), delays.end());
  for (double& delay : delays) delay -= shortest;
  return delays;
}

void move_to(PortDescription& port, const ArrayDescription& array, std::int64_t i, std::int64_t j, const Vec3& shift) {
  const std::string cell = tetrawave::format(".{}.{}", i, j);
  port.name += cell;
  if (array.has_port_tags) port.boundary += cell;
  if (port.centre_m) port.centre_m = *port.centre_m + shift;
}

}  // namespace

std::int64_t ArrayPlan::antenna_of(GlobalIndex element) const {
  const ArrayGrid::Cell cell = grid.cell(elements.cell_of(element));
  return grid.is_antenna(cell) ? (cell.column - 1) * grid.size[1] + cell.row - 1 : -1;
}

FaceTags tags_of_cells(const Case& given, const UnitCells& cells, FaceTags tags) {
  if (!given.array->has_port_tags) return tags;
  const auto& names = cells.mesh.group_names;
  tags.of_group.resize(names.size());
  for (std::size_t k = 0; k < given.array->cell_ports; ++k) {
    const std::string& of_first = given.ports[k].boundary;  // GROUP.0.0
    const auto found = std::find(names.begin(), names.end(), of_first.substr(0, of_first.size() - 4));
    tags.of_group[static_cast<std::size_t>(found - names.begin())] = static_cast<std::int32_t>(k);
  }
  return tags;
}

void give_port_tags(LocalMesh& mesh, const Case& given, const ArrayPlan& plan, int threads) {
  if (!given.array->has_port_tags) return;
  const auto ports = static_cast<std::int32_t>(given.array->cell_ports);
  for_each_index(mesh.boundary.size(), threads, [&](std::size_t e) {
    for (std::int32_t& tag : mesh.boundary[e])
      if (tag >= 0 && tag < ports) tag += ports * static_cast<std::int32_t>(plan.antenna_of(mesh.global_id[e]));
  });
  mesh.shape.clear();  // copies have other walls
  mesh.shape_corners.clear();
}

void expand_ports(Case& given, const ArrayGrid& grid) {
  ArrayDescription& array = *given.array;
  const std::vector<PortDescription> of_cell = std::exchange(given.ports, {});
  array.cell_ports = of_cell.size();
  const std::vector<double> delays = delays_s(array, grid);
  given.ports.reserve(of_cell.size() * delays.size());
  for (std::size_t cell = 0; cell < delays.size(); ++cell)
    for (PortDescription port : of_cell) {
      const std::int64_t i = static_cast<std::int64_t>(cell) / grid.size[1];
      const std::int64_t j = static_cast<std::int64_t>(cell) % grid.size[1];
      move_to(port, array, i, j, grid.shift({i + 1, j + 1}));
      if (port.excite && !array.amplitude.empty()) port.excite->amplitude *= array.amplitude[cell];
      if (port.excite) port.excite->delay_s += delays[cell];
      given.ports.push_back(std::move(port));
    }
}

ArrayCells read_array(Case& given, const std::filesystem::path& cells_file, const std::filesystem::path& scratch,
                      const comm::Communicator& ranks) {
  UnitCells cells;
  ranks.agree([&] {
    cells = read_unit_cells(given, cells_file);
    check_port_cells(given, cells);
  });
  const ArrayGrid grid = make_grid(cells, given.array->size);
  const ArrayPlan plan{grid, number_elements(cells, grid)};
  MeshSlab slab;
  if (given.array->is_explicit) {
    slab = read_explicit(given, cells, grid, scratch, ranks);
  } else {
    slab.region_names = cells.mesh.region_names;
    slab.group_names = cells.mesh.group_names;
    if (given.array->has_port_tags) add_port_groups(slab.group_names, port_groups(given), grid);
    slab.element_count = plan.elements.total();
    slab.node_count = number_nodes(cells, grid).total();
    slab.face_count = number_faces(cells, grid).total();
  }
  expand_ports(given, grid);
  log::info("array: {} x {} antenna cells of {} elements, {:.6g} m by {:.6g} m, {} cells with the rim", grid.size[0],
            grid.size[1], cells.cells[1][1].elements.size(), grid.pitch_m[0], grid.pitch_m[1], grid.cell_count());
  return {std::move(cells), std::move(slab), plan};
}

}  // namespace tetrawave::modes
