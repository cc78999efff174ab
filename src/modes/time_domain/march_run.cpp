#include "modes/time_domain/march_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "basis/reference_element.hpp"
#include "march/loop/state_file.hpp"
#include "march/loop/step_classes.hpp"
#include "model/check/power_balance.hpp"
#include "model/far_field.hpp"
#include "model/kerr_media.hpp"
#include "modes/time_domain/check.hpp"
#include "modes/time_domain/far_field.hpp"
#include "modes/time_domain/start.hpp"
#include "modes/time_domain/unknowns.hpp"

namespace tetrawave::modes {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The runs of a case: all excitations together, or one run per driven port.
std::vector<results::MarchResult> list_marches(const Model& model, const std::filesystem::path& streams) {
  std::vector<std::size_t> excited;
  for (std::size_t p = 0; p < model.given.ports.size(); ++p)
    if (model.given.ports[p].excite) excited.push_back(p);
  const bool each = model.given.outputs.s_parameters && model.given.outputs.s_parameters->drive_each;
  if (!each) return {{"", excited, streams}};
  std::vector<results::MarchResult> marches;
  for (const std::size_t p : excited)
    marches.push_back({model.given.ports[p].name, {p}, streams / model.given.ports[p].name});
  return marches;
}

/// An MPI launcher that binds every rank to one core leaves most of the node idle.
void warn_of_binding(int threads, const comm::Communicator& ranks) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  if (ranks.rank() == 0 && std::getenv("OMP_NUM_THREADS") == nullptr && 2 * threads * ranks.node_size() <= cores)
    log::warning(
        "{} ranks of {} threads use {} of this node's {} cores: give mpirun --bind-to none, or set run.threads",
        ranks.node_size(), threads, threads * ranks.node_size(), cores);
}

/// Phase times of the slowest rank, phase by phase.
std::vector<std::pair<std::string, double>> slowest(const PhaseClock& mine, const comm::Communicator& ranks) {
  auto phases = mine.phases();
  for (auto& [name, seconds] : phases) seconds = ranks.max(seconds);
  return phases;
}

std::string to_text(const std::vector<std::pair<std::string, double>>& phases) {
  std::string text;
  for (const auto& [name, seconds] : phases)
    text += tetrawave::format("{}{} {:.3g}", text.empty() ? "" : ", ", name, seconds);
  return text;
}

march::Start start_together(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven, bool with_fields,
                            const comm::Communicator& ranks) {
  march::Start start;
  ranks.agree([&] { start = make_start(setup, driven, with_fields); });
  return start;
}

}  // namespace

Run::Run(const TimeDomainOptions& options, TimeDomainSetup& setup, Checkpoints& checkpoints,
         const comm::Communicator& ranks)
    : options_(options),
      setup_(setup),
      checkpoints_(checkpoints),
      ranks_(ranks),
      marches_(list_marches(setup, options.directory / "streams")),
      last_checkpoint_(Clock::now()) {}

