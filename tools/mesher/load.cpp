#include "load.hpp"

#include <gmsh.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "check_msh.hpp"
#include "crash_guard.hpp"
#include "gmsh_session.hpp"
#include "memory_limit.hpp"

namespace tetrawave::mesher {
namespace {

std::string find_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

bool is_step(const std::string& extension) { return extension == ".step" || extension == ".stp"; }

// Gmsh, through OpenCASCADE, then turns the lengths of a STEP file (which have a unit) into the unit asked for.
void set_step_unit(const Options& options) {
  constexpr std::array<std::pair<double, const char*>, 4> units{{{1, "M"}, {1e-2, "CM"}, {1e-3, "MM"}, {1e-6, "UM"}}};
  for (const auto& [unit_m, name] : units)
    if (options.unit_m == unit_m) return gmsh::option::setString("Geometry.OCCTargetUnit", name);
  fail(ExitCode::bad_case, "{}: a STEP file has its own unit: use units m, cm, mm or um", options.input.string());
}

void add_groups_of_entities(int dimension) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  for (const auto& [dim, tag] : entities) {
    const int group = gmsh::model::addPhysicalGroup(dim, {tag}, tag);
    gmsh::model::setPhysicalName(
        dim, group,
        tetrawave::format("{}_{}", std::array{"point", "curve", "surface", "volume"}.at(static_cast<std::size_t>(dim)),
                          tag));
  }
}

bool has_elements(int dimension) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dimension);
  return !types.empty();
}

constexpr double hxt = 10;  // of Mesh.Algorithm3D: sorts by addresses, so that each run makes another mesh

double find_algorithm() {
  double algorithm = 0;
  gmsh::option::getNumber("Mesh.Algorithm3D", algorithm);
  return algorithm;
}

// What a .geo can set, and meshes of several threads or of HXT differ from run to run.
void make_reproducible(const Options& options) {
  for (const char* name :
       {"General.NumThreads", "Mesh.MaxNumThreads1D", "Mesh.MaxNumThreads2D", "Mesh.MaxNumThreads3D"})
    gmsh::option::setNumber(name, 1);
  if (options.dimension != 3 || find_algorithm() != hxt) return;
  std::fprintf(
      stderr,
      "tetrawave-mesh: warning: %s: Mesh.Algorithm3D = 10 (HXT) makes another mesh in every run: meshed with 1 "
      "(Delaunay)\n",
      options.input.string().c_str());
  gmsh::option::setNumber("Mesh.Algorithm3D", 1);
}

void mesh_geometry(const Options& options) {
  const std::string name = options.input.string();
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, options.dimension);
  if (entities.empty())
    fail(ExitCode::bad_case, "{}: the geometry has no {}", name, options.dimension == 3 ? "volumes" : "surfaces");
  if (options.size) {
    gmsh::option::setNumber("Mesh.MeshSizeMax", *options.size);
    double smallest = 0;
    gmsh::option::getNumber("Mesh.MeshSizeMin", smallest);
    gmsh::option::setNumber("Mesh.MeshSizeMin", std::min(smallest, *options.size));
  }
  make_reproducible(options);
  const CrashGuard guard(ExitCode::internal, name + ": Gmsh broke off while it meshed the geometry");
  call_gmsh(name, ExitCode::bad_case, [&] { gmsh::model::mesh::generate(options.dimension); });
}

// Whether the .geo gives `name` a value, and which: asked by a second, tiny .geo in the same session, in memory.
std::pair<bool, double> ask_value(const std::string& name) {
  const std::string question = tetrawave::format(
      "SetNumber(\"tetrawave/known\", Exists({0}));\nIf (Exists({0}))\n"
      "SetNumber(\"tetrawave/value\", {0});\nEndIf\n",
      name);
  const int file = memfd_create("question.geo", MFD_CLOEXEC);
  const bool written = ::write(file, question.data(), question.size()) == static_cast<ssize_t>(question.size());
  if (written) gmsh::merge(tetrawave::format("/proc/self/fd/{}", file));
  ::close(file);
  if (!written) fail(ExitCode::io, "cannot ask for the parameters of a .geo file: {}", std::strerror(errno));
  std::vector<double> known;
  std::vector<double> value;
  gmsh::onelab::getNumber("tetrawave/known", known);
  gmsh::onelab::getNumber("tetrawave/value", value);
  return {!known.empty() && known[0] != 0, value.empty() ? 0 : value[0]};
}

