#include "host/iteration_device.hpp"
#include "support/fetd_marches.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("a march of mode fetd over the kernels of a GPU, on the hosts of ranks, is that of their solver") {
  compare_shared_marches({"ssor-ai"}, {Transport::automatic, Transport::ipc},
                         [](Transport transport) { return host::make_iteration_device(1, 0, transport); });
}
