#include "store/atomic_file.hpp"

#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "failure.hpp"
#include "small_disk.hpp"
#include "store/hdf5.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::TemporaryDirectory;

namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a committed file replaces the old one and leaves nothing beside it") {
  const TemporaryDirectory directory;
  store::write_text_atomically(directory / "case.yaml", "old");
  store::write_text_atomically(directory / "case.yaml", "new");
  CHECK(read_text(directory / "case.yaml") == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("a failure while writing leaves the old file and removes the unfinished one") {
  const TemporaryDirectory directory;
  store::write_text_atomically(directory / "results.h5", "old");
  const auto failure = catch_failure([&] {
    store::write_atomically(directory / "results.h5", [](const std::filesystem::path& temporary) {
      std::ofstream(temporary) << "half";
      fail(ExitCode::io, "disk full");
    });
  });
  CHECK(failure.text == "disk full");
  CHECK(read_text(directory / "results.h5") == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("a full disk leaves the old results as they were") {
  const TemporaryDirectory directory;
  store::write_text_atomically(directory / "results.h5", "old");
  const std::vector<double> many(100000, 1.0);
  const auto failure = catch_failure([&] {
    const tetrawave_tests::SmallDisk disk(64 * 1024);
    store::write_atomically(directory / "results.h5", [&](const std::filesystem::path& temporary) {
      store::File file = store::File::create(temporary);
      file.write("/many", many);
      file.close();
    });
  });
  CHECK(failure.code == ExitCode::io);
  CHECK(read_text(directory / "results.h5") == "old");
  CHECK_FALSE(std::filesystem::exists(directory / "results.h5.tmp"));
}

TEST_CASE("a target that cannot be replaced is an error") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "taken");
  CHECK(catch_failure([&] { store::write_text_atomically(directory / "taken", "x"); }).code == ExitCode::io);
  CHECK(catch_failure([&] { store::write_text_atomically(directory / "none/x", "x"); }).code == ExitCode::io);
}
