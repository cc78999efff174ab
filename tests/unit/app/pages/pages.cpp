#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/commands.hpp"
#include "catch.hpp"
#include "comm/communicator.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::TemporaryDirectory;

namespace {

/// Stands in for the program that writes pages: keeps its arguments in a file, then ends with `exit_code`.
class PageWriter {
 public:
  explicit PageWriter(int exit_code) {
    std::ofstream(program()) << "#!/bin/sh\nprintf '%s|' \"$@\" > " << (folder_ / "arguments").string()
                             << "\necho what it says\nexit " << exit_code << "\n";
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    ::setenv("TETRAWAVE_REPORT", program().c_str(), 1);
  }
  PageWriter(const PageWriter&) = delete;
  PageWriter& operator=(const PageWriter&) = delete;
  ~PageWriter() { ::unsetenv("TETRAWAVE_REPORT"); }

  [[nodiscard]] std::filesystem::path program() const { return folder_ / "writer"; }
  [[nodiscard]] std::string arguments() const {
    std::ifstream stream(folder_ / "arguments");
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("a report passes its runs and its output on to the page writer") {
  const PageWriter writer(0);
  app::CommandLine line;
  line.runs = {"a.out", "b.out"};
  line.no_forecast = true;
  line.output = "page.html";
  app::write_report(line, comm::Communicator::self());
  CHECK(writer.arguments() == "report|a.out|b.out|--no-forecast|-o|page.html|");
}

TEST_CASE("an inspection passes the case and its overrides on") {
  const PageWriter writer(0);
  app::CommandLine line;
  line.case_file = "case.yaml";
  line.overrides = {"method.cfl=0.5"};
  app::inspect_case(line, comm::Communicator::self());
  CHECK(writer.arguments() == "inspect|case.yaml|--set|method.cfl=0.5|");
}

TEST_CASE("a failure of the page writer ends with its exit code and what it said") {
  const PageWriter writer(static_cast<int>(ExitCode::missing_input));
  app::CommandLine line;
  line.runs = {"a.out"};
  const auto failure = catch_failure([&] { app::write_report(line, comm::Communicator::self()); });
  CHECK(failure.code == ExitCode::missing_input);
  CHECK(failure.text == "what it says");
}

TEST_CASE("a page writer that is no program is refused by its name") {
  ::setenv("TETRAWAVE_REPORT", "/nonexistent/writer", 1);
  const auto failure = catch_failure([] { app::write_report({}, comm::Communicator::self()); });
  ::unsetenv("TETRAWAVE_REPORT");
  CHECK(failure.code == ExitCode::unavailable);
  CHECK(failure.text == "TETRAWAVE_REPORT names /nonexistent/writer, which is not a program");
}
