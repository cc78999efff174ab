#include "observe/s_parameter_output.hpp"

#include <complex>

#include "base/log.hpp"
#include "observe/touchstone.hpp"
#include "store/stream.hpp"

namespace tetrawave::observe {

namespace {

DrivenMarch read_march(const HistoryPlan& plan, const MarchResult& march) {
  DrivenMarch result;
  result.driven_port = march.driven.front();
  result.energy = march.energy;
  for (const PortColumn& port : plan.ports) {
    const auto data = store::read_stream(march.streams / ("port-" + port.name + ".stream"));
    result.ports.push_back({data.column(1), data.column(2)});
  }
  return result;
}

}  // namespace

void write_s_parameters(const store::File& file, const std::filesystem::path& directory, const Case& given,
                        const HistoryPlan& plan, const std::vector<MarchResult>& marches) {
  std::vector<std::string> names;
  std::vector<double> impedances;
  for (const PortColumn& port : plan.ports) {
    names.push_back(port.name);
    impedances.push_back(port.impedance_ohm);
  }
  std::vector<DrivenMarch> driven;
  for (const MarchResult& march : marches) driven.push_back(read_march(plan, march));
  const SParameters s = compute_s_parameters(*given.outputs.s_parameters, names, plan.dt_s, driven);
  for (const std::string& text : s.warnings) log::warning("{}", text);
  const auto points = static_cast<std::int64_t>(s.frequency_hz.size());
  const auto ports = static_cast<std::int64_t>(names.size());
  file.create_group("/s_parameters");
  file.write("/s_parameters/frequency", s.frequency_hz, "Hz");
  file.write("/s_parameters/S", std::span<const std::complex<double>>(s.values), "1", {points, ports, ports});
  file.set_attribute("/s_parameters", "ports", names);
  const auto path = write_touchstone(directory, s, impedances);
  log::info("S-parameters: {}", path.string());
}

}  // namespace tetrawave::observe
