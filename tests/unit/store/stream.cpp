#include "store/stream.hpp"

#include <array>
#include <fstream>

#include "catch.hpp"
#include "failure.hpp"
#include "small_disk.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

void write_rows(store::StreamWriter& writer, int rows) {
  for (int row = 0; row < rows; ++row) writer.append(std::array<double, 3>{row * 1.0, row * 2.0, row * 3.0});
}

}  // namespace

TEST_CASE("a stream gives back its columns and all its rows") {
  const TemporaryDirectory directory;
  store::StreamWriter writer(directory / "streams/probe.centre.stream", {"time", "E.x", "E.y"});
  write_rows(writer, 5000);
  writer.close();
  const store::StreamData data = store::read_stream(directory / "streams/probe.centre.stream");
  CHECK(data.columns == std::vector<std::string>{"time", "E.x", "E.y"});
  REQUIRE(data.row_count() == 5000);
  CHECK(data.at(4999, 2) == 3 * 4999.0);
  CHECK(data.column(1)[7] == 14);
}

TEST_CASE("what was flushed can be read while the stream is still written") {
  const TemporaryDirectory directory;
  store::StreamWriter writer(directory / "a.stream", {"a", "b", "c"});
  CHECK(store::read_stream(directory / "a.stream").row_count() == 0);
  write_rows(writer, 3);
  writer.sync();
  CHECK(store::read_stream(directory / "a.stream").row_count() == 3);
}

TEST_CASE("a torn last row is left out") {
  const TemporaryDirectory directory;
  store::StreamWriter writer(directory / "a.stream", {"a", "b", "c"});
  write_rows(writer, 3);
  writer.close();
  std::filesystem::resize_file(directory / "a.stream", std::filesystem::file_size(directory / "a.stream") - 5);
  const store::StreamData data = store::read_stream(directory / "a.stream");
  REQUIRE(data.row_count() == 2);
  CHECK(data.at(1, 2) == 3);
}

TEST_CASE("a missing, foreign or cut-off stream is refused") {
  const TemporaryDirectory directory;
  const auto read = [&](const char* name) {
    return catch_failure([&] { (void)store::read_stream(directory / name); });
  };
  CHECK_THAT(read("none.stream").text, ContainsSubstring("cannot open the stream"));
  std::ofstream(directory / "foreign.stream") << "time,E\n0,1\n2,3\n4,5\n6,7\n8,9\n";
  CHECK_THAT(read("foreign.stream").text, ContainsSubstring("not a stream of Tetrawave"));
  store::StreamWriter(directory / "cut.stream", {"a", "b"}).close();
  std::filesystem::resize_file(directory / "cut.stream", 26);
  CHECK_THAT(read("cut.stream").text, ContainsSubstring("header is cut off"));
}

TEST_CASE("a stream on a full disk is an error") {
  const TemporaryDirectory directory;
  const auto failure = catch_failure([&] {
    const tetrawave_tests::SmallDisk disk(4096);
    store::StreamWriter writer(directory / "a.stream", {"a", "b", "c"});
    write_rows(writer, 1000);
    writer.close();
  });
  CHECK(failure.code == ExitCode::io);
  CHECK_THAT(failure.text, ContainsSubstring("cannot write the file: File too large"));
}

TEST_CASE("a stream goes on where its mark was made, and drops what follows") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.stream";
  store::FileMark mark;
  {
    store::StreamWriter writer(path, {"a", "b", "c"});
    write_rows(writer, 10);
    writer.flush();
    mark = writer.mark("a.stream");
    CHECK(mark.bytes == static_cast<std::int64_t>(std::filesystem::file_size(path)));
    write_rows(writer, 5);
    writer.flush();
  }
  {
    store::StreamWriter writer(path, {"a", "b", "c"}, mark);
    CHECK(writer.mark("a.stream").hash == mark.hash);
    writer.append(std::array<double, 3>{7, 8, 9});
    writer.close();
    CHECK(store::fault_of(path, writer.mark("a.stream"), true).empty());
  }
  const store::StreamData data = store::read_stream(path);
  REQUIRE(data.row_count() == 11);
  CHECK(data.at(10, 2) == 9);
  CHECK(data.at(9, 1) == 18);
}

TEST_CASE("a stream that is not the one that was marked is refused") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.stream";
  store::StreamWriter writer(path, {"a", "b", "c"});
  write_rows(writer, 10);
  writer.flush();
  store::FileMark mark = writer.mark("a.stream");
  const auto reopen = [&] { store::StreamWriter(path, {"a", "b", "c"}, mark); };
  mark.hash ^= 1;
  CHECK(catch_failure(reopen).code == ExitCode::bad_checkpoint);
  mark = writer.mark("a.stream");
  mark.bytes += 8;
  CHECK(catch_failure(reopen).code == ExitCode::bad_checkpoint);
}
