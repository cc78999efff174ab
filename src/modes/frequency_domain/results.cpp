#include "modes/frequency_domain/results.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "model/check/power_balance.hpp"
#include "results/ports/port_modes.hpp"
#include "results/s_parameters/array_output.hpp"
#include "results/s_parameters/s_parameter_output.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

namespace {

constexpr const char* group = "/frequency_domain";

bool has_converged(const FrequencyRecord& record) { return record.boundary.converged; }

}  // namespace

void write_attributes(const store::File& file, const Case& given, const FrequencyDomainOptions& options,
                      const std::string& mesh_hash, const FrequencyOutcome& outcome) {
  const std::string root = "/";
  file.set_attribute(root, "program", options.identity.program);
  file.set_attribute(root, "version", options.identity.version);
  file.set_attribute(root, "git_revision", options.identity.git_revision);
  file.set_attribute(root, "mode", std::string(name_of(given.mode)));
  file.set_attribute(root, "basis", name_of(given.method.basis));
  file.set_attribute(root, "precision", std::string("double"));
  file.set_attribute(root, "backend", options.identity.backend);
  file.set_attribute(root, "ranks", outcome.ranks);
  file.set_attribute(root, "devices", options.device);
  file.set_attribute(root, "threads", outcome.threads);
  file.set_attribute(root, "elements", outcome.elements);
  file.set_attribute(root, "dofs", outcome.unknowns);
  file.set_attribute(root, "mesh_hash", mesh_hash);
  file.set_attribute(root, "complete", 1);
  if (given.mode == Mode::fe_iiee)
    file.set_attribute(root, "converged",
                       std::all_of(outcome.records.begin(), outcome.records.end(), has_converged) ? 1 : 0);
  file.set_attribute(root, "started", options.identity.started);
  file.set_attribute(root, "finished", results::time_stamp());
  file.set_attribute(root, "case", given.resolved_yaml);
}

void write_performance(const store::File& file, const FrequencyOutcome& outcome) {
  const std::string path = "/performance";
  file.create_group(path);
  file.set_attribute(path, "setup_seconds", outcome.setup_seconds);
  file.set_attribute(path, "solve_seconds", outcome.solve_seconds);
  file.set_attribute(path, "host_memory_bytes", outcome.host_memory_bytes);
  for (const auto& [phase, seconds] : outcome.seconds) file.set_attribute(path, "seconds_" + phase, seconds);
}

