#include "app/study/field_study.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "model/set_up/mesh_setup.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;
using Row = std::vector<modes::StudyTable::Item>;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// An attribute of results.h5 that becomes a column.
struct Figure {
  const char* name;
  const char* group;
  const char* units;
  bool whole;  ///< kept as an integer
};

constexpr std::array<Figure, 3> of_all{
    {{"elements", "/", "", true}, {"dofs", "/", "", true}, {"setup_seconds", "/performance", "s", false}}};
constexpr std::array<Figure, 10> of_marches{{{"time_step", "/", "s", false},
                                             {"steps_done", "/", "", true},
                                             {"classes", "/performance", "", true},
                                             {"march_seconds", "/performance", "s", false},
                                             {"steps_per_second", "/performance", "1/s", false},
                                             {"dof_updates_per_second", "/performance", "1/s", false},
                                             {"seconds_communication", "/performance", "s", false},
                                             {"bytes_per_step", "/performance", "B", true},
                                             {"device_memory_bytes", "/performance", "B", true},
                                             {"mean_nonlinear_iterations", "/performance", "", false}}};
constexpr std::array<Figure, 6> of_implicit_marches{{{"nonzeros", "/performance", "", true},
                                                     {"mean_solver_iterations", "/performance", "", false},
                                                     {"seconds_assembly", "/performance", "s", false},
                                                     {"seconds_preprocess", "/performance", "s", false},
                                                     {"seconds_solve", "/performance", "s", false},
                                                     {"solver_bytes", "/performance", "B", true}}};
constexpr std::array<Figure, 5> of_frequencies{{{"nonzeros", "/frequency_domain", "", true},
                                                {"seconds_assembly", "/frequency_domain", "s", false},
                                                {"seconds_preprocess", "/frequency_domain", "s", false},
                                                {"seconds_solve", "/frequency_domain", "s", false},
                                                {"solve_seconds", "/performance", "s", false}}};

constexpr std::array<Figure, 3> of_resonances{{{"nonzeros", "/eigenmodes", "", true},
                                               {"solutions", "/eigenmodes", "", true},
                                               {"solve_seconds", "/performance", "s", false}}};

double read(const store::File& file, const Figure& figure) {
  if (!file.has_attribute(figure.group, figure.name)) return absent;
  if (figure.whole) return static_cast<double>(file.attribute<std::int64_t>(figure.group, figure.name));
  return file.attribute<double>(figure.group, figure.name);
}

/// Columns from results.h5; all absent if there is no file.
void add_figures(Row& row, Mode mode, const store::File* file) {
  const auto add = [&](const auto& figures) {
    for (const Figure& figure : figures)
      row.push_back({figure.name, file == nullptr ? absent : read(*file, figure), figure.units});
  };
  add(of_all);
  if (!is_harmonic(mode)) add(of_marches);
  if (mode == Mode::fetd) add(of_implicit_marches);
  if (mode == Mode::eigenmode) add(of_resonances);
  if (!is_harmonic(mode) || mode == Mode::eigenmode) return;
  add(of_frequencies);
  double iterations = absent, residual = absent;
  if (file != nullptr) {
    const auto all = file->read<std::int64_t>("/frequency_domain/iterations");
    iterations = static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0}));
    const auto left = file->read<double>("/frequency_domain/residual");
    residual = *std::max_element(left.begin(), left.end());
  }
  row.push_back({"iterations", iterations});
  row.push_back({"largest_residual", residual});
}

/// The row of a run; `file`: its results, or nullptr if it failed.
Row make_row(const Case& given, const modes::StudyRun& run, std::size_t number, const store::File* file,
             const std::vector<WantedResult>& results) {
  Row row;
  for (std::size_t i = 0; i < run.values.size(); ++i) row.push_back({given.study[i].path, run.values[i]});
  row.push_back({"run", static_cast<double>(number)});
  for (const WantedResult& wanted : results)
    for (const auto& item : columns_of(wanted, file)) row.push_back(item);
  add_figures(row, given.mode, file);
  return row;
}

