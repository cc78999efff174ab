#include "modes/assembly_2d/results.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "mesh/report/fingerprint.hpp"
#include "statics/field.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

namespace {

constexpr const char* statics_group = "/assembly_2d";

void write_identity(const store::File& file, const std::string& resolved_yaml, const results::RunIdentity& identity,
                    const StaticOutcome& outcome) {
  file.set_attribute("/", "program", identity.program);
  file.set_attribute("/", "version", identity.version);
  file.set_attribute("/", "git_revision", identity.git_revision);
  file.set_attribute("/", "mode", std::string("assembly-2d"));
  file.set_attribute("/", "precision", std::string("double"));
  file.set_attribute("/", "backend", identity.backend);
  file.set_attribute("/", "ranks", 1);
  file.set_attribute("/", "devices", outcome.run.figures.device);
  file.set_attribute("/", "threads", outcome.run.figures.threads);
  file.set_attribute("/", "elements", outcome.mesh.element_count());
  file.set_attribute("/", "nodes", outcome.mesh.nodes.size());
  file.set_attribute("/", "dofs", outcome.setup.problem.free_count);
  file.set_attribute("/", "mesh_hash", hash_of_mesh(outcome.mesh));
  file.set_attribute("/", "started", identity.started);
  file.set_attribute("/", "finished", results::time_stamp());
  file.set_attribute("/", "case", resolved_yaml);
}

/// A documented scalar: a data set of one number, and an attribute of the group.
void write_figure(const store::File& file, const char* name, double value, const char* units) {
  file.write(std::string(statics_group) + "/" + name, std::array{value}, units);
  file.set_attribute(statics_group, name, value);
}

void write_count(const store::File& file, const char* name, std::int64_t value) {
  file.write(std::string(statics_group) + "/" + name, std::array{value}, "1");
  file.set_attribute(statics_group, name, value);
}

void write_measurement(const store::File& file, const StaticOutcome& outcome) {
  const fem::SolveFigures& figures = outcome.run.figures;
  file.set_attribute(statics_group, "equation", std::string(name_of(outcome.setup.request.equation)));
  file.set_attribute(statics_group, "order", outcome.setup.request.order);
  file.set_attribute(statics_group, "algorithm", std::string(name_of(outcome.setup.request.algorithm)));
  file.set_attribute(statics_group, "coloring", std::string(name_of(outcome.setup.request.coloring)));
  write_figure(file, "seconds_mesh", outcome.seconds_mesh, "s");
  write_figure(file, "seconds_adjacency", outcome.run.seconds_adjacency, "s");
  file.set_attribute(statics_group, "seconds_order", outcome.run.seconds_order);
  write_figure(file, "seconds_coloring", outcome.run.seconds_coloring, "s");
  file.set_attribute(statics_group, "seconds_balance", outcome.run.seconds_balance);
  file.set_attribute(statics_group, "seconds_transfer", figures.seconds_transfer);
  write_figure(file, "seconds_element", figures.seconds_element, "s");
  write_figure(file, "seconds_convert", figures.seconds_convert, "s");
  write_figure(file, "seconds_solve", figures.seconds_solve, "s");
  write_count(file, "iterations", figures.iterations);
  file.set_attribute(statics_group, "residual", figures.residual);
  file.set_attribute(statics_group, "nonzeros", figures.nonzeros);
  write_figure(file, "bytes_per_element", bytes_per_element(outcome), "B");
  file.set_attribute(statics_group, "bytes_per_element_solve",
                     static_cast<double>(figures.solve_bytes) / static_cast<double>(outcome.mesh.element_count()));
  write_count(file, "colors", static_cast<std::int64_t>(outcome.run.color_sizes.size()));
  file.write(std::string(statics_group) + "/color_sizes", outcome.run.color_sizes, "1");
  if (outcome.run.difference) file.set_attribute(statics_group, "difference_to_serial", *outcome.run.difference);
}

void write_quantities(const store::File& file, const StaticOutcome& outcome) {
  const StaticQuantities& quantities = outcome.quantities;
  const bool whole = outcome.setup.problem.axisymmetric;
  write_figure(file, "energy_per_length", quantities.energy, whole ? "J" : "J/m");
  if (quantities.capacitance)
    write_figure(file, "capacitance_per_length", *quantities.capacitance, whole ? "F" : "F/m");
  if (quantities.inductance) {
    file.set_attribute(statics_group, "inductance_per_length", *quantities.inductance);
    file.set_attribute(statics_group, "current", quantities.current);
  }
  if (quantities.charges.empty()) return;
  std::vector<std::string> names;
  for (const GroupValue& potential : outcome.setup.request.potentials) names.push_back(potential.group);
  file.write(std::string(statics_group) + "/charge_per_length", quantities.charges, "C/m");
  file.write(std::string(statics_group) + "/charge_names", names);
  file.set_attribute(std::string(statics_group) + "/charge_names", "units", std::string("1"));
}

/// B_z = 2 a along the axis.
void write_axis(const store::File& file, const TriangleMesh& mesh, const std::vector<double>& a) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i][0] == 0) nodes.push_back(i);
  std::sort(nodes.begin(), nodes.end(), [&](auto i, auto j) { return mesh.nodes[i][1] < mesh.nodes[j][1]; });
  std::vector<double> position, field;
  for (const std::size_t node : nodes) {
    position.push_back(mesh.nodes[node][1]);
    field.push_back(2 * a[node]);
  }
  file.write(std::string(statics_group) + "/axis_position", position, "m");
  file.write(std::string(statics_group) + "/axis_field", field, "T");
}

