#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/backend.hpp"
#include "app/check_statics.hpp"
#include "app/commands.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "basis/reference_element.hpp"
#include "case/read_case.hpp"
#include "modes/assembly_2d.hpp"
#include "modes/time_domain_setup.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A directory of this check alone, removed at its end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "tetrawave-check-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      fail(ExitCode::io, "tetrawave: error: cannot make a temporary directory in {}",
           fs::temp_directory_path().string());
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The highest frequency the case asks for: of S, else of its waveforms; 0 when it names none.
double highest_frequency(const Case& given) {
  if (given.outputs.s_parameters) return given.outputs.s_parameters->stop_hz;
  double highest = 0;
  for (const WaveformSpec& wave : given.waveforms)
    highest = std::max(highest, wave.frequency_hz + wave.bandwidth_hz / 2);
  return highest;
}

/// Seconds of one step, by marching a few from the initial state.
double time_a_step(const Case& given, modes::TimeDomainSetup& setup, const comm::Communicator& ranks) {
  march::Start start;
  ranks.agree([&] { start = modes::make_start(given, setup, {}); });
  setup.engine->start(start);
  const std::int64_t first = std::min<std::int64_t>(4, setup.steps / 2);  // no step beyond the march's end
  setup.engine->advance(first);
  setup.engine->present_energy();
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t steps = std::min<std::int64_t>(16, setup.steps - first);
  setup.engine->advance(steps);
  setup.engine->present_energy();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return ranks.max(passed.count()) / static_cast<double>(steps);
}

/// 2 pi over the phase constant of a plane wave; dispersion and losses included.
double wavelength_m(const Medium& medium, double frequency_hz) {
  const ComplexConstants at = constants_at(medium, frequency_hz);
  return c0_m_per_s / (frequency_hz * (std::sqrt(at.eps) * std::sqrt(at.mu)).real());
}

Json describe_mesh(const Case& given, const modes::TimeDomainSetup& setup) {
  const MeshSummary& m = setup.summary;
  Json json;
  json["elements"] = m.element_count;
  json["bounding_box_m"] = {m.low_m, m.high_m};
  json["edge_m"] = {m.shortest_edge_m.min, m.longest_edge_m.median, m.longest_edge_m.max};
  json["radius_ratio"] = {{"min", m.radius_ratio.min}, {"median", m.radius_ratio.median}};
  const double f = highest_frequency(given);
  for (std::size_t r = 0; r < m.region_volume_m3.size(); ++r) {
    const Medium& medium = setup.problem.media[r];
    Json region{{"volume_m3", m.region_volume_m3[r]}, {"elements", m.region_elements[r]}};
    if (f > 0 && m.region_elements[r] > 0)
      region["elements_per_wavelength"] =
          wavelength_m(medium, f) /
          std::cbrt(6 * std::sqrt(2.0) * m.region_volume_m3[r] / static_cast<double>(m.region_elements[r]));
    json["regions"][setup.mesh.region_names[r]] = region;
  }
  for (std::size_t t = 0; t < m.tag_area_m2.size(); ++t)
    json["boundaries"][setup.boundaries.tags.names[t]] = {{"area_m2", m.tag_area_m2[t]}};
  if (f > 0) {
    json["highest_frequency_hz"] = f;
    const Vec3 size = m.high_m - m.low_m;
    for (const double length : size) json["size_in_wavelengths"].push_back(length * f / c0_m_per_s);
  }
  return json;
}

Json describe(const Case& given, modes::TimeDomainSetup& setup, const comm::Communicator& ranks) {
  Json json;
  json["mesh"] = describe_mesh(given, setup);
  for (const auto& port : setup.ports) {
    Json& entry = json["ports"][port.name];
    entry["impedance_ohm"] = port.impedance_ohm;
    if (port.radii_m) {
      entry["inner_radius_m"] = (*port.radii_m)[0];
      entry["outer_radius_m"] = (*port.radii_m)[1];
    }
    entry["faces"] = port.faces;
  }
  json["stable_step_s"] = setup.stable_step_s;
  json["time_step_s"] = setup.dt_s;
  json["steps"] = setup.steps;
  json["dofs"] =
      2 * static_cast<std::int64_t>(basis::reference_element(given.method.basis).dofs) * setup.summary.element_count;
  const double step_seconds = time_a_step(given, setup, ranks);
  json["memory_bytes_per_rank"] = static_cast<std::int64_t>(ranks.max(setup.engine->device_memory_bytes()));
  json["device"] = setup.engine->device();
  json["predicted_seconds"] = step_seconds * static_cast<double>(setup.steps);
  return json;
}

void print_text(const Json& json, const std::string& indent = "") {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      std::printf("%s%s:\n", indent.c_str(), key.c_str());
      print_text(value, indent + "  ");
    } else {
      std::printf("%s%s: %s\n", indent.c_str(), key.c_str(), value.dump().c_str());
    }
  }
}

}  // namespace

void check_case(const CommandLine& line, const comm::Communicator& ranks) {
  if (line.json) log::start(log::Verbosity::quiet, ranks.rank() == 0);
  Case given;
  ranks.agree([&] { given = read_case(line.case_file, line.overrides); });
  std::unique_ptr<TemporaryDirectory> scratch;
  ranks.agree([&] {
    if (ranks.rank() == 0) scratch = std::make_unique<TemporaryDirectory>();
  });
  std::string directory = scratch ? scratch->path().string() : "";
  ranks.broadcast(directory);
  const fs::path mesh_file = fs::path(directory) / "mesh.h5";
  Json json;
  if (given.mode == Mode::assembly_2d) {
    modes::refuse_ranks(ranks);
    json = check_statics(given, mesh_file);
  } else {
    const ChosenBackend backend = choose_backend(line.backend, ranks);
    const auto setup = modes::set_up(given, mesh_file, backend.make_engine, ranks, true);
    json = describe(given, *setup, ranks);
  }
  if (ranks.rank() != 0) return;
  if (line.json)
    std::printf("%s\n", json.dump(2).c_str());
  else
    print_text(json);
}

}  // namespace tetrawave::app
