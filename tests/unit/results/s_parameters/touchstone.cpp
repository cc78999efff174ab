#include "results/s_parameters/touchstone.hpp"

#include <fstream>
#include <limits>
#include <sstream>

#include "base/text/format.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave::results;

namespace {

// S[i][j] = 10 i + j (from 1), imaginary part -1/4, at 1 and 2.5 GHz.
SParameters matrix(std::size_t ports) {
  SParameters s;
  s.frequency_hz = {1e9, 2.5e9};
  s.driven.assign(ports, true);
  s.values.resize(2 * ports * ports);
  for (std::size_t i = 0; i < ports; ++i) s.ports.push_back(tetrawave::format("p{}", i + 1));
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t i = 0; i < ports; ++i)
      for (std::size_t j = 0; j < ports; ++j) s.at(f, i, j) = {static_cast<double>(10 * (i + 1) + j + 1), -0.25};
  return s;
}

// The lines of the data as numbers, comments and options left out; the real parts only, after the frequency.
std::vector<std::vector<double>> data_rows(const std::string& text, const std::string& after) {
  std::istringstream lines(text.substr(text.find(after) + after.size()));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(lines, line) && line[0] != '[';) {
    std::istringstream words(line);
    rows.emplace_back();
    for (double x = 0; words >> x;)
      if (x != -0.25) rows.back().push_back(x);
  }
  return rows;
}

using Rows = std::vector<std::vector<double>>;
const std::string options = "# Hz S RI R 50\n";

}  // namespace

TEST_CASE("a file of one port has one pair a line") {
  CHECK(data_rows(touchstone_text(matrix(1), {50}), options) == Rows{{1e9, 11}, {2.5e9, 11}});
}

TEST_CASE("two ports stand in the order 11 21 12 22") {
  const std::string text = touchstone_text(matrix(2), {50, 50});
  CHECK(text.substr(0, text.find('\n')) == "! Tetrawave: S[i][j] = b_i/a_j, exp(+j omega t)");
  CHECK(data_rows(text, options) == Rows{{1e9, 11, 21, 12, 22}, {2.5e9, 11, 21, 12, 22}});
}

TEST_CASE("cautions are comments above the data") {
  SParameters s = matrix(1);
  s.cautions = {"at 1e+09 Hz the iteration has not converged"};
  const std::string text = touchstone_text(s, {50});
  CHECK(text.find("\n! Warning: at 1e+09 Hz the iteration has not converged\n") < text.find(options));
  CHECK(data_rows(text, options) == Rows{{1e9, 11}, {2.5e9, 11}});
}

TEST_CASE("three ports stand row by row") {
  const Rows rows = data_rows(touchstone_text(matrix(3), {50, 50, 50}), options);
  CHECK(rows == Rows{{1e9, 11, 12, 13}, {21, 22, 23}, {31, 32, 33}, {2.5e9, 11, 12, 13}, {21, 22, 23}, {31, 32, 33}});
}

TEST_CASE("of five ports a row starts a line, and a line holds four pairs") {
  const Rows rows = data_rows(touchstone_text(matrix(5), std::vector<double>(5, 50)), options);
  REQUIRE(rows.size() == 20);
  CHECK(rows[0] == std::vector<double>{1e9, 11, 12, 13, 14});
  CHECK(rows[1] == std::vector<double>{15});
  CHECK(rows[2] == std::vector<double>{21, 22, 23, 24});
  CHECK(rows[10] == std::vector<double>{2.5e9, 11, 12, 13, 14});
}

TEST_CASE("values keep their digits") {
  SParameters s = matrix(1);
  s.at(0, 0, 0) = {1.0 / 3, -2e-7 / 3};
  const std::string text = touchstone_text(s, {49.94});
  CHECK(text.find("\n1000000000 3.333333333333e-01 -6.666666666667e-08\n") != std::string::npos);
  CHECK(text.find("# Hz S RI R 49.94\n") != std::string::npos);
}

TEST_CASE("ports of different impedance need version 2") {
  const std::string text = touchstone_text(matrix(2), {50, 75});
  CHECK_FALSE(fits_touchstone_1(matrix(2), {50, 75}));
  CHECK(text.find("[Version] 2.0\n# Hz S RI R 50\n[Number of Ports] 2\n[Two-Port Data Order] 21_12\n"
                  "[Number of Frequencies] 2\n[Reference] 50 75\n[Network Data]\n") != std::string::npos);
  CHECK(data_rows(text, "[Network Data]\n") == Rows{{1e9, 11, 21, 12, 22}, {2.5e9, 11, 21, 12, 22}});
  CHECK(text.substr(text.size() - 6) == "[End]\n");
}

TEST_CASE("a port that was not driven needs version 2 and is told") {
  SParameters s = matrix(2);
  s.driven[1] = false;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t f = 0; f < 2; ++f) s.at(f, 0, 1) = s.at(f, 1, 1) = {nan, nan};
  const std::string text = touchstone_text(s, {50, 50});
  CHECK(text.find("! Port[2] = p2 (not driven: its column is nan)\n") != std::string::npos);
  CHECK(text.find("[Version] 2.0\n") != std::string::npos);
  CHECK(text.find(" 2.100000000000e+01 -2.500000000000e-01 nan nan nan nan\n") != std::string::npos);
}

TEST_CASE("the file's name tells the version and the number of ports") {
  tetrawave_tests::TemporaryDirectory directory;
  CHECK(write_touchstone(directory.path(), matrix(3), {50, 50, 50}) == directory / "sparameters.s3p");
  const auto file = write_touchstone(directory.path(), matrix(2), {50, 60});
  CHECK(file == directory / "sparameters.ts");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  CHECK(text.str() == touchstone_text(matrix(2), {50, 60}));
}

TEST_CASE("a directory that is not there is an input or output error") {
  tetrawave_tests::TemporaryDirectory directory;
  const auto failure =
      tetrawave_tests::catch_failure([&] { (void)write_touchstone(directory / "none", matrix(1), {50}); });
  CHECK(failure.code == ExitCode::io);
}
