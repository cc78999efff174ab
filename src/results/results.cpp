#include "results/results.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/log.hpp"
#include "base/names.hpp"
#include "results/history/port_records.hpp"
#include "results/history/spectrum.hpp"
#include "results/s_parameters/array_output.hpp"
#include "results/s_parameters/port_series.hpp"
#include "results/s_parameters/s_parameter_output.hpp"
#include "sources/waveform.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

namespace {

void write_attributes(const store::File& file, const ResultRequest& request, const RunIdentity& identity,
                      const std::string& device, const RunFigures& figures) {
  const std::string root = "/";
  file.set_attribute(root, "program", identity.program);
  file.set_attribute(root, "version", identity.version);
  file.set_attribute(root, "git_revision", identity.git_revision);
  file.set_attribute(root, "mode", request.mode);
  file.set_attribute(root, "scheme", request.scheme);
  file.set_attribute(root, "basis", request.space);
  file.set_attribute(root, "layout", request.layout);
  file.set_attribute(root, "precision", request.precision);
  file.set_attribute(root, "backend", identity.backend);
  file.set_attribute(root, "ranks", figures.ranks);
  file.set_attribute(root, "devices", device);
  file.set_attribute(root, "threads", figures.threads);
  file.set_attribute(root, "time_step", figures.dt_s);
  file.set_attribute(root, "steps", figures.steps);
  file.set_attribute(root, "steps_done", figures.steps_done);
  file.set_attribute(root, "complete", figures.complete ? 1 : 0);
  file.set_attribute(root, "elements", figures.elements);
  file.set_attribute(root, "dofs", figures.dofs);
  file.set_attribute(root, "mesh_hash", figures.mesh_hash);
  file.set_attribute(root, "started", identity.started);
  file.set_attribute(root, "finished", time_stamp());
  file.set_attribute(root, "case", request.resolved_yaml);
}

void write_spread(const store::File& file, const std::string& group, const std::string& name, const OverRanks& figure) {
  file.set_attribute(group, name + "_min", figure.least);
  file.set_attribute(group, name + "_mean", figure.mean);
  file.set_attribute(group, name + "_max", figure.most);
}

/// Parts of the update, NaN if no step was timed.
void write_actions(const store::File& file, const std::string& group, const RunFigures& figures) {
  for (std::size_t k = 0; k < share_seconds.size(); ++k) {
    const std::string name = share_seconds[k];
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const OverRanks& found = figures.actions[k];
    const OverRanks seconds = found.least < 0 ? OverRanks{unknown, unknown, unknown} : found;
    file.set_attribute(group, name, seconds.most);
    write_spread(file, group, name, seconds);
  }
}

void write_performance(const store::File& file, const RunIdentity& identity, const RunFigures& figures) {
  const std::string group = "/performance";
  file.create_group(group);
  file.set_attribute(group, "transport", identity.transport);
  file.set_attribute(group, "setup_seconds", figures.setup_seconds);
  for (const auto& [phase, seconds] : figures.setup) file.set_attribute(group, "seconds_setup_" + phase, seconds);
  write_spread(file, group, "elements_per_rank", spread_of(figures.halos, &RankHalo::elements));
  write_spread(file, group, "border_elements_per_rank", spread_of(figures.halos, &RankHalo::border));
  write_spread(file, group, "shared_faces_per_rank", spread_of(figures.halos, &RankHalo::faces));
  write_spread(file, group, "peers_per_rank", spread_of(figures.halos, &RankHalo::peers));
  file.set_attribute(group, "ordering", name_of(figures.ordering));
  file.set_attribute(group, "faces_in_block", figures.shares.in_block);
  file.set_attribute(group, "faces_in_part", figures.shares.in_part);
  file.set_attribute(group, "march_seconds", figures.march_seconds);
  file.set_attribute(group, "steps_per_second", figures.steps_per_second);
  file.set_attribute(group, "dof_updates_per_second", figures.steps_per_second * figures.updates_of_step);
  file.set_attribute(group, "smallest_time_step", figures.smallest_dt_s);
  file.set_attribute(group, "classes", static_cast<std::int64_t>(figures.class_elements.size()));
  if (figures.class_elements.size() > 1) {
    const std::vector<double> elements(figures.class_elements.begin(), figures.class_elements.end());
    file.set_attribute(group, "elements_of_classes", std::span<const double>(elements));
    file.set_attribute(group, "ideal_gain", figures.ideal_gain);
    file.set_attribute(group, "predicted_gain", figures.predicted_gain);
    file.set_attribute(group, "measured_gain", figures.measured_gain);
    file.set_attribute(group, "single_time_step", figures.single.dt_s);
    file.set_attribute(group, "single_step_seconds", figures.single.seconds);
  }
  file.set_attribute(group, "seconds_update",
                     figures.march_seconds - figures.exchange_exposed.most - figures.seconds_output);
  write_actions(file, group, figures);
  file.set_attribute(group, "seconds_communication", figures.exchange_exposed.most);
  write_spread(file, group, "seconds_communication", figures.exchange_exposed);
  file.set_attribute(group, "seconds_communication_hidden", figures.exchange_hidden.most);
  write_spread(file, group, "seconds_communication_hidden", figures.exchange_hidden);
  file.set_attribute(group, "seconds_output", figures.seconds_output);
  file.set_attribute(group, "mean_nonlinear_iterations", figures.kerr.mean_iterations);
  if (figures.kerr.largest_eps_r > 0) {
    file.set_attribute(group, "most_nonlinear_iterations", figures.kerr.most_iterations);
    file.set_attribute(group, "largest_eps_r", figures.kerr.largest_eps_r);
  }
  if (figures.implicit) {
    file.set_attribute(group, "unknowns", figures.implicit->unknowns);
    file.set_attribute(group, "nonzeros", figures.implicit->nonzeros);
    file.set_attribute(group, "mean_solver_iterations", figures.implicit->mean_iterations);
    file.set_attribute(group, "seconds_assembly", figures.implicit->seconds_assembly);
    file.set_attribute(group, "seconds_preprocess", figures.implicit->seconds_preprocess);
    file.set_attribute(group, "seconds_solve", figures.implicit->seconds_solve);
    file.set_attribute(group, "seconds_right_hand_side", figures.implicit->seconds_side);
    file.set_attribute(group, "seconds_fields", figures.implicit->seconds_fields);
    file.set_attribute(group, "solver_bytes", figures.implicit->solver_bytes);
    file.set_attribute(group, "step_bytes", figures.implicit->step_bytes);
  }
  file.set_attribute(group, "bytes_per_step", figures.bytes_per_step);
  file.set_attribute(group, "device_memory_bytes", figures.device_memory_bytes);
  file.set_attribute(group, "host_memory_bytes", figures.host_memory_bytes);
}

void write_vectors(const store::File& file, const std::string& path, const store::StreamData& data, std::size_t first,
                   const std::string& units) {
  std::vector<Vec3> values;
  for (std::size_t row = 0; row < data.row_count(); ++row)
    values.push_back({data.at(row, first), data.at(row, first + 1), data.at(row, first + 2)});
  file.write(path, std::span<const Vec3>(values), units);
}

void write_probe(const store::File& file, const std::string& prefix, const ProbePoint& probe,
                 const std::filesystem::path& streams) {
  const auto data = store::read_stream(streams / ("probe-" + probe.name + ".stream"));
  const std::string group = prefix + "/probes/" + probe.name;
  file.create_group(group);
  file.write(group + "/time", data.column(0), "s");
  if (probe.electric) write_vectors(file, group + "/E", data, 1, "V/m");
  if (probe.magnetic) write_vectors(file, group + "/H", data, 4, "A/m");
  file.set_attribute(group, "position", std::span<const double>(probe.point_m));
}

void write_port(const store::File& file, const std::string& prefix, const HistoryPlan& plan, const PortModel& port,
                const store::StreamData& recorded, const SentWave& sent) {
  const auto data = make_port_series(port, recorded, plan.dt_s, sent);
  const std::string group = prefix + "/ports/" + port.name;
  file.create_group(group);
  file.write(group + "/time", data.time, "s");
  file.write(group + "/incident", data.incident, "sqrt(W)");
  file.write(group + "/reflected", data.reflected, "sqrt(W)");
  file.write(group + "/voltage", data.voltage, "V");
  file.write(group + "/current", data.current, "A");
  file.set_attribute(group, "impedance", port.impedance_ohm);
  if (port.kind == PortModel::Kind::line) file.set_attribute(group, "refractive_index", port.refractive_index);
  if (port.kind == PortModel::Kind::waveguide) file.set_attribute(group, "cutoff", port.cutoff_hz);
}

void write_energy(const store::File& file, const std::string& prefix, const std::filesystem::path& streams,
                  const ResultRequest& request) {
  const auto data = store::read_stream(streams / "energy.stream");
  const std::string group = prefix + "/energy";
  file.create_group(group);
  file.write(group + "/time", data.column(0), "s");
  file.write(group + "/electric", data.column(1), "J");
  file.write(group + "/magnetic", data.column(2), "J");
  file.write(group + "/total", data.column(3), "J");
  if (request.has_kerr) file.write(group + "/nonlinear", data.column(4), "J");
  if (request.has_dispersion) file.write(group + "/dispersive", data.column(5), "J");
  if (request.has_rates) file.write(group + "/of_rates", data.column(6), "W/s");
  if (request.sums_jumps) file.write(group + "/jumps", data.column(7), "J");
}

void write_march(const store::File& file, const std::string& prefix, const ResultRequest& request,
                 const HistoryPlan& plan, const MarchResult& march) {
  if (request.ports.array) {
    write_array_ports(file, prefix, request.ports, plan, march);
  } else {
    const PortRecords records(plan, march.streams);
    for (std::size_t p = 0; p < plan.ports.size(); ++p)
      write_port(file, prefix, plan, plan.ports[p], records.of(p), request.ports.sent_by(march, p));
  }
  for (const ProbePoint& probe : plan.probes) write_probe(file, prefix, probe, march.streams);
  if (request.outputs.energy_every) write_energy(file, prefix, march.streams, request);
}

/// The rule that ended a run, and the number of steps.
void write_end(const store::File& file, const std::string& group, const ResultRequest& request,
               const MarchResult& march) {
  const std::string rule = march.decayed ? "time.energy_decay" : request.end_rule;
  file.set_attribute(group, "ended_by", rule);
  file.set_attribute(group, "steps_done", march.steps_done);
}

/// Of the ports that take in more energy than they give back, during the run [J].
double accepted_joules(const ResultRequest& request, const HistoryPlan& plan, const MarchResult& march) {
  const PortRecords records(plan, march.streams);
  double total = 0;
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    const PortSeries series =
        make_port_series(plan.ports[p], records.of(p), plan.dt_s, request.ports.sent_by(march, p));
    double net = 0;
    for (std::size_t n = 0; n < series.time.size(); ++n)
      net += series.incident[n] * series.incident[n] - series.reflected[n] * series.reflected[n];
    total += std::max(0.0, net * plan.dt_s);
  }
  return total;
}