/// Values in the mesh's numbering.
std::vector<double> by_mesh(const StaticOutcome& outcome) {
  std::vector<double> values(outcome.mesh.nodes.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = outcome.run.values[static_cast<std::size_t>(outcome.setup.problem.number_of[i])];
  return values;
}

void write_fields(const store::File& file, Equation2D equation, const StaticOutcome& outcome) {
  const TriangleMesh& mesh = outcome.mesh;
  const bool electric = equation == Equation2D::electrostatic;
  std::vector<double> values = by_mesh(outcome);
  if (outcome.setup.problem.axisymmetric) {
    write_axis(file, mesh, values);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= mesh.nodes[i][0];
  }
  const auto rows = [](std::size_t count, std::size_t columns) {
    return store::Extents{static_cast<std::int64_t>(count), static_cast<std::int64_t>(columns)};
  };
  const std::string prefix = std::string(statics_group) + "/";
  file.write(prefix + "potential", values, electric ? "V" : "Wb/m");
  const auto fields = fem::element_fields(outcome.setup.problem, equation, outcome.run.values);
  file.write(prefix + "field", std::span<const double>(fields.data()->data(), 2 * fields.size()),
             electric ? "V/m" : "T", rows(fields.size(), 2));
  file.write(prefix + "nodes", std::span<const double>(mesh.nodes.data()->data(), 2 * mesh.nodes.size()), "m",
             rows(mesh.nodes.size(), 2));
  file.write(prefix + "triangles", mesh.elements, "1", rows(mesh.element_count(), mesh.nodes_per_element()));
  file.write(prefix + "region", mesh.region, "1");
  if (!outcome.run.colors.empty()) file.write(prefix + "color", outcome.run.colors, "1");
  file.write(prefix + "region_names", mesh.region_names);
  file.set_attribute(prefix + "region_names", "units", std::string("1"));
}

}  // namespace

double bytes_per_element(const StaticOutcome& outcome) {
  return static_cast<double>(outcome.run.figures.peak_bytes) / static_cast<double>(outcome.mesh.element_count());
}

void write_static_results(const std::filesystem::path& directory, const std::string& resolved_yaml,
                          const results::RunIdentity& identity, const StaticOutcome& outcome) {
  store::write_atomically(directory / "results.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    write_identity(file, resolved_yaml, identity, outcome);
    file.create_group(statics_group);
    write_measurement(file, outcome);
    write_quantities(file, outcome);
    if (outcome.setup.request.fields) write_fields(file, outcome.setup.request.equation, outcome);
    file.close();
  });
}

}  // namespace tetrawave::modes
