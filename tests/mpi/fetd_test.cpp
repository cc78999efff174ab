#include "host/iteration_device.hpp"
#include "support/fetd_marches.hpp"
#include "support/host_assembly.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("a march of mode fetd over the kernels of a GPU, on the hosts of ranks, is that of their solver") {
  const auto assembly = std::make_shared<HostAssemblyDevice>();
  compare_shared_marches(
      {"ssor-ai"}, {Transport::automatic, Transport::ipc},
      [](Transport transport) { return host::make_iteration_device(1, 0, transport); }, assembly);
  CHECK(assembly->count == 8);  // masses and systems: three marches, the last steps of one again
}