/// What DGTD-Upwind has taken from jumps, beside what the ports have accepted.
void write_losses(const store::File& file, const std::string& prefix, const ResultRequest& request,
                  const HistoryPlan& plan, const MarchResult& march) {
  const std::string group = prefix + "/losses";
  const auto put = [&](const std::string& name, double number, const std::string& unit) {
    file.write(group + "/" + name, std::vector<double>{number}, unit);
  };
  file.create_group(group);
  put("jumps", march.energy.jumps_j, "J");
  const double accepted = accepted_joules(request, plan, march);
  if (accepted <= 0) return;
  put("accepted", accepted, "J");
  put("jumps_of_accepted", march.energy.jumps_j / accepted, "1");
}

void warn_of_jumps(const ResultRequest& request, const HistoryPlan& plan, const MarchResult& march) {
  constexpr double worth_a_word = 0.01;
  const double accepted = accepted_joules(request, plan, march);
  if (march.energy.jumps_j <= worth_a_word * accepted || accepted <= 0) return;
  log::warning(
      "run{}{}: the flux of dgtd-upwind took {:.3g} percent of the energy accepted by the "
      "ports from jumps between elements: use a higher degree or smaller elements, or "
      "method.scheme: dgtd-central",
      march.name.empty() ? "" : " ", march.name, 100 * march.energy.jumps_j / accepted);
}