namespace {

template <class Value>
std::vector<Value> over_records(const FrequencyOutcome& outcome,
                                const std::function<Value(const FrequencyRecord&)>& value) {
  std::vector<Value> values;
  for (const FrequencyRecord& record : outcome.records) values.push_back(value(record));
  return values;
}

std::vector<double> frequencies_of(const FrequencyOutcome& outcome) {
  return over_records<double>(outcome, [](const FrequencyRecord& record) { return record.hz; });
}

/// Phasors of one quantity.
void write_phasors(const store::File& file, const std::string& path, const FrequencyOutcome& outcome,
                   const std::string& units, const std::function<Complex(const FrequencyRecord&)>& value) {
  const auto values = over_records<Complex>(outcome, value);
  file.write(path, std::span<const Complex>(values), units);
}

void write_port(const store::File& file, const std::string& prefix, const FrequencyOutcome& outcome, std::size_t set,
                std::size_t port) {
  const results::PortModel& model = outcome.ports[port];
  const std::string path = prefix + "/ports/" + model.name;
  file.create_group(path);
  file.write(path + "/frequency", frequencies_of(outcome), "Hz");
  const auto write = [&](const char* name, const char* units, Complex PortPhasors::*member) {
    write_phasors(file, path + "/" + name, outcome, units,
                  [&](const FrequencyRecord& record) { return record.ports[set][port].*member; });
  };
  write("incident", "sqrt(W)", &PortPhasors::incident);
  write("reflected", "sqrt(W)", &PortPhasors::reflected);
  write("voltage", "V", &PortPhasors::voltage);
  write("current", "A", &PortPhasors::current);
  file.set_attribute(path, "impedance", model.impedance_ohm);
  if (model.kind == results::PortModel::Kind::line)
    file.set_attribute(path, "refractive_index", model.refractive_index);
  if (!model.index_at.empty())
    file.write(path + "/phase_constant",
               over_records<double>(outcome,
                                    [&](const FrequencyRecord& record) { return model.propagation(record.hz).imag(); }),
               "rad/m");
  if (model.kind == results::PortModel::Kind::waveguide) file.set_attribute(path, "cutoff", model.cutoff_hz);
}

void write_probe(const store::File& file, const std::string& prefix, const ProbePoint& probe,
                 const FrequencyOutcome& outcome, std::size_t set, std::size_t number) {
  const std::string path = prefix + "/probes/" + probe.name;
  file.create_group(path);
  file.write(path + "/frequency", frequencies_of(outcome), "Hz");
  for (const bool electric : {true, false}) {
    if (!(electric ? probe.electric : probe.magnetic)) continue;
    std::vector<Complex> values;
    for (const FrequencyRecord& record : outcome.records)
      for (std::size_t axis = 0; axis < 3; ++axis)
        values.push_back(record.probes[set][number][axis + (electric ? 0 : 3)]);
    file.write(path + (electric ? "/E" : "/H"), std::span<const Complex>(values), electric ? "V/m" : "A/m",
               {static_cast<std::int64_t>(outcome.records.size()), 3});
  }
  file.set_attribute(path, "position", std::span<const double>(probe.point_m));
}

/// [frequencies, right-hand sides]
template <class Value>
void write_solutions(const store::File& file, const char* name, const FrequencyOutcome& outcome,
                     std::vector<Value> FrequencyRecord::*member) {
  std::vector<Value> values;
  for (const FrequencyRecord& record : outcome.records)
    values.insert(values.end(), (record.*member).begin(), (record.*member).end());
  file.write(std::string(group) + "/" + name, std::span<const Value>(values), "1",
             {static_cast<std::int64_t>(outcome.records.size()), static_cast<std::int64_t>(outcome.sets.size())});
}

/// residual_history [frequencies, right-hand sides, entries], NaN behind the last of a row; the entries are
/// residual_history_stride [frequencies, right-hand sides] iterations apart, the first of the initial guess.
void write_histories(const store::File& file, const FrequencyOutcome& outcome) {
  std::size_t most = 0;
  for (const FrequencyRecord& record : outcome.records)
    for (const auto& history : record.history) most = std::max(most, history.size());
  std::vector<double> values;
  for (const FrequencyRecord& record : outcome.records)
    for (const auto& history : record.history) {
      values.insert(values.end(), history.begin(), history.end());
      values.insert(values.end(), most - history.size(), std::numeric_limits<double>::quiet_NaN());
    }
  file.write(std::string(group) + "/residual_history", values, "1",
             {static_cast<std::int64_t>(outcome.records.size()), static_cast<std::int64_t>(outcome.sets.size()),
              static_cast<std::int64_t>(most)});
  write_solutions(file, "residual_history_stride", outcome, &FrequencyRecord::stride);
  std::vector<std::int64_t> made;
  for (const FrequencyRecord& record : outcome.records)
    made.push_back(record.solved && record.made_preconditioner ? 1 : 0);
  file.write(std::string(group) + "/preconditioner_made", made, "1");
}

}  // namespace

void write_solver(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  const std::string path = group;
  file.create_group(path);
  file.write(path + "/frequency", frequencies_of(outcome), "Hz");
  write_solutions(file, "iterations", outcome, &FrequencyRecord::iterations);
  write_solutions(file, "residual", outcome, &FrequencyRecord::residual);
  if (given.solver.method != SolverMethod::direct) write_histories(file, outcome);
  const std::array<std::pair<const char*, double FrequencyRecord::*>, 3> seconds{
      {{"seconds_assembly", &FrequencyRecord::seconds_assembly},
       {"seconds_preprocess", &FrequencyRecord::seconds_preprocess},
       {"seconds_solve", &FrequencyRecord::seconds_solve}}};
  for (const auto& [name, member] : seconds) {
    const auto values = over_records<double>(outcome, [&](const FrequencyRecord& record) { return record.*member; });
    file.write(path + "/" + name, values, "s");
    file.set_attribute(path, name, std::accumulate(values.begin(), values.end(), 0.0));
  }
  for (const auto& [name, count] : {std::pair("unknowns", outcome.unknowns), std::pair("nonzeros", outcome.nonzeros)}) {
    file.write(path + "/" + name, std::array{count}, "1");
    file.set_attribute(path, name, count);
  }
  file.set_attribute(path, "method", std::string(name_of(given.solver.method)));
  file.set_attribute(path, "preconditioner", std::string(name_of(given.solver.preconditioner)));
  file.set_attribute(path, "assembly", std::string(name_of(given.solver.assembly)));
  file.set_attribute(path, "assembly_device_bytes", outcome.assembly_bytes);
  file.set_attribute(path, "matrix_format", std::string(name_of(given.solver.format)));
  file.set_attribute(path, "solver_bytes", outcome.solver_bytes);
  file.set_attribute(path, "ranks_share", std::string(outcome.shared ? "system" : "frequencies"));
}

