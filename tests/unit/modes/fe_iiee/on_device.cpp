// The outer iteration with everything but the solutions on a device: its kernels on the host's cores.
#include "host/iteration_device.hpp"
#include "support/boundary_checks.hpp"
#include "support/boundary_parts.hpp"
#include "support/resident_mumps.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

modes::FrequencyMachine machine_with(std::shared_ptr<const fem::FactorDevice> factors, bool has_resident_sums) {
  modes::FrequencyMachine machine;
  machine.factor_device = std::move(factors);
  machine.iteration_device = host::make_iteration_device(2);
  if (has_resident_sums)
    machine.make_pair_sums = [](int, const kernels::PairMapping&, const comm::Communicator&) {
      return std::make_unique<ResidentHostSums>();
    };
  return machine;
}

}  // namespace

TEST_CASE("boundary values that stay on a device give the fields of the host's iteration") {
  if (!fem::has_direct_solver()) return;
  for (const bool is_plain : {false, true})
    for (const char* basis : {"mixed-1", "mixed-2"}) {
      const std::string iiee = is_plain ? ", method: plain, iterations: 6" : ", tolerance: 1e-8";
      const std::string text = brick_case(basis, iiee, "method: direct");
      compare_brick(text, machine_with(nullptr, false));
      const auto factors = std::make_shared<ResidentDevice>();
      const int before = ResidentHostSums::sums;
      compare_brick(text, machine_with(factors, true));
      const int sums = ResidentHostSums::sums - before;
      CHECK(sums > 3);
      // The inverse of the surface's mass; a solution before each sum, refined at this tolerance; at the end one with
      // the drive, refined.
      CHECK(factors->solves == 1 + (is_plain ? 1 : 2) * sums + 2);
    }
}

TEST_CASE("boundary values stay on a device with iterative solvers and with single sums, too") {
  compare_brick(brick_case("mixed-1", ", tolerance: 1e-6", "method: bicgstab, tolerance: 1e-12"),
                machine_with(nullptr, true));
  if (!fem::has_direct_solver()) return;
  const std::string mixed = brick_case("mixed-2", ", tolerance: 1e-7, precision: mixed", "method: direct");
  compare_brick(mixed, machine_with(std::make_shared<ResidentDevice>(), true), 1e-6);
}

TEST_CASE("blocks of boundary values on a device, right-hand sides and sources are those of their formulas") {
  if (!fem::has_direct_solver()) return;
  for (const auto& factors : {std::shared_ptr<ResidentDevice>(), std::make_shared<ResidentDevice>()})
    check_boundary(*host::make_iteration_device(2), factors);
  compare_brick(brick_case("mixed-2", ", method: plain, iterations: 4", "method: direct", 18),
                machine_with(std::make_shared<ResidentDevice>(), true));
}
