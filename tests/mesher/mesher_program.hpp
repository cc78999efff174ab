// tetrawave-mesh run on texts that a test writes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mesh/make/child_process.hpp"
#include "temporary_directory.hpp"

namespace tetrawave_tests {

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs the tetrawave-mesh of this build.
inline tetrawave::ChildResult run_mesher_program(const std::vector<std::string>& arguments) {
  return tetrawave::run_child(std::filesystem::path(TETRAWAVE_BINARY_DIR) / "bin" / "tetrawave-mesh", arguments);
}

/// Two unit cubes side by side along x, "left" and "right"; face groups "ends" (x = 0 and 2), "sheet" (the face between
/// them) and "first" (x = 0 again); cells per edge as a parameter.
inline std::string make_two_cubes() {
  return "DefineConstant[ cells = 1, height = {1, Name \"Shape/Height\"} ];\n"
         "Point(1) = {0, 0, 0};\n"
         "line[] = Extrude {0, 1, 0} { Point{1}; Layers{cells}; };\n"
         "side[] = Extrude {0, 0, height} { Curve{line[1]}; Layers{cells}; };\n"
         "one[] = Extrude {1, 0, 0} { Surface{side[1]}; Layers{cells}; };\n"
         "two[] = Extrude {1, 0, 0} { Surface{one[0]}; Layers{cells}; };\n"
         "Point(1000) = {9, 9, 9};\n"
         "Physical Volume(\"right\", 20) = {two[1]};\n"
         "Physical Volume(\"left\", 10) = {one[1]};\n"
         "Physical Surface(\"ends\", 5) = {side[1], two[0]};\n"
         "Physical Surface(\"sheet\", 6) = {one[0]};\n"
         "Physical Surface(\"first\", 7) = {side[1]};\n";
}

}  // namespace tetrawave_tests
