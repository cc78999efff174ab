// The command line of tetrawave-mesh.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tetrawave::mesher {

struct Options {
  std::filesystem::path input;
  std::filesystem::path output;
  double unit_m = 1;             ///< metres per unit of the input's coordinates
  std::optional<double> size;    ///< largest element edge, in the input's unit
  int order = 0;                 ///< 1 straight, 2 second order; 0: that of a .msh, 1 of a geometry
  bool warns_of_curved = false;  ///< where a .msh is of second order and made straight
  int dimension = 3;
  bool allow_commands = false;               ///< of a .geo file
  std::map<std::string, double> parameters;  ///< overrides of DefineConstant
};

/// What `--help` prints.
[[nodiscard]] std::string describe_usage();

/// Reads the arguments after the program's name; nothing when help was asked for. Throws UserError (usage).
[[nodiscard]] std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace tetrawave::mesher
