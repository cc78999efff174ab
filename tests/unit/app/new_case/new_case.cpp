#include <fstream>
#include <iterator>

#include "app/commands.hpp"
#include "case/read_case.hpp"
#include "case_templates.hpp"
#include "catch.hpp"
#include "comm/communicator.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

app::CommandLine new_case(const std::string& kind, const std::filesystem::path& file) {
  app::CommandLine line;
  line.kind = kind;
  line.output = file;
  return line;
}

}  // namespace

TEST_CASE("every kind of new case is a case that can be read, and is never written over another") {
  const auto alone = comm::Communicator::self();
  for (const app::CaseTemplate& known : app::case_templates) {
    const TemporaryDirectory folder;
    const auto file = folder / "mine.yaml";
    app::write_new_case(new_case(std::string(known.kind), file), alone);
    const Case given = read_case(file, {});
    CHECK(given.file == file);
    CHECK(std::filesystem::exists(folder / "case.schema.json"));
    CHECK(std::filesystem::exists(folder / "mine.geo") == !known.geometry.empty());
    const auto failure = catch_failure([&] { app::write_new_case(new_case(std::string(known.kind), file), alone); });
    CHECK(failure.code == ExitCode::usage);
    CHECK_THAT(failure.text, ContainsSubstring("already exists"));
  }
}

TEST_CASE("a kind that does not exist is refused with the one that is meant") {
  const TemporaryDirectory folder;
  const auto failure =
      catch_failure([&] { app::write_new_case(new_case("antena", folder / "a.yaml"), comm::Communicator::self()); });
  CHECK(failure.code == ExitCode::usage);
  CHECK_THAT(failure.text, ContainsSubstring("did you mean 'antenna'?"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("the name of a new case ends in .yaml and its folder exists") {
  const TemporaryDirectory folder;
  const auto alone = comm::Communicator::self();
  CHECK(catch_failure([&] { app::write_new_case(new_case("antenna", folder / "a.txt"), alone); }).code ==
        ExitCode::usage);
  CHECK(catch_failure([&] { app::write_new_case(new_case("antenna", folder / "none/a.yaml"), alone); }).code ==
        ExitCode::missing_input);
}
