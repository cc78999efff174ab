#include <fstream>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "support/host_assembly.hpp"
#include "support/resident_mumps.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr const char* guide = R"(
mode: frequency-domain
mesh: {box: {size: [22.86 mm, 10.16 mm, 12 mm], cells: [4, 2, 2]}}
materials: {wood: {eps_r: 2}}
regions: {box: wood}
boundaries: {absorbing: [z1], default: pec}
ports:
  - {name: a, boundary: z0, type: rectangular-waveguide, excite: {}}
method: {basis: mixed-2}
frequency: {values: [9 GHz, 10 GHz]}
solver: {method: bicgstab}
outputs: {s_parameters: {}}
)";

}  // namespace

TEST_CASE("mode frequency-domain assembles all its matrices on the device that it is given") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << guide;
  const Case given = read_case(directory / "case.yaml", {});
  const auto device = std::make_shared<HostAssemblyDevice>();
  const auto set_up = [&](std::shared_ptr<const fem::AssemblyDevice> on) {
    return modes::set_up_frequency_domain(given, directory / "mesh.h5", {{}, nullptr, {}, nullptr, std::move(on)},
                                          comm::Communicator::self());
  };
  const auto of_device = set_up(device), of_host = set_up(nullptr);
  CHECK(of_host.system->device_figures() == nullptr);
  REQUIRE(of_device.system->device_figures() != nullptr);
  CHECK(of_device.system->device_figures()->most_bytes > 0);
  fem::CsrMatrix<fem::Complex> found, expected;
  for (const double hz : {9e9, 10e9}) {
    of_device.system->assemble(hz, found);
    of_host.system->assemble(hz, expected);
    CHECK(found.pattern == &of_device.system->pattern());
    CHECK(found.values.empty());  // they stay
    fem::bring_to_host(found);
    CHECK(found.values == expected.values);
  }
  of_device.system->assemble(of_device.system->symbol(fem::Complex(9.5e9, 1e8)), found);
  of_host.system->assemble(of_host.system->symbol(fem::Complex(9.5e9, 1e8)), expected);
  CHECK(found.values == expected.values);
  CHECK(device->count == 3);
  const auto trial = modes::try_highest_frequency(given, of_device);
  CHECK(device->count == 4);
  CHECK(trial.record.residual.front() < 1e-5);
}

TEST_CASE("a fast sweep with a matrix that stays on a device finds the S-parameters of one on the host") {
  if (!fem::has_direct_solver()) return;
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << guide;
  const Case given = read_case(directory / "case.yaml", {"solver.method=direct"});
  std::vector<double> hz;
  for (int f = 0; f <= 20; ++f) hz.push_back(9e9 + 5e7 * f);
  const auto sets = modes::driven_sets(given);
  const auto solve = [&](std::shared_ptr<const fem::AssemblyDevice> on) {
    const auto setup = modes::set_up_frequency_domain(
        given, directory / "mesh.h5", {{}, std::make_shared<ResidentDevice>(), {}, nullptr, std::move(on)},
        comm::Communicator::self());
    const modes::FrequencySystem& system = *setup.system;
    modes::FastSweep sweep(system, hz, sets, false, true, std::nullopt, 1);
    fem::LinearSolver<fem::Complex> solver = modes::make_solver(setup);
    fem::CsrMatrix<fem::Complex> matrix;
    (void)sweep.run(
        {20, 0}, 1e-8,
        [&](std::size_t f, const modes::FastSweep::Unknowns&) {
          system.assemble(hz[f], matrix);
          const auto sides = system.right_hand_sides(hz[f], sets);
          modes::FastSweep::Unknowns x(sides.size(), std::vector<fem::Complex>(sides.front().size()));
          (void)solver.solve(matrix, sides, x);
          return x;
        },
        comm::Communicator::self());
    std::vector<fem::Complex> reflected;
    for (std::size_t f = 0; f < hz.size(); ++f) reflected.push_back(sweep.at(f, false).ports.front().front().reflected);
    return reflected;
  };
  const auto found = solve(std::make_shared<HostAssemblyDevice>()), expected = solve(nullptr);
  for (std::size_t f = 0; f < hz.size(); ++f) CHECK(std::abs(found[f] - expected[f]) < 1e-12 * std::abs(expected[f]));
}
