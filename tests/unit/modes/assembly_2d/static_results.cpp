#include "modes/assembly_2d/results.hpp"

#include <fstream>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "statics/serial.hpp"
#include "store/hdf5.hpp"
#include "support/static_checks.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr const char* case_text = R"(
mode: assembly-2d
mesh: {rectangle: {size: [2, 1], cells: [4, 4]}}
materials: {glass: {eps_r: 3}}
regions: {rectangle: glass}
run: {threads: 3}
assembly_2d: {equation: electrostatic, algorithm: a-fem, potentials: {y0: 0, y1: 5}}
)";

fem::Solution solve(const fem::StaticProblem& problem, const fem::Coloring&, const fem::SolveOptions& options) {
  fem::Solution solution = fem::solve_serially(problem, adjacency_of(problem), options);
  solution.figures.threads = options.threads;
  return solution;
}

}  // namespace

TEST_CASE("figures of statics are data sets with units, and attributes of their group") {
  const TemporaryDirectory directory;
  const auto path = directory / "case.yaml";
  std::ofstream(path) << case_text;
  modes::run_assembly_2d(read_case(path, {}), {directory.path(), {}, solve, "cpu", {}, {}}, comm::Communicator::self());
  const store::File file = store::File::open(directory / "results.h5");
  CHECK(file.attribute<std::int64_t>("/", "threads") == 3);
  const std::map<std::string, std::string> figures = {
      {"seconds_mesh", "s"},      {"seconds_adjacency", "s"},   {"seconds_coloring", "s"},
      {"seconds_element", "s"},   {"seconds_convert", "s"},     {"seconds_solve", "s"},
      {"bytes_per_element", "B"}, {"energy_per_length", "J/m"}, {"capacitance_per_length", "F/m"}};
  for (const auto& [name, units] : figures) {
    INFO(name);
    CHECK(file.attribute<std::string>("/assembly_2d/" + name, "units") == units);
    CHECK(file.read<double>("/assembly_2d/" + name) == std::vector{file.attribute<double>("/assembly_2d", name)});
  }
  for (const std::string name : {"region_names", "charge_names", "region", "triangles", "color_sizes"}) {
    INFO(name);
    CHECK(file.attribute<std::string>("/assembly_2d/" + name, "units") == "1");
  }
  CHECK(file.read<std::int64_t>("/assembly_2d/iterations").at(0) > 0);
  CHECK(file.read<std::int64_t>("/assembly_2d/colors") == std::vector<std::int64_t>{0});
  const double farads_per_m = 8.8541878128e-12 * 3 * 2;  // a plate of 2 m, 1 m away
  CHECK(file.read<double>("/assembly_2d/capacitance_per_length").at(0) == Approx(farads_per_m).epsilon(1e-9).margin(0));
  CHECK(file.read<double>("/assembly_2d/energy_per_length").at(0) ==
        Approx(0.5 * farads_per_m * 25).epsilon(1e-9).margin(0));
}
