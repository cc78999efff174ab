// The kernels of iterations on GPUs, run on the host's cores, against its own iteration.
#include "host/iteration_device.hpp"

#include "base/error.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "fem/device/row_orders.hpp"
#include "support/cell_array.hpp"
#include "support/iteration_checks.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEMPLATE_TEST_CASE("iterations by the kernels of devices are those of the host, preconditioner by preconditioner", "",
                   double, fem::Complex) {
  compare_iterations<TestType>(Grid{7, 6, 8}, host::make_iteration_device(2));
}

TEMPLATE_TEST_CASE("ghosts come before the rows that read them", "", double, fem::Complex) {
  compare_ghosts<TestType>(Grid{9, 8, 10}, host::make_iteration_device(2));
}

TEST_CASE("an iteration of a device that ends at its limit says what one of the host says") {
  compare_failures(Grid{9, 8, 11}, host::make_iteration_device(1));
}

TEMPLATE_TEST_CASE("p-multigrid by the kernels of devices is that of the host in the order of colours", "", double,
                   fem::Complex) {
  if (!fem::has_direct_solver()) return;
  compare_multigrid<TestType>(Grid{9, 7, 8}, host::make_iteration_device(2));
}

TEST_CASE("rows of a colour do not see each other, and every entry is on one side of its diagonal") {
  const CsrPattern pattern = make_pattern({6, 5, 4});
  std::vector<bool> rows(static_cast<std::size_t>(pattern.rows()), true);
  for (std::size_t row = 0; row < rows.size(); row += 3) rows[row] = false;
  const fem::device::Levels colours = fem::device::find_colours(pattern, rows);
  std::vector<int> colour(rows.size(), -1);
  for (std::size_t c = 0; c + 1 < colours.first.size(); ++c)
    for (auto k = colours.first[c]; k < colours.first[c + 1]; ++k)
      colour[static_cast<std::size_t>(colours.order[static_cast<std::size_t>(k)])] = static_cast<int>(c);
  const auto earlier = fem::device::split_by_colour(pattern, colours, true);
  const auto later = fem::device::split_by_colour(pattern, colours, false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK((colour[i] >= 0) == rows[i]);
    std::size_t before = 0, behind = 0;
    for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k) {
      const auto other = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
      if (!rows[i] || other == i) continue;
      CHECK(colour[other] != colour[i]);
      (colour[other] < colour[i] ? before : behind) += 1;
    }
    const auto length = [i](const auto& part) { return static_cast<std::size_t>(part.last[i] - part.first[i]); };
    CHECK(length(earlier) == before);
    CHECK(length(later) == behind);
    CHECK(earlier.first[i + 1] - earlier.last[i] == (rows[i] ? 1 : 0));
  }
}

TEMPLATE_TEST_CASE("factors in the order of a dissection are swept by the kernels of devices as on the host", "",
                   double, fem::Complex) {
  const Grid grid{13, 13, 13};
  const CsrPattern pattern = make_placed_pattern(grid);
  const auto spec = make_iteration_spec(Preconditioner::ilut, true, MatrixFormat::csr);
  const auto found = solve_systems<TestType>(grid, pattern, spec, 3, host::make_iteration_device(2));
  const auto expected = solve_systems<TestType>(grid, pattern, spec, 3, nullptr);
  for (const std::size_t k : {0, 1}) {
    CHECK(found.figures.iterations[k] > 1);
    CHECK(std::abs(found.figures.iterations[k] - expected.figures.iterations[k]) <= 1);
    CHECK(distance(found.x[k], expected.x[k]) < 1e-9);
  }
}

TEST_CASE("sweeps over levels of few rows are left to the host") {
  const CsrPattern chain = make_pattern({1, 1, 40}), box = make_pattern({6, 6, 6});  // 1 and 13 rows to a level
  const auto device = host::make_iteration_device(1, 10);
  const auto is_of_host = [&](const CsrPattern& pattern, Preconditioner preconditioner) {
    fem::IterationRequest request;
    request.pattern = &pattern;
    request.preconditioner = preconditioner;
    return dynamic_cast<fem::IterativeSolver<double>*>(device->make_real(request).get()) != nullptr;
  };
  CHECK(is_of_host(chain, Preconditioner::ssor));
  CHECK(is_of_host(chain, Preconditioner::ilu));
  CHECK(is_of_host(chain, Preconditioner::ilut));
  CHECK_FALSE(is_of_host(chain, Preconditioner::ssor_ai));
  CHECK_FALSE(is_of_host(box, Preconditioner::ssor));
  CHECK_FALSE(is_of_host(box, Preconditioner::ilut));
}

TEST_CASE("rows of a level have entries only in lower levels") {
  const CsrPattern pattern = make_pattern({7, 5, 6});
  for (const auto part : {fem::MatrixPart::lower, fem::MatrixPart::upper}) {
    const fem::device::Levels levels = fem::device::find_levels(pattern, part);
    CHECK(levels.first.size() == 7 + 5 + 6 - 3 + 2);  // planes x + y + z of a box
    std::vector<std::int32_t> level(levels.order.size(), -1);
    for (std::size_t l = 0; l + 1 < levels.first.size(); ++l)
      for (auto k = levels.first[l]; k < levels.first[l + 1]; ++k)
        level[static_cast<std::size_t>(levels.order[static_cast<std::size_t>(k)])] = static_cast<std::int32_t>(l);
    const auto ends = fem::find_row_ends(pattern, part);
    for (std::size_t i = 0; i < level.size(); ++i) {
      CHECK(level[i] >= 0);
      for (auto k = ends.begin[i]; k < ends.end[i]; ++k)
        CHECK(level[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])] < level[i]);
    }
  }
}

TEST_CASE("parts of an array precondition it where the vectors are") {
  if (!fem::has_direct_solver()) return;
  CellArray array({4, 3});
  const ArraySystem system(array);
  const fem::SolverMachine alone(2), on(2, nullptr, host::make_iteration_device(2));
  std::int64_t on_host = 0, on_device = 0;
  CHECK(system.solve(array, alone, on_host) < 1e-7);
  CHECK(system.solve(array, on, on_device) < 1e-7);
  CHECK(std::abs(on_device - on_host) <= 1);
  array.join_cells();
  CHECK(system.solve(array, on, on_device) < 1e-7);
  CHECK(on_device == 1);
}
