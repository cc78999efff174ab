// The benchmark: its options, its timing, and a small table.
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/bench/bench_table.hpp"
#include "app/commands.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "modes/bench/bench_box.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("options of the benchmark are comma lists") {
  app::BenchTexts texts;
  texts.spaces = "full-2,mixed-1";
  texts.layouts = "stored";
  texts.precisions = "single,double";
  texts.orderings = "none,curve,parts,blocks";
  texts.elements = "6,1000";
  texts.threads = "1,2";
  texts.seconds = "0.25";
  texts.json = "figures.json";
  const app::BenchOptions options = app::parse_bench_options(texts);
  CHECK(options.schemes.empty());
  CHECK(options.spaces == std::vector<Space>{Space::full_2, Space::mixed_1});
  CHECK(options.layouts == std::vector<Layout>{Layout::stored});
  CHECK(options.precisions == std::vector<Precision>{Precision::single_precision, Precision::double_precision});
  CHECK(options.orderings.size() == 4);
  CHECK(options.elements == std::vector<std::int64_t>{6, 1000});
  CHECK(options.threads == std::vector<std::int64_t>{1, 2});
  CHECK(options.seconds == 0.25);
  CHECK(options.json == "figures.json");
}

TEST_CASE("wrong options of the benchmark are refused") {
  const auto refused = [](auto change) {
    app::BenchTexts texts;
    change(texts);
    const Failure failure = catch_failure([&] { app::parse_bench_options(texts); });
    CHECK(failure.code == ExitCode::usage);
    return failure.text;
  };
  CHECK_THAT(refused([](auto& t) { t.spaces = "full-1,"; }), ContainsSubstring("--space: unknown name ''"));
  CHECK_THAT(refused([](auto& t) { t.schemes = "dgtd-centrl"; }), ContainsSubstring("did you mean 'dgtd-central'?"));
  CHECK_THAT(refused([](auto& t) { t.elements = "1e6"; }), ContainsSubstring("found '1e6'"));
  CHECK_THAT(refused([](auto& t) { t.threads = "0"; }), ContainsSubstring("--threads: expected whole numbers"));
  CHECK_THAT(refused([](auto& t) { t.seconds = "nan"; }), ContainsSubstring("--seconds: expected a number"));
}

TEST_CASE("a batch is timed by its median, in multiples of the unit") {
  std::int64_t all = 0;
  const modes::StepTime time = modes::time_batches(0.1, 4, [&](std::int64_t count) {
    CHECK(count % 4 == 0);
    all += count;
    std::this_thread::sleep_for(std::chrono::microseconds(100 * count));
  });
  CHECK(time.fastest <= time.seconds);
  CHECK(time.seconds <= time.slowest);
  CHECK(time.fastest >= 1e-4);
  CHECK(time.steps < all);
}

TEST_CASE("a copy is said to be of the GPU or of so many threads") {
  CHECK(app::copier("cuda", 16) == "on the GPU");
  CHECK(app::copier("cpu", 16) == "with 16 CPU threads");
  CHECK(app::copier("cpu", 1) == "with 1 CPU thread");
}

TEST_CASE("the benchmark's table has a row for every method and size, with the bytes of its layout") {
  const TemporaryDirectory directory;
  app::CommandLine line;
  line.command = app::Command::bench;
  line.backend = app::BackendChoice::cpu;
  line.bench.schemes = {Scheme::dgtd_central};
  line.bench.spaces = {Space::full_1};
  line.bench.precisions = {Precision::double_precision};
  line.bench.elements = {48, 160};
  line.bench.threads = {1};
  line.bench.seconds = 0.01;
  line.bench.json = directory / "figures.json";
  app::run_bench(line, comm::Communicator::self());
  const auto json = nlohmann::json::parse(std::ifstream(directory / "figures.json"));
  REQUIRE(json.at("rows").size() == 4);
  CHECK(!json.at("machine").get<std::string>().empty());
  CHECK(json.at("date").get<std::string>().size() == 20);
  for (std::size_t r = 0; r < 4; ++r) {
    const auto& row = json.at("rows")[r];
    const std::int64_t elements = r % 2 == 0 ? 48 : 162;
    CHECK(row.at("layout") == (r < 2 ? "factored" : "stored"));
    CHECK(row.at("elements") == elements);
    CHECK(row.at("bytes_per_step") == elements * (r < 2 ? 712 : 9832));
    CHECK(row.at("seconds_per_step") > 0.0);
    const double rate = row.at("dof_updates_per_second");
    CHECK(rate * row.at("seconds_per_step").get<double>() == Approx(24.0 * static_cast<double>(elements)));
  }
}

