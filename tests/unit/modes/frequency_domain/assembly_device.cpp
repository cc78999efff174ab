#include <fstream>

#include "base/error.hpp"
#include "case/read_case.hpp"
#include "catch.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// The host in the place of a GPU, which counts what is assembled on it.
class CountingAssembly : public fem::DeviceAssembly<fem::Complex> {
 public:
  CountingAssembly(fem::EdgeAssembly on_host, int& count) : on_host_(std::move(on_host)), count_(count) {}
  [[nodiscard]] fem::CsrPattern read_pattern() override { return on_host_.pattern(); }
  void set_kinds(std::span<const std::int32_t> kind) override { kind_.assign(kind.begin(), kind.end()); }
  void assemble(std::span<const fem::EdgeCoefficients<fem::Complex>> coefficients,
                std::span<const fem::Complex> factors) override {
    ++count_;
    on_host_.assemble<fem::Complex>(coefficients, kind_, factors, matrix_);
  }
  void read(UnsetVector<fem::Complex>& values) override { values = matrix_.values; }
  void release() override {}
  [[nodiscard]] const fem::AssemblyFigures& figures() const override { return on_host_.figures(); }

 private:
  fem::EdgeAssembly on_host_;
  int& count_;
  std::vector<std::int32_t> kind_;
  fem::CsrMatrix<fem::Complex> matrix_;
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
