#include <fstream>

#include "case/read_case.hpp"
#include "case/spec/solver_notes.hpp"
#include "catch.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// MUMPS in the place of a GPU, which counts the solvers that are made on it.
class CountingDevice : public fem::FactorDevice {
 public:
  [[nodiscard]] std::unique_ptr<fem::DirectSolver<double>> make_real(const fem::FactorRequest& request) const override {
    ++count;
    return fem::make_direct_solver<double>(request, fem::SolverMachine(1), comm::Communicator::self());
  }
  [[nodiscard]] std::unique_ptr<fem::DirectSolver<fem::Complex>> make_complex(
      const fem::FactorRequest& request) const override {
    ++count;
    return fem::make_direct_solver<fem::Complex>(request, fem::SolverMachine(1), comm::Communicator::self());
  }
  [[nodiscard]] std::string name() const override { return "a counter"; }
  mutable int count = 0;
};

constexpr const char* guide = R"(
mode: frequency-domain
mesh: {box: {size: [22.86 mm, 10.16 mm, 12 mm], cells: [4, 2, 2]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: pec}
ports:
  - {name: a, boundary: z0, type: rectangular-waveguide, excite: {}}
  - {name: b, boundary: z1, type: rectangular-waveguide}
method: {basis: mixed-1}
frequency: {values: [10 GHz]}
solver: {method: direct}
outputs: {s_parameters: {}}
)";

}  // namespace

TEST_CASE("mode frequency-domain makes its factors on the device that it is given, and only there") {
  if (!fem::has_direct_solver()) return;
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << guide;
  const Case given = read_case(directory / "case.yaml", {});
  const auto device = std::make_shared<CountingDevice>();
  const auto setup =
      modes::set_up_frequency_domain(given, directory / "mesh.h5", {{}, device}, comm::Communicator::self());
  const modes::TrialSolution trial = modes::try_highest_frequency(given, setup);
  CHECK(device->count == 1);
  CHECK(trial.record.residual.front() < 1e-12);
  CHECK(describe_solver(given.solver, setup.solver_machine().direct_solver()) == "direct by a counter");
}