namespace {

/// Per rank: what it has of systems, and the time of all iterations.
void write_shares(const store::File& file, const FrequencyOutcome& outcome, VectorExchange exchange,
                  const std::string& transport) {
  if (!outcome.shared) return;
  const std::string path = std::string(group) + "/ranks";
  file.create_group(path);
  file.set_attribute(path, "exchange", std::string(name_of(exchange)));
  file.set_attribute(path, "transport", transport);
  const auto write = [&](const char* name, const char* units, const auto& all, const auto& value) {
    std::vector<std::decay_t<decltype(value(all.front()))>> values;
    for (const auto& one : all) values.push_back(value(one));
    file.write(path + "/" + name, values, units);
  };
  using Share = fem::RankShareFigures;
  using Seconds = fem::SharedSeconds;
  const std::vector<Share>& shares = outcome.shared->shares;
  const std::vector<Seconds>& seconds = outcome.shared->seconds;
  write("rows", "1", shares, [](const Share& share) { return share.rows; });
  write("ghosts", "1", shares, [](const Share& share) { return share.ghosts; });
  write("nonzeros", "1", shares, [](const Share& share) { return share.nonzeros; });
  write("solver_bytes", "B", shares, [](const Share& share) { return share.bytes; });
  file.write(path + "/memory_bytes", outcome.shared->memory_bytes, "B");
  write("seconds_product", "s", seconds, [](const Seconds& one) { return one.product; });
  write("seconds_exchange", "s", seconds, [](const Seconds& one) { return one.exchange; });
  write("seconds_redistribution", "s", seconds, [](const Seconds& one) { return one.redistribution; });
  write("seconds_preconditioner", "s", seconds, [](const Seconds& one) { return one.preconditioner; });
  write("seconds_sums", "s", seconds, [](const Seconds& one) { return one.sums; });
}

/// Which frequencies were solved, and the estimated error of the others.
void write_sweep(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  if (!outcome.sweep) return;
  const std::string path = std::string(group) + "/sweep";
  file.create_group(path);
  std::vector<std::int64_t> solved;
  for (const FrequencyRecord& record : outcome.records) solved.push_back(record.solved ? 1 : 0);
  file.write(path + "/frequency", frequencies_of(outcome), "Hz");
  file.write(path + "/solved", solved, "1");
  file.write(path + "/error_estimate",
             over_records<double>(outcome, [](const FrequencyRecord& record) { return record.error; }), "1");
  file.write(path + "/order", outcome.sweep->solved_hz, "Hz");
  file.set_attribute(path, "tolerance", given.frequency.sweep_tolerance);
  file.set_attribute(path, "within_tolerance", outcome.sweep->within_tolerance ? 1 : 0);
  file.set_attribute(path, "check_frequency", outcome.sweep->check_hz);
  file.set_attribute(path, "check_error", outcome.sweep->check_error);
  file.set_attribute(path, "matrices", outcome.sweep->terms);
  file.set_attribute(path, "vectors", outcome.sweep->vectors);
}

/// error [iterations] of one frequency, none where a fast sweep has not solved; of several [frequencies, most
/// iterations], NaN behind the last of a row.
void write_iiee(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  const std::string path = "/iiee";
  file.create_group(path);
  std::size_t most = 0;
  double seconds = 0, summing = 0, solving = 0, pairs = 0;
  double last = 0;
  std::vector<std::int64_t> iterations, converged;
  for (const FrequencyRecord& record : outcome.records) {
    most = std::max(most, record.boundary.changes.size());
    seconds += record.boundary.seconds;
    summing += record.boundary.seconds_sums;
    solving += record.seconds_solve;
    pairs += record.boundary.pairs;
    if (record.solved) last = std::max(last, record.boundary.changes.back());
    iterations.push_back(static_cast<std::int64_t>(record.boundary.changes.size()));
    converged.push_back(record.boundary.converged ? 1 : 0);
  }
  std::vector<double> errors;
  for (const FrequencyRecord& record : outcome.records)
    for (std::size_t i = 0; i < most; ++i)
      errors.push_back(i < record.boundary.changes.size() ? record.boundary.changes[i]
                                                          : std::numeric_limits<double>::quiet_NaN());
  const auto columns = static_cast<std::int64_t>(most);
  store::Extents extents{columns};
  if (outcome.records.size() > 1) extents = {static_cast<std::int64_t>(outcome.records.size()), columns};
  file.write(path + "/error", errors, "1", extents);
  file.write(path + "/iterations", iterations, "1");
  file.write(path + "/converged", converged, "1");
  file.set_attribute(path, "method", std::string(name_of(given.iiee.method)));
  file.set_attribute(path, "tolerance", given.iiee.tolerance);
  file.set_attribute(path, "last_error", last);
  file.set_attribute(path, "outer_faces", outcome.boundary_faces[0]);
  file.set_attribute(path, "inner_faces", outcome.boundary_faces[1]);
  const std::array<std::tuple<const char*, double, const char*>, 4> figures{
      {{"seconds_iiee", seconds, "s"},
       {"seconds_sums", summing, "s"},
       {"seconds_solve", solving, "s"},
       {"pairs_per_second", summing > 0 ? pairs / summing : 0, "1/s"}}};
  for (const auto& [name, value, units] : figures) {
    file.write(path + "/" + name, std::array{value}, units);
    file.set_attribute(path, name, value);
  }
}

/// Of compressed sums [frequencies]; all 0 where all pairs were summed.
void write_compression(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  const std::string path = "/iiee/compression";
  file.create_group(path);
  const auto write = [&](const char* name, const char* units,
                         const std::function<double(const kernels::ClusterReport&)>& value) {
    file.write(path + "/" + name,
               over_records<double>(outcome, [&](const FrequencyRecord& one) { return value(one.boundary.clusters); }),
               units);
  };
  write("used", "1", [](const auto& one) { return one.used ? 1. : 0.; });
  write("error", "1", [](const auto& one) { return one.error; });
  write("seconds_build", "s", [](const auto& one) { return one.seconds_build; });
  write("pairs_of_sum", "1", [](const auto& one) { return one.pairs_of_sum; });
  write("bytes", "B", [](const auto& one) { return static_cast<double>(one.bytes); });
  file.set_attribute(path, "sums", std::string(name_of(given.iiee.sums)));
  file.set_attribute(path, "tolerance", given.iiee.compression_tolerance);
}

/// Seconds of each iteration [frequencies, iterations], NaN behind the last of a row.
void write_iterations(const store::File& file, const FrequencyOutcome& outcome) {
  const std::string path = "/performance/iterations";
  file.create_group(path);
  std::size_t most = 0;
  for (const FrequencyRecord& record : outcome.records) most = std::max(most, record.boundary.parts.size());
  const std::array<std::pair<const char*, double IterationSeconds::*>, 4> parts{
      {{"seconds_solve", &IterationSeconds::solve},
       {"seconds_sums", &IterationSeconds::sums},
       {"seconds_transfer", &IterationSeconds::transfer},
       {"seconds_rest", &IterationSeconds::rest}}};
  for (const auto& [name, member] : parts) {
    std::vector<double> values;
    for (const FrequencyRecord& record : outcome.records)
      for (std::size_t i = 0; i < most; ++i)
        values.push_back(i < record.boundary.parts.size() ? record.boundary.parts[i].*member
                                                          : std::numeric_limits<double>::quiet_NaN());
    file.write(path + "/" + name, values, "s",
               {static_cast<std::int64_t>(outcome.records.size()), static_cast<std::int64_t>(most)});
  }
}

std::vector<results::PortPowers> powers_of(const Case& given, const FrequencyOutcome& outcome, std::size_t set) {
  std::vector<results::PortPowers> powers;
  for (const double hz : given.outputs.far_field->frequencies_hz) {
    if (outcome.sets[set].plane_wave) {
      powers.emplace_back();
      continue;
    }
    const auto record = std::find_if(outcome.records.begin(), outcome.records.end(),
                                     [&](const FrequencyRecord& one) { return one.hz == hz; });
    results::PortPowers& sum = powers.emplace_back();
    for (const PortPhasors& port : record->ports[set]) {
      sum.known = true;
      sum.incident += 0.5 * std::norm(port.incident);
      sum.accepted += 0.5 * (std::norm(port.incident) - std::norm(port.reflected));
    }
    if (const double lost = record->lost_w[set]; std::isfinite(lost)) sum.lost = lost;
  }
  return powers;
}

}  // namespace

