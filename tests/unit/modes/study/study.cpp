#include "modes/study/study.hpp"

#include <fstream>
#include <sstream>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "modes/study/study_table.hpp"
#include "statics/serial.hpp"
#include "store/hdf5.hpp"
#include "support/static_checks.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr const char* case_text = R"(
mode: assembly-2d
mesh: {rectangle: {size: [1, 1], cells: [6, 6]}}
materials: {air: {}}
regions: {rectangle: air}
assembly_2d:
  equation: electrostatic
  potentials: {x0: 0, x1: 5}
  compare_to_serial: true
study:
  vary:
    mesh.rectangle.cells: [[4, 4], [8, 6]]
    assembly_2d.algorithm: [serial, ebe-v1]
)";

/// Any solver will do here: the serial one.
fem::Solution solve(const fem::StaticProblem& problem, const fem::Coloring&, const fem::SolveOptions& options) {
  return fem::solve_serially(problem, adjacency_of(problem), options);
}

struct Study {
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "case.yaml";

  explicit Study(const std::string& text = case_text) { std::ofstream(file) << text; }

  [[nodiscard]] std::vector<modes::StudyRun> list(const std::vector<std::string>& overrides = {}) const {
    return modes::list_study_runs(file, overrides, read_case(file, overrides));
  }
  void run(const std::vector<std::string>& overrides = {}) const {
    modes::run_study(read_case(file, overrides), list(overrides), {directory.path(), solve, "cpu", {}});
  }
};

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a study runs every combination, the last key first") {
  const Study study;
  const auto runs = study.list();
  REQUIRE(runs.size() == 4);
  CHECK(runs[1].values == std::vector<std::string>{"[4, 4]", "ebe-v1"});
  CHECK(runs[2].values == std::vector<std::string>{"[8, 6]", "serial"});
  CHECK(std::get<RectangleMesh>(runs[2].given.mesh).cells == std::array<std::int64_t, 2>{8, 6});
  CHECK(runs[3].given.assembly_2d.algorithm == Algorithm2D::ebe_v1);
  CHECK(runs[3].given.assembly_2d.coloring == ColoringMethod::ofcm);  // a default of the algorithm
  CHECK(study.list({"assembly_2d.order=2"})[0].given.assembly_2d.order == 2);
}

TEST_CASE("the table of a study is written as CSV and HDF5") {
  const Study study;
  study.run();
  const store::File file = store::File::open(study.directory / "study.h5");
  CHECK(file.read<double>("/study/elements") == std::vector<double>{32, 32, 96, 96});
  CHECK(file.read<std::string>("/study/algorithm") == std::vector<std::string>{"serial", "ebe-v1", "serial", "ebe-v1"});
  CHECK(file.read<std::string>("/study/coloring") == std::vector<std::string>{"none", "ofcm", "none", "ofcm"});
  for (const double capacitance : file.read<double>("/study/capacitance_per_length"))
    CHECK(capacitance == Approx(8.8541878128e-12).epsilon(1e-9).margin(0));
  for (const double difference : file.read<double>("/study/difference_to_serial")) CHECK(difference < 1e-10);
  const std::string csv = read_all(study.directory / "study.csv");
  CHECK_THAT(csv, ContainsSubstring("mesh.rectangle.cells,assembly_2d.algorithm,algorithm,coloring,order,backend"));
  CHECK_THAT(csv, ContainsSubstring("\n\"[8, 6]\",ebe-v1,ebe-v1,ofcm,1,cpu,96,63,"));
}

TEST_CASE("a run that does not converge leaves its row, and the study goes on") {
  const Study study;
  const auto failure = catch_failure([&] {
    study.run({"assembly_2d.max_iterations=5", "assembly_2d.compare_to_serial=false"});
  });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, ContainsSubstring("2 of 4 runs of the study did not converge"));
  const store::File file = store::File::open(study.directory / "study.h5");
  CHECK(file.read<double>("/study/elements")[0] == 32);
  CHECK(std::isnan(file.read<double>("/study/elements")[2]));
  CHECK_THAT(file.read<std::string>("/study/error")[2], ContainsSubstring("no convergence"));
  CHECK(file.read<std::string>("/study/error")[0].empty());
}

TEST_CASE("texts with commas and quotes are quoted in CSV, numbers that are not there left out") {
  modes::StudyTable table;
  table.add_row({{"a,b", std::string("say \"x\"")}, {"n", 0.1}});
  table.add_row({{"a,b", std::string("plain")}, {"n", std::numeric_limits<double>::quiet_NaN()}});
  CHECK(table.csv() == "\"a,b\",n\n\"say \"\"x\"\"\",0.1\nplain,\n");
  CHECK_THROWS_AS(table.add_row({{"n", 1.0}, {"a,b", 1.0}}), InternalError);
}