/// Geometries meshed by earlier runs: the inputs of the mesh, and its file.
class MadeMeshes {
 public:
  /// The case with the mesh made by an earlier run.
  [[nodiscard]] Case take(Case given) const {
    const auto known = files_.find(key_of(given));
    if (known != files_.end()) std::get<MeshInput>(given.mesh).file = known->second;
    return given;
  }
  void put(const Case& given, const fs::path& file) {
    std::error_code ignored;
    const std::string key = key_of(given);
    if (!key.empty() && fs::exists(file, ignored)) files_.emplace(key, fs::absolute(file));
  }

 private:
  /// Empty if the mesh is not made from a geometry, or has layers, which are added anew.
  static std::string key_of(const Case& given) {
    const auto* mesh = std::get_if<MeshInput>(&given.mesh);
    if (mesh == nullptr || mesh->file.extension() == ".h5" || given.array || (given.pml && !given.pml->faces.empty()))
      return "";
    std::string key = mesh->file.string() + tetrawave::format("\n{}", order_to_read(modes::mesh_recipe(given)));
    for (const std::string& line : given.identity)
      if (line.rfind("mesh.", 0) == 0 || line.rfind("units", 0) == 0 || line.rfind("planar.order", 0) == 0)
        key += "\n" + line;
    return key;
  }
  std::map<std::string, fs::path> files_;
};

/// The log of a run ends with the run.
class LogOfRun {
 public:
  LogOfRun() = default;
  ~LogOfRun() { log::leave_files(before_); }
  LogOfRun(const LogOfRun&) = delete;
  LogOfRun& operator=(const LogOfRun&) = delete;

 private:
  std::size_t before_ = log::file_count();
};

bool is_told_in_its_row(ExitCode code) { return code == ExitCode::unstable || code == ExitCode::out_of_memory; }

}  // namespace

void check_results(const std::vector<WantedResult>& results, const Case& given,
                   const std::vector<modes::StudyRun>& runs) {
  for (const WantedResult& wanted : results)
    for (const modes::StudyRun& run : runs) check_result(wanted, run.given);
  std::set<std::string> names{"error"};
  for (const auto& item : make_row(given, runs.front(), 1, nullptr, {})) names.insert(item.column);
  for (const WantedResult& wanted : results)
    for (const auto& item : columns_of(wanted, nullptr))
      if (!names.insert(item.column).second)
        fail(ExitCode::usage, "tetrawave: error: --result {}: the table has the column '{}' already", wanted.text,
             item.column);
}

void run_field_study(const CommandLine& line, const Case& given, const std::vector<modes::StudyRun>& runs,
                     const FieldStudyOptions& options, const comm::Communicator& ranks) {
  const bool is_root = ranks.rank() == 0;
  MadeMeshes meshes;
  modes::StudyTable table;
  std::size_t failed = 0;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const modes::StudyRun& run = runs[number];
    std::string title;
    for (std::size_t i = 0; i < run.values.size(); ++i) title += " " + given.study[i].path + "=" + run.values[i];
    log::info("run {} of {}:{}", number + 1, runs.size(), title);
    CommandLine own = line;
    own.output = options.directory / "runs" / std::to_string(number + 1);
    std::string error;
    try {
      const LogOfRun guard;
      run_read_case(own, meshes.take(run.given), ranks);
    } catch (const UserError& failure) {
      if (!is_told_in_its_row(failure.code())) throw;
      error = failure.what();
      ++failed;
      log::warning("{}", error);
    }
    ranks.agree([&] { meshes.put(run.given, *own.output / "mesh.h5"); });
    ranks.agree([&] {
      if (!is_root) return;
      std::optional<store::File> results;
      if (error.empty()) results = store::File::open(*own.output / "results.h5");
      Row row = make_row(given, run, number + 1, results ? &*results : nullptr, options.results);
      row.push_back({"error", error});
      table.add_row(row);
      store::write_text_atomically(options.directory / "study.csv", table.csv());
    });
  }
  ranks.agree([&] {
    if (!is_root) return;
    std::vector<std::string> names;
    for (const WantedResult& wanted : options.results)
      for (const auto& item : columns_of(wanted, nullptr)) names.push_back(item.column);
    modes::write_study(options.directory, given, options.identity, table, names);
  });
  if (failed > 0)
    fail(ExitCode::unstable, "{} of {} runs of the study did not finish: see the column 'error' of {}", failed,
         runs.size(), (options.directory / "study.csv").string());
}

}  // namespace tetrawave::app