void write_readings(const store::File& file, const std::string& prefix, const Case& given,
                    const FrequencyOutcome& outcome, std::size_t set) {
  for (std::size_t p = 0; p < outcome.ports.size(); ++p) write_port(file, prefix, outcome, set, p);
  for (std::size_t p = 0; p < given.outputs.probes.size(); ++p)
    write_probe(file, prefix, given.outputs.probes[p], outcome, set, p);
}

namespace {

void write_set(const store::File& file, const Case& given, const FrequencyDomainOptions& options, const Model& setup,
               const FrequencyOutcome& outcome, const results::PowerBalance& balance, std::size_t set) {
  const std::string& name = outcome.sets[set].name;
  const std::string prefix = name.empty() ? "" : "/excitations/" + name;
  write_readings(file, prefix, given, outcome, set);
  if (set == 0) results::write_port_modes(file, prefix, *setup.port_modes);
  for (const NearFieldResult& near : outcome.near_fields) write_near_field(file, prefix, near, set);
  if (given.outputs.far_field && !given.outputs.far_field->theta_deg.empty())
    results::write_far_field(file, prefix, options.directory, name, *given.outputs.far_field, outcome.surface_impedance,
                             outcome.far_fields[set], powers_of(given, outcome, set), balance);
}

/// Of every plane wave back to where it comes from.
void write_sweep_of_waves(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  const FarFieldRequest& spec = *given.outputs.far_field;
  for (std::size_t f = 0; f < spec.frequencies_hz.size(); ++f) {
    std::vector<results::Monostatic> waves;
    for (std::size_t set = 0; set < outcome.sets.size(); ++set) {
      if (!outcome.sets[set].plane_wave) continue;
      const IncidentWave& wave = given.plane_waves[*outcome.sets[set].plane_wave];
      const auto& back = outcome.far_fields[set][f].back;
      waves.push_back({wave.theta_deg, wave.phi_deg, wave.is_theta, 4 * pi * (std::norm(back[0]) + std::norm(back[1])),
                       4 * pi * std::norm(back[wave.is_theta ? 0 : 1])});
    }
    results::write_monostatic(file, spec.frequencies_hz[f], waves);
  }
}

/// Writes the cross-sections for all plane waves, on rank 0.
void write_cross_sections(const store::File& file, const Case& given, const FrequencyOutcome& outcome) {
  if (!given.outputs.far_field || given.plane_waves.empty()) return;
  const FarFieldRequest& spec = *given.outputs.far_field;
  if (spec.monostatic) write_sweep_of_waves(file, given, outcome);
  if (spec.theta_deg.empty()) return;
  for (std::size_t f = 0; f < spec.frequencies_hz.size(); ++f) {
    std::vector<results::Patterns> waves;
    for (std::size_t set = 0; set < outcome.sets.size(); ++set)
      if (outcome.sets[set].plane_wave)
        waves.push_back(results::make_patterns(outcome.far_fields[set][f], outcome.surface_impedance, {}));
    results::write_rcs(file, "", spec.frequencies_hz[f], spec, waves);
  }
}

const FrequencyRecord& record_of(const FrequencyOutcome& outcome, double hz) {
  return *std::find_if(outcome.records.begin(), outcome.records.end(),
                       [hz](const FrequencyRecord& one) { return one.hz == hz; });
}

}  // namespace

