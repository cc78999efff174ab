#include "app/run/run_directory.hpp"

#include <fstream>

#include "app/run/temporary_directory.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave::app;
using tetrawave_tests::catch_failure;
namespace fs = std::filesystem;

TEST_CASE("a run is written beside the shell, named after its case, unless a directory is given") {
  CHECK(run_directory_of("/cases/patch.yaml", {}) == "patch.out");
  CHECK(run_directory_of("/cases/patch.yaml", fs::path("here")) == "here");
}

TEST_CASE("a case that proves wrong leaves nothing behind") {
  const tetrawave_tests::TemporaryDirectory folder;
  const fs::path out = folder / "deep/run";
  {
    const RunDirectory run(out, Earlier::refuse, {});
    std::ofstream(run.staging() / "mesh.h5") << "half";
    CHECK(fs::exists(out));
  }
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("staged files become those of the run when it begins, and a second run must be asked to replace them") {
  const tetrawave_tests::TemporaryDirectory folder;
  const fs::path out = folder / "run";
  {
    RunDirectory run(out, Earlier::refuse, {});
    std::ofstream(run.staging() / "mesh.h5") << "whole";
    run.begin();
    CHECK(fs::exists(out / "mesh.h5"));
    CHECK(fs::is_directory(out / "streams"));
    CHECK(catch_failure([&] { const RunDirectory other(out, Earlier::replace, {}); }).code == ExitCode::usage);
  }
  std::ofstream(out / "results.h5") << "results";
  CHECK(catch_failure([&] { const RunDirectory other(out, Earlier::refuse, {}); }).code == ExitCode::usage);
}

TEST_CASE("there is nothing to resume in a directory without a run, nor in a file") {
  const tetrawave_tests::TemporaryDirectory folder;
  CHECK(catch_failure([&] { const RunDirectory run(folder / "none", Earlier::resume, {}); }).code == ExitCode::usage);
  std::ofstream(folder / "file") << "text";
  CHECK(catch_failure([&] { const RunDirectory run(folder / "file", Earlier::refuse, {}); }).code == ExitCode::usage);
}

TEST_CASE("a temporary directory goes away with its files") {
  fs::path path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    std::ofstream(path / "file") << "text";
    CHECK(fs::exists(path / "file"));
  }
  CHECK_FALSE(fs::exists(path));
}