/// Port powers at the far-field frequencies, for the waveform to which the far field is relative.
std::vector<PortPowers> port_powers(const ResultRequest& request, const HistoryPlan& plan, const MarchResult& march) {
  const auto& frequencies = request.outputs.far_field->frequencies_hz;
  std::vector<PortPowers> powers(frequencies.size());
  const PortRecords records(plan, march.streams);
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    const PortSeries series =
        make_port_series(plan.ports[p], records.of(p), plan.dt_s, request.ports.sent_by(march, p));
    const auto waves = fourier_sums({&series.incident, &series.reflected}, plan.dt_s, frequencies);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const double scale = 0.5 / std::norm(march.far_field[f].waveform_spectrum);
      powers[f].known = true;
      powers[f].incident += scale * std::norm(waves[0][f]);
      powers[f].accepted += scale * (std::norm(waves[0][f]) - std::norm(waves[1][f]));
    }
  }
  return powers;
}

void write_far_fields(const store::File& file, const std::filesystem::path& directory, const ResultRequest& request,
                      const HistoryPlan& plan, const RunFigures& figures, const std::vector<MarchResult>& marches) {
  for (const MarchResult& march : marches) {
    const std::string prefix = march.name.empty() ? "" : "/excitations/" + march.name;
    if (march.energy.last_j > 1e-4 * march.energy.largest_j)
      log::warning("far field: {:.2g} of the largest energy is left at the end: extend time.end",
                   march.energy.last_j / march.energy.largest_j);
    write_far_field(file, prefix, directory, march.name, *request.outputs.far_field, figures.surface_impedance,
                    march.far_field, port_powers(request, plan, march), figures.balance);
  }
  const std::string first = "/excitations/" + marches.front().name;
  for (const char* group : {"/far_field", "/rcs"})
    if (!marches.front().name.empty() && file.has(first + group)) file.link(group, first + group);
}

