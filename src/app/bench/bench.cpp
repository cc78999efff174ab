#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "app/bench/bench_table.hpp"
#include "app/bench/factor_bench.hpp"
#include "app/bench/iteration_bench.hpp"
#include "app/bench/pair_bench.hpp"
#include "app/binding.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/scheme.hpp"

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

/// Fields of the engine at the start and some steps later, for comparison with other kernels.
struct Witness {
  static constexpr std::int64_t steps = 16;
  BothFields first, last;

  Witness(march::Engine& engine, const march::Start& start) {
    engine.start(start);
    first = fields_of(engine);
    engine.advance(steps);
    last = fields_of(engine);
  }
};

class Bench {
 public:
  Bench(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks)
      : options_(options),
        backend_(backend),
        ranks_(ranks),
        methods_(list_methods(options)),
        threads_(list_threads(options, ranks)) {
    ranks.agree([&] {
      if (ranks.rank() == 0) table_.emplace(backend, threads_, options.json, ranks.size());
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

  void run_row(const modes::BenchMethod& method, Ordering ordering, std::int64_t elements, int threads) {
    const modes::BenchBox& box = box_of(elements, ordering);
    const march::Start start = box.start(method.space);
    const march::Problem problem = box.problem(method);
    BenchRow row;
    row.method = method;
    row.ordering = ordering;
    row.elements = box.elements();
    row.threads = threads;
    if (method.penalty > 0) row.kernels = tetrawave::format("penalty {:g}", method.penalty);
    // The others have no kernels of parts.
    const bool unfused = has_central_fluxes(method.scheme) && method.space != Space::full_4 && method.penalty == 0;
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
    if (unfused && options_.split) run_unfused(row, "split", backend_.make_unfused, problem, start.dt_m, *witness);
    if (unfused && options_.dissertation && method.layout == Layout::stored) {
      run_unfused(row, "dissertation", backend_.make_dissertation(480), problem, start.dt_m, *witness);
      run_unfused(row, "512 threads", backend_.make_dissertation(512), problem, start.dt_m, *witness);
    }
  }

  /// The same method by kernels of its parts: compared with the engine, then timed as a whole and in parts.
  void run_unfused(BenchRow row, const char* kernels, const march::UnfusedFactory& make, const march::Problem& problem,
                   double dt_m, const Witness& witness) {
    const auto march = make(problem, {row.method.precision, row.threads, {}});
    const auto time = [&](const auto& work) {
      march->start(dt_m, witness.first[0], witness.first[1]);
      return modes::time_batches(options_.seconds, 1, [&](std::int64_t count) {
        work(count);
        march->synchronize();
      });
    };
    march->start(dt_m, witness.first[0], witness.first[1]);
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

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  const comm::Communicator& ranks_;
  std::vector<modes::BenchMethod> methods_;
  std::vector<int> threads_;
  std::optional<BenchTable> table_;  ///< on rank 0
  std::map<std::pair<std::int64_t, Ordering>, std::unique_ptr<modes::BenchBox>> boxes_;
};

}  // namespace

void run_bench(const CommandLine& line, const comm::Communicator& ranks) {
  if (ranks.size() > 1 && (line.bench.split || line.bench.dissertation))
    fail(ExitCode::usage,
         "tetrawave: error: bench: --split and --mapping dissertation measure one rank: start them without mpirun, "
         "found {} ranks",
         ranks.size());
  if (ranks.size() > 1 && line.bench.iteration)
    fail(ExitCode::usage,
         "tetrawave: error: bench: --iteration measures one rank: start it without mpirun, found {} ranks",
         ranks.size());
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
  Bench(line.bench, backend, ranks).run();
}

}  // namespace tetrawave::app
