#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "app/bench/assembly_bench.hpp"
#include "app/bench/bench_case.hpp"
#include "app/bench/bench_table.hpp"
#include "app/bench/factor_bench.hpp"
#include "app/bench/iteration_bench.hpp"
#include "app/bench/pair_bench.hpp"
#include "app/binding.hpp"
#include "app/commands.hpp"
#include "app/run/temporary_directory.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/scheme.hpp"
#include "case/read_case.hpp"

namespace tetrawave::app {

namespace {

template <class Choice>
std::vector<Choice> chosen(const std::vector<Choice>& given, const Names<Choice>& all) {
  if (!given.empty()) return given;
  std::vector<Choice> choices;
  for (const auto& [name, choice] : all) choices.push_back(choice);
  return choices;
}

/// In the order of the table.
std::vector<modes::BenchMethod> list_methods(const BenchOptions& options) {
  std::vector<modes::BenchMethod> methods;
  for (const Scheme scheme : chosen(options.schemes, scheme_names()))
    for (const Layout layout : chosen(options.layouts, layout_names()))
      for (const Space space : chosen(options.spaces, space_names()))
        for (const Precision precision : chosen(options.precisions, precision_names())) {
          if (has_rates(scheme) && space == Space::full_4) continue;
          const bool penalised = has_central_fluxes(scheme) && layout == Layout::factored;
          const std::vector<double> none{0};
          for (const double penalty : penalised && !options.penalties.empty() ? options.penalties : none)
            methods.push_back({scheme, space, layout, precision, penalty});
        }
  if (methods.empty()) fail(ExitCode::usage, "tetrawave: error: --space: dfdd-eld has no full-4; use full-3");
  const bool has_penalty =
      std::any_of(methods.begin(), methods.end(), [](const modes::BenchMethod& method) { return method.penalty > 0; });
  if (!has_penalty && std::any_of(options.penalties.begin(), options.penalties.end(), [](double p) { return p > 0; }))
    fail(ExitCode::usage,
         "tetrawave: error: --penalty: a penalty on jumps needs dgtd-central and --layout "
         "factored; use these, or omit the option");
  return methods;
}

std::vector<int> list_threads(const BenchOptions& options, const comm::Communicator& ranks) {
  if (options.threads.empty()) return {march::threads_of_rank({}, ranks)};
  return {options.threads.begin(), options.threads.end()};
}

/// Default sizes of the table: one partly in cache, and one larger than the cache; matrices use at most two thirds of
/// the free memory.
std::vector<std::int64_t> default_sizes(const modes::BenchMethod& method, const ChosenBackend& backend) {
  constexpr std::int64_t small = 41'154;
  const std::int64_t large = backend.name == "cuda" ? 1'572'864 : 998'250;
  if (method.layout == Layout::factored) return {small, large};
  const std::int64_t most =
      backend.free_bytes() * 2 / 3 / modes::stored_bytes_of_element(method.scheme, method.space, method.precision);
  return {std::min(backend.name == "cuda" ? large : small, most)};
}

using BothFields = std::array<std::vector<double>, 2>;

template <class March>
BothFields fields_of(March& march) {
  return {march.field(march::Field::electric), march.field(march::Field::magnetic)};
}

/// max |a - b| / max |b|
double largest_difference(const BothFields& a, const BothFields& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t field = 0; field < 2; ++field)
    for (std::size_t i = 0; i < b[field].size(); ++i) {
      difference = std::max(difference, std::abs(a[field][i] - b[field][i]));
      size = std::max(size, std::abs(b[field][i]));
    }
  return difference / size;
}

/// Fields of the engine some steps after a start at rest, for comparison with other kernels.
struct Witness {
  static constexpr std::int64_t steps = 16;
  BothFields last;

