// Iterations on the GPU against those of the host. Without a GPU every case says so and ends.
#include "cuda/iteration/iteration_device.hpp"

#include "catch.hpp"
#include "cuda/assembly/assembly_device.hpp"
#include "cuda/direct/factor_device.hpp"
#include "cuda/launch/engine.hpp"
#include "fem/shared/shared_solver.hpp"
#include "gpu/gpu_is_here.hpp"
#include "gpu/transports.hpp"
#include "support/cell_array.hpp"
#include "support/fetd_marches.hpp"
#include "support/iteration_checks.hpp"
#include "support/system_part.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

DevicePointer find_iteration_device() { return gpu_is_here() ? cuda::make_iteration_device(0, 2, 0) : nullptr; }

}  // namespace

TEMPLATE_TEST_CASE("iterations on the GPU are those of the host, preconditioner by preconditioner", "[cuda][iteration]",
                   double, fem::Complex) {
  if (const auto device = find_iteration_device()) compare_iterations<TestType>(Grid{17, 16, 15}, device);
}

TEMPLATE_TEST_CASE("p-multigrid on the GPU is that of the host in the order of colours", "[cuda][iteration]", double,
                   fem::Complex) {
  if (!fem::has_direct_solver()) return;
  if (const auto device = find_iteration_device()) compare_multigrid<TestType>(Grid{17, 16, 15}, device);
}

TEMPLATE_TEST_CASE("systems of a few rows and of many levels are solved on the GPU", "[cuda][iteration]", double,
                   fem::Complex) {
  const auto device = find_iteration_device();
  if (!device) return;
  compare_iterations<TestType>(Grid{1, 1, 3}, device);
  compare_iterations<TestType>(Grid{2, 3, 300}, device);
}

TEST_CASE("levels of more rows than one block sweeps are swept by launches of their own", "[cuda][iteration]") {
  const auto device = find_iteration_device();
  if (!device) return;
  const Grid grid{60, 50, 40};
  const CsrPattern pattern = make_pattern(grid);
  for (const auto preconditioner : {Preconditioner::ssor, Preconditioner::ilu}) {
    const auto spec = make_iteration_spec(preconditioner, true, MatrixFormat::csr);
    const auto found = solve_systems<fem::Complex>(grid, pattern, spec, 3, device);
    const auto expected = solve_systems<fem::Complex>(grid, pattern, spec, 3, nullptr);
    for (const std::size_t k : {0, 1}) {
      CHECK(distance(found.x[k], expected.x[k]) < 1e-9);
      CHECK(std::abs(found.figures.iterations[k] - expected.figures.iterations[k]) <=
            2 + expected.figures.iterations[k] / 10);
    }
  }
}

TEMPLATE_TEST_CASE("own rows of a shared system are solved on the GPU", "[cuda][iteration]", double, fem::Complex) {
  using T = TestType;
  const auto device = find_iteration_device();
  if (!device) return;
  const Grid grid{17, 16, 15};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<T> matrix = make_helmholtz<T>(grid, pattern, 0.4);
  const std::vector<std::vector<T>> b{make_vector<T>(static_cast<std::size_t>(grid.points()), 5)};
  fem::SharedRows rows;
  rows.first = {0, grid.points()};
  for (std::int32_t i = 0; i < grid.points(); ++i) rows.number.push_back(i);
  for (const Preconditioner preconditioner : {Preconditioner::jacobi, Preconditioner::ssor_ai})
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
      for (const VectorExchange exchange : {VectorExchange::halo, VectorExchange::gather}) {
        SolverOptions spec = make_iteration_spec(preconditioner, true, format);
        spec.exchange = exchange;
        const auto solve = [&](const fem::SolverMachine& machine) {
          fem::SharedSolver<T> solver(spec, machine, pattern, fem::MatrixKind::symmetric, rows);
          std::vector<std::vector<T>> x(1, std::vector<T>(b.front().size(), T(0)));
          (void)solver.solve(matrix, b, x);
          return x.front();
        };
        CHECK(distance(solve(fem::SolverMachine(1, nullptr, device)), solve(fem::SolverMachine(1))) < 1e-7);
      }
}

TEMPLATE_TEST_CASE("rows that ranks share out are solved on GPUs over every transport, to the last bit alike",
                   "[cuda][ranks]", double, fem::Complex) {
  using T = TestType;
  if (!gpu_is_here()) return;
  const comm::Communicator world = comm::Communicator::world();
  const auto transports = find_quick_transports(world);
  const bool nccl = has_nccl(world);
  CHECK_FALSE(transports.empty());
  const SystemPart<T> part(Grid{33, 32, 31}, 0.4);
  const int device = cuda::device_of(world);
  for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor_ai})
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
      SolverOptions spec = make_iteration_spec(preconditioner, true, format);
      const auto solve = [&](const fem::SolverMachine& machine, std::int64_t& iterations) {
        fem::SharedSolver<T> solver(spec, machine, part.pattern, fem::MatrixKind::symmetric, part.rows);
        std::vector<std::vector<T>> x(2, std::vector<T>(part.b.size(), T(0)));
        iterations = solver.solve(part.matrix, {part.b, part.b}, x).iterations.front();
        CHECK(x[1] == x[0]);
        return x.front();
      };
      std::int64_t of_host = 0;
      const std::vector<T> expected = solve(fem::SolverMachine(1), of_host);
      std::vector<T> first;
      std::vector<Transport> some = transports;
      if (preconditioner == Preconditioner::ssor_ai && nccl) some.push_back(Transport::nccl);  // it takes long to open
      for (const Transport transport : some) {
        for (const VectorExchange exchange : {VectorExchange::halo, VectorExchange::gather}) {
          INFO(name_of(preconditioner) << ", " << name_of(format) << ", " << name_of(transport) << ", "
                                       << name_of(exchange));
          spec.exchange = exchange;
          std::int64_t iterations = 0;
          const std::vector<T> found =
              solve(fem::SolverMachine(1, nullptr, cuda::make_iteration_device(device, 1, 0, transport)), iterations);
          CHECK(distance(found, expected) < 1e-8);
          CHECK(std::abs(iterations - of_host) <= 2 + of_host / 4);
          if (first.empty()) first = found;
          CHECK(found == first);
        }
        spec.exchange = VectorExchange::halo;
      }
    }
}

