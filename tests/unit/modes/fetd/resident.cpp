// Mode fetd with matrices and vectors on a device: the kernels of devices on the host's cores, and MUMPS as a solver
// that takes vectors there.
#include <cmath>
#include <fstream>
#include <string>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "host/iteration_device.hpp"
#include "modes/fetd/fetd.hpp"
#include "modes/time_domain/start.hpp"
#include "support/fetd_marches.hpp"
#include "support/host_assembly.hpp"
#include "support/resident_mumps.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

void compare(const std::string& text) {
  if (!fem::has_direct_solver()) return;
  const Marched expected = march_case(text, modes::implicit_stepping(nullptr, nullptr));
  const auto iterations = host::make_iteration_device(2);
  for (const auto& on : {iterations, decltype(iterations)()})  // without it the matrices come to the host
    for (const auto& assembly : {std::make_shared<HostAssemblyDevice>(), std::shared_ptr<HostAssemblyDevice>()}) {
      const auto factors = std::make_shared<ResidentDevice>();
      const Marched found = march_case(text, modes::implicit_stepping(factors, on, assembly));
      CHECK(factors->solves == (on ? 30 : 0));
      CHECK_THAT(found.device, Catch::Matchers::EndsWith(on ? on->name() : factors->name()));
      if (assembly) CHECK(assembly->count == 2);  // of the mass and the system
      CHECK(difference(found.record, expected.record) < 1e-11);
      CHECK(difference(found.electric, expected.electric) < 1e-11);
      CHECK(difference(found.magnetic, expected.magnetic) < 1e-11);
    }
}

}  // namespace

TEST_CASE("a march with iterations on a device is that of the host, and goes on from a state to the last bit") {
  const auto assembly = std::make_shared<HostAssemblyDevice>();
  compare_iterated_marches(host::make_iteration_device(2), assembly);
  CHECK(assembly->count == 12);  // of masses and systems: marches, and their two halves
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
outputs: {probes: [{name: p, point: [0.011, 0.005, 0.009]}, {name: q, point: [0.011, 0.005, 0.029]}], energy: {every: 5}}
)");
}

TEST_CASE("the energy of an anisotropic medium without losses stays in a closed box, and is that of its fields") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << R"(
mode: fetd
mesh: {box: {size: [0.03, 0.03, 0.03], cells: [3, 3, 3], jitter: 0.1}}
materials: {crystal: {eps_r: [2, 3, 5], mu_r: [1, 2, 1.5]}}
regions: {box: crystal}
boundaries: {default: pec}
initial_fields: {E: ['y*(0.03-y)*z*(0.03-z)', 'x*(0.03-x)*z*(0.03-z)', '0']}
method: {basis: mixed-2, time_step: 20 ps}
solver: {method: bicgstab, tolerance: 1e-13}
time: {steps: 40}
outputs: {energy: {every: 1}}
)";
  const Case given = read_case(directory / "case.yaml", {});
  const std::shared_ptr<const fem::IterationDevice> none;
  for (const auto& device : {none, host::make_iteration_device(2)}) {
    const auto assembly = device ? std::make_shared<HostAssemblyDevice>() : nullptr;  // of given fields, too
    const auto setup = modes::set_up(given, directory / "mesh.h5", modes::implicit_stepping(nullptr, device, assembly),
                                     comm::Communicator::self());
    setup->engine->start(modes::make_start(*setup, {}, true));
    const double before = setup->engine->present_energy();
    setup->engine->advance(40);
    CHECK(std::abs(setup->engine->present_energy() / before - 1) < 1e-10);
    double of_fields = 0;
    for (const auto which : {march::Field::electric, march::Field::magnetic})
      of_fields += joules_of(setup->problem, which, setup->engine->field(which));
    CHECK(std::abs(of_fields / before - 1) < 1e-10);
    const std::vector<march::EnergyRow> rows = setup->engine->take_energy();
    REQUIRE(rows.size() >= 30);
    double least = before;
    for (const march::EnergyRow& row : rows) {
      CHECK(std::abs(row.total() / before - 1) < 1e-10);
      least = std::min(least, row.electric);
    }
    CHECK(least < 0.5 * before);  // it goes to H and comes back
  }
}
