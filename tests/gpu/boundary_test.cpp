// The outer iteration of mode fe-iiee on the GPU against that of the host. Without a GPU the case says so and ends.
#include "cuda/direct/factor_device.hpp"
#include "cuda/iteration/iteration_device.hpp"
#include "cuda/launch/engine.hpp"
#include "cuda/pairs/pair_sums.hpp"
#include "gpu/gpu_is_here.hpp"
#include "support/boundary_checks.hpp"
#include "support/boundary_parts.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("boundary values that stay on the GPU give the fields of the host's iteration", "[cuda][boundary]") {
  if (!gpu_is_here() || !fem::has_direct_solver()) return;
  modes::FrequencyMachine machine;
  machine.iteration_device = cuda::make_iteration_device(0, 2);
  machine.make_pair_sums = [](int threads, const kernels::PairMapping& mapping, const comm::Communicator&) {
    return cuda::make_pair_sums(0, threads, mapping);
  };
  for (const bool has_factors : {false, true}) {
    machine.factor_device = has_factors ? cuda::find_factor_device(0, {2, 0}) : nullptr;
    if (has_factors && !machine.factor_device) WARN("cuDSS was not found: factors are those of MUMPS");
    check_boundary(*machine.iteration_device, machine.factor_device);
    for (const char* basis : {"mixed-1", "mixed-2"}) {
      compare_brick(brick_case(basis, ", tolerance: 1e-8", "method: direct"), machine);
      compare_brick(brick_case(basis, ", method: plain, iterations: 6", "method: direct"), machine);
    }
    compare_brick(brick_case("mixed-2", ", method: plain, iterations: 4", "method: direct", 18), machine);
    compare_brick(brick_case("mixed-2", ", tolerance: 1e-7, precision: mixed", "method: direct"), machine, 1e-6);
  }
}

TEST_CASE("boundary values on the first of several GPUs, with sums by all, give the fields of one rank",
          "[cuda][ranks]") {
  if (!gpu_is_here() || !fem::has_direct_solver()) return;
  const int device = cuda::device_of(comm::Communicator::world());
  modes::FrequencyMachine machine;
  machine.iteration_device = cuda::make_iteration_device(device, 2);
  machine.factor_device = cuda::find_factor_device(device, {2, 0});
  machine.make_pair_sums = [device](int threads, const kernels::PairMapping& mapping, const comm::Communicator&) {
    return cuda::make_pair_sums(device, threads, mapping);
  };
  compare_shared_brick({machine});
}