namespace {

/// `tetrawave bench` of a box of a dispersive medium with an open wall.
app::CommandLine bench_of_case(const TemporaryDirectory& directory) {
  std::ofstream(directory / "case.yaml") << R"yaml(
mesh: {box: {size: [20 mm, 20 mm, 20 mm], cells: [2, 3, 2]}}
materials: {water: {eps_r: 2, sigma: 0.1 S/m, electric_dispersion: [{model: debye, eps_static: 4, tau: 20 ps}]}}
regions: {box: water}
boundaries: {absorbing: [x1], default: pec}
initial_fields: {E: ["0", "0", "sin(pi*x/0.02)"]}
method: {basis: mixed-1, scheme: dfdd-eld, local_time_stepping: {max_classes: 2}}
time: {steps: 10}
outputs: {probes: [{name: p, point: [5 mm, 5 mm, 5 mm]}]}
)yaml";
  app::CommandLine line;
  line.command = app::Command::bench;
  line.case_file = directory / "case.yaml";
  line.backend = app::BackendChoice::cpu;
  line.bench.threads = {1};
  line.bench.seconds = 0.01;
  line.bench.json = directory / "figures.json";
  return line;
}

}  // namespace

TEST_CASE("the benchmark of a case has its mesh and medium, and its method where no other is given") {
  const TemporaryDirectory directory;
  app::CommandLine line = bench_of_case(directory);
  app::run_bench(line, comm::Communicator::self());
  line.bench.schemes = {Scheme::dgtd_central};
  line.bench.layouts = {Layout::stored, Layout::factored};
  line.bench.orderings = {Ordering::none};
  const auto first = nlohmann::json::parse(std::ifstream(directory / "figures.json"));
  app::run_bench(line, comm::Communicator::self());
  const auto second = nlohmann::json::parse(std::ifstream(directory / "figures.json"));
  CHECK(first.at("case") == line.case_file.string());
  REQUIRE(first.at("rows").size() == 1);
  const auto& row = first.at("rows")[0];
  CHECK(row.at("scheme") == "dfdd-eld");
  CHECK(row.at("basis") == "mixed-1");
  CHECK(row.at("layout") == "factored");
  CHECK(row.at("ordering") == "blocks");
  CHECK(row.at("elements") == 72);
  REQUIRE(second.at("rows").size() == 2);
  for (const auto& other : second.at("rows")) {
    CHECK(other.at("scheme") == "dgtd-central");
    CHECK(other.at("ordering") == "none");
    CHECK(other.at("elements") == 72);
  }
}

TEST_CASE("the benchmark refuses what does not go with a case") {
  const TemporaryDirectory directory;
  const auto refused = [&](auto change) {
    app::CommandLine line = bench_of_case(directory);
    change(line);
    return catch_failure([&] { app::run_bench(line, comm::Communicator::self()); });
  };
  const Failure sizes = refused([](auto& line) { line.bench.elements = {48}; });
  CHECK(sizes.code == ExitCode::usage);
  CHECK_THAT(sizes.text, ContainsSubstring("--elements is the size of boxes"));
  const Failure parts = refused([](auto& line) {
    line.bench.schemes = {Scheme::dgtd_central};
    line.bench.split = true;
  });
  CHECK(parts.code == ExitCode::usage);
  CHECK_THAT(parts.text, ContainsSubstring("kernels of parts of DGTD-Central have walls of pec and pmc"));
  CHECK(refused([&](auto& line) { line.case_file = directory / "missing.yaml"; }).code == ExitCode::missing_input);
}
