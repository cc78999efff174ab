#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/backend.hpp"
#include "app/commands.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "modes/bench_box.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

/// What can be marched, in the order of the table.
struct Plan {
  std::vector<modes::BenchMethod> methods;
  std::vector<Ordering> orderings;
  std::vector<int> threads;
};

template <class Choice>
std::vector<Choice> chosen(const std::vector<Choice>& given, const Names<Choice>& all) {
  if (!given.empty()) return given;
  std::vector<Choice> choices;
  for (const auto& [name, choice] : all) choices.push_back(choice);
  return choices;
}

Plan make_plan(const BenchOptions& options, const comm::Communicator& ranks) {
  Plan plan;
  for (const Scheme scheme : chosen(options.schemes, scheme_names()))
    for (const Layout layout : chosen(options.layouts, layout_names())) {
      const bool asked = !options.layouts.empty() && !options.schemes.empty();
      if (layout == Layout::stored && scheme != Scheme::dgtd_central) {
        if (asked)
          fail(ExitCode::bad_case,
               "tetrawave: error: --layout: 'stored' of --scheme '{}' is not available yet in this version",
               name_of(scheme));
        continue;
      }
      for (const Space space : chosen(options.spaces, space_names()))
        for (const Precision precision : chosen(options.precisions, precision_names()))
          plan.methods.push_back({scheme, space, layout, precision});
    }
  plan.orderings = options.orderings.empty() ? std::vector<Ordering>{Ordering::blocks} : options.orderings;
  for (const std::int64_t threads : options.threads) plan.threads.push_back(static_cast<int>(threads));
  if (plan.threads.empty()) plan.threads.push_back(march::threads_of_rank({}, ranks));
  return plan;
}

/// The sizes of the table where none is asked for: one that caches hold in part, and one beyond them; matrices fill at
/// most two thirds of the memory that is free.
std::vector<std::int64_t> default_sizes(const modes::BenchMethod& method, const ChosenBackend& backend) {
  constexpr std::int64_t small = 41'154;
  const std::int64_t large = backend.name == "cuda" ? 1'572'864 : 998'250;
  if (method.layout == Layout::factored) return {small, large};
  const std::int64_t most =
      backend.free_bytes() * 2 / 3 / modes::stored_bytes_of_element(method.space, method.precision);
  return {std::min(backend.name == "cuda" ? large : small, most)};
}

class Bench {
 public:
  Bench(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks)
      : options_(options), backend_(backend), ranks_(ranks), plan_(make_plan(options, ranks)) {}

  void run() {
    print_header();
    for (const modes::BenchMethod& method : plan_.methods)
      for (const Ordering ordering : plan_.orderings)
        for (const std::int64_t elements :
             options_.elements.empty() ? default_sizes(method, backend_) : options_.elements)
          for (const int threads : plan_.threads) run_row(method, ordering, elements, threads);
  }

 private:
  void print_header() {
    json_["program"] = "tetrawave " + version_text();
    json_["revision"] = git_revision();
    json_["date"] = time_stamp();
    json_["machine"] = backend_.name + ": " + backend_.device;
    json_["rows"] = Json::array();
    save();
    std::printf("%s: %s\n", backend_.name.c_str(), backend_.device.c_str());
    for (const int threads : plan_.threads) {
      copy_[threads] = backend_.measure_copy(threads);
      std::printf("copy with %d CPU threads: %.2f GB/s, bytes read plus bytes written\n", threads,
                  1e-9 * copy_[threads]);
    }
    std::printf("%-12s %-8s %-9s %-9s %-7s %9s %3s %10s %18s %12s %9s\n", "scheme", "space", "layout", "precision",
                "order", "elements", "thr", "ms/step", "1e9 dof-updates/s", "bytes/step", "of copy");
  }

  /// After every row, so that an interrupted table is there too.
  void save() const {
    if (options_.json) store::write_text_atomically(*options_.json, json_.dump(1) + "\n");
  }

  static std::string time_stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
  }

  /// The mesh of the last row where it fits.
  const modes::BenchBox& box_of(std::int64_t elements, Ordering ordering) {
    if (!box_ || box_key_ != std::pair{elements, ordering}) {
      box_.reset();
      box_ = std::make_unique<modes::BenchBox>(elements, ordering, march::threads_of_rank({}, ranks_));
      box_key_ = {elements, ordering};
    }
    return *box_;
  }

  void run_row(const modes::BenchMethod& method, Ordering ordering, std::int64_t elements, int threads) {
    const modes::BenchBox& box = box_of(elements, ordering);
    const auto engine = backend_.make_engine(box.problem(method), {method.precision, threads, false}, ranks_);
    engine->start(box.start(method.space));
    const modes::StepTime time = modes::time_steps(*engine, options_.seconds, backend_.name == "cuda" ? 16 : 1);
    const double dofs =
        2.0 * static_cast<double>(basis::reference_element(method.space).dofs) * static_cast<double>(box.elements());
    const double share = static_cast<double>(engine->bytes_per_step()) / time.seconds / copy_[threads];
    std::printf("%-12s %-8s %-9s %-9s %-7s %9lld %3d %10.5f %18.3f %12lld %7.1f %%\n", name_of(method.scheme).c_str(),
                name_of(method.space).c_str(), name_of(method.layout).c_str(), name_of(method.precision).c_str(),
                name_of(ordering).c_str(), static_cast<long long>(box.elements()), threads, 1e3 * time.seconds,
                1e-9 * dofs / time.seconds, static_cast<long long>(engine->bytes_per_step()), 100 * share);
    std::fflush(stdout);
    json_["rows"].push_back({{"scheme", name_of(method.scheme)},
                             {"basis", name_of(method.space)},
                             {"layout", name_of(method.layout)},
                             {"precision", name_of(method.precision)},
                             {"ordering", name_of(ordering)},
                             {"elements", box.elements()},
                             {"threads", threads},
                             {"seconds_per_step", time.seconds},
                             {"fastest_batch", time.fastest},
                             {"slowest_batch", time.slowest},
                             {"steps", time.steps},
                             {"dof_updates_per_second", dofs / time.seconds},
                             {"bytes_per_step", engine->bytes_per_step()},
                             {"copy_bytes_per_second", copy_[threads]},
                             {"share_of_copy", share},
                             {"device_memory_bytes", engine->device_memory_bytes()}});
    save();
  }

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  const comm::Communicator& ranks_;
  Plan plan_;
  std::map<int, double> copy_;  ///< per number of threads
  std::unique_ptr<modes::BenchBox> box_;
  std::pair<std::int64_t, Ordering> box_key_;
  Json json_;
};

}  // namespace

void run_bench(const CommandLine& line, const comm::Communicator& ranks) {
  if (ranks.size() > 1)
    fail(ExitCode::usage, "tetrawave: error: bench measures one rank: start it without mpirun, found {} ranks",
         ranks.size());
  const ChosenBackend backend = choose_backend(line.backend, ranks);
  Bench(line.bench, backend, ranks).run();
}

}  // namespace tetrawave::app