void Run::march_all(const store::Commit* resumed, Clock::time_point begin) {
  const std::size_t first = resumed == nullptr ? 0 : static_cast<std::size_t>(resumed->march);
  ensure(first < marches_.size(), "a checkpoint is of a march of its case");
  std::vector<std::string> warnings;  // before the fields of the start take memory
  if (resumed == nullptr) warnings = examine_case(setup_, options_.directory, ranks_).warnings;
  auto start = start_together(setup_, marches_[first].driven, resumed == nullptr, ranks_);
  if (resumed == nullptr)
    if (std::string lost = find_lost_fields(setup_, start, ranks_); !lost.empty()) warnings.push_back(std::move(lost));
  for (const std::string& warning : warnings) log::warning("{}", warning);
  ranks_.agree([&] {
    if (ranks_.rank() == 0) options_.begin();
  });
  if (resumed != nullptr) {
    checkpoints_.restore(*resumed);
    log::info("resuming at step {} of {} from checkpoint {:06} of {}", resumed->step, setup_.steps, resumed->number,
              resumed->written);
  }
  setup_seconds_ = ranks_.max(seconds_since(begin));
  setup_phases_ = slowest(setup_.clock, ranks_);
  if (ranks_.size() > 1) log::info("{}", describe_halos(setup_.halos));
  log::info("set-up took {:.3g} s: {}; running on {}", setup_seconds_, to_text(setup_phases_), setup_.engine->device());
  if (setup_.given.run.threads == 0) warn_of_binding(setup_.engine->threads(), ranks_);
  if (options_.marching) options_.marching(true);
  for (std::size_t m = first; m < marches_.size(); ++m) {
    if (m > first) start = start_together(setup_, marches_[m].driven, true, ranks_);
    MarchRun(*this, m, std::move(start), m == first ? resumed : nullptr).march();
  }
  if (options_.marching) options_.marching(false);
  const auto marched = steps_done();
  log::info("{} steps in {:.3g} s: {:.4g} steps/s, {:.4g} dof-updates/s; health checks took {:.2g} s", marched,
            march_seconds_, static_cast<double>(marched) / march_seconds_,
            static_cast<double>(marched) * updates_of_step(setup_) / march_seconds_, health_seconds_);
  if (setup_.class_elements.size() > 1)
    log::info(
        "local time stepping: {:.3g} times as fast as a single step of {:.3g} s for all elements, at {:.3g} s each",
        measured_gain(march_seconds_), setup_.single.dt_s, setup_.single.seconds);
  write_results(marches_.size() - 1, march_seconds_, kerr_, true);
}

std::int64_t Run::steps_done() const {
  std::int64_t steps = 0;
  for (const results::MarchResult& march : marches_) steps += march.steps_done;
  return steps;
}

double Run::measured_gain(double seconds) const {
  const double single_steps = static_cast<double>(steps_done()) * setup_.dt_s / setup_.single.dt_s;
  return (single_steps * setup_.single.seconds + ranks_.max(output_seconds_)) / seconds;
}

void Run::write_results(std::size_t last, double seconds, const std::optional<KerrReport>& kerr, bool complete) const {
  results::RunFigures figures;
  figures.elements = setup_.mesh.global_element_count;
  figures.dofs = dofs_of(setup_);
  figures.mesh_hash = setup_.mesh_hash;
  figures.dt_s = setup_.dt_s;
  figures.steps = setup_.steps;
  figures.steps_done = steps_done();
  figures.complete = complete;
  figures.smallest_dt_s = setup_.smallest_dt_s;
  figures.class_elements = setup_.class_elements;
  figures.updates_of_step = updates_of_step(setup_);
  figures.ideal_gain = march::gain_by_counting(setup_.class_elements);
  figures.predicted_gain = setup_.predicted_gain;
  figures.measured_gain = setup_.class_elements.size() == 1 ? 1 : measured_gain(seconds);
  figures.single = setup_.single;
  if (setup_.surface) figures.surface_impedance = setup_.surface->impedance;
  figures.balance = find_power_balance(setup_);
  figures.setup_seconds = setup_seconds_;
  figures.setup = setup_phases_;
  figures.halos = setup_.halos;
  figures.ordering = setup_.given.run.ordering;
  figures.shares = setup_.shares;
  figures.march_seconds = seconds;
  figures.steps_per_second = static_cast<double>(figures.steps_done) / seconds;
  add_times(*setup_.engine, ranks_, figures);
  figures.seconds_output = ranks_.max(output_seconds_);
  figures.bytes_per_step = ranks_.sum(setup_.engine->bytes_per_step());
  figures.device_memory_bytes = ranks_.max(setup_.engine->device_memory_bytes());
  figures.host_memory_bytes = ranks_.max(peak_resident_bytes());
  if (const auto of = setup_.engine->implicit_figures()) add_figures(*of, figures);
  if (kerr) figures.kerr = {kerr->mean_iterations, kerr->most_iterations, kerr->largest_eps_r};
  figures.ranks = ranks_.size();
  figures.threads = setup_.engine->threads();
  const std::vector begun(marches_.begin(), marches_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    results::write_results(options_.directory, result_request(setup_), history_plan(setup_), options_.identity,
                           setup_.engine->device(), figures, begun);
  });
}

