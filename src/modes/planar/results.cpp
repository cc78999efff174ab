#include "modes/planar/results.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "modes/frequency_domain/results.hpp"
#include "results/s_parameters/s_parameter_output.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

namespace {

/// Whether power can leave a plane problem other than by its ports.
results::PowerBalance planar_balance(const PlanarSetup& setup) {
  results::PowerBalance balance;
  balance.is_lossless = std::all_of(setup.media.begin(), setup.media.end(), [](const Medium& medium) {
    return medium.is_lossless() && !medium.is_dispersive();
  });
  bool radiates = !setup.layer_border.empty();
  for (const PlanarWall& wall : setup.walls) {
    if (wall.has_loss()) balance.is_lossless = false;
    if (wall.is_open()) radiates = true;
  }
  balance.is_closed = balance.is_lossless && !radiates;
  balance.cause =
      "another mode carries power at a port: make the port narrower, or move it away from what excites that mode";
  return balance;
}

std::string group_of(const std::string& prefix, const char* name, double hz) {
  return tetrawave::format("{}/{}/{}", prefix, name, std::llround(hz));
}

/// Accepted and lost power of a right-hand side.
struct PlanarPowers {
  double accepted = 0, lost = 0;
};

PlanarPowers planar_powers(const PlanarOutcome& outcome, std::size_t set, double hz) {
  const auto record = std::find_if(outcome.base.records.begin(), outcome.base.records.end(),
                                   [hz](const FrequencyRecord& one) { return one.hz == hz; });
  PlanarPowers powers;
  for (const PortPhasors& port : record->ports[set])
    powers.accepted += 0.5 * (std::norm(port.incident) - std::norm(port.reflected));
  powers.lost = record->lost_w[set];
  return powers;
}

/// Whether the field has E along theta, else along phi.
bool is_along_z(const Case& given) { return given.planar->field == PlanarField::e_z; }

void write_pattern(const store::File& file, const std::string& prefix, const Case& given, const PlanarSetup& setup,
                   const PlanarOutcome& outcome, std::size_t set, const PlanarFarField& far) {
  const std::string path = group_of(prefix, "far_field", far.hz);
  file.create_group(path);
  file.write(path + "/theta", std::vector<double>{90}, "degree");
  file.write(path + "/phi", given.outputs.far_field->phi_deg, "degree");
  const store::Extents extents{1, static_cast<std::int64_t>(far.field.size())};  // [theta, phi]
  file.write(path + (is_along_z(given) ? "/E_theta" : "/E_phi"), std::span<const Complex>(far.field), "V/sqrt(m)",
             extents);
  // Of an isotropic line source: the power of the pattern over its mean.
  const double per_radian = far.radiated_w_per_m / (2 * pi);
  std::vector<double> directivity;
  for (const Complex& value : far.field)
    directivity.push_back(
        10 * std::log10(std::norm(value) / (2 * eta0_ohm * setup.media[*setup.outer_region].impedance() * per_radian)));
  file.write(path + "/directivity", std::span<const double>(directivity), "dB", extents);
  file.set_attribute(path, "radiated_power", far.radiated_w_per_m);
  if (outcome.base.ports.empty() || outcome.base.sets[set].plane_wave) return;
  const PlanarPowers powers = planar_powers(outcome, set, far.hz);
  file.set_attribute(path, "accepted_power", powers.accepted);
  file.set_attribute(path, "lost_power", powers.lost);
  if (outcome.base.sets[set].sources) return;
  const double missing = 1 - (far.radiated_w_per_m + powers.lost) / powers.accepted;
  if (std::abs(missing) > results::most_imbalance)
    log::warning(
        "far field at {:.6g} GHz: {:.4g} of the power that the ports accept is radiated or lost; refine the mesh, or "
        "move absorbing walls away",
        far.hz / 1e9, 1 - missing);
}

/// /scattering_width/HZ: sigma [directions, waves].
void write_widths(const store::File& file, const Case& given, const PlanarOutcome& outcome) {
  if (!given.outputs.far_field || given.plane_waves.empty()) return;
  const std::vector<double>& phi = given.outputs.far_field->phi_deg;
  std::vector<std::size_t> waves;
  for (std::size_t set = 0; set < outcome.base.sets.size(); ++set)
    if (outcome.base.sets[set].plane_wave) waves.push_back(set);
  for (std::size_t f = 0; f < outcome.far_fields.front().size(); ++f) {
    const std::string path = group_of("", "scattering_width", outcome.far_fields.front()[f].hz);
    file.create_group(path);
    file.write(path + "/phi", phi, "degree");
    std::vector<double> sigma;
    for (std::size_t d = 0; d < phi.size(); ++d)
      for (const std::size_t set : waves) sigma.push_back(2 * pi * std::norm(outcome.far_fields[set][f].field[d]));
    file.write(path + "/sigma", std::span<const double>(sigma), "m",
               {static_cast<std::int64_t>(phi.size()), static_cast<std::int64_t>(waves.size())});
  }
}

void write_table(const std::filesystem::path& directory, const std::string& name, const Case& given,
                 const PlanarFarField& far) {
  std::string text = tetrawave::format("phi_deg,{0}_re,{0}_im\n", is_along_z(given) ? "E_theta" : "E_phi");
  for (std::size_t d = 0; d < far.field.size(); ++d)
    text += tetrawave::format("{:.9g},{:.9g},{:.9g}\n", given.outputs.far_field->phi_deg[d], far.field[d].real(),
                              far.field[d].imag());
  store::write_text_atomically(
      directory / tetrawave::format("far_field{}{}_{}.csv", name.empty() ? "" : "_", name, std::llround(far.hz)), text);
}

}  // namespace

void write_planar_results(const Case& given, const FrequencyDomainOptions& options, const PlanarSetup& setup,
                          const PlanarOutcome& outcome) {
  const FrequencyOutcome& base = outcome.base;
  store::write_atomically(options.directory / "results.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    write_attributes(file, given, options, setup.mesh_hash, base);
    file.set_attribute("/", "dimension", 2);
    file.set_attribute("/", "basis",
                       tetrawave::format("{} of order {}", name_of(given.planar->field), given.planar->order));
    for (std::size_t set = 0; set < base.sets.size(); ++set) {
      const std::string& name = base.sets[set].name;
      const std::string prefix = name.empty() ? "" : "/excitations/" + name;
      write_readings(file, prefix, given, base, set);
      for (const PlanarFarField& far : outcome.far_fields[set]) {
        write_pattern(file, prefix, given, setup, outcome, set, far);
        write_table(options.directory, name, given, far);
      }
    }
    const std::string first = "/excitations/" + base.sets.front().name;
    for (const char* name : {"/ports", "/probes", "/far_field"})
      if (!base.sets.front().name.empty() && file.has(first + name)) file.link(name, first + name);
    write_widths(file, given, outcome);
    write_solver(file, given, base);
    write_performance(file, base);
    if (given.outputs.s_parameters) {
      const results::SParameters s = make_s(given, base, planar_balance(setup));
      results::write_s_matrix(file, options.directory, s, given.outputs, base.ports,
                              (s.frequency_hz.front() + s.frequency_hz.back()) / 2);
    }
    file.close();
  });
}

}  // namespace tetrawave::modes
