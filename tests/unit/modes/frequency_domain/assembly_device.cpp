#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "case/read_case.hpp"
#include "catch.hpp"
#include "fem/device/matrix_on_device.hpp"
#include "host/iteration_backend.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "support/resident_mumps.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// The host in the place of a GPU, which counts what is assembled on it.
class CountingAssembly : public fem::DeviceAssembly<fem::Complex> {
 public:
  CountingAssembly(fem::EdgeAssembly on_host, int& count)
      : on_host_(std::move(on_host)), count_(count), backend_(1), held_{&on_host_.pattern(), {}} {
    held_.values.resize(on_host_.pattern().column.size());
    const fem::CsrPattern& pattern = on_host_.pattern();
    matrix_.emplace(backend_, pattern.rows(), pattern.nonzeros(), pattern.first.data(), pattern.column.data(),
                    reinterpret_cast<const fem::device::ComplexNumber*>(held_.values.data()));
  }
  [[nodiscard]] fem::CsrPattern read_pattern() override { return on_host_.pattern(); }
  void set_kinds(std::span<const std::int32_t> kind) override { kind_.assign(kind.begin(), kind.end()); }
  void assemble(std::span<const fem::EdgeCoefficients<fem::Complex>> coefficients,
                std::span<const fem::Complex> factors) override {
    ++count_;
    on_host_.assemble<fem::Complex>(coefficients, kind_, factors, held_);
  }
  [[nodiscard]] fem::DeviceMatrix<fem::Complex>& matrix() override { return *matrix_; }
  void release() override {}
  [[nodiscard]] const fem::AssemblyFigures& figures() const override { return on_host_.figures(); }

 private:
  fem::EdgeAssembly on_host_;
  int& count_;
  std::vector<std::int32_t> kind_;
  host::IterationBackend backend_;
  fem::CsrMatrix<fem::Complex> held_;
  std::optional<fem::device::MatrixOnDevice<host::IterationBackend, fem::Complex>> matrix_;
};

class CountingDevice : public fem::AssemblyDevice {
 public:
  [[nodiscard]] std::unique_ptr<fem::DeviceAssembly<double>> make_real(const fem::EdgeSpace&, const fem::ElementShapes&,
                                                                       std::span<const fem::ElementFace>,
                                                                       AssemblyMethod) const override {
    throw InternalError("the frequency domain is complex");
  }
  [[nodiscard]] std::unique_ptr<fem::DeviceAssembly<fem::Complex>> make_complex(const fem::EdgeSpace& space,
                                                                                const fem::ElementShapes& shapes,
                                                                                std::span<const fem::ElementFace> walls,
                                                                                AssemblyMethod method) const override {
    return std::make_unique<CountingAssembly>(fem::EdgeAssembly(space, shapes, walls, method, 1), count);
  }
  [[nodiscard]] std::string name() const override { return "a counter"; }
  mutable int count = 0;
};

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
  const auto device = std::make_shared<CountingDevice>();
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
  const auto found = solve(std::make_shared<CountingDevice>()), expected = solve(nullptr);
  for (std::size_t f = 0; f < hz.size(); ++f) CHECK(std::abs(found[f] - expected[f]) < 1e-12 * std::abs(expected[f]));
}
