// The catalogue tests/bad_input/mesh: wrong inputs, each with its exit code and message.
#include <algorithm>
#include <sstream>

#include "catch.hpp"
#include "mesher/mesher_program.hpp"

using tetrawave::ChildResult;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

struct Expected {
  int exit_code = 0;
  std::string text;
  std::vector<std::string> options;
};

Expected read_expected(const std::filesystem::path& path) {
  std::ifstream file(path);
  Expected expected;
  std::string line;
  std::getline(file, line);
  expected.exit_code = std::stoi(line);
  std::getline(file, expected.text);
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) expected.options.push_back(word);
  return expected;
}

std::vector<std::filesystem::path> list_inputs() {
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(TETRAWAVE_SOURCE_DIR "/tests/bad_input/mesh"))
    if (entry.path().extension() == ".geo" || entry.path().extension() == ".msh") inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

}  // namespace

TEST_CASE("every wrong input gets its one line, its exit code and no mesh") {
  const TemporaryDirectory directory;
  const auto inputs = list_inputs();
  REQUIRE(inputs.size() > 15);
  for (const auto& input : inputs) {
    const Expected expected = read_expected(std::filesystem::path(input).replace_extension(".expected"));
    std::vector<std::string> arguments{input.string(), "-o", (directory / "m.h5").string()};
    arguments.insert(arguments.end(), expected.options.begin(), expected.options.end());
    const ChildResult result = tetrawave_tests::run_mesher_program(arguments);
    INFO(input << "\n" << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == expected.exit_code);
    const std::string folder = input.parent_path().string() + "/";
    CHECK_THAT(result.output, ContainsSubstring("tetrawave-mesh: error: " + folder + expected.text));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
    CHECK(std::filesystem::is_empty(directory.path()));
  }
}

TEST_CASE("wrong options are exit 64 and missing inputs exit 66") {
  const TemporaryDirectory directory;
  tetrawave_tests::write_text(directory / "a.geo", tetrawave_tests::make_two_cubes());
  const std::string input = (directory / "a.geo").string();
  const auto code = [&](std::vector<std::string> arguments) {
    return tetrawave_tests::run_mesher_program(arguments).exit_code;
  };
  CHECK(code({}) == 64);
  CHECK(code({input}) == 64);
  CHECK(code({input, "-o"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--order", "3"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--unit-m", "nan"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--size", "-1"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--set", "height"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--set", "a b=1"}) == 64);
  CHECK(code({input, "-o", "x.h5", "--colour", "red"}) == 64);
  CHECK(code({(directory / "none.geo").string(), "-o", "x.h5"}) == 66);
  CHECK(code({directory.path().string(), "-o", "x.h5"}) == 66);
  CHECK(code({"--help"}) == 0);
}

TEST_CASE("an output that cannot be written is exit 74") {
  const TemporaryDirectory directory;
  tetrawave_tests::write_text(directory / "a.geo", tetrawave_tests::make_two_cubes());
  const ChildResult result = tetrawave_tests::run_mesher_program(
      {(directory / "a.geo").string(), "-o", (directory / "no/such/folder/m.h5").string()});
  CHECK(result.exit_code == 74);
  CHECK_THAT(result.output, ContainsSubstring("No such file or directory"));
}
