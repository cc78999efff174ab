// Assembly by the kernels of GPUs, for which the host's memory and cores stand.
#include "support/assembly_checks.hpp"
#include "support/host_assembly.hpp"

using namespace tetrawave_tests;

TEMPLATE_TEST_CASE("a device's matrices and pattern are those of the host", "", double, Complex) {
  const Problem<TestType> problem({3, 2, 4}, 0);
  const std::vector<std::int32_t> copies = problem.copies();
  ElementShapes shapes(problem.box.corners);
  shapes.copies = copies;
  for (const Space space : {Space::mixed_1, Space::mixed_2})
    compare<TestType>(HostAssemblyDevice(), number_unknowns(space, problem.box.vertices, problem.metal), shapes,
                      problem.walls(), {problem.coefficients, problem.kind, problem.factors()});
}
