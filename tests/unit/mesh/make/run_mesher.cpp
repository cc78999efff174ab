#include "mesh/make/run_mesher.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/make/child_process.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

// An environment variable, set while this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::filesystem::path write_script(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

MeshInput make_spec() {
  MeshInput spec;
  spec.file = "/cases/line.geo";
  spec.place.text = "case.yaml:4:9";
  return spec;
}

}  // namespace

TEST_CASE("the mesher gets its arguments as a list, lengths in the unit of the case") {
  const TemporaryDirectory directory;
  const Variable mesher("TETRAWAVE_MESHER", write_script(directory / "mesher", "printf '%s\\n' \"$@\" > \"$3\"\n"));
  MeshInput spec = make_spec();
  spec.file = "/cases/a line; touch x.geo";
  spec.parameters = {{"gap", 1.5}, {"width", -2}};
  spec.size_m = 0.5e-3;
  spec.order = 2;
  run_mesher(spec, 1e-3, directory / "mesh.h5");
  std::ifstream file(directory / "mesh.h5");
  const std::string arguments{std::istreambuf_iterator<char>(file), {}};
  CHECK(arguments == "/cases/a line; touch x.geo\n-o\n" + (directory / "mesh.h5").string() +
                         "\n--unit-m\n0.001\n--order\n2\n--size\n0.5\n--set\ngap=1.5\n--set\nwidth=-2\n");
}

TEST_CASE("an error of the mesher keeps its exit code and gets the place in the case") {
  const TemporaryDirectory directory;
  const Variable mesher("TETRAWAVE_MESHER",
                        write_script(directory / "mesher",
                                     "echo noise\necho 'tetrawave-mesh: error: line.geo: no volumes' >&2\nexit 78\n"));
  const auto failure = catch_failure([&] { run_mesher(make_spec(), 1, directory / "mesh.h5"); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(failure.text == "case.yaml:4:9: error: line.geo: no volumes");
}

TEST_CASE("a mesher that the system cannot load or that is killed is reported") {
  const TemporaryDirectory directory;
  write_script(directory / "broken", "echo 'libgmsh.so.4.8: cannot open shared object file' >&2\nexit 127\n");
  write_script(directory / "killed", "kill -9 $$\n");
  const auto run = [&](const char* name) {
    const Variable mesher("TETRAWAVE_MESHER", (directory / name).string());
    return catch_failure([&] { run_mesher(make_spec(), 1, directory / "mesh.h5"); });
  };
  CHECK(run("broken").code == ExitCode::unavailable);
  CHECK_THAT(run("broken").text, ContainsSubstring("libgmsh.so.4.8: cannot open shared object file"));
  CHECK(run("killed").code == ExitCode::internal);
  CHECK_THAT(run("killed").text, ContainsSubstring("ended by signal 9 (out of memory?)"));
}

TEST_CASE("a mesher that is named but not there is exit 69") {
  const Variable mesher("TETRAWAVE_MESHER", "/no/such/mesher");
  const auto failure = catch_failure([] { run_mesher(make_spec(), 1, "mesh.h5"); });
  CHECK(failure.code == ExitCode::unavailable);
  CHECK(failure.text == "case.yaml:4:9: error: TETRAWAVE_MESHER names /no/such/mesher, which is not a program");
}

TEST_CASE("the launcher's variables do not reach a child, the others do") {
  const TemporaryDirectory directory;
  const Variable rank("OMPI_COMM_WORLD_RANK", "1");
  const Variable pmix("PMIX_RANK", "1");
  const Variable slurm("SLURM_STEP_ID", "0");
  const Variable job("SLURM_JOB_ID", "17");
  const ChildResult result = run_child(write_script(directory / "show", "env\nread line || echo 'no input'\n"), {});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, !ContainsSubstring("OMPI_"));
  CHECK_THAT(result.output, !ContainsSubstring("PMIX_"));
  CHECK_THAT(result.output, !ContainsSubstring("SLURM_STEP"));
  CHECK_THAT(result.output, ContainsSubstring("SLURM_JOB_ID=17"));
  CHECK_THAT(result.output, ContainsSubstring("no input"));
}

TEST_CASE("a program that does not exist cannot be started") {
  const auto failure = catch_failure([] { (void)run_child("/no/such/program", {}); });
  CHECK(failure.code == ExitCode::unavailable);
  CHECK_THAT(failure.text, ContainsSubstring("cannot start /no/such/program: No such file or directory"));
}
