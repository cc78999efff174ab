#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>

#include "app/version.hpp"
#include "base/error.hpp"

namespace tetrawave::app {

namespace {

struct Later {
  bool resume = false;
  std::string max_wall;
};

void add_case_options(CLI::App& command, CommandLine& line) {
  command.add_option("CASE", line.case_file, "case file (YAML)")->required();
  command.add_option("--set", line.overrides, "override a key: a.b.c=VALUE, list items by index")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

CLI::App* add_run(CLI::App& app, CommandLine& line, Later& later) {
  CLI::App* run = app.add_subcommand("run", "march a case and write its results");
  add_case_options(*run, line);
  run->add_option("-o,--output", line.output, "output directory (default: CASE-name.out)");
  const std::map<std::string, BackendChoice> backends{
      {"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}};
  run->add_option("--backend", line.backend, "auto, cpu or cuda")->transform(CLI::CheckedTransformer(backends));
  run->add_flag("--overwrite", line.overwrite, "replace the results in the output directory");
  run->add_flag("--resume", later.resume, "go on from the newest checkpoint");
  run->add_option("--max-wall", later.max_wall, "stop with a checkpoint after this time");
  run->add_flag("--allow-oversubscribe", line.allow_oversubscribe, "let several ranks share a GPU");
  run->add_flag("--quiet", line.quiet, "print warnings and errors only");
  return run;
}

CLI::App* add_check(CLI::App& app, CommandLine& line) {
  CLI::App* check = app.add_subcommand("check", "everything short of marching: case, mesh, ports, time step, memory");
  add_case_options(*check, line);
  const std::map<std::string, BackendChoice> backends{
      {"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}};
  check->add_option("--backend", line.backend, "auto, cpu or cuda")->transform(CLI::CheckedTransformer(backends));
  check->add_flag("--json", line.json, "print JSON");
  return check;
}

CLI::App* add_mesh(CLI::App& app, CommandLine& line) {
  CLI::App* mesh = app.add_subcommand("mesh", "make Tetrawave's HDF5 mesh of a case's geometry");
  add_case_options(*mesh, line);
  mesh->add_option("-o,--output", line.output, "mesh file to write")->required();
  return mesh;
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  Parsed parsed;
  Later later;
  CLI::App app("Tetrawave " + version_text() + ": Maxwell's equations on tetrahedra, in the time domain, on many GPUs",
               "tetrawave");
  app.set_version_flag("--version", "tetrawave " + version_text());
  app.require_subcommand(1);
  CLI::App* run = add_run(app, parsed.line, later);
  CLI::App* check = add_check(app, parsed.line);
  CLI::App* mesh = add_mesh(app, parsed.line);
  app.add_subcommand("info", "version, build options, instruction set, devices, libraries");
  std::vector<CLI::App*> coming;
  for (const char* name : {"bench", "study", "selftest"}) {
    coming.push_back(app.add_subcommand(name, "not available yet in this version"));
    coming.back()->allow_extras();
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    parsed.help = success.get_name() == "CallForVersion" ? std::string(success.what()) : app.help();
    for (const CLI::App* command : app.get_subcommands()) parsed.help = command->help();
    return parsed;
  } catch (const CLI::ParseError& failure) {
    fail(ExitCode::usage, "tetrawave: error: {} (tetrawave --help lists the commands and options)", failure.what());
  }
  for (const CLI::App* command : coming)
    if (command->parsed())
      fail(ExitCode::bad_case, "tetrawave: error: {} is not available yet in this version", command->get_name());
  if (later.resume || !later.max_wall.empty())
    fail(ExitCode::bad_case, "tetrawave: error: {} is not available yet in this version",
         later.resume ? "--resume" : "--max-wall");
  parsed.line.command = run->parsed()     ? Command::run
                        : check->parsed() ? Command::check
                        : mesh->parsed()  ? Command::mesh
                                          : Command::info;
  return parsed;
}

}  // namespace tetrawave::app
