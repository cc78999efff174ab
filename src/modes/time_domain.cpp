#include "modes/time_domain.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::modes {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// One march from start to end, in pieces of about half a second.
class MarchRun {
 public:
  MarchRun(const Case& given, const TimeDomainOptions& options, TimeDomainSetup& setup, const comm::Communicator& ranks,
           std::string name)
      : given_(given), options_(options), setup_(setup), ranks_(ranks), name_(std::move(name)) {}

  [[nodiscard]] const observe::EnergyTail& energy() const { return energy_; }
  /// Seconds of the march that went into histories.
  [[nodiscard]] double seconds_output() const { return ranks_.max(seconds_output_); }

  /// Returns the seconds of the march itself.
  double run(march::Start start, const std::filesystem::path& streams) {
    setup_.engine->start(start);
    start = {};  // the engine has its own copy
    std::unique_ptr<observe::Histories> histories;
    ranks_.agree([&] {
      if (ranks_.rank() == 0)
        histories = std::make_unique<observe::Histories>(streams, history_plan(given_, setup_),
                                                         given_.outputs.energy_every.has_value(),
                                                         setup_.engine->magnetic_before_start());
    });
    begin_ = Clock::now();
    std::int64_t done = 0;
    std::int64_t piece = 16;
    while (done < setup_.steps) {
      const auto piece_begin = Clock::now();
      const std::int64_t steps = std::min(piece, setup_.steps - done);
      setup_.engine->advance(steps);
      done += steps;
      check_health(done);
      record(histories.get());
      const double seconds = ranks_.max(seconds_since(piece_begin));
      if (seconds < 0.25) piece *= 2;
      if (seconds > 1 && piece > 16) piece /= 2;
    }
    setup_.engine->finish();
    record(histories.get());
    return ranks_.max(seconds_since(begin_));
  }

 private:
  /// The energy of the present levels says whether every field value is finite.
  void check_health(std::int64_t done) {
    const double energy = setup_.engine->present_energy();
    const double time = static_cast<double>(done) * setup_.dt_s;
    if (!std::isfinite(energy))
      fail(ExitCode::unstable,
           "the fields are no longer finite at step {} (t = {:.6g} s): the time step is {:.6g} s, the stable limit "
           "{:.6g} s: lower method.cfl or method.time_step, or check the mesh",
           done, time, setup_.dt_s, setup_.stable_step_s);
    note_energy(time, energy);
    energy_.last_j = energy;
    if (ranks_.rank() != 0 || !options_.report) return;
    const double rate = static_cast<double>(done) / seconds_since(begin_);
    Progress progress{name_, done, setup_.steps, time, 10 * std::log10(energy / energy_.largest_j), 0, 0};
    progress.updates_per_second = rate * static_cast<double>(dofs_per_step());
    progress.seconds_left = static_cast<double>(setup_.steps - done) / rate;
    options_.report(progress);
  }

  void note_energy(double time_s, double energy_j) {
    if (energy_j <= energy_.largest_j) return;
    energy_.largest_j = energy_j;
    energy_.largest_time_s = time_s;
  }

  [[nodiscard]] std::int64_t dofs_per_step() const {
    return 2 * static_cast<std::int64_t>(basis::reference_element(given_.method.basis).dofs) *
           setup_.mesh.global_element_count;
  }

  void record(observe::Histories* histories) {
    const auto begin = Clock::now();
    const march::Record record = setup_.engine->take_record();
    const auto energy = setup_.engine->take_energy();
    for (const auto& row : energy)
      note_energy(static_cast<double>(row.step) * setup_.dt_s, row.electric + row.magnetic);
    ranks_.agree([&] {
      if (histories == nullptr) return;
      histories->append(record);
      histories->append(energy);
      histories->flush();
    });
    seconds_output_ += seconds_since(begin);
  }

  const Case& given_;
  const TimeDomainOptions& options_;
  TimeDomainSetup& setup_;
  const comm::Communicator& ranks_;
  std::string name_;
  Clock::time_point begin_;
  observe::EnergyTail energy_;
  double seconds_output_ = 0;
};

