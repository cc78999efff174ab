#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/help/case_kinds.hpp"
#include "app/help/completion.hpp"
#include "app/help/examples.hpp"
#include "app/help/man_page.hpp"
#include "app/stop.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave::app {

namespace {

/// Options as text, converted after parsing.
struct Raw {
  std::string backend = "auto";
  std::string transport = "auto";
  std::string max_wall;
  std::string shell;
  BenchTexts bench;
};

void add_case_options(CLI::App& command, CommandLine& line, const char* what = nullptr) {
  command.add_option("CASE", line.case_file, what == nullptr ? "case file (YAML)" : what)
      ->required(what == nullptr)
      ->type_name("FILE");
  command.add_option("--set", line.overrides, "override a key of the case; list items by index")
      ->type_name("a.b.c=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_flag(
      "--allow-geo-commands", line.allow_geo_commands,
      "let a .geo file run commands and write files with your rights (SystemCall, Printf > FILE, Save ..)");
}

void add_backend(CLI::App& command, Raw& raw) {
  command.add_option("--backend", raw.backend, "backend to run on (default: auto)")->type_name("auto|cpu|cuda");
}

void add_ranks(CLI::App& command, CommandLine& line, Raw& raw) {
  command.add_option("--transport", raw.transport, "how ranks exchange traces (default: auto)")
      ->type_name("auto|ipc|nccl|cuda-aware-mpi|page-locked");
  command.add_flag("--allow-oversubscribe", line.allow_oversubscribe, "let several ranks share a GPU");
}

CLI::App* add_run(CLI::App& app, CommandLine& line, Raw& raw) {
  CLI::App* run = app.add_subcommand("run", "run a case and write its results");
  add_case_options(*run, line);
  run->add_option("-o,--output", line.output, "output directory (default: CASE-name.out)")->type_name("DIR");
  add_backend(*run, raw);
  run->add_flag("--overwrite", line.overwrite, "replace the results in the output directory");
  run->add_flag("--resume", line.resume, "resume from the newest checkpoint in the output directory");
  run->add_option("--max-wall", raw.max_wall, "stop with a checkpoint after this time: 23h50m, 10 min, 90s, 1:30:00")
      ->type_name("T");
  run->add_flag("--allow-oversubscribe", line.allow_oversubscribe, "let several ranks share a GPU");
  run->add_flag("--quiet", line.quiet, "print warnings and errors only");
  return run;
}

CLI::App* add_check(CLI::App& app, CommandLine& line, Raw& raw) {
  CLI::App* check =
      app.add_subcommand("check", "validate a case without running it: mesh, ports, time step, memory, run time");
  add_case_options(*check, line);
  add_backend(*check, raw);
  check->add_flag("--json", line.json, "print JSON");
  check->add_flag("--solve", line.solve, "modes frequency-domain and fe-iiee: also solve the highest frequency");
  check->add_flag("--step", line.step,
                  "modes time-domain and fetd: list the operations of a time step, in order, instead");
  return check;
}

CLI::App* add_mesh(CLI::App& app, CommandLine& line) {
  CLI::App* mesh = app.add_subcommand("mesh", "generate the mesh of a case as a Tetrawave HDF5 file");
  add_case_options(*mesh, line);
  mesh->add_option("-o,--output", line.output, "mesh file to write")->required()->type_name("MESH.h5");
  return mesh;
}

CLI::App* add_selftest(CLI::App& app, CommandLine& line, Raw& raw) {
  CLI::App* selftest = app.add_subcommand(
      "selftest", "test this machine: memory, files, MPI, mesher, every scheme on every device, in under a minute");
  add_backend(*selftest, raw);
  add_ranks(*selftest, line, raw);
  return selftest;
}

CLI::App* add_bench(CLI::App& app, CommandLine& line, Raw& raw) {
  CLI::App* bench = app.add_subcommand("bench", "time the schemes and compare with this machine's copy bandwidth");
  const auto add_list = [&](const char* option, std::string& text, const char* what, const char* names) {
    const auto not_empty = [](const std::string& given) {
      return std::string(given.empty() ? "nothing is given" : "");
    };
    bench->add_option(option, text, what)->type_name(names)->check(CLI::Validator(not_empty, ""));
  };
  add_case_options(
      *bench, line,
      "case file (YAML) of mode time-domain: its mesh, media and walls instead of a box, its method by default");
  add_backend(*bench, raw);
  add_ranks(*bench, line, raw);
  add_list("--elements", raw.bench.elements, "of boxes: numbers of elements (default: by backend and memory)", "N,..");
  add_list("--scheme", raw.bench.schemes, "schemes (default: all)", "NAME,..");
  add_list("--space", raw.bench.spaces, "spaces (default: all)", "mixed-1,..");
  add_list("--layout", raw.bench.layouts, "layouts (default: both)", "factored,stored");
  add_list("--precision", raw.bench.precisions, "precisions (default: both)", "double,single");
  add_list("--penalty", raw.bench.penalties, "penalties on jumps in dgtd-central (default: 0)", "NUMBER,..");
  add_list("--order", raw.bench.orderings, "orders of the elements in memory (default: blocks)", "none,curve,..");
  add_list("--threads", raw.bench.threads, "CPU threads (default: all cores)", "N,..");
  add_list(
      "--mapping", raw.bench.mapping,
      "'dissertation' adds rows for its GPU kernels, one thread per dof, 480 and 512 threads per block (default: lane)",
      "lane|dissertation");
  bench->add_flag("--split", raw.bench.split, "add rows of separate kernels: volume, surface, inverse");
  bench->add_flag(
      "--pairs", raw.bench.pairs,
      "time the sums over pairs of points of mode fe-iiee instead; of the options above only --threads applies");
  add_list("--faces", raw.bench.faces,
           "with --pairs: numbers of faces of S and of S', alternating (default: 78640,946 on a GPU)", "N,N,..");
  bench->add_flag(
      "--factors", raw.bench.factors,
      "time the direct solver of the finite-element modes instead; of the options above only --elements applies");
  bench->add_flag("--iteration", raw.bench.iteration,
                  "time products and iterations of the finite-element modes instead; of the options above "
                  "only --elements applies");
  bench->add_flag("--assembly", raw.bench.assembly,
                  "time the assembly of edge elements instead; of the options above only --elements and --space apply");
  add_list("--seconds", raw.bench.seconds, "seconds of measurement per row (default: 1)", "S");
  add_list("--json", raw.bench.json, "write the figures to a file", "FILE");
  return bench;
}

CLI::App* add_study(CLI::App& app, CommandLine& line, Raw& raw) {
  CLI::App* study = app.add_subcommand("study", "run a case with every combination of settings, write one table");
  add_case_options(*study, line);
  study->add_option("-o,--output", line.output, "output directory (default: CASE-name.out)")->type_name("DIR");
  study
      ->add_option("--result", line.results,
                   "add columns to the table (repeatable): sIJ@FREQUENCY (dB), resonance:PORT (minimum of "
                   "|S|), q:PORT (Q, bandwidth and frequency from the poles of outputs.rational_model), "
                   "gain@, realised_gain@, directivity@ or efficiency@FREQUENCY (maximum), or the path of a "
                   "number in results.h5, such as /performance/solve_seconds")
      ->type_name("RESULT")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  add_backend(*study, raw);
  study->add_flag("--overwrite", line.overwrite, "replace the results in the output directory");
  study->add_flag("--quiet", line.quiet, "print warnings and errors only");
  return study;
}

CLI::App* add_new(CLI::App& app, CommandLine& line) {
  CLI::App* command = app.add_subcommand("new", "write a commented example case, its geometry and the schema");
  command->add_option("KIND", line.kind, "kind of example")->required()->type_name(case_kinds("|"));
  command->add_option("-o,--output", line.output, "case file to write (default: KIND.yaml)")->type_name("FILE");
  return command;
}

CLI::App* add_report(CLI::App& app, CommandLine& line) {
  CLI::App* report = app.add_subcommand("report", "write an HTML report of a run, or of several side by side");
  report->add_option("RUN", line.runs, "output directories of runs")->required()->type_name("DIR");
  report
      ->add_option("-o,--output", line.output, "page to write (default: RUN/report.html; for several runs report.html)")
      ->type_name("FILE");
  report->add_flag("--no-forecast", line.no_forecast, "omit the forecast of memory and time by 'check'");
  return report;
}

CLI::App* add_inspect(CLI::App& app, CommandLine& line) {
  CLI::App* inspect = app.add_subcommand(
      "inspect", "write an HTML page of a case's geometry, groups, ports, edges of metal sheets and mesh quality");
  add_case_options(*inspect, line);
  inspect->add_option("-o,--output", line.output, "page to write (default: CASE-name.inspect.html)")->type_name("FILE");
  return inspect;
}

CLI::App* add_completion(CLI::App& app, Raw& raw) {
  CLI::App* completion = app.add_subcommand("completion", "print the completion script of a shell");
  completion->add_option("SHELL", raw.shell, "the shell")->required()->type_name("bash|zsh|fish");
  return completion;
}

/// The first word is the command. CLI11 would report an unknown one as missing.
void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> names;
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    known += (known.empty() ? "commands: " : ", ") + names.back();
  }
  known += " ('tetrawave --help' explains them)";
  if (argc < 2) fail(ExitCode::usage, "tetrawave: error: no command is given; {}", known);
  const std::string word = argv[1];
  if (word == "-h" || word == "--help" || word == "--version") return;
  if (word[0] == '-')
    fail(ExitCode::usage, "tetrawave: error: unknown option '{}' before the command; {}", word, known);
  if (std::find(names.begin(), names.end(), word) == names.end())
    fail(ExitCode::usage, "tetrawave: error: unknown command '{}'{}; {}", word, did_you_mean(word, names), known);
}

