#include "model/set_up/mesh_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/text/counted.hpp"
#include "base/text/suggest.hpp"
#include "case/error_list.hpp"
#include "case/region_media.hpp"
#include "mesh/array/array_elements.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/connect/order_elements.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/make/add_layers.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/make/make_mesh_file.hpp"
#include "mesh/report/fingerprint.hpp"
#include "model/absorbing_layers.hpp"

namespace tetrawave::modes {

namespace {

/// Reports errors in a mesh file at the line of the case that names it.
MeshSlab read_named_slab(const MeshInput& spec, int order, int threads, const comm::Communicator& ranks) {
  try {
    return read_mesh_slab(spec.file, ranks.rank(), ranks.size(), order, threads);
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", spec.place.text, error.what()));
  }
}

/// Rejects meshes too large for this machine's memory (else the OOM killer would act silently). Each rank checks its
/// own share.
void check_host_memory(const SlabSizes& sizes, const Place& place, const comm::Communicator& ranks) {
  const std::int64_t needed =
      peak_of_mesh_setup(sizes, sizes.all_elements / ranks.size(), ranks.size(), ranks.rank() == 0);
  const auto available = available_bytes();
  if (!available || needed <= *available) return;
  fail(ExitCode::out_of_memory,
       "{}: error: a mesh of {} elements takes about {} of host memory on each of {} ranks to be set up, but {} are "
       "there: use a coarser mesh, or more hosts",
       place.text, sizes.all_elements, describe_bytes(needed), ranks.size(), describe_bytes(*available));
}

/// The share of a rank in a box; none for a box with too many cells to count, which is rejected elsewhere.
SlabSizes sizes_of(const BoxMesh& box, const comm::Communicator& ranks) {
  double cells = 1, nodes = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto count = static_cast<double>(box.cells[axis] + box.layer_cells[axis][0] + box.layer_cells[axis][1]);
    cells *= count;
    nodes *= count + 1;
  }
  if (cells > 0x1p40) return {};
  const auto all_elements = static_cast<std::int64_t>(6 * cells), all_nodes = static_cast<std::int64_t>(nodes);
  return {all_elements / ranks.size(), all_nodes / ranks.size(), 0, all_elements, all_nodes, false, false};
}

/// Reads the slab of the mesh; for an array also its grid and the ports of all cells, and the unit cells unless it is
/// explicit.
MeshSlab read_slab(Model& model, const MeshPlan& plan, std::optional<UnitCells>& cells,
                   const comm::Communicator& ranks) {
  Case& given = model.given;
  MeshSlab slab;
  if (const auto* box = std::get_if<BoxMesh>(&given.mesh)) {
    ranks.agree([&] {
      if (box->layer_m > 0) check_layer_thickness(*given.pml, box->layer_m, norm(box->size_m));
      check_host_memory(sizes_of(*box, ranks), box->place, ranks);
      slab = make_box_slab(*box, ranks.rank(), ranks.size());
    });
    return slab;
  }
  const auto& spec = std::get<MeshInput>(given.mesh);
  const MeshRecipe recipe = mesh_recipe(given);
  const bool ready = !is_mesh_to_make(recipe);
  ranks.agree([&] {
    if (ready || ranks.rank() != 0 || (plan.keep && std::filesystem::exists(plan.file))) return;
    make_mesh_file(recipe, plan.file, ranks.size());
  });
  if (given.array) {
    ArrayCells array = read_array(given, ready ? spec.file : plan.file, plan.file.parent_path(), ranks);
    model.array = array.plan;
    if (!given.array->is_explicit) cells = std::move(array.cells);
    return std::move(array.slab);
  }
  ranks.agree([&] {
    const int order = order_to_read(recipe);
    slab = ready ? read_named_slab(spec, order, plan.threads, ranks)
                 : read_mesh_slab(plan.file, ranks.rank(), ranks.size(), order, plan.threads);
    if (ready) slab.source = spec.file.string();
    check_host_memory(sizes_of(slab), spec.place, ranks);
  });
  return slab;
}

/// Reports errors of elements at the mesh's place in the case; an invalid box is an error of the case.
template <class Work>
auto at_place_of_mesh(const Case& given, const Work& work) {
  const auto* box = std::get_if<BoxMesh>(&given.mesh);
  try {
    return work();
  } catch (const UserError& error) {
    if (error.code() != ExitCode::bad_mesh) throw;
    const Place& place = box != nullptr ? box->place : std::get<MeshInput>(given.mesh).place;
    throw UserError(box != nullptr ? ExitCode::bad_case : error.code(),
                    tetrawave::format("{}: error: {}", place.text, error.what()));
  }
}

/// Of the whole mesh: one of second order is read by rank 0, which tells the others.
std::vector<CurvedElement> find_all_curved(const MeshSlab& slab, const std::filesystem::path& file, int threads,
                                           const comm::Communicator& ranks) {
  if (ranks.size() == 1) return find_curved_elements(slab, threads);
  std::vector<CurvedElement> curved;
  ranks.agree([&] {
    if (ranks.rank() == 0 && !file.empty() && order_of_mesh(file) == 2)
      curved = find_curved_elements(read_mesh_slab(file, 0, 1, 2, threads), threads);
  });
  ranks.broadcast(curved);
  return curved;
}

/// Number of steps of each element of the slab in one of the coarsest level, from the radius of its inscribed sphere:
/// an estimate for partitioning. None on one rank or with one level.
CutWeights weigh_elements(const ConnectedSlab& connected, const std::vector<Medium>& media, const MethodSpec& method,
                          const comm::Communicator& ranks) {
  if (method.max_classes == 1 || ranks.size() == 1) return {};
  std::vector<double> scales;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < connected.elements.size(); ++e) {
    const Medium& medium = media[static_cast<std::size_t>(connected.slab.region[e])];
    scales.push_back(measure_element(connected.elements.corners(e)).inradius_m * std::sqrt(medium.eps_r * medium.mu_r));
    smallest = std::min(smallest, scales.back());
  }
  smallest = ranks.min(smallest);
  std::int64_t coarsest = 0;
  std::vector<int> classes;
  for (const double scale : scales) {
    const double levels = std::floor(std::log(scale / smallest) / std::log(3.));
    classes.push_back(static_cast<int>(std::clamp(levels, 0., method.max_classes - 1.)));
    coarsest = std::max<std::int64_t>(coarsest, classes.back());
  }
  march::StepClasses all;
  all.count = static_cast<int>(ranks.max(coarsest)) + 1;
  CutWeights weights{{}, method.keep_inside};
  for (const int c : classes) weights.elements.push_back(static_cast<std::int32_t>(all.substeps(c)));
  return weights;
}

}  // namespace