MarchRun::MarchRun(Run& run, std::size_t index, march::Start start, const store::Commit* resumed)
    : run_(run),
      index_(index),
      health_(run.setup_, start, run.ranks_),
      stop_rule_(run.setup_.given.time.energy_decay_db, health_.sources_over_from(),
                 run.setup_.is_implicit ? StopRule::every_implicit : StopRule::every_explicit),
      end_(run.setup_.steps) {
  open_fields(start, resumed);
  run_.setup_.engine->start(start);
  start = {};  // the engine has its own copy
  run_.ranks_.agree([&] {
    if (run_.ranks_.rank() == 0) open_histories(resumed);
  });
  register_state();
  if (resumed == nullptr) return;
  march::read_state(state_, run_.setup_.mesh, run_.ranks_, run_.checkpoints_.state_files(*resumed));
  run_.setup_.engine->resume();
  first_ = done_ = run_.marches_[index_].steps_done = resumed->step;
}

void MarchRun::report_sampling() const {
  const march::Engine& engine = *run_.setup_.engine;
  const std::int64_t bytes = run_.ranks_.sum(engine.bytes_of_sample());
  if (bytes == 0) return;
  const std::int64_t every = engine.spectra_every();
  log::info("Fourier sums: sampled every {} steps, {:.4g} MB per step in addition to {:.4g} MB of the update", every,
            static_cast<double>(bytes) / static_cast<double>(every) / 1e6,
            static_cast<double>(run_.ranks_.sum(engine.bytes_per_step())) / 1e6);
}

void MarchRun::open_fields(march::Start& start, const store::Commit* resumed) {
  const TimeDomainSetup& setup = run_.setup_;
  if (setup.grids.empty()) return;
  const results::MarchResult& march = run_.marches_[index_];
  const auto& directory = run_.options_.directory;
  fields_ = std::make_unique<results::FieldSeries>(
      results::FieldPlan{setup.problem, setup.grids, setup.dt_s, setup.steps, setup.engine->threads()},
      directory / "fields" / march.name, march.streams, run_.ranks_);
  fields_->open(resumed == nullptr ? nullptr : &resumed->streams, directory);
  start.take_fields = [this](std::int64_t step, const march::FieldDofs& dofs) {
    const auto begin = Clock::now();
    fields_->take(step, dofs);
    run_.output_seconds_ += seconds_since(begin);
  };
}

void MarchRun::open_histories(const store::Commit* resumed) {
  const auto plan = history_plan(run_.setup_);
  const bool energy = run_.setup_.given.outputs.energy_every.has_value();
  const auto& streams = run_.marches_[index_].streams;
  if (resumed == nullptr) {
    histories_ =
        std::make_unique<results::Histories>(streams, plan, energy, run_.setup_.engine->magnetic_before_start());
    return;
  }
  const auto& directory = run_.options_.directory;
  histories_ = std::make_unique<results::Histories>(streams, plan, energy, resumed->streams, directory);
  auto own = histories_->marks(directory);
  if (fields_)
    for (auto& mark : fields_->marks(directory)) own.push_back(std::move(mark));
  for (const store::FileMark& mark : resumed->streams)
    if (std::none_of(own.begin(), own.end(), [&](const auto& other) { return other.name == mark.name; }))
      run_.finished_streams_.push_back(mark);
}