  Witness(march::Engine& engine, const march::Start& start) {
    march::start_at_rest(engine, start);
    engine.advance(steps);
    last = fields_of(engine);
  }
};

/// Of a case its own method where no other is given.
BenchOptions options_of(const CommandLine& line, const comm::Communicator& ranks) {
  BenchOptions options = line.bench;
  if (options.dissertation && options.layouts.empty()) options.layouts = {Layout::stored};
  if (line.case_file.empty()) return options;
  if (!options.elements.empty())
    fail(ExitCode::usage, "tetrawave: error: bench: --elements is the size of boxes, CASE has its own mesh: give one");
  Case given;
  ranks.agree([&] { given = read_case(line.case_file, line.overrides); });
  if (given.mode != Mode::time_domain)
    fail(ExitCode::usage, "tetrawave: error: bench: a case of mode time-domain is expected, found mode {}",
         name_of(given.mode));
  options.elements = {0};
  if (options.schemes.empty()) options.schemes = {given.method.scheme};
  if (options.spaces.empty()) options.spaces = {given.method.basis};
  if (options.layouts.empty()) options.layouts = {given.method.layout};
  if (options.precisions.empty()) options.precisions = {given.method.precision};
  if (options.orderings.empty()) options.orderings = {given.run.ordering};
  if (options.penalties.empty()) options.penalties = {given.method.penalty};
  return options;
}

/// Whether a march by parts has all of a problem (engines/parts/unfused.hpp).
bool is_by_parts(const march::Problem& problem) {
  if (problem.space == Space::full_4 || problem.penalty > 0 || has_upwind_fluxes(problem.scheme)) return false;
  if (has_rates(problem.scheme)) return problem.layout == Layout::stored;
  const bool disperses = std::any_of(problem.media.begin(), problem.media.end(), [](const Medium& medium) {
    return !medium.electric_poles.empty() || !medium.magnetic_poles.empty() || medium.chi3 != 0;
  });
  return !disperses && std::all_of(problem.walls.begin(), problem.walls.end(), march::is_mirror);
}

class Bench {
 public:
  Bench(const CommandLine& line, const ChosenBackend& backend, const comm::Communicator& ranks)
      : line_(line),
        options_(options_of(line, ranks)),
        backend_(backend),
        ranks_(ranks),
        methods_(list_methods(options_)),
        threads_(list_threads(options_, ranks)) {
    ranks.agree([&] {
      if (ranks.rank() == 0) table_.emplace(backend, threads_, options_.json, ranks.size(), line.case_file);
    });
  }

  void run() {
    const auto orderings = options_.orderings.empty() ? std::vector<Ordering>{Ordering::blocks} : options_.orderings;
    for (const modes::BenchMethod& method : methods_) {
      for (const Ordering ordering : orderings)
        for (const std::int64_t elements :
             options_.elements.empty() ? default_sizes(method, backend_) : options_.elements)
          for (const int threads : threads_) run_row(method, ordering, elements, threads);
    }
  }

 private:
  /// Meshes are kept: generating one takes longer than a row.
  const modes::BenchBox& box_of(std::int64_t elements, Ordering ordering) {
    auto& box = boxes_[{elements, ordering}];
    if (!box) box = std::make_unique<modes::BenchBox>(elements, ordering, march::threads_of_rank({}, ranks_), ranks_);
    return *box;
  }

  /// The case with this method, as if that stood in its file: what it does not support is refused. Dispersion for the
  /// dissertation's mapping is the dissertation's.
  const BenchCase& case_of(const modes::BenchMethod& method, Ordering ordering) {
    std::vector<std::string> settings = line_.overrides;
    for (const auto& [key, value] : {std::pair<const char*, std::string>("method.scheme", name_of(method.scheme)),
                                     {"method.basis", name_of(method.space)},
                                     {"method.layout", name_of(method.layout)},
                                     {"method.precision", name_of(method.precision)},
                                     {"run.ordering", name_of(ordering)},
                                     {"method.local_time_stepping.max_classes", "1"}})
      settings.push_back(std::string(key) + "=" + value);
    if (has_central_fluxes(method.scheme)) settings.push_back(tetrawave::format("method.penalty={}", method.penalty));
    if (options_.dissertation) settings.emplace_back("method.dispersion=published");
    case_.reset();
    Case given;
    ranks_.agree([&] {
      given = read_case(line_.case_file, settings);
      if (ranks_.rank() == 0 && !scratch_) scratch_ = std::make_unique<TemporaryDirectory>();
    });
    std::string directory = scratch_ ? scratch_->path().string() : "";
    ranks_.broadcast(directory);
    case_ = std::make_unique<BenchCase>(given, std::filesystem::path(directory) / "mesh.h5",
                                        march::threads_of_rank({}, ranks_), ranks_);
    return *case_;
  }

  struct Begin {
    march::Problem problem;
    march::Start start;
  };
  Begin begin_of(const modes::BenchMethod& method, Ordering ordering, std::int64_t elements) {
    if (!line_.case_file.empty()) {
      const BenchCase& given = case_of(method, ordering);
      return {given.problem(), given.start()};
    }
    const modes::BenchBox& box = box_of(elements, ordering);
    return {box.problem(method), box.start(method.space)};
  }

