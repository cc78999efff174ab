#include "results/s_parameters/s_parameter_output.hpp"

#include <complex>
#include <limits>

#include "base/log.hpp"
#include "results/history/port_records.hpp"
#include "results/s_parameters/array_output.hpp"
#include "results/s_parameters/port_series.hpp"
#include "results/s_parameters/rational_output.hpp"
#include "results/s_parameters/touchstone.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

namespace {

DrivenMarch read_march(const PortRequest& request, const HistoryPlan& plan, const MarchResult& march) {
  DrivenMarch result;
  result.driven_port = march.driven.front();
  result.energy = march.energy;
  result.remedy = plan.remedy;
  const PortRecords records(plan, march.streams);
  for (std::size_t p = 0; p < plan.ports.size(); ++p)
    result.ports.push_back(make_port_history(plan.ports[p], records.of(p), plan.dt_s, request.sent_by(march, p)));
  return result;
}

/// One number per port for the Touchstone file: the impedance to which S is renormalised, else the port's own, for a
/// waveguide that of its mode at mid-band.
std::vector<double> references(const SParameterRequest& spec, const std::vector<PortModel>& ports, double middle_hz) {
  std::vector<double> ohms = spec.impedance_ohm;
  if (ohms.size() == 1) ohms.resize(ports.size(), ohms.front());
  if (!ohms.empty()) return ohms;
  for (const PortModel& port : ports) ohms.push_back(std::abs(port.reference(middle_hz)));
  return ohms;
}

/// S of Kerr media is that of one amplitude of each driven port.
void add_amplitudes(SParameters& s, const PortRequest& request, const std::vector<MarchResult>& marches) {
  std::string driven;
  s.amplitudes.assign(s.ports.size(), std::numeric_limits<double>::quiet_NaN());
  for (const MarchResult& march : marches) {
    const std::size_t port = march.driven.front();
    s.amplitudes[port] = request.ports[port].excite->amplitude;
    driven += tetrawave::format("{}{:.4g} at port '{}'", driven.empty() ? "" : ", ", s.amplitudes[port], s.ports[port]);
  }
  const std::string text = "a Kerr medium makes S depend on the amplitude of the wave: this S is of " + driven;
  s.notes.push_back("S-parameters: " + text);
  s.cautions.push_back(text);
}

}  // namespace

void write_s_parameters(const store::File& file, const std::filesystem::path& directory, const OutputRequests& outputs,
                        const PortRequest& request, const HistoryPlan& plan, const PowerBalance& balance,
                        const std::vector<MarchResult>& marches, bool has_kerr) {
  const SParameterRequest& spec = *outputs.s_parameters;
  if (request.array && !spec.drive_each)
    return write_active(file, directory, request, frequencies_of(spec), plan, marches.front());
  std::vector<DrivenMarch> driven;
  for (const MarchResult& march : marches) driven.push_back(read_march(request, plan, march));
  SParameters s = compute_s_parameters(spec, plan.ports, plan.dt_s, driven, balance);
  if (has_kerr) add_amplitudes(s, request, marches);
  write_s_matrix(file, directory, s, outputs, plan.ports, (spec.start_hz + spec.stop_hz) / 2);
}

void write_s_matrix(const store::File& file, const std::filesystem::path& directory, const SParameters& s,
                    const OutputRequests& outputs, const std::vector<PortModel>& models, double middle_hz) {
  for (const std::string& text : s.notes) log::info("{}", text);
  for (const std::string& text : s.warnings) log::warning("{}", text);
  const auto points = static_cast<std::int64_t>(s.frequency_hz.size());
  const auto ports = static_cast<std::int64_t>(s.ports.size());
  file.create_group("/s_parameters");
  file.write("/s_parameters/frequency", s.frequency_hz, "Hz");
  file.write("/s_parameters/S", std::span<const std::complex<double>>(s.values), "1", {points, ports, ports});
  file.set_attribute("/s_parameters", "ports", s.ports);
  const std::vector<double> impedances = references(*outputs.s_parameters, models, middle_hz);
  file.set_attribute("/s_parameters", "impedance", std::span<const double>(impedances));
  if (!s.amplitudes.empty()) file.set_attribute("/s_parameters", "amplitudes", std::span<const double>(s.amplitudes));
  log::info("S-parameters: {}", write_touchstone(directory, s, impedances).string());
  if (outputs.rational_model) write_rational_model(file, directory, s, *outputs.rational_model, impedances);
}

}  // namespace tetrawave::results