void MarchRun::register_state() {
  run_.setup_.engine->register_state(state_);
  state_.add(march::SharedState{"magnetic_before", [this] { return histories_->magnetic_before(); },
                                [this](const std::vector<double>& values) {
                                  if (histories_) histories_->set_magnetic_before(values);
                                }});
  state_.add(march::SharedState{"energy",
                                [this] {
                                  std::vector<double> values;
                                  run_.marches_[index_].energy = health_.energy();
                                  for (std::size_t m = 0; m <= index_; ++m)
                                    for (const double x : run_.marches_[m].energy.numbers()) values.push_back(x);
                                  return values;
                                },
                                [this](const std::vector<double>& values) {
                                  ensure(values.size() == 4 * (index_ + 1), "an energy tail per march so far");
                                  for (std::size_t m = 0, k = 0; m <= index_; ++m, k += 4)
                                    run_.marches_[m].energy = {values[k], values[k + 1], values[k + 2], values[k + 3]};
                                  health_.set_energy(run_.marches_[index_].energy);
                                }});
  state_.add(march::SharedState{"stop_rule", [this] { return stop_rule_.state(); },
                                [this](const std::vector<double>& values) { stop_rule_.set_state(values); }});
  state_.add(march::SharedState{"ends",
                                [this] {
                                  std::vector<double> values;
                                  for (std::size_t m = 0; m < index_; ++m) {
                                    values.push_back(static_cast<double>(run_.marches_[m].steps_done));
                                    values.push_back(run_.marches_[m].decayed ? 1 : 0);
                                  }
                                  return values;
                                },
                                [this](const std::vector<double>& values) {
                                  ensure(values.size() == 2 * index_, "an end per march that is done");
                                  for (std::size_t m = 0; m < index_; ++m) {
                                    run_.marches_[m].steps_done = static_cast<std::int64_t>(values[2 * m]);
                                    run_.marches_[m].decayed = values[2 * m + 1] != 0;
                                    run_.marches_[m].ended = true;
                                  }
                                }});
  if (run_.setup_.surface) register_far_field();
  if (has_kerr(run_.setup_.problem)) register_kerr();
  state_.add(march::SharedState{"seconds",
                                [this] {
                                  return std::vector<double>{seconds_so_far(), run_.output_seconds_};
                                },
                                [this](const std::vector<double>& values) {
                                  ensure(values.size() == 2, "seconds of the march and of its output");
                                  run_.march_seconds_ = values[0];
                                  run_.output_seconds_ = values[1];
                                }});
}

void MarchRun::register_kerr() {
  state_.add(march::SharedState{"kerr",
                                [this] {
                                  const KerrReport kerr = kerr_so_far().value_or(KerrReport{});
                                  return std::vector<double>{kerr.mean_iterations, kerr.most_iterations,
                                                             kerr.largest_eps_r, static_cast<double>(kerr.steps)};
                                },
                                [this](const std::vector<double>& values) {
                                  ensure(values.size() == 4, "what nonlinear updates have taken");
                                  run_.kerr_ = {values[0], values[1], values[2], static_cast<std::int64_t>(values[3])};
                                }});
}

/// Sums so far, and the far fields of finished runs.
void MarchRun::register_far_field() {
  state_.add(march::SharedState{"spectra", [this] { return spectra_; },
                                [this](const std::vector<double>& rows) { restore_spectra(run_.setup_, rows); }});
  state_.add(march::SharedState{"far_fields",
                                [this] {
                                  std::vector<double> numbers;
                                  for (std::size_t m = 0; m < index_; ++m)
                                    for (const double x : to_numbers(run_.marches_[m].far_field)) numbers.push_back(x);
                                  return numbers;
                                },
                                [this](const std::vector<double>& numbers) {
                                  const std::size_t width = index_ == 0 ? 0 : numbers.size() / index_;
                                  for (std::size_t m = 0; m < index_; ++m) {
                                    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(m * width);
                                    run_.marches_[m].far_field =
                                        from_numbers({first, first + static_cast<std::ptrdiff_t>(width)},
                                                     run_.setup_.given.outputs.far_field->frequencies_hz.size());
                                  }
                                }});
}

std::optional<KerrReport> MarchRun::kerr_so_far() const {
  if (!kerr_ || !run_.kerr_) return kerr_ ? kerr_ : run_.kerr_;
  return both(*run_.kerr_, *kerr_);
}

double MarchRun::seconds_so_far() const { return run_.march_seconds_ + seconds_since(begin_); }

