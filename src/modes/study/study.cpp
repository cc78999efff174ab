#include "modes/study/study.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "case/read_case.hpp"
#include "modes/assembly_2d/assembly_2d.hpp"
#include "modes/assembly_2d/results.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::modes {

namespace {

constexpr std::size_t most_runs = 10000;
constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// Meshes shared by several runs: made once, then read.
class MeshShelf {
 public:
  explicit MeshShelf(std::filesystem::path directory) : directory_(std::move(directory)) {}

  struct Mesh {
    TriangleMesh triangles;
    double seconds = 0;  ///< of making it
  };

  Mesh take(const Case& given) {
    std::error_code ignored;  // what cannot be made is told when a mesh is written
    if (std::holds_alternative<MeshInput>(given.mesh)) std::filesystem::create_directories(directory_, ignored);
    const std::string key = key_of(given);
    const auto known = places_.find(key);
    Stopwatch watch;
    if (known != places_.end()) {
      TriangleMesh triangles = load_triangles(given, known->second.file, true);
      return {std::move(triangles), known->second.seconds};
    }
    const auto file = directory_ / tetrawave::format("mesh-{}.h5", places_.size() + 1);
    TriangleMesh triangles = load_triangles(given, file, false);
    const double seconds = watch.lap();
    places_[key] = {file, seconds};
    return {std::move(triangles), seconds};
  }

 private:
  struct Place {
    std::filesystem::path file;
    double seconds = 0;
  };

  /// Inputs of a mesh.
  static std::string key_of(const Case& given) {
    std::string key;
    if (const auto* mesh = std::get_if<MeshInput>(&given.mesh)) key = mesh->file.string();
    for (const std::string& line : given.identity)
      if (line.rfind("mesh.", 0) == 0 || line.rfind("units", 0) == 0 || line.rfind("assembly_2d.order", 0) == 0)
        key += "\n" + line;
    return key;
  }

  std::filesystem::path directory_;
  std::map<std::string, Place> places_;
};

using Row = std::vector<StudyTable::Item>;

/// Figures of a run in the order of the table; all absent for a failed run.
void add_figures(Row& row, const StaticOutcome* outcome) {
  const StaticOutcome none;
  const StaticOutcome& o = outcome != nullptr ? *outcome : none;
  const fem::SolveFigures& f = o.run.figures;
  const auto add = [&](const char* name, double value, const char* units) {
    row.push_back({name, outcome != nullptr ? value : absent, units});
  };
  const auto elements = static_cast<double>(o.mesh.element_count());
  const auto& sizes = o.run.color_sizes;
  add("elements", elements, "");
  add("nodes", static_cast<double>(o.mesh.nodes.size()), "");
  add("unknowns", o.setup.problem.free_count, "");
  add("colors", static_cast<double>(sizes.size()), "");
  add("smallest_color", sizes.empty() ? absent : static_cast<double>(*std::min_element(sizes.begin(), sizes.end())),
      "");
  add("largest_color", sizes.empty() ? absent : static_cast<double>(*std::max_element(sizes.begin(), sizes.end())), "");
  add("seconds_mesh", o.seconds_mesh, "s");
  add("seconds_adjacency", o.run.seconds_adjacency, "s");
  add("seconds_order", o.run.seconds_order, "s");
  add("seconds_coloring", o.run.seconds_coloring, "s");
  add("seconds_balance", o.run.seconds_balance, "s");
  add("seconds_transfer", f.seconds_transfer, "s");
  add("seconds_element", f.seconds_element, "s");
  add("seconds_convert", f.seconds_convert, "s");
  add("seconds_solve", f.seconds_solve, "s");
  add("iterations", static_cast<double>(f.iterations), "");
  add("bytes_per_element", bytes_per_element(o), "");
  add("bytes_per_element_solve", static_cast<double>(f.solve_bytes) / elements, "");
  add("energy_per_length", o.quantities.energy, o.setup.problem.axisymmetric ? "J" : "J/m");
  add("capacitance_per_length", o.quantities.capacitance.value_or(absent), "F/m");
  add("inductance_per_length", o.quantities.inductance.value_or(absent), o.setup.problem.axisymmetric ? "H" : "H/m");
  add("difference_to_serial", o.run.difference.value_or(absent), "");
}

Row make_row(const std::vector<StudyAxis>& axes, const StudyRun& run, const std::string& backend,
             const StaticOutcome* outcome, const std::string& error) {
  Row row;
  for (std::size_t i = 0; i < axes.size(); ++i) row.push_back({axes[i].path, run.values[i]});
  const StaticsRequest& spec = run.given.assembly_2d;
  row.push_back({"algorithm", std::string(name_of(spec.algorithm))});
  row.push_back({"coloring", std::string(name_of(spec.coloring))});
  row.push_back({"order", static_cast<double>(spec.order)});
  row.push_back({"backend", backend_of(run.given, backend)});
  add_figures(row, outcome);
  row.push_back({"error", error});
  return row;
}

/// The values of combination `number`, the last axis first.
std::vector<std::string> pick_values(const std::vector<StudyAxis>& axes, std::size_t number) {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    values[i] = axes[i].values[number % axes[i].values.size()];
    number /= axes[i].values.size();
  }
  return values;
}