/// "tetrawave", or "tetrawave run".
std::string path_of(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return "tetrawave" + (used.empty() ? "" : " " + used.front()->get_name());
}

[[noreturn]] void explain_extra(const CLI::App& app) {
  const auto used = app.get_subcommands();
  const CLI::App& command = used.empty() ? app : *used.front();
  const std::string word = app.remaining(true).front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  if (word[0] == '-')
    fail(ExitCode::usage, "tetrawave: error: unknown option '{}'{} ('{} --help' lists them)", word,
         did_you_mean(word.substr(0, word.find('=')), names), path_of(app));
  fail(ExitCode::usage, "tetrawave: error: one argument too many: '{}' ('{} --help' shows what is expected)", word,
       path_of(app));
}

/// Help or version text, if requested.
std::optional<std::string> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    if (success.get_name() == "CallForVersion") return success.what();
    const auto used = app.get_subcommands();
    std::string text = used.empty() ? app.help() : used.front()->help("tetrawave");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  } catch (const CLI::ExtrasError&) {
    explain_extra(app);
  } catch (const CLI::ParseError& failure) {
    fail(ExitCode::usage, "tetrawave: error: {} ('{} --help' shows what is expected)", failure.what(), path_of(app));
  }
  return std::nullopt;
}

void add_info(CLI::App& app, CommandLine& line) {
  CLI::App* info = app.add_subcommand("info", "version, build options, instruction set, devices, libraries");
  CLI::Option* support =
      info->add_flag("--support", line.support, "print the features that each method supports instead");
  info->add_flag("--json", line.json, "the table of --support as JSON")->needs(support);
}