void MarchRun::march() {
  report_sampling();
  begin_ = Clock::now();
  if (done_ == 0) sample_energy();
  while (done_ < end_) {
    march_piece();
    const std::string reason = run_.options_.why_stop ? run_.options_.why_stop() : "";
    const Wish wish = done_ < end_ ? agree_on_wish(reason) : Wish::none;
    const bool due = health_.is_due(piece_seconds_);
    if (due || wish != Wish::none || done_ == end_) {
      kerr_ = watch_kerr(*run_.setup_.engine, run_.setup_.problem, done_ - first_, run_.setup_.dt_s, run_.ranks_);
      health_.check(done_);
    }
    report();
    if (wish != Wish::none) write_checkpoint(wish == Wish::stop ? common_reason(reason) : "");
  }
  health_.end(done_);
  finish();
  run_.march_seconds_ = run_.ranks_.max(seconds_so_far());
  run_.marches_[index_].energy = health_.energy();
  if (run_.setup_.surface)
    run_.marches_[index_].far_field = find_far_field(run_.setup_, run_.marches_[index_].driven, run_.ranks_);
  run_.health_seconds_ += health_.seconds();
  run_.kerr_ = kerr_so_far();
  run_.ranks_.agree([&] {
    if (!histories_) return;
    for (auto& mark : sync_output()) run_.finished_streams_.push_back(std::move(mark));
  });
}

std::vector<store::FileMark> MarchRun::sync_output() {
  histories_->sync();
  auto marks = histories_->marks(run_.options_.directory);
  if (!fields_) return marks;
  if (!run_.marches_[index_].ended) fields_->sync();
  for (auto& mark : fields_->marks(run_.options_.directory)) marks.push_back(std::move(mark));
  return marks;
}

void MarchRun::finish() {
  results::MarchResult& march = run_.marches_[index_];
  const std::string name = march.name.empty() ? "" : " " + march.name;
  if (march.decayed)
    log::info(
        "run{} stopped by time.energy_decay at step {} of {} (t = {:.6g} s): the energy is at {:.1f} dB of its "
        "maximum",
        name, done_, run_.setup_.steps, time_s(), stop_rule_.level_db());
  else if (run_.setup_.given.time.energy_decay_db)
    log::warning(
        "run{1} stopped by {0} (t = {2:.6g} s) before the energy fell by time.energy_decay, {3:g} dB: it is at "
        "{4:.1f} dB{5}",
        run_.setup_.given.time.steps ? "time.steps" : "time.end", name, time_s(),
        *run_.setup_.given.time.energy_decay_db, stop_rule_.level_db(),
        health_.sources_over_from() > done_ ? ", and a source acts until the end" : "");
  run_.setup_.engine->finish();
  record();
  if (fields_) {
    fields_->finish();
    fields_->write_sums([&](auto f, bool imaginary) { return run_.setup_.engine->field_sums(f, imaginary); });
  }
  march.ended = true;
}

bool MarchRun::sample_energy() {
  const bool ends = stop_rule_.is_due(done_), watched = health_.wants_energy(done_);
  if (!ends && !watched) return false;
  const double energy = run_.setup_.engine->present_energy();
  if (watched) health_.note(done_, energy);
  return ends && stop_rule_.note(done_, energy);
}

void MarchRun::advance(std::int64_t steps) {
  const std::int64_t until = done_ + steps;
  while (done_ < until && done_ < end_) {
    const std::int64_t next = stop_rule_.steps_to_check(done_, health_.steps_to_look(done_, until - done_));
    run_.setup_.engine->advance(next);
    done_ += next;
    if (!sample_energy()) continue;
    end_ = done_;
    run_.marches_[index_].decayed = true;
    run_.ranks_.agree([&] {
      if (histories_) histories_->end_at(end_);
    });
  }
  run_.marches_[index_].steps_done = done_;
}

