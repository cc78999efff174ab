#include "app/help/grammar.hpp"

#include <sstream>

#include "app/help/case_kinds.hpp"
#include "app/help/completion.hpp"
#include "app/help/man_page.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using namespace tetrawave::app;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

/// One command with a flag, an option of words, one of a folder, and a file.
struct SmallProgram {
  CLI::App app{"about the program", "tetrawave"};
  bool loud = false;
  std::string choice, folder, file;

  SmallProgram() {
    CLI::App* command = app.add_subcommand("paint", "paint a case");
    command->add_flag("--loud,-l", loud, "with noise");
    command->add_option("--colour", choice, "of the paint")->type_name("red|green");
    command->add_option("-o,--output", folder, "where to")->type_name("DIR");
    command->add_option("case", file, "what to paint")->type_name("FILE");
  }
};

}  // namespace

TEST_CASE("the values of an option are read from its type name") {
  SmallProgram program;
  const auto commands = commands_of(program.app);
  REQUIRE(commands.size() == 1);
  const CLI::App& paint = *commands[0];
  CHECK(value_of(*paint.get_option("--loud")).kind == ValueKind::none);
  const Value colour = value_of(*paint.get_option("--colour"));
  CHECK(colour.kind == ValueKind::words);
  CHECK(colour.words == std::vector<std::string>{"red", "green"});
  CHECK(value_of(*paint.get_option("--output")).kind == ValueKind::folder);
  REQUIRE(positionals_of(paint).size() == 1);
  CHECK(value_of(*positionals_of(paint)[0]).kind == ValueKind::file);
  CHECK(names_of(*positionals_of(paint)[0]).empty());
}

TEST_CASE("completion offers commands and words in every shell, and refuses a shell that it does not know") {
  SmallProgram program;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(program.app, shell);
    for (const char* word : {"paint", "loud", "colour", "red", "green"}) CHECK_THAT(script, ContainsSubstring(word));
  }
  CHECK(catch_failure([&] { (void)completion_script(program.app, "csh"); }).code == ExitCode::usage);
}

TEST_CASE("the manual page has every command and option, and no line that troff takes for an unknown macro") {
  SmallProgram program;
  const std::string page = man_page(program.app, "1.2.3");
  CHECK_THAT(page, ContainsSubstring("paint"));
  CHECK_THAT(page, ContainsSubstring("1.2.3"));
  CHECK_THAT(page, ContainsSubstring("of the paint"));
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] == '.') CHECK(line.size() > 1);
}

TEST_CASE("kinds of new cases are listed with what stands between them") {
  const std::string with_commas = case_kinds(", "), with_bars = case_kinds("|");
  CHECK_THAT(with_commas, ContainsSubstring("antenna"));
  const auto count = [](const std::string& text, char c) { return std::count(text.begin(), text.end(), c); };
  CHECK(count(with_commas, ',') == count(with_bars, '|'));
}