std::vector<std::size_t> excited_ports(const Case& given) {
  std::vector<std::size_t> ports;
  for (std::size_t p = 0; p < given.ports.size(); ++p)
    if (given.ports[p].excite) ports.push_back(p);
  return ports;
}

/// The marches of a case: all excitations together, or one march per driven port.
std::vector<observe::MarchResult> list_marches(const Case& given, const std::filesystem::path& streams) {
  const auto excited = excited_ports(given);
  const bool each = given.outputs.s_parameters && given.outputs.s_parameters->drive_each;
  if (!each) return {{"", excited, streams, {}}};
  std::vector<observe::MarchResult> marches;
  for (const std::size_t p : excited) marches.push_back({given.ports[p].name, {p}, streams / given.ports[p].name, {}});
  return marches;
}

/// An MPI launcher that binds every rank to one core leaves most of the node idle.
void warn_of_binding(int threads, const comm::Communicator& ranks) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  if (ranks.rank() == 0 && 2 * threads * ranks.node_size() <= cores)
    log::warning(
        "{} ranks of {} threads use {} of this node's {} cores: give mpirun --bind-to none, or set run.threads",
        ranks.node_size(), threads, threads * ranks.node_size(), cores);
}

march::Start start_together(const Case& given, const TimeDomainSetup& setup, const std::vector<std::size_t>& driven,
                            const comm::Communicator& ranks) {
  march::Start start;
  ranks.agree([&] { start = make_start(given, setup, driven); });
  return start;
}

observe::RunFigures figures_of(const Case& given, const TimeDomainSetup& setup, const comm::Communicator& ranks,
                               double setup_seconds, double march_seconds, std::int64_t marched) {
  observe::RunFigures figures;
  figures.elements = setup.mesh.global_element_count;
  figures.dofs = 2 * static_cast<std::int64_t>(basis::reference_element(given.method.basis).dofs) * figures.elements;
  figures.dt_s = setup.dt_s;
  figures.steps = setup.steps;
  figures.setup_seconds = setup_seconds;
  figures.march_seconds = march_seconds;
  figures.steps_per_second = static_cast<double>(marched) / march_seconds;
  figures.seconds_communication = ranks.max(setup.engine->seconds_communication());
  figures.bytes_per_step = ranks.sum(setup.engine->bytes_per_step());
  figures.device_memory_bytes = ranks.max(setup.engine->device_memory_bytes());
  figures.ranks = ranks.size();
  figures.threads = setup.engine->threads();
  return figures;
}

}  // namespace

void run_time_domain(const Case& given, const TimeDomainOptions& options, const comm::Communicator& ranks) {
  const auto begin = Clock::now();
  const auto setup = set_up(given, options.mesh_file, options.make_engine, ranks, options.allow_oversubscribe);
  auto marches = list_marches(given, options.directory / "streams");
  march::Start start = start_together(given, *setup, marches.front().driven, ranks);
  ranks.agree([&] {
    if (ranks.rank() == 0) options.begin();
  });
  const double setup_seconds = ranks.max(seconds_since(begin));
  log::info("set-up took {:.3g} s; marching on {}", setup_seconds, setup->engine->device());
  if (given.run.threads == 0) warn_of_binding(setup->engine->threads(), ranks);
  double march_seconds = 0;
  double output_seconds = 0;
  for (auto& march : marches) {
    if (&march != &marches.front()) start = start_together(given, *setup, march.driven, ranks);
    MarchRun run(given, options, *setup, ranks, march.name);
    march_seconds += run.run(std::move(start), march.streams);
    output_seconds += run.seconds_output();
    march.energy = run.energy();
  }
  const auto marched = setup->steps * static_cast<std::int64_t>(marches.size());
  auto figures = figures_of(given, *setup, ranks, setup_seconds, march_seconds, marched);
  figures.seconds_output = output_seconds;
  log::info("marched {} steps in {:.3g} s: {:.4g} steps/s, {:.4g} dof-updates/s", marched, march_seconds,
            figures.steps_per_second, figures.steps_per_second * static_cast<double>(figures.dofs));
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    observe::write_results(options.directory, given, history_plan(given, *setup), options.identity,
                           setup->engine->device(), figures, marches);
  });
}

}  // namespace tetrawave::modes
