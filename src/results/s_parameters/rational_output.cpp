#include "results/s_parameters/rational_output.hpp"

#include <algorithm>
#include <cmath>

#include "base/log.hpp"
#include "results/rational/model_resonances.hpp"
#include "results/rational/passivity.hpp"
#include "results/rational/spice.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;

constexpr const char* root = "/rational_model";

/// Driven columns at frequencies where all of them are known; the mean of S_ij and S_ji where both are, as media are
/// reciprocal.
MatrixSamples samples_of(const SParameters& s, const std::vector<std::size_t>& driven) {
  MatrixSamples samples;
  samples.rows = s.ports.size();
  samples.columns = driven.size();
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    std::vector<Complex> row;
    for (std::size_t i = 0; i < s.ports.size(); ++i)
      for (const std::size_t j : driven)
        row.push_back(s.driven[i] ? (s.at(f, i, j) + s.at(f, j, i)) / 2.0 : s.at(f, i, j));
    if (!std::all_of(row.begin(), row.end(), [](Complex value) { return std::isfinite(std::abs(value)); })) continue;
    samples.frequency_hz.push_back(s.frequency_hz[f]);
    samples.values.insert(samples.values.end(), row.begin(), row.end());
  }
  return samples;
}

void write_model(const store::File& file, const RationalModel& model) {
  const auto poles = static_cast<std::int64_t>(model.poles.size());
  const auto rows = static_cast<std::int64_t>(model.rows), columns = static_cast<std::int64_t>(model.columns);
  const auto path = [](const char* name) { return std::string(root) + "/" + name; };
  file.write(path("poles"), std::span<const Complex>(model.poles), "rad/s");
  file.write(path("residues"), std::span<const Complex>(model.residues), "rad/s", {poles, rows, columns});
  file.write(path("constant"), model.constant, "1", {rows, columns});
  file.set_attribute(root, "error", model.error);
  file.set_attribute(root, "rms_error", model.rms_error);
}

void write_resonances(const store::File& file, const std::vector<ModelResonance>& resonances, std::size_t ports) {
  const std::string path = std::string(root) + "/resonances";
  file.create_group(path);
  const auto write = [&](const char* name, double ModelResonance::*member, const char* units) {
    std::vector<double> values;
    for (const ModelResonance& resonance : resonances) values.push_back(resonance.*member);
    file.write(path + "/" + name, values, units);
  };
  write("frequency", &ModelResonance::hz, "Hz");
  write("bandwidth", &ModelResonance::bandwidth_hz, "Hz");
  write("loaded_q", &ModelResonance::loaded_q, "1");
  write("unloaded_q", &ModelResonance::unloaded_q, "1");
  std::vector<double> external;
  for (const ModelResonance& resonance : resonances)
    external.insert(external.end(), resonance.external_q.begin(), resonance.external_q.end());
  file.write(path + "/external_q", external, "1",
             {static_cast<std::int64_t>(resonances.size()), static_cast<std::int64_t>(ports)});
}

/// Passivity of a model of all ports, as attributes.
void make_passive(const store::File& file, RationalModel& model, const MatrixSamples& samples,
                  const RationalModelRequest& spec) {
  PassivityReport report;
  if (spec.passive)
    report = enforce_passivity(model, samples, spec.tolerance);
  else
    report.largest_before = report.largest_after = largest_singular_value(model);
  file.set_attribute(root, "passive", report.largest_after <= 1 ? 1 : 0);
  file.set_attribute(root, "largest_singular_value", report.largest_after);
  file.set_attribute(root, "largest_singular_value_as_fitted", report.largest_before);
  file.set_attribute(root, "passivity_change", report.change);
  if (report.largest_before <= 1) return;
  log::info(
      "rational model: the largest singular value is {:.7g} as fitted, {:.7g} after {} corrections, which change "
      "S by {:.2g} at most",
      report.largest_before, report.largest_after, report.corrections, report.change);
}

}  // namespace

void write_rational_model(const store::File& file, const std::filesystem::path& directory, const SParameters& s,
                          const RationalModelRequest& spec, const std::vector<double>& impedances_ohm) {
  std::vector<std::size_t> driven;
  for (std::size_t j = 0; j < s.ports.size(); ++j)
    if (s.driven[j]) driven.push_back(j);
  const MatrixSamples samples = samples_of(s, driven);
  if (samples.frequency_hz.size() < fewest_samples) {
    log::warning("rational model: S is known at {} frequencies, {} or more are needed: none is written",
                 samples.frequency_hz.size(), fewest_samples);
    return;
  }
  file.create_group(root);
  RationalModel model = fit_rational_model(samples, {spec.tolerance, static_cast<std::size_t>(spec.max_poles)});
  const bool whole = driven.size() == s.ports.size();
  if (whole) make_passive(file, model, samples, spec);
  write_model(file, model);
  std::vector<std::string> names;
  for (const std::size_t j : driven) names.push_back(s.ports[j]);
  file.set_attribute(root, "ports", s.ports);
  file.set_attribute(root, "driven_ports", names);
  file.set_attribute(root, "tolerance", spec.tolerance);
  const auto resonances = find_resonances(model, samples.frequency_hz.front(), samples.frequency_hz.back(), driven);
  write_resonances(file, resonances, driven.size());
  log::info("rational model: {} poles, error of S {:.2g} (rms {:.2g}), {} resonances in the band", model.poles.size(),
            model.error, model.rms_error, resonances.size());
  if (model.error > spec.tolerance)
    log::warning(
        "rational model: its error is {:.2g}, above outputs.rational_model.tolerance, {:.2g}, with {} poles: "
        "raise max_poles or give more frequencies, unless S itself is not that exact",
        model.error, spec.tolerance, model.poles.size());
  if (!whole) return;
  const auto netlist = directory / "rational_model.cir";
  store::write_text_atomically(netlist, spice_text(model, "tetrawave", s.ports, impedances_ohm));
  log::info("SPICE subcircuit: {}", netlist.string());
}

}  // namespace tetrawave::results