results::SParameters make_s(const Case& given, const FrequencyOutcome& outcome, const results::PowerBalance& balance) {
  results::SParameters s = results::make_s_parameters(outcome.ports, wanted_frequencies(given).s_parameters_hz);
  std::vector<bool> reliable;
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    const FrequencyRecord& record = record_of(outcome, s.frequency_hz[f]);
    reliable.push_back(std::none_of(outcome.ports.begin(), outcome.ports.end(), [&](const results::PortModel& port) {
      return port.kind == results::PortModel::Kind::waveguide && record.hz <= port.cutoff_hz;
    }));
    for (std::size_t set = 0; set < outcome.sets.size(); ++set) {
      if (outcome.sets[set].plane_wave) continue;
      const std::size_t driven = outcome.sets[set].ports.front();
      s.driven[driven] = true;
      for (std::size_t i = 0; i < outcome.ports.size(); ++i)
        s.at(f, i, driven) = record.ports[set][i].reflected / record.ports[set][driven].incident;
    }
  }
  for (const FrequencyRecord& record : outcome.records)
    if (!record.boundary.converged)
      s.cautions.push_back(
          tetrawave::format("at {:.9g} Hz the iteration of the integral equation has not converged: its "
                            "last change is {:.2g}",
                            record.hz, record.boundary.changes.back()));
  results::finish_s_parameters(s, *given.outputs.s_parameters, outcome.ports, reliable,
                               "refine the mesh, or lower solver.tolerance", balance);
  return s;
}

