// Systems that ranks share out, assembled on the devices of ranks, for which their hosts stand.
#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "support/host_assembly.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("ranks that share a system solve what their devices assemble as what they assemble themselves") {
  const comm::Communicator world = comm::Communicator::world();
  const TemporaryDirectory directory;
  std::string mesh = (directory / "mesh.h5").string();
  std::vector<char> name(mesh.begin(), mesh.end());
  world.broadcast(name);
  mesh.assign(name.begin(), name.end());
  std::ofstream(directory / "case.yaml") << R"(
mode: frequency-domain
mesh: {box: {size: [22.86 mm, 10.16 mm, 20 mm], cells: [4, 2, 4]}}
materials: {wood: {eps_r: 2}}
regions: {box: wood}
boundaries: {absorbing: [z1], default: pec}
ports: [{name: a, boundary: z0, type: rectangular-waveguide, excite: {}}]
method: {basis: full-1}
frequency: {values: [9 GHz]}
solver: {method: bicgstab, ranks: system, tolerance: 1e-12}
outputs: {s_parameters: {}}
)";
  for (const char* method : {"bicgstab", "gmres", "direct"}) {
    if (method == std::string("direct") && !fem::has_direct_solver()) continue;
    INFO(method);
    const Case given = read_case(directory / "case.yaml", {std::string("solver.method=") + method});
    const auto solve = [&](std::shared_ptr<const fem::AssemblyDevice> device) {
      const auto setup =
          modes::set_up_frequency_domain(given, mesh, {{}, nullptr, {}, nullptr, std::move(device)}, world);
      fem::CsrMatrix<fem::Complex> matrix;
      setup.system->assemble(9e9, matrix);
      const auto sides = setup.system->right_hand_sides(9e9, modes::driven_sets(given));
      std::vector<std::vector<fem::Complex>> x(1, std::vector<fem::Complex>(sides.front().size()));
      (void)setup.shared_solver->solve(matrix, sides, x);
      return x.front();
    };
    const auto device = std::make_shared<HostAssemblyDevice>();
    const auto expected = solve(nullptr), found = solve(device);
    CHECK(device->count == 1);
    double apart = 0, largest = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      apart = std::max(apart, std::abs(found[k] - expected[k]));
      largest = std::max(largest, std::abs(expected[k]));
    }
    CHECK(largest > 0);
    CHECK(apart <= 1e-12 * largest);
    world.barrier();  // the mesh has been read
  }
}
