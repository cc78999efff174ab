#include "modes/eigenmode/results.hpp"

#include <functional>

#include "modes/frequency_domain/results.hpp"
#include "results/fields/field_series.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

namespace {

constexpr const char* group = "/eigenmodes";

/// [resonances, columns], with the names of columns.
class ShareTable {
 public:
  ShareTable(const store::File& file, const std::vector<Resonance>& resonances)
      : file_(file), resonances_(resonances) {}

  /// Column k is of place k; those without a name are left out.
  void write(const char* name, std::vector<double> Resonance::*shares, const std::vector<std::string>& names) const {
    std::vector<double> values;
    for (const Resonance& resonance : resonances_)
      for (std::size_t k = 0; k < names.size(); ++k)
        if (!names[k].empty()) values.push_back((resonance.*shares)[k]);
    std::vector<std::string> columns = names;
    std::erase(columns, "");
    if (columns.empty()) return;
    const std::string path = std::string(group) + "/" + name;
    file_.write(path, values, "1",
                {static_cast<std::int64_t>(resonances_.size()), static_cast<std::int64_t>(columns.size())});
    file_.set_attribute(path, "columns", columns);
  }

 private:
  const store::File& file_;
  const std::vector<Resonance>& resonances_;
};

/// Per boundary tag (model/boundaries.hpp); none where no power can go.
std::vector<std::string> names_of_tags(const Case& given, const Model& setup) {
  std::vector<std::string> names;
  for (const PortDescription& port : given.ports) names.push_back(port.name);
  for (const BoundarySpec& boundary : given.boundaries) names.push_back(boundary.group);
  if (given.pml) names.insert(names.end(), given.pml->faces.begin(), given.pml->faces.end());
  const std::vector<march::Wall>& walls = setup.problem.walls;
  names.resize(walls.size(), "default");
  for (std::size_t tag = given.ports.size(); tag < names.size(); ++tag)
    if (march::is_mirror(walls[tag])) names[tag].clear();
  return names;
}

std::vector<Complex> frequencies_of(const std::vector<Resonance>& resonances) {
  std::vector<Complex> frequencies;
  for (const Resonance& resonance : resonances) frequencies.push_back(resonance.hz);
  return frequencies;
}

/// overlap [resonances, driven ports] and its square, driven_energy.
void write_overlaps(const store::File& file, const EigenmodeOutcome& outcome) {
  if (outcome.driven.empty()) return;
  std::vector<Complex> overlaps;
  std::vector<double> shares;
  for (const Resonance& resonance : outcome.resonances)
    for (const Complex& overlap : resonance.overlaps) {
      overlaps.push_back(overlap);
      shares.push_back(std::norm(overlap));
    }
  std::vector<std::string> columns;
  for (const DrivenSet& set : outcome.driven) columns.push_back(set.name);
  const store::Extents extents{static_cast<std::int64_t>(outcome.resonances.size()),
                               static_cast<std::int64_t>(columns.size())};
  const std::string path = std::string(group) + "/";
  file.write(path + "overlap", std::span<const Complex>(overlaps), "1", extents);
  file.write(path + "driven_energy", shares, "1", extents);
  for (const char* name : {"overlap", "driven_energy"}) file.set_attribute(path + name, "columns", columns);
}

/// E and H [resonances, 3] at each probe, as probes of a port-driven run have them.
void write_probes(const store::File& file, const Case& given, const std::vector<Resonance>& resonances,
                  const std::vector<ProbedModes>& probed) {
  for (std::size_t p = 0; p < probed.size(); ++p) {
    const ProbePoint& probe = given.outputs.probes[p];
    const std::string path = "/probes/" + probe.name;
    file.create_group(path);
    file.write(path + "/frequency", std::span<const Complex>(frequencies_of(resonances)), "Hz");
    for (const bool electric : {true, false})
      if (electric ? probe.electric : probe.magnetic)
        file.write(path + (electric ? "/E" : "/H"),
                   std::span<const Complex>(electric ? probed[p].electric : probed[p].magnetic),
                   electric ? "V/m" : "A/m", {static_cast<std::int64_t>(resonances.size()), 3});
    file.set_attribute(path, "position", std::span<const double>(probe.point_m));
  }
}

void write_search(const store::File& file, const Case& given, const EigenmodeOutcome& outcome) {
  const fem::EigenOutcome& search = outcome.search;
  file.set_attribute(group, "target", given.eigenmode.target_hz);
  file.set_attribute(group, "tolerance", given.eigenmode.tolerance);
  file.set_attribute(group, "unknowns", outcome.run.unknowns);
  file.set_attribute(group, "nonzeros", outcome.run.nonzeros);
  file.set_attribute(group, "solutions", search.solutions);
  file.set_attribute(group, "vectors", search.vectors);
  file.set_attribute(group, "solver_bytes", outcome.run.solver_bytes);
  file.set_attribute(group, "counted_by",
                     std::string(search.counted_by == fem::EigenCount::inertia ? "inertia" : "contour"));
  file.set_attribute(group, "counted_within", search.counted_within * given.eigenmode.target_hz);
  file.set_attribute(group, "counted", search.counted);
  file.set_attribute(group, "found_within", search.found_within);
}

void write_resonances(const store::File& file, const Case& given, const Model& setup, const EigenmodeOutcome& outcome) {
  const std::vector<Resonance>& resonances = outcome.resonances;
  file.create_group(group);
  const auto column = [&](const std::function<double(const Resonance&)>& value) {
    std::vector<double> values;
    for (const Resonance& resonance : resonances) values.push_back(value(resonance));
    return values;
  };
  const std::string path = std::string(group) + "/";
  file.write(path + "frequency", std::span<const Complex>(frequencies_of(resonances)), "Hz");
  file.write(path + "q", column([](const Resonance& one) { return one.q(); }), "1");
  file.write(path + "residual", column([](const Resonance& one) { return one.residual; }), "1");
  for (std::size_t k = 0; k < resonances.size(); ++k) {  // for the table of a study
    file.set_attribute(group, tetrawave::format("frequency_{}", k), resonances[k].hz.real());
    file.set_attribute(group, tetrawave::format("q_{}", k), resonances[k].q());
  }
  const std::vector<std::string>& regions = setup.mesh.region_names;
  const std::vector<std::string> tags = names_of_tags(given, setup);
  std::vector<std::string> ports(tags.size()), boundaries = tags;
  for (std::size_t p = 0; p < given.ports.size(); ++p) std::swap(ports[p], boundaries[p]);
  const ShareTable table(file, resonances);
  table.write("electric_energy", &Resonance::electric, regions);
  table.write("magnetic_energy", &Resonance::magnetic, regions);
  table.write("loss_by_region", &Resonance::lost, regions);
  table.write("loss_by_port", &Resonance::lost_at, ports);
  table.write("loss_by_boundary", &Resonance::lost_at, boundaries);
  write_search(file, given, outcome);
}

}  // namespace