void report_sweep(const FrequencyOutcome& outcome, double tolerance) {
  if (!outcome.sweep) return;
  const SweepReport& sweep = *outcome.sweep;
  if (sweep.solved_hz.size() == outcome.records.size()) {
    log::info("fast sweep: all {} frequencies solved", outcome.records.size());
    return;
  }
  const auto worst = std::max_element(outcome.records.begin(), outcome.records.end(),
                                      [](const auto& a, const auto& b) { return a.error < b.error; });
  log::info(
      "fast sweep: {} of {} frequencies solved, the others from a model of {} vectors and {} "
      "matrices; at {:.6g} GHz, which it did not use, it is off by {:.2g}; largest estimated "
      "error {:.2g} at {:.6g} GHz",
      sweep.solved_hz.size(), outcome.records.size(), sweep.vectors, sweep.terms, sweep.check_hz / 1e9,
      sweep.check_error, worst->error, worst->hz / 1e9);
  if (!sweep.within_tolerance)
    log::warning(
        "frequency.sweep: after {} solutions the model is still off by {:.2g} at {:.6g} GHz "
        "(tolerance {:.2g}): lower solver.tolerance, or solve each frequency with "
        "frequency.sweep.fast: false",
        sweep.solved_hz.size(), sweep.check_error, sweep.check_hz / 1e9, tolerance);
}

void write_frequency_results(const Case& given, const FrequencyDomainOptions& options, const Model& setup,
                             const FrequencyOutcome& outcome) {
  const results::PowerBalance balance = find_power_balance(setup);
  store::write_atomically(options.directory / "results.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    write_attributes(file, given, options, setup.mesh_hash, outcome);
    for (std::size_t set = 0; set < outcome.sets.size(); ++set)
      write_set(file, given, options, setup, outcome, balance, set);
    const std::string first = "/excitations/" + outcome.sets.front().name;
    for (const char* name : {"/ports", "/probes", "/far_field", "/near_field"})
      if (!outcome.sets.front().name.empty() && file.has(first + name)) file.link(name, first + name);
    write_cross_sections(file, given, outcome);
    write_solver(file, given, outcome);
    write_shares(file, outcome, given.solver.exchange, options.identity.transport);
    write_sweep(file, given, outcome);
    write_performance(file, outcome);
    if (given.mode == Mode::fe_iiee) {
      write_iiee(file, given, outcome);
      write_compression(file, given, outcome);
      write_iterations(file, outcome);
    }
    if (given.outputs.s_parameters && given.array && !given.outputs.s_parameters->drive_each) {
      const std::vector<double> frequencies = wanted_frequencies(given).s_parameters_hz;
      results::write_active(file, options.directory, {given.ports, given.waveforms, given.array}, frequencies,
                            [&](std::size_t f, std::size_t port) {
                              const PortPhasors& found = record_of(outcome, frequencies[f]).ports.front()[port];
                              return found.reflected / found.incident;
                            });
    } else if (given.outputs.s_parameters) {
      const results::SParameters s = make_s(given, outcome, balance);
      results::write_s_matrix(file, options.directory, s, given.outputs, outcome.ports,
                              (s.frequency_hz.front() + s.frequency_hz.back()) / 2);
    }
    file.close();
  });
}

}  // namespace tetrawave::modes
