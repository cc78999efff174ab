#include "store/checkpoint_folder.hpp"

#include <fstream>

#include "base/error.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "small_disk.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;
namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

store::Commit make_commit(std::int64_t number) {
  store::Commit commit;
  commit.number = number;
  commit.march = 1;
  commit.step = 12345678901;
  commit.time_s = 0.1;
  commit.dt_s = 1.0 / 3e12;
  commit.stable_step_s = 5e-324;
  commit.ranks = 3;
  commit.files = {{"rank-0000.h5", 7, 0xfedcba9876543210u}};
  commit.streams = {{"streams/p1/port-p1.stream", 24, 1}};
  commit.identity = {"a.b: \"quoted\" \\ text", "time.steps: 10"};
  commit.mesh_hash = 42;
  return commit;
}

void add(const store::CheckpointFolder& folder, std::int64_t number) {
  folder.begin(number);
  folder.commit(make_commit(number));
}

}  // namespace

TEST_CASE("a commit reads back to the last bit") {
  const TemporaryDirectory directory;
  const store::CheckpointFolder folder(directory / "checkpoint");
  add(folder, 123);
  CHECK(fs::exists(directory / "checkpoint/000123/COMMIT.json"));
  const store::Commit given = make_commit(123);
  const store::Commit found = store::read_commit(folder.path_of(123));
  CHECK(found.number == 123);
  CHECK(found.march == given.march);
  CHECK(found.step == given.step);
  CHECK(found.time_s == given.time_s);
  CHECK(found.dt_s == given.dt_s);
  CHECK(found.stable_step_s == given.stable_step_s);
  CHECK(found.ranks == 3);
  REQUIRE(found.files.size() == 1);
  CHECK(found.files[0].name == "rank-0000.h5");
  CHECK(found.files[0].bytes == 7);
  CHECK(found.files[0].hash == 0xfedcba9876543210u);
  CHECK(found.streams[0].name == "streams/p1/port-p1.stream");
  CHECK(found.identity == given.identity);
  CHECK(found.mesh_hash == 42);
}

TEST_CASE("any changed, missing or cut COMMIT.json is noticed") {
  const TemporaryDirectory directory;
  const store::CheckpointFolder folder(directory / "checkpoint");
  add(folder, 1);
  const fs::path path = folder.path_of(1) / "COMMIT.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto digit = text.find("12345678901");
  for (const std::string& changed :
       {text.substr(0, text.size() / 2), std::string(text).replace(digit, 1, "2"), std::string("{}"), std::string()}) {
    write_file(path, changed);
    const auto failure = catch_failure([&] { (void)store::read_commit(folder.path_of(1)); });
    CHECK(failure.code == ExitCode::bad_checkpoint);
    CHECK_THAT(failure.text, ContainsSubstring("damaged"));
  }
  fs::remove(path);
  CHECK_THAT(catch_failure([&] { (void)store::read_commit(folder.path_of(1)); }).text, ContainsSubstring("missing"));
}

TEST_CASE("checkpoints are listed newest first, half made ones are not, and the oldest go") {
  const TemporaryDirectory directory;
  const store::CheckpointFolder folder(directory / "checkpoint");
  CHECK(folder.list().empty());
  for (const std::int64_t number : {9, 10, 1000000, 11}) add(folder, number);
  folder.begin(12);
  CHECK(folder.list() == std::vector<std::int64_t>{1000000, 11, 10, 9});
  folder.keep_newest(2);
  CHECK(folder.list() == std::vector<std::int64_t>{1000000, 11});
  folder.set_aside(1000000);
  fs::create_directory(directory / "checkpoint/000003.old");
  folder.tidy();
  CHECK(folder.list() == std::vector<std::int64_t>{11});
  CHECK(std::distance(fs::directory_iterator(directory / "checkpoint"), {}) == 2);
}

TEST_CASE("a disk that is full while a checkpoint is committed leaves no checkpoint") {
  const TemporaryDirectory directory;
  const store::CheckpointFolder folder(directory / "checkpoint");
  add(folder, 1);
  folder.begin(2);
  {
    const tetrawave_tests::SmallDisk disk(100);
    CHECK(catch_failure([&] { folder.commit(make_commit(2)); }).code == ExitCode::io);
  }
  folder.drop_unfinished(2);
  CHECK(folder.list() == std::vector<std::int64_t>{1});
  CHECK(!fs::exists(folder.temporary_of(2)));
}

TEST_CASE("a mark knows its file again") {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  write_file(path, "0123456789");
  const store::FileMark mark = store::seal_file(path, "file");
  CHECK(mark.bytes == 10);
  CHECK(mark.hash == hash_of("0123456789"));
  CHECK(store::fault_of(path, mark, true).empty());
  write_file(path, "0123456789abc");
  CHECK(store::fault_of(path, mark, false).empty());
  CHECK_THAT(store::fault_of(path, mark, true), ContainsSubstring("damaged"));
  write_file(path, "0123456780");
  CHECK_THAT(store::fault_of(path, mark, false), ContainsSubstring("damaged"));
  write_file(path, "012345678");
  CHECK_THAT(store::fault_of(path, mark, false), ContainsSubstring("9 bytes of 10"));
  fs::remove(path);
  CHECK_THAT(store::fault_of(path, mark, false), ContainsSubstring("missing"));
}