/// Reports an invalid value set by the study as an error of the study, not of an option.
Case read_combination(const std::filesystem::path& case_file, const std::vector<std::string>& overrides,
                      const std::vector<StudyAxis>& axes) {
  try {
    return read_case(case_file, overrides);
  } catch (const UserError& failure) {
    std::string text = failure.what();
    for (const StudyAxis& axis : axes) {
      const std::string option = "--set " + axis.path + ": error:";
      const std::string told = axis.place.text + ": error: study.vary." + axis.path + ":";
      for (auto at = text.find(option); at != std::string::npos; at = text.find(option, at + told.size()))
        text.replace(at, option.size(), told);
    }
    throw UserError(failure.code() == ExitCode::usage ? ExitCode::bad_case : failure.code(), text);
  }
}

}  // namespace

std::vector<StudyRun> list_study_runs(const std::filesystem::path& case_file, const std::vector<std::string>& overrides,
                                      const Case& given) {
  if (given.study.empty())
    fail(ExitCode::bad_case, "{}: error: the case has no 'study': say there what is to be varied", case_file.string());
  std::size_t count = 1;
  for (const StudyAxis& axis : given.study) {
    count *= axis.values.size();
    if (count > most_runs)
      fail(ExitCode::bad_case, "{}: error: study.vary: more than {} combinations", axis.place.text, most_runs);
  }
  std::vector<StudyRun> runs(count);
  for (std::size_t number = 0; number < count; ++number) {
    runs[number].values = pick_values(given.study, number);
    std::vector<std::string> all = overrides;
    for (std::size_t i = 0; i < given.study.size(); ++i)
      all.push_back(given.study[i].path + "=" + runs[number].values[i]);
    runs[number].given = read_combination(case_file, all, given.study);
    if (runs[number].given.mode != given.mode)
      fail(ExitCode::bad_case, "{}: error: study.vary: the mode cannot be varied", given.study.front().place.text);
  }
  return runs;
}

void write_study(const std::filesystem::path& directory, const Case& given, const results::RunIdentity& identity,
                 const StudyTable& table, const std::vector<std::string>& results) {
  store::write_atomically(directory / "study.h5", [&](const std::filesystem::path& temporary) {
    store::File file = store::File::create(temporary);
    file.set_attribute("/", "program", identity.program);
    file.set_attribute("/", "version", identity.version);
    file.set_attribute("/", "git_revision", identity.git_revision);
    file.set_attribute("/", "mode", std::string(name_of(given.mode)));
    file.set_attribute("/", "backend", identity.backend);
    file.set_attribute("/", "started", identity.started);
    file.set_attribute("/", "finished", results::time_stamp());
    file.set_attribute("/", "case", given.resolved_yaml);
    table.write(file, "/study");
    if (!results.empty()) file.set_attribute("/study", "results", results);
    file.close();
  });
}

void run_study(const Case& given, const std::vector<StudyRun>& runs, const StudyOptions& options) {
  MeshShelf shelf(options.directory / "meshes");
  SerialReference reference;
  StudyTable table;
  std::size_t failed = 0;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const StudyRun& run = runs[number];
    std::string title;
    for (std::size_t i = 0; i < run.values.size(); ++i) title += " " + given.study[i].path + "=" + run.values[i];
    log::info("run {} of {}:{}", number + 1, runs.size(), title);
    MeshShelf::Mesh mesh = shelf.take(run.given);
    std::optional<StaticOutcome> outcome;
    std::string error;
    try {
      outcome = solve_on_mesh(run.given, std::move(mesh.triangles), options.solver, {}, reference);
      outcome->seconds_mesh = mesh.seconds;
      log_outcome(run.given, *outcome);
    } catch (const UserError& failure) {
      if (failure.code() != ExitCode::unstable) throw;
      error = failure.what();
      ++failed;
      log::warning("{}", error);
    }
    table.add_row(make_row(given.study, run, options.backend, outcome ? &*outcome : nullptr, error));
    store::write_text_atomically(options.directory / "study.csv", table.csv());
  }
  write_study(options.directory, given, options.identity, table);
  if (failed > 0)
    fail(ExitCode::unstable, "{} of {} runs of the study did not converge: see the column 'error' of {}", failed,
         runs.size(), (options.directory / "study.csv").string());
}

}  // namespace tetrawave::modes