/// Pieces are long enough to have little overhead, and short enough to react to a signal within a second.
void MarchRun::march_piece() {
  const auto begin = Clock::now();
  advance(std::min(piece_, end_ - done_));
  record();
  piece_seconds_ = run_.ranks_.max(seconds_since(begin));
  const double wanted = std::min(0.5, run_.setup_.given.run.checkpoint.every_s.value_or(0.5));
  if (piece_seconds_ < wanted / 2) piece_ *= 2;
  if (piece_seconds_ > 1.5 * wanted && piece_ > 1) piece_ /= 2;
}

void MarchRun::record() {
  run_.setup_.engine->synchronize();  // the output alone is timed
  const auto begin = Clock::now();
  march::Record record = run_.setup_.engine->take_record();
  auto energy = run_.setup_.engine->take_energy();
  health_.note(energy);
  run_.ranks_.agree([&] {
    if (histories_) histories_->append(std::move(record), std::move(energy));
  });
  run_.output_seconds_ += seconds_since(begin);
}

/// A stop is requested by any rank, an interval ends on the clock of rank 0.
MarchRun::Wish MarchRun::agree_on_wish(const std::string& reason) const {
  const auto& every = run_.setup_.given.run.checkpoint.every_s;
  const bool due = run_.ranks_.rank() == 0 && every && seconds_since(run_.last_checkpoint_) >= *every;
  const Wish mine = !reason.empty() ? Wish::stop : due ? Wish::checkpoint : Wish::none;
  return static_cast<Wish>(run_.ranks_.max(static_cast<std::int64_t>(mine)));
}

std::string MarchRun::common_reason(const std::string& reason) const {
  const comm::Communicator& ranks = run_.ranks_;
  std::string common = reason;
  ranks.broadcast(common, static_cast<int>(ranks.min(std::int64_t{reason.empty() ? ranks.size() : ranks.rank()})));
  return common;
}

void MarchRun::write_checkpoint(const std::string& stop_reason) {
  const auto begin = Clock::now();
  store::Commit about;
  about.march = static_cast<std::int64_t>(index_);
  about.step = done_;
  about.time_s = time_s();
  about.dt_s = run_.setup_.dt_s;
  about.stable_step_s = run_.setup_.stable_step_s;
  about.program = run_.options_.identity.program + " " + run_.options_.identity.version;
  about.written = results::time_stamp();
  run_.ranks_.agree([&] {
    if (!histories_) return;
    about.streams = run_.finished_streams_;
    for (auto& mark : sync_output()) about.streams.push_back(std::move(mark));
  });
  if (run_.setup_.surface) spectra_ = gather_spectra(run_.setup_, run_.ranks_);
  const auto folder = run_.checkpoints_.write(state_, run_.setup_.mesh, about);
  log::info("checkpoint {} at step {} in {:.2g} s", folder.filename().string(), done_, seconds_since(begin));
  run_.output_seconds_ += seconds_since(begin);
  run_.write_results(index_, run_.ranks_.max(seconds_so_far()), kerr_so_far(), false);
  run_.last_checkpoint_ = Clock::now();
  if (stop_reason.empty()) return;
  fail(ExitCode::stopped, "stopped ({}) at step {} of {}{}: checkpoint {} is written; resume with: {}", stop_reason,
       done_, run_.setup_.steps,
       run_.marches_[index_].name.empty() ? "" : " of excitation " + run_.marches_[index_].name, folder.string(),
       run_.options_.resume_command);
}

void MarchRun::report() const {
  if (run_.ranks_.rank() != 0 || !run_.options_.report) return;
  const results::EnergyTail& energy = health_.energy();
  const double rate = static_cast<double>(done_ - first_) / seconds_since(begin_);
  const double level_db = 10 * std::log10(energy.last_j / std::max(energy.last_j, energy.largest_j));
  Progress progress{run_.marches_[index_].name, done_, run_.setup_.steps, time_s(), level_db, 0, 0, kerr_so_far()};
  progress.updates_per_second = rate * updates_of_step(run_.setup_);
  progress.seconds_left = static_cast<double>(end_ - done_) / rate;
  run_.options_.report(progress);
}

}  // namespace tetrawave::modes
