// Mode fetd with matrices and vectors on a device: the kernels of devices on the host's cores, and MUMPS as a solver
// that takes vectors there.
#include <cmath>
#include <fstream>
#include <string>

#include "base/constants.hpp"
#include "case/read_case.hpp"
#include "catch.hpp"
#include "host/iteration_device.hpp"
#include "modes/fetd/fetd.hpp"
#include "support/resident_mumps.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// What 25 steps give, and five more after a look at all fields.
struct Marched {
  std::vector<double> record, electric, magnetic;
};

/// Moves the state of one engine to another, of the same case.
void move_state(march::Engine& from, march::Engine& to) {
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

/// `in_pieces`: the last five steps by another engine, which gets the state of the first.
Marched march_case(const std::string& text, const modes::Stepping& stepping, bool in_pieces = false) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << text;
  const Case given = read_case(directory / "case.yaml", {});
  const auto setup = modes::set_up(given, directory / "mesh.h5", stepping, comm::Communicator::self());
  const auto pulse = [](double steps) { return std::sin(0.2 * steps) * std::exp(-std::pow((steps - 12) / 6, 2)); };
  march::Start start;
  start.dt_m = setup->dt_s * c0_m_per_s;
  start.steps = 30;
  start.waves = {pulse, [](double) { return 0.0; }};
  start.source_waves = {pulse, pulse};
  setup->engine->start(start);
  setup->engine->advance(25);
  (void)setup->engine->present_energy();
  std::unique_ptr<modes::TimeDomainSetup> other;
  if (in_pieces) {
    other = modes::set_up(given, directory / "mesh.h5", stepping, comm::Communicator::self());
    other->engine->start(start);
    move_state(*setup->engine, *other->engine);
  }
  march::Engine& last = in_pieces ? *other->engine : *setup->engine;
  std::vector<double> record = setup->engine->take_record().values;
  last.advance(5);
  last.finish();
  const std::vector<double> rest = last.take_record().values;
  record.insert(record.end(), rest.begin(), rest.end());
  return {std::move(record), last.field(march::Field::electric), last.field(march::Field::magnetic)};
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  REQUIRE(size > 0);
  return error / size;
}

void compare(const std::string& text) {
  const auto factors = std::make_shared<ResidentDevice>();
  const Marched expected = march_case(text, modes::implicit_stepping(nullptr, nullptr));
  const Marched found = march_case(text, modes::implicit_stepping(factors, host::make_iteration_device(2)));
  CHECK(factors->solves == 30);
  CHECK(difference(found.record, expected.record) < 1e-11);
  CHECK(difference(found.electric, expected.electric) < 1e-11);
  CHECK(difference(found.magnetic, expected.magnetic) < 1e-11);
}

/// A guide with walls of a conductor between two ports.
std::string guide(const std::string& basis, const std::string& solver) {
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
outputs: {s_parameters: {start: 8 GHz, stop: 12 GHz, points: 3}, probes: [{name: p, point: [0.011, 0.005, 0.009]}]}
method: {time_step: 4 ps, basis: )" +
         basis + "}\nsolver: {" + solver + "}\n";
}

}  // namespace

TEST_CASE("a march with iterations on a device is that of the host, and goes on from a state to the last bit") {
  for (const char* scales : {"true", "false"}) {
    const std::string text =
        guide("full-1",
              std::string("method: bicgstab, preconditioner: jacobi, tolerance: 1e-12, diagonal_scaling: ") + scales);
    const Marched expected = march_case(text, modes::implicit_stepping(nullptr, nullptr));
    const auto on_device = modes::implicit_stepping(nullptr, host::make_iteration_device(2));
    const Marched found = march_case(text, on_device);
    CHECK(difference(found.record, expected.record) < 1e-9);
    CHECK(difference(found.electric, expected.electric) < 1e-9);
    CHECK(difference(found.magnetic, expected.magnetic) < 1e-9);
    const Marched resumed = march_case(text, on_device, true);
    CHECK(resumed.record == found.record);
    CHECK(resumed.electric == found.electric);
    CHECK(resumed.magnetic == found.magnetic);
  }
}

TEST_CASE("a waveguide with walls of a conductor marches on a device as on the host") {
  compare(guide("mixed-1", "method: direct"));
}

TEST_CASE("a dipole in a box with absorbing layers and dispersion marches on a device as on the host") {
  compare(R"(
mode: fetd
mesh: {box: {size: [0.03, 0.03, 0.03], cells: [4, 4, 4], jitter: 0.1}}
materials: {air: {eps_r: 2, magnetic_dispersion: []}}
regions: {box: air}
boundaries: {absorbing: [x0, x1], impedance: {y0: 200 ohm}, pmc: [y1], pml: {faces: [z1], thickness: 0.015, cells: 2}, default: pec}
sources: [{type: dipole, position: [0.0151, 0.0152, 0.0153], direction: [0.6, 0, 0.8], waveform: pulse}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 6 GHz, bandwidth: 9 GHz}}
method: {basis: full-1, time_step: 8 ps}
solver: {method: direct}
time: {steps: 30}
outputs: {probes: [{name: p, point: [0.011, 0.005, 0.009]}, {name: q, point: [0.011, 0.005, 0.029]}]}
)");
}