MeshRecipe mesh_recipe(const Case& given) {
  MeshRecipe recipe{std::get<MeshInput>(given.mesh), given.unit_m, is_harmonic(given.mode), given.array.has_value(),
                    given.pml};
  for (const PortDescription& port : given.ports) recipe.ports[port.boundary] = port.name;
  return recipe;
}

void set_up_mesh(Model& model, const ModelRequest& request, const comm::Communicator& ranks) {
  const int threads = request.mesh.threads;
  PhaseClock& clock = model.clock;
  const Case& given = model.given;
  std::optional<UnitCells> cells;
  MeshSlab slab = read_slab(model, request.mesh, cells, ranks);
  clock.end("read");
  ranks.agree([&] {
    ErrorList errors;
    errors.collect([&] { model.problem.media = media_of_regions(given, slab.region_names); });
    errors.collect([&] { model.boundaries = make_boundaries(given, slab.group_names); });
    if (request.see_slab) errors.collect([&] { request.see_slab(slab); });
    errors.throw_if_any();
  });
  const FaceTags& tags = model.boundaries.tags;
  model.slab = sizes_of(slab);
  model.slab.is_repeated = cells.has_value();
  if (cells) {
    model.mesh = build_array_mesh(*cells, model.array->grid, tags_of_cells(given, *cells, tags), given.run.ordering,
                                  threads, ranks, &clock);
    give_port_tags(model.mesh, given, *model.array, threads);
  } else {
    std::filesystem::path file;
    if (const auto* spec = std::get_if<MeshInput>(&given.mesh); spec != nullptr && !given.array)
      file = is_mesh_to_make(mesh_recipe(given)) ? request.mesh.file : spec->file;
    const auto curved = at_place_of_mesh(given, [&] { return find_all_curved(slab, file, threads, ranks); });
    const std::string source = slab.source;
    ConnectedSlab connected =
        at_place_of_mesh(given, [&] { return connect_elements(std::move(slab), tags, threads, ranks, &clock); });
    CutWeights weights = weigh_elements(connected, model.problem.media, given.method, ranks);
    model.mesh =
        distribute_elements(std::move(connected), {given.run.ordering, threads, std::move(weights)}, ranks, &clock);
    at_place_of_mesh(given, [&] { curve_elements(model.mesh, curved, source, threads); });
    if (!curved.empty()) log::info("mesh: {} elements have curved edges", curved.size());
  }
  model.shares = measure_shares(model.mesh, ranks, threads);
  model.halos = measure_halos(model.mesh, ranks);
  model.summary = summarise_mesh(model.mesh, model.boundaries.walls.size(), threads, ranks);
  model.mesh_hash = hash_of_mesh(model.mesh, threads, ranks);
  clock.end("quality");
  model.problem.layers = make_layers(given, model.mesh, model.summary, model.problem.media, ranks);
  log::info(
      "mesh: {} elements, {}, shortest edge {:.4g} m, smallest radius ratio {:.3f}; order '{}': {:.1f} % of "
      "the faces inside blocks of {} elements, {:.1f} % inside parts of {}",
      model.summary.element_count, counted(model.mesh.region_names.size(), "region", "regions"),
      model.summary.shortest_edge_m.min, model.summary.radius_ratio.min, name_of(given.run.ordering),
      100 * model.shares.in_block, order_block, 100 * model.shares.in_part, order_part);
}

}  // namespace tetrawave::modes