void check_names_given(const CommandLine& line) {
  const bool of_case = line.command == Command::run || line.command == Command::check ||
                       line.command == Command::mesh || line.command == Command::study ||
                       line.command == Command::inspect;
  if (of_case && line.case_file.empty()) fail(ExitCode::usage, "tetrawave: error: the name of the case file is empty");
  if (line.output && line.output->empty()) fail(ExitCode::usage, "tetrawave: error: the name after -o is empty");
}

BackendChoice backend_named(const std::string& name) {
  if (name == "auto") return BackendChoice::automatic;
  if (name == "cpu") return BackendChoice::cpu;
  if (name == "cuda") return BackendChoice::cuda;
  fail(ExitCode::usage, "tetrawave: error: --backend: unknown backend '{}'{}; allowed: auto, cpu, cuda", name,
       did_you_mean(name, {"auto", "cpu", "cuda"}));
}

Transport transport_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, transport] : transport_names()) {
    if (known == name) return transport;
    names.push_back(known);
  }
  fail(ExitCode::usage, "tetrawave: error: --transport: unknown transport '{}'{}; allowed: {}", name,
       did_you_mean(name, names), "auto, ipc, nccl, cuda-aware-mpi, page-locked");
}

void take_run_options(CommandLine& line, const Raw& raw) {
  if (line.resume && line.overwrite)
    fail(ExitCode::usage, "tetrawave: error: --resume and --overwrite exclude each other: give one of them");
  if (!raw.max_wall.empty()) line.max_wall_s = parse_wall_time(raw.max_wall);
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  Parsed parsed;
  Raw raw;
  CLI::App app("Tetrawave " + version_text() +
                   ": Maxwell's equations on tetrahedra, in the time and the frequency domain, on CPUs and GPUs",
               "tetrawave");
  app.set_version_flag("--version", "tetrawave " + version_text());
  app.require_subcommand(1);
  app.footer("mpirun -n N tetrawave run CASE.yaml runs a case on N ranks; 'tetrawave COMMAND --help' lists options.");
  std::vector<std::pair<CLI::App*, Command>> commands{{add_run(app, parsed.line, raw), Command::run},
                                                      {add_check(app, parsed.line, raw), Command::check},
                                                      {add_mesh(app, parsed.line), Command::mesh},
                                                      {add_study(app, parsed.line, raw), Command::study}};
  commands.emplace_back(add_new(app, parsed.line), Command::new_case);
  commands.emplace_back(add_inspect(app, parsed.line), Command::inspect);
  commands.emplace_back(add_report(app, parsed.line), Command::report);
  add_info(app, parsed.line);
  commands.emplace_back(add_bench(app, parsed.line, raw), Command::bench);
  commands.emplace_back(add_selftest(app, parsed.line, raw), Command::selftest);
  const CLI::App* completion = add_completion(app, raw);
  const CLI::App* man = app.add_subcommand("man", "print the manual page (for man -l -)");
  add_examples(app);
  check_command_name(app, argc, argv);
  parsed.help = parse(app, argc, argv);
  if (!parsed.help && completion->parsed()) parsed.help = completion_script(app, raw.shell);
  if (!parsed.help && man->parsed()) parsed.help = man_page(app, version_text());
  if (parsed.help) return parsed;
  take_run_options(parsed.line, raw);
  parsed.line.bench = parse_bench_options(raw.bench);
  parsed.line.backend = backend_named(raw.backend);
  parsed.line.transport = transport_named(raw.transport);
  for (const auto& [command, name] : commands)
    if (command->parsed()) parsed.line.command = name;
  check_names_given(parsed.line);
  return parsed;
}

}  // namespace tetrawave::app