// A count inside the file that is wrong (check_msh sees only the totals) makes Gmsh ask for any amount of memory. What
// a true mesh takes is some tens of times the file's length.
void open_msh(const std::string& name) {
  constexpr std::uintmax_t some = 1U << 30U;
  const CrashGuard guard(ExitCode::bad_mesh, name + ": not a valid Gmsh mesh: Gmsh broke off while it read the file");
  const MemoryLimit limit(some + 100 * std::filesystem::file_size(name));
  try {
    call_gmsh(name, ExitCode::bad_mesh, [&] { gmsh::open(name); });
  } catch (const std::bad_alloc&) {
    if (std::filesystem::file_size(name) > some) throw;
    fail(ExitCode::bad_mesh, "{}: not a valid Gmsh mesh: a block in it claims more than the file can hold", name);
  }
}

// The order that the elements of a .msh get. Its straight tetrahedra know no surface that they could follow. (Triangles
// can be of higher order and straight.)
int choose_order(const Options& options) {
  int lowest = 2, highest = 1;
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, options.dimension);
  for (const int type : types) {
    std::string name;
    int dimension = 0;
    int order = 0;
    int nodes = 0;
    int corners = 0;
    std::vector<double> coordinates;
    gmsh::model::mesh::getElementProperties(type, name, dimension, order, nodes, coordinates, corners);
    lowest = std::min(lowest, order);
    highest = std::max(highest, order);
  }
  const int chosen = options.order != 0 ? options.order : std::min(highest, 2);
  if (options.dimension == 3 && lowest < chosen)
    fail(ExitCode::bad_case,
         "{}: the mesh has straight tetrahedra, and nothing says how order {} would curve them: save it with elements "
         "of second order (gmsh -order 2), or take order 1",
         options.input.string(), chosen);
  if (options.warns_of_curved && highest > 1)
    std::fprintf(stderr, "tetrawave-mesh: warning: %s has second-order elements, which are taken as straight\n",
                 options.input.string().c_str());
  return chosen;
}

void open_geometry(const Options& options) {
  const std::string name = options.input.string();
  gmsh::open(name);
  for (const auto& [parameter, value] : options.parameters)
    if (ask_value(parameter).second != value)
      fail(ExitCode::bad_case,
           "{}: parameter '{}' is set by the .geo file itself: it can be overridden only when it is declared as in "
           "DefineConstant[ {} = ... ];",
           name, parameter, parameter);
}

}  // namespace

void check_input(const Options& options) {
  const std::string name = options.input.string();
  if (!std::filesystem::is_regular_file(options.input)) fail(ExitCode::missing_input, "{}: no such file", name);
  const std::string extension = find_extension(options.input);
  if (extension != ".geo" && extension != ".msh" && extension != ".brep" && !is_step(extension))
    fail(ExitCode::bad_case, "{}: '{}' is not a kind of input that is known: .geo, .brep, .step, .msh", name,
         extension);
  if (!options.parameters.empty() && extension != ".geo")
    fail(ExitCode::bad_case, "{}: parameter '{}': only a .geo file has parameters", name,
         options.parameters.begin()->first);
  if (extension != ".msh") return;
  if (options.size) fail(ExitCode::bad_case, "{}: a size cannot be asked of a mesh that is made already", name);
  check_msh(name);
}

void check_parameters(const Options& options) {
  const std::string name = options.input.string();
  if (options.parameters.empty()) return;
  const GmshSession defaults({});
  call_gmsh(name, ExitCode::bad_case, [&] {
    gmsh::open(name);
    for (const auto& [parameter, value] : options.parameters)
      if (!ask_value(parameter).first)
        fail(ExitCode::bad_case,
             "{}: parameter '{}' is not known: the .geo file must declare it, as in "
             "DefineConstant[ {} = ... ];",
             name, parameter, parameter);
  });
}

int load_and_mesh(const Options& options) {
  const std::string name = options.input.string();
  const std::string extension = find_extension(options.input);
  const bool is_mesh = extension == ".msh";
  if (is_step(extension)) set_step_unit(options);
  if (is_mesh)
    open_msh(name);
  else
    call_gmsh(name, ExitCode::bad_case, [&] { open_geometry(options); });
  if (extension == ".brep" || is_step(extension)) {
    add_groups_of_entities(options.dimension);
    add_groups_of_entities(options.dimension - 1);
  }
  if (!is_mesh && !has_elements(options.dimension))
    mesh_geometry(options);
  else if (!is_mesh && options.dimension == 3 && find_algorithm() == hxt)
    fail(
        ExitCode::bad_case,
        "{}: the geometry meshes itself with Mesh.Algorithm3D = 10 (HXT), which makes another mesh in every run: leave "
        "out the command 'Mesh', or take Mesh.Algorithm3D = 1",
        name);
  if (!has_elements(options.dimension))
    fail(ExitCode::bad_case, "{}: no {} in it", name, options.dimension == 3 ? "tetrahedra" : "triangles");
  const int order = is_mesh ? choose_order(options) : std::max(options.order, 1);
  call_gmsh(name, ExitCode::bad_case, [&] { gmsh::model::mesh::setOrder(order); });
  return order;
}

}  // namespace tetrawave::mesher
