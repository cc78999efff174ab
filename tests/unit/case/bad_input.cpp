// The catalogue of wrong cases: tests/bad_input/case/NAME.yaml with NAME.expected (exit code, then the exact text).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/read_case.hpp"
#include "catch.hpp"

namespace fs = std::filesystem;
using namespace tetrawave;

namespace {

const fs::path catalogue = fs::path(TETRAWAVE_SOURCE_DIR) / "tests/bad_input/case";

// Enters a directory and leaves it again, so that file names are short, as a user types them.
class InDirectory {
 public:
  explicit InDirectory(const fs::path& directory) : before_(fs::current_path()) { fs::current_path(directory); }
  ~InDirectory() { fs::current_path(before_); }
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;

 private:
  fs::path before_;
};

std::string read_all(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Lines "# --set a.b=c" at the start of a wrong case are its overrides.
std::vector<std::string> overrides_in(const std::string& text) {
  const std::string mark = "# --set ";
  std::vector<std::string> overrides;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line) && line.rfind(mark, 0) == 0;) {
    overrides.push_back(line.substr(mark.size()));
  }
  return overrides;
}

// Exit code and text as the catalogue writes them.
std::string outcome(const fs::path& file) {
  try {
    (void)read_case(file, overrides_in(read_all(file)));
  } catch (const UserError& error) {
    return std::to_string(static_cast<int>(error.code())) + "\n" + error.what() + "\n";
  }
  return "0\n";
}

std::vector<std::string> names_with(const std::string& suffix) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(catalogue)) {
    if (entry.path().extension() == suffix) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("every wrong case of the catalogue gets its exact message and exit code") {
  const InDirectory here(catalogue);
  const std::vector<std::string> names = names_with(".yaml");
  REQUIRE(names.size() > 100);
  CHECK(names == names_with(".expected"));
  for (const std::string& name : names) {
    INFO(name);
    CHECK(outcome(name + ".yaml") == read_all(name + ".expected"));
  }
}

TEST_CASE("a case file that is missing, a directory, or too large is refused") {
  const InDirectory here(catalogue);
  CHECK(outcome("no_such_case.yaml") == "66\nno_such_case.yaml: error: no such file\n");
  CHECK(outcome(".") == "66\n.: error: a directory was found, a case file is expected\n");
  const fs::path large = fs::temp_directory_path() / "tetrawave_large_case.yaml";
  std::ofstream(large) << std::string((std::size_t{1} << 20) + 1, '#');
  CHECK(outcome(large) ==
        "78\n" + large.string() + ": error: the file is larger than 1 MiB; a case is a few pages of text\n");
  fs::remove(large);
}