std::vector<ProbedModes> probe_modes(const FrequencySetup& setup, const std::vector<Resonance>& resonances) {
  const march::Problem& problem = setup.base->problem;
  std::vector<ProbedModes> probed(setup.base->given.outputs.probes.size());
  for (std::size_t p = 0; p < probed.size(); ++p)
    for (const bool electric : {true, false}) {
      auto& values = electric ? probed[p].electric : probed[p].magnetic;
      for (const Resonance& resonance : resonances)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto& functionals = electric ? problem.electric : problem.magnetic;
          Complex& sum = values.emplace_back(0);
          for (const auto& item : functionals[setup.system->port_count() + 3 * p + axis].items) {
            const ElementFields at = setup.system->fields({item.element}, resonance.unknowns, resonance.hz);
            const auto& dofs = electric ? at.electric : at.magnetic;
            for (std::size_t i = 0; i < dofs.size(); ++i) sum += item.weight[i] * dofs[i];
          }
        }
      setup.system->add_over_ranks(values);
    }
  return probed;
}

void write_eigenmode_results(const Case& given, const FrequencyDomainOptions& options, const FrequencySetup& setup,
                             const EigenmodeOutcome& outcome, const std::vector<ProbedModes>& probes) {
  store::write_atomically(options.directory / "results.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    write_attributes(file, given, options, setup.base->mesh_hash, outcome.run);
    write_resonances(file, given, *setup.base, outcome);
    write_overlaps(file, outcome);
    write_probes(file, given, outcome.resonances, probes);
    write_performance(file, outcome.run);
    file.close();
  });
}

void write_eigenmode_fields(const FrequencySetup& setup, const std::vector<Resonance>& resonances,
                            const std::filesystem::path& directory) {
  march::FieldOutput& taps = setup.base->problem.fields;
  if (taps.frequencies_hz.empty()) return;
  taps.frequencies_hz.clear();
  std::vector<ElementFields> fields;
  for (const Resonance& resonance : resonances) {
    taps.frequencies_hz.push_back(resonance.hz.real());
    fields.push_back(setup.system->fields(taps.elements, resonance.unknowns, resonance.hz));
  }
  const std::size_t n = setup.system->space().functions;
  results::FieldSeries series({setup.base->problem, setup.base->grids, 0, 0, setup.threads, true}, directory / "fields",
                              directory, setup.system->ranks());
  series.write_sums([&](std::size_t k, bool imaginary) -> march::FieldDofs {
    return [&fields, n, k, imaginary](march::Field which, std::int64_t first, std::int64_t count) {
      const auto& dofs = which == march::Field::electric ? fields[k].electric : fields[k].magnetic;
      std::vector<double> rows;
      for (std::size_t i = 0; i < static_cast<std::size_t>(count) * n; ++i) {
        const Complex& value = dofs[static_cast<std::size_t>(first) * n + i];
        rows.push_back(imaginary ? value.imag() : value.real());
      }
      return rows;
    };
  });
}

}  // namespace tetrawave::modes