  void run_row(const modes::BenchMethod& method, Ordering ordering, std::int64_t elements, int threads) {
    const auto [problem, start] = begin_of(method, ordering, elements);
    BenchRow row;
    row.method = method;
    row.ordering = ordering;
    row.elements = problem.mesh->global_element_count;
    row.threads = threads;
    if (method.penalty > 0) row.kernels = tetrawave::format("penalty {:g}", method.penalty);
    const bool unfused = is_by_parts(problem);
    if (!line_.case_file.empty() && !unfused && (options_.split || options_.dissertation))
      fail(ExitCode::usage,
           "tetrawave: error: bench: kernels of parts of DGTD-Central have walls of pec and pmc and no dispersion, "
           "and DGTD-Upwind has none: use --mapping dissertation with --scheme dfdd-eld for this case");
    std::optional<Witness> witness;
    {
      const auto engine = backend_.make_engine(problem, {method.precision, threads, {}}, ranks_);
      engine->start(start);
      const std::int64_t unit = backend_.name == "cuda" ? 16 : 1;  // steps of a CUDA graph
      row.time = modes::time_steps(*engine, options_.seconds, unit, ranks_);
      row.bytes_per_step = ranks_.sum(engine->bytes_per_step());
      row.memory_bytes = ranks_.max(engine->device_memory_bytes());
      if (unfused && (options_.split || options_.dissertation)) witness.emplace(*engine, start);
    }
    if (ranks_.rank() == 0) table_->add(row);
    if (unfused && options_.split && has_central_fluxes(method.scheme))
      run_unfused(row, "split", backend_.make_unfused, problem, start, *witness);
    if (unfused && options_.dissertation && method.layout == Layout::stored) {
      run_unfused(row, "dissertation", backend_.make_dissertation(480), problem, start, *witness);
      run_unfused(row, "512 threads", backend_.make_dissertation(512), problem, start, *witness);
    }
  }

  /// The same method by kernels of its parts: compared with the engine, then timed as a whole and in parts.
  void run_unfused(BenchRow row, const char* kernels, const march::UnfusedFactory& make, const march::Problem& problem,
                   const march::Start& start, const Witness& witness) {
    const auto march = make(problem, {row.method.precision, row.threads, {}});
    const auto time = [&](const auto& work) {
      march->start(start.dt_m, *start.electric, *start.magnetic);
      return modes::time_batches(options_.seconds, 1, [&](std::int64_t count) {
        work(count);
        march->synchronize();
      });
    };
    march->start(start.dt_m, *start.electric, *start.magnetic);
    march->advance(Witness::steps);
    row.kernels = kernels;
    row.difference = largest_difference(fields_of(*march), witness.last);
    const double most = row.method.precision == Precision::single_precision ? 1e-4 : 1e-11;
    if (!(row.difference < most))
      throw InternalError(tetrawave::format("the {} kernels of {} differ from the fused ones by {:.2g} of the fields",
                                            kernels, name_of(row.method.space), row.difference));
    row.bytes_per_step = march->bytes_per_step();
    row.memory_bytes = 0;
    row.time = time([&](std::int64_t steps) { march->advance(steps); });
    for (std::size_t part = 0; part < march->parts().size(); ++part)
      row.parts.emplace_back(march->parts()[part],
                             time([&](std::int64_t times) { march->run_part(part, times); }).seconds);
    table_->add(row);
  }

  const CommandLine& line_;
  BenchOptions options_;
  const ChosenBackend& backend_;
  const comm::Communicator& ranks_;
  std::vector<modes::BenchMethod> methods_;
  std::vector<int> threads_;
  std::optional<BenchTable> table_;  ///< on rank 0
  std::map<std::pair<std::int64_t, Ordering>, std::unique_ptr<modes::BenchBox>> boxes_;
  std::unique_ptr<TemporaryDirectory> scratch_;  ///< of a case, on rank 0
  std::unique_ptr<BenchCase> case_;
};

}  // namespace

void run_bench(const CommandLine& line, const comm::Communicator& ranks) {
  if (ranks.size() > 1 && (line.bench.split || line.bench.dissertation))
    fail(ExitCode::usage,
         "tetrawave: error: bench: --split and --mapping dissertation measure one rank: start them without mpirun, "
         "found {} ranks",
         ranks.size());
  if (ranks.size() > 1 && (line.bench.iteration || line.bench.assembly))
    fail(ExitCode::usage, "tetrawave: error: bench: {} measures one rank: start it without mpirun, found {} ranks",
         line.bench.iteration ? "--iteration" : "--assembly", ranks.size());
  ChosenBackend backend = choose_backend(line.backend, ranks);
  bind_ranks(backend, {line.allow_oversubscribe, line.transport}, ranks);
  if (line.bench.dissertation && !backend.make_dissertation)
    fail(ExitCode::unavailable,
         "tetrawave: error: --mapping dissertation: its kernels are for GPUs: use --backend cuda where there is one");
  if (line.bench.pairs) return bench_pairs(line.bench, backend, ranks);
  if (line.bench.factors) {
    if (backend.name == "cuda") add_factor_device(backend, true, ranks);
    return bench_factors(line.bench, backend, ranks);
  }
  if (line.bench.iteration) {
    if (backend.name == "cuda") add_iteration_device(backend, ranks);
    return bench_iteration(line.bench, backend);
  }
  if (line.bench.assembly) {
    if (backend.name == "cuda") add_assembly_device(backend, ranks);
    return bench_assembly(line.bench, backend);
  }
  Bench(line, backend, ranks).run();
}

}  // namespace tetrawave::app