/// With drive: each every run has its own group, and the root contains the first.
void write_marches(const store::File& file, const ResultRequest& request, const HistoryPlan& plan,
                   const std::vector<MarchResult>& marches) {
  const bool loses = request.sums_jumps;
  if (marches.size() == 1 && marches.front().name.empty()) {
    write_march(file, "", request, plan, marches.front());
    write_port_modes(file, "", *plan.modes);
    if (marches.front().ended) write_end(file, "/", request, marches.front());
    if (marches.front().ended && loses) write_losses(file, "", request, plan, marches.front());
    return;
  }
  for (const MarchResult& march : marches) {
    const std::string prefix = "/excitations/" + march.name;
    file.create_group(prefix);
    write_march(file, prefix, request, plan, march);
    if (march.ended) write_end(file, prefix, request, march);
    if (march.ended && loses) write_losses(file, prefix, request, plan, march);
  }
  const std::string first = "/excitations/" + marches.front().name;
  write_port_modes(file, first, *plan.modes);
  for (const char* group : {"/ports", "/probes", "/energy", "/losses"})
    if (file.has(first + group)) file.link(group, first + group);
}

}  // namespace

void write_results(const std::filesystem::path& directory, const ResultRequest& request, const HistoryPlan& plan,
                   const RunIdentity& identity, const std::string& device, const RunFigures& figures,
                   const std::vector<MarchResult>& marches) {
  store::write_atomically(directory / "results.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    write_attributes(file, request, identity, device, figures);
    write_marches(file, request, plan, marches);
    write_performance(file, identity, figures);
    for (const MarchResult& march : marches)
      if (figures.complete && request.sums_jumps) warn_of_jumps(request, plan, march);
    if (figures.complete && request.outputs.s_parameters)
      write_s_parameters(file, directory, request.outputs, request.ports, plan, figures.balance, marches,
                         request.has_kerr);
    if (figures.complete && request.outputs.far_field)
      write_far_fields(file, directory, request, plan, figures, marches);
    file.close();
  });
}

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

}  // namespace tetrawave::results
