#include "app/help/man_page.hpp"

#include <array>
#include <utility>

#include "app/help/examples.hpp"
#include "app/help/grammar.hpp"
#include "base/error.hpp"
#include "base/text/format.hpp"

namespace tetrawave::app {

namespace {

constexpr std::array<std::pair<ExitCode, const char*>, 12> codes{
    {{ExitCode::done, "done"},
     {ExitCode::usage, "invalid options, or an output directory in use"},
     {ExitCode::bad_mesh, "invalid mesh"},
     {ExitCode::missing_input, "missing file"},
     {ExitCode::unavailable, "GPU, MPI, mesher or Python not available"},
     {ExitCode::internal, "an internal error"},
     {ExitCode::out_of_memory, "out of memory"},
     {ExitCode::io, "reading or writing failed"},
     {ExitCode::stopped, "stopped with a checkpoint"},
     {ExitCode::unstable, "unstable, or no convergence"},
     {ExitCode::bad_checkpoint, "no checkpoint to resume from"},
     {ExitCode::bad_case, "error in the case"}}};

constexpr std::array<std::pair<const char*, const char*>, 4> variables{
    {{"TETRAWAVE_MESHER", "the program tetrawave-mesh, where it is neither beside tetrawave nor on the PATH"},
     {"TETRAWAVE_REPORT", "likewise tetrawave-report, which writes the pages of report and inspect"},
     {"OMP_NUM_THREADS", "threads, where the case does not say (run.threads)"},
     {"CUDA_VISIBLE_DEVICES", "the GPUs to use"}}};

/// Text for roff: no line of it is taken for a request, and hyphens can be copied.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string roff(std::string_view text) { return roff(std::string(text)); }

/// "\fB\-o\fR, \fB\-\-output\fR \fIDIR\fR"
std::string heading_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : names_of(option)) text += (text.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  if (value_of(option).kind != ValueKind::none) text += " \\fI" + roff(option.get_type_name()) + "\\fR";
  return text;
}

std::string command_section(const CLI::App& command) {
  std::string usage = "\\fBtetrawave " + roff(command.get_name()) + "\\fR";
  for (const CLI::Option* positional : positionals_of(command)) {
    usage += " \\fI" + roff(positional->get_name()) + "\\fR";
    if (positional->get_items_expected_max() > 1) usage += " ...";
  }
  std::string text = ".SS " + roff(command.get_name()) + "\n" + usage;
  if (options_of(command).size() > 1) text += " [options]";
  text += "\n.PP\n" + roff(command.get_description()) + ".\n";
  for (const CLI::Option* positional : positionals_of(command))
    text += ".TP\n\\fI" + roff(positional->get_name()) + "\\fR\n" + roff(positional->get_description()) + ".\n";
  for (const CLI::Option* option : options_of(command)) {
    if (option->get_name() == "--help") continue;
    text += ".TP\n" + heading_of(*option) + "\n" + roff(option->get_description()) + ".\n";
  }
  return text;
}

std::string example_section() {
  std::string text;
  for (const Example& example : examples())
    text += ".TP\n\\fB" + roff(example.line) + "\\fR\n" + roff(example.what) + "\n";
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
  std::string text = ".TH TETRAWAVE 1 \"\" \"Tetrawave " + version + "\" \"User Commands\"\n.SH NAME\n" +
                     "tetrawave \\- Maxwell's equations on tetrahedra\n.SH SYNOPSIS\n" +
                     "\\fBtetrawave\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n" +
                     roff(app.get_description()) + ".\n.PP\n" +
                     "A case is one YAML file; keys are described in config/REFERENCE.md and in case.schema.json, by "
                     "which editors complete and check them.\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) text += command_section(*command);
  text += ".SH EXAMPLES\n" + example_section() + ".SH EXIT STATUS\n";
  for (const auto& [code, what] : codes)
    text += tetrawave::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(code), what);
  text += ".SH ENVIRONMENT\n";
  for (const auto& [name, what] : variables)
    text += tetrawave::format(".TP\n\\fB{}\\fR\n{}\n", name, roff(std::string(what)));
  return text;
}

}  // namespace tetrawave::app
