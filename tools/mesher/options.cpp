#include "options.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.hpp"

namespace tetrawave::mesher {
namespace {

constexpr std::string_view hint = "; see tetrawave-mesh --help";

double parse_number(std::string_view option, std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(ExitCode::usage, "{}: '{}' is not a number", option, text);
  return value;
}

double parse_positive(std::string_view option, std::string_view text) {
  const double value = parse_number(option, text);
  if (value <= 0) fail(ExitCode::usage, "{}: {} is not positive", option, text);
  return value;
}

int parse_choice(std::string_view option, std::string_view text, int low, int high) {
  if (text == std::to_string(low)) return low;
  if (text == std::to_string(high)) return high;
  fail(ExitCode::usage, "{}: '{}' is neither {} nor {}", option, text, low, high);
}

// A name of the .geo language: it is written into a small .geo text later.
bool is_identifier(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view digits = "0123456789";
  return !name.empty() && letters.find(name[0]) != std::string_view::npos &&
         name.find_first_not_of(std::string(letters) + std::string(digits)) == std::string_view::npos;
}

void add_parameter(Options& options, std::string_view text) {
  const auto equals = text.find('=');
  const std::string name(text.substr(0, equals));
  if (equals == std::string_view::npos || !is_identifier(name))
    fail(ExitCode::usage, "--set: '{}' is not NAME=VALUE with a name of the .geo language", text);
  const double value = parse_number("--set " + name, text.substr(equals + 1));
  if (!options.parameters.emplace(name, value).second) fail(ExitCode::usage, "--set: '{}' is given twice", name);
}

void apply_option(Options& options, std::string_view option, std::string_view value) {
  if (option == "-o" || option == "--output")
    options.output = value;
  else if (option == "--unit-m")
    options.unit_m = parse_positive(option, value);
  else if (option == "--size")
    options.size = parse_positive(option, value);
  else if (option == "--order")
    options.order = parse_choice(option, value, 1, 2);
  else if (option == "--dim")
    options.dimension = parse_choice(option, value, 2, 3);
  else if (option == "--set")
    add_parameter(options, value);
  else
    fail(ExitCode::usage, "unknown option '{}'{}", option, hint);
}

}  // namespace

std::string describe_usage() {
  return "tetrawave-mesh INPUT -o MESH.h5 [options]\n"
         "\n"
         "Generates a Tetrawave HDF5 mesh from a geometry (.geo, .brep, .step) or a Gmsh mesh (.msh 2.2 and 4.1).\n"
         "Every volume must be in exactly one named physical volume; named physical surfaces become groups of faces.\n"
         "A .brep or .step file has no names: its volumes become volume_1, ... and its surfaces surface_1, ...\n"
         "\n"
         "  -o, --output MESH.h5  mesh file to write\n"
         "  --unit-m X            metres per unit of the input's coordinates (default 1; 1e-3 for mm)\n"
         "  --size S              target for the largest element edge, in the unit of the input\n"
         "  --order 1|2           straight or second-order elements (default: as in a .msh, else straight)\n"
         "  --straight            --order 1, with a warning where a .msh has second-order elements\n"
         "  --dim 2|3             triangles of physical surfaces, or tetrahedra (default)\n"
         "  --set NAME=VALUE      overrides a number that the .geo file declares with DefineConstant\n"
         "  --allow-geo-commands  lets a .geo file run commands and write files (SystemCall, Printf > FILE, Save ..) "
         "with\n"
         "                        the rights of the user; without it the first such command is an error\n"
         "  --help                print this text\n"
         "\n"
         "Exit codes: 0 success, 64 invalid options, 65 not a valid .msh, 66 missing file, 71 out of memory, 74 I/O, "
         "78 "
         "error in the geometry or its names.\n";
}

std::optional<Options> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") return std::nullopt;
    if (argument == "--allow-geo-commands") {
      options.allow_commands = true;
    } else if (argument == "--straight") {
      options.order = 1;
      options.warns_of_curved = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      if (i + 1 == argc) fail(ExitCode::usage, "{} needs a value{}", argument, hint);
      apply_option(options, argument, argv[++i]);
    } else if (options.input.empty()) {
      options.input = argument;
    } else {
      fail(ExitCode::usage, "more than one input: '{}' and '{}'{}", options.input.string(), argument, hint);
    }
  }
  if (options.input.empty()) fail(ExitCode::usage, "no input file{}", hint);
  if (options.output.empty()) fail(ExitCode::usage, "no output file: give -o MESH.h5");
  return options;
}

}  // namespace tetrawave::mesher
