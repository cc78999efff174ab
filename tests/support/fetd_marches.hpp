// Marches of mode fetd, 30 steps, with matrices and vectors on the host and on a device.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "case/read_case.hpp"
#include "catch.hpp"
#include "modes/fetd/fetd.hpp"
#include "temporary_directory.hpp"

namespace tetrawave_tests {

namespace comm = tetrawave::comm;
namespace march = tetrawave::march;
namespace modes = tetrawave::modes;

/// What 25 steps give, and five more after a look at all fields.
struct Marched {
  std::vector<double> record, electric, magnetic;
  double iterations = 0;  ///< a step
  std::string device;
};

/// Moves the state of one engine to another, of the same case.
inline void move_state(march::Engine& from, march::Engine& to) {
  march::StateRegistry saved, loaded;
  from.register_state(saved);
  to.register_state(loaded);
  const auto copy = [](const auto& source, const auto& target) {
    REQUIRE(source.size() == target.size());
    for (std::size_t k = 0; k < source.size(); ++k) target[k].load(source[k].save());
  };
  copy(saved.elements(), loaded.elements());
  copy(saved.listed(), loaded.listed());
  copy(saved.shared(), loaded.shared());
  to.resume();
}

/// Of the dofs of a rank's elements by their mass matrices [J].
inline double joules_of(const march::Problem& problem, march::Field which, const std::vector<double>& dofs) {
  using namespace tetrawave;
  double sum = 0;
  const std::size_t count = problem.mesh->corners.size(), n = dofs.size() / count;
  for (std::size_t e = 0; e < count; ++e) {
    const Medium& medium = problem.medium_of(static_cast<LocalIndex>(e));
    const bool electric = which == march::Field::electric;
    const auto mass = basis::PhysicalElement(problem.space, problem.mesh->corners[e])
                          .mass(electric ? medium.eps_r * medium.eps_axes : medium.mu_r * medium.mu_axes);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) sum += dofs[e * n + i] * mass(i, k) * dofs[e * n + k];
  }
  return eps0_f_per_m / 2 * sum;
}

/// `in_pieces`: the last five steps by another engine, which gets the state of the first. Fields are of the rank's own
/// elements, the record is rank 0's.
inline Marched march_case(const std::string& text, const modes::Stepping& stepping, bool in_pieces = false,
                          const comm::Communicator& ranks = comm::Communicator::self()) {
  const TemporaryDirectory directory;
  std::vector<char> name;
  if (ranks.rank() == 0) {
    const std::string mesh = (directory / "mesh.h5").string();
    name.assign(mesh.begin(), mesh.end());
  }
  ranks.broadcast(name);
  const std::string mesh_file(name.begin(), name.end());
  std::ofstream(directory / "case.yaml") << text;
  const tetrawave::Case given = tetrawave::read_case(directory / "case.yaml", {});
  const auto setup = modes::set_up(given, mesh_file, stepping, ranks);
  const auto pulse = [](double steps) { return std::sin(0.2 * steps) * std::exp(-std::pow((steps - 12) / 6, 2)); };
  march::Start start;
  start.dt_m = setup->dt_s * tetrawave::c0_m_per_s;
  start.steps = 30;
  start.waves = {pulse, [](double) { return 0.0; }};
  start.source_waves = {pulse, pulse};
  setup->engine->start(start);
  setup->engine->advance(25);
  (void)setup->engine->field(march::Field::electric);
  std::unique_ptr<modes::TimeDomainSetup> other;
  if (in_pieces) {
    other = modes::set_up(given, mesh_file, stepping, ranks);
    other->engine->start(start);
    move_state(*setup->engine, *other->engine);
  }
  march::Engine& last = in_pieces ? *other->engine : *setup->engine;
  std::vector<double> record = setup->engine->take_record().values;
  last.advance(5);
  last.finish();
  const std::vector<march::EnergyRow> energies = last.take_energy();
  const double energy = last.present_energy();
  CHECK(energy > 0);
  REQUIRE(energies.back().step == 30);
  CHECK(std::abs(energy - energies.back().total()) < 1e-11 * energy);
  std::vector<double> electric = last.field(march::Field::electric), magnetic = last.field(march::Field::magnetic);
  const march::Problem& problem = (in_pieces ? *other : *setup).problem;
  const double of_electric = ranks.sum(joules_of(problem, march::Field::electric, electric));
  const double of_magnetic = ranks.sum(joules_of(problem, march::Field::magnetic, magnetic));
  CHECK(std::abs(energies.back().electric - of_electric) < 1e-11 * energy);
  CHECK(std::abs(energies.back().magnetic - of_magnetic) < 1e-11 * energy);
  const std::vector<double> rest = last.take_record().values;
  record.insert(record.end(), rest.begin(), rest.end());
  const auto figures = last.implicit_figures();
  ranks.barrier();  // the mesh has been read
  return {std::move(record), std::move(electric), std::move(magnetic),
          static_cast<double>(figures->iterations) / static_cast<double>(figures->solves), last.device()};
}

inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  REQUIRE(size > 0);
  return error / size;
}

/// A guide with walls of a conductor between two ports.
inline std::string guide(const std::string& basis, const std::string& solver) {
  return R"(
mode: fetd
mesh: {box: {size: [22.86 mm, 10.16 mm, 20 mm], cells: [4, 2, 4], jitter: 0.1}}
materials: {air: {eps_r: 1.5}}
regions: {box: air}
boundaries: {pec: [x0, x1], conductor: {y0: 2e4 S/m, y1: 2e4 S/m}}
ports:
  - {name: a, boundary: z0, type: rectangular-waveguide, excite: {waveform: pulse}}
  - {name: b, boundary: z1, type: rectangular-waveguide}
waveforms: {pulse: {type: modulated-gaussian, frequency: 10 GHz, bandwidth: 4 GHz}}
time: {steps: 30}
outputs: {s_parameters: {start: 8 GHz, stop: 12 GHz, points: 3}, probes: [{name: p, point: [0.011, 0.005, 0.009]}], energy: {every: 5}}
method: {time_step: 4 ps, basis: )" +
         basis + "}\nsolver: {" + solver + "}\n";
}

/// Iterations of `device`, with matrices assembled on another, against those of the host, and from a state to the last
/// bit.
inline void compare_iterated_marches(const std::shared_ptr<const tetrawave::fem::IterationDevice>& device,
                                     const std::shared_ptr<const tetrawave::fem::AssemblyDevice>& assembly) {
  for (const char* scales : {"true", "false"}) {
    const std::string text =
        guide("full-1",
              std::string("method: bicgstab, preconditioner: jacobi, tolerance: 1e-12, diagonal_scaling: ") + scales);
    const Marched expected = march_case(text, modes::implicit_stepping(nullptr, nullptr));
    const auto on_device = modes::implicit_stepping(nullptr, device, assembly);
    const Marched found = march_case(text, on_device);
    CHECK(difference(found.record, expected.record) < 1e-9);
    CHECK(difference(found.electric, expected.electric) < 1e-9);
    CHECK(difference(found.magnetic, expected.magnetic) < 1e-9);
    CHECK(std::abs(found.iterations - expected.iterations) < 0.1 * expected.iterations);
    const Marched resumed = march_case(text, on_device, true);
    CHECK(resumed.record == found.record);
    CHECK(resumed.electric == found.electric);
    CHECK(resumed.magnetic == found.magnetic);
  }
}

/// Iterations of devices over all ranks against those of the hosts. `make(transport)`: a device; `assembly`: another.
/// They give the same bits over each of the transports.
template <class Make>
void compare_shared_marches(const std::vector<std::string>& preconditioners,
                            const std::vector<tetrawave::Transport>& transports, const Make& make,
                            const std::shared_ptr<const tetrawave::fem::AssemblyDevice>& assembly) {
  const comm::Communicator world = comm::Communicator::world();
  for (const std::string& preconditioner : preconditioners) {
    const std::string text = guide("mixed-1", "method: bicgstab, tolerance: 1e-12, preconditioner: " + preconditioner);
    const Marched expected = march_case(text, modes::implicit_stepping(nullptr, nullptr), false, world);
    std::optional<Marched> first;
    for (const tetrawave::Transport transport : transports) {
      INFO(preconditioner << ", " << tetrawave::name_of(transport));
      const modes::Stepping on_device = modes::implicit_stepping(nullptr, make(transport), assembly);
      const Marched found = march_case(text, on_device, false, world);
      if (world.rank() == 0) CHECK(difference(found.record, expected.record) < 1e-9);
      CHECK(difference(found.electric, expected.electric) < 1e-9);
      CHECK(difference(found.magnetic, expected.magnetic) < 1e-9);
      CHECK(std::abs(found.iterations - expected.iterations) < 0.1 * expected.iterations);
      if (!first) {
        first = found;
        const Marched resumed = march_case(text, on_device, true, world);
        CHECK(resumed.electric == found.electric);
        CHECK(resumed.magnetic == found.magnetic);
      }
      CHECK(found.electric == first->electric);
      CHECK(found.magnetic == first->magnetic);
    }
  }
}

}  // namespace tetrawave_tests