TEMPLATE_TEST_CASE("rows of ranks that share one GPU are solved over its memory as over the host's", "[cuda][ranks]",
                   double, fem::Complex) {
  using T = TestType;
  if (!gpu_is_here()) return;
  const SystemPart<T> part(Grid{9, 8, 11}, 0.4);
  SolverOptions spec = make_iteration_spec(Preconditioner::ssor_ai, true, MatrixFormat::csr);
  spec.tolerance = 1e-4;  // their waits are slices of the GPU's time
  std::vector<std::vector<T>> x;
  for (const Transport transport : {Transport::page_locked, Transport::ipc}) {
    const fem::SolverMachine machine(1, nullptr, cuda::make_iteration_device(0, 1, 0, transport));
    fem::SharedSolver<T> solver(spec, machine, part.pattern, fem::MatrixKind::symmetric, part.rows);
    std::vector<std::vector<T>> found(1, std::vector<T>(part.b.size(), T(0)));
    CHECK(solver.solve(part.matrix, {part.b}, found).iterations.front() > 3);
    x.push_back(found.front());
  }
  CHECK(x[1] == x[0]);
  if (fem::has_direct_solver()) CHECK(part.distance_to(part.solution(0.4), x[0]) < 1e-3);
}

TEST_CASE("a march of mode fetd over GPUs of ranks is that of their hosts", "[cuda][ranks]") {
  if (!gpu_is_here()) return;
  const comm::Communicator world = comm::Communicator::world();
  compare_shared_marches(
      {"jacobi", "ssor-ai"}, find_quick_transports(world),
      [&world](Transport transport) { return cuda::make_iteration_device(cuda::device_of(world), 1, 0, transport); },
      cuda::make_assembly_device(cuda::device_of(world), 1));
}

TEMPLATE_TEST_CASE("ghosts come on the GPU before the rows that read them", "[cuda][iteration]", double, fem::Complex) {
  if (const auto device = find_iteration_device()) compare_ghosts<TestType>(Grid{33, 32, 31}, device);
}

TEST_CASE("an iteration on the GPU that ends at its limit says what one of the host says", "[cuda][iteration]") {
  if (const auto device = find_iteration_device()) compare_failures(Grid{9, 8, 11}, device);
}

TEST_CASE("a march of mode fetd on the GPU is that of the host, and goes on from a state to the last bit",
          "[cuda][iteration]") {
  if (const auto device = find_iteration_device()) compare_iterated_marches(device, cuda::make_assembly_device(0, 2));
}

TEST_CASE("a march of mode fetd with factors of the GPU is that of iterations on the host", "[cuda][iteration]") {
  const auto device = find_iteration_device();
  const auto factors = device ? cuda::find_factor_device(0, {2, 0}) : nullptr;
  if (!factors) return;
  const Marched expected = march_case(guide("full-1", "method: bicgstab, preconditioner: jacobi, tolerance: 1e-13"),
                                      modes::implicit_stepping(nullptr, nullptr));
  for (const bool mixed : {false, true}) {  // the latter solves beside vectors of the host
    const Marched found =
        march_case(guide("full-1", std::string("method: direct, precision: ") + (mixed ? "mixed" : "double")),
                   modes::implicit_stepping(factors, device, cuda::make_assembly_device(0, 2)));
    CHECK(difference(found.record, expected.record) < 1e-9);
    CHECK(difference(found.electric, expected.electric) < 1e-9);
    CHECK(difference(found.magnetic, expected.magnetic) < 1e-9);
  }
}

TEST_CASE("parts of an array precondition it on the GPU, with factors there", "[cuda][iteration]") {
  const auto device = find_iteration_device();
  if (!device) return;
  const auto factors = cuda::find_factor_device(0, {2, 0});
  if (!factors) {
    WARN("not run: " + cuda::describe_factor_library());
    return;
  }
  for (const Space space : {Space::mixed_1, Space::mixed_2}) {
    const CellArray array({5, 4}, space);
    const ArraySystem system(array);
    std::int64_t iterations = 0, of_host = 0;
    CHECK(system.solve(array, fem::SolverMachine(2, factors, device), iterations) < 1e-7);
    CHECK(system.solve(array, fem::SolverMachine(2, factors), of_host) < 1e-7);
    CHECK(iterations < 40);
    CHECK(std::abs(iterations - of_host) <= 1);
  }
}
