// The time loop on one rank, whatever the scheme: start, recording, energies, state, batches of steps.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "march/interface/per_field.hpp"
#include "march/loop/action_clock.hpp"
#include "march/loop/core.hpp"
#include "march/record/field_taps.hpp"
#include "march/record/recorder.hpp"
#include "march/record/spectral_sums.hpp"

namespace tetrawave::march {

/// A scheme makes the list of a step's actions and defines them. It is made from a Core; besides what PlainScheme has
/// it has
///   leaps, exchanged            whether H is half a step before E; number of fields exchanged between ranks at once
///   find_stable_step()          that of the engine
///   begin()                     sets all time levels, tables and ghosts for core.start, at step 0
///   restore()                   after the registered state has been loaded: sets all that follows from it
///   fill_waves()                for core.wave_steps() from core.first_wave on
///   act(action, n)              queues an action of the plan in step n, or a multiple of 16 before it
///   values(field)               the present E or H
///   values_to_record(field, whole)     if it is less work: unless `whole`, only elements of functionals and of faces
///                               with Fourier sums are read
///   law_energy(field, of_axes, earlier)     in addition to u . M u, divided by eps0/2: that of dispersive terms, or,
///                               `of_axes`, the part missing in the mass of a step of projected media. `earlier`: the
///                               field half a step before E, this one being half a step after it; or null. Collective
///   field_squares()             if it is less work than values(): u . M u of E and of H, divided by eps0/2, or none.
///                               Collective
///   bytes_beside_fields()       minimum of bytes moved by one step for one element, without the fields of the core
template <class Stepper>
class TimeLoop final : public Engine {
 public:
  using Backend = typename Stepper::Backend;
  using S = typename Stepper::Number;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  template <class... Options>
  TimeLoop(Backend backend, const Problem& problem, const comm::Communicator& ranks, Options&&... options)
      : core_(std::move(backend), problem, ranks, Stepper::exchanged),
        action_clock_(core_.backend),
        staggered_(Stepper::leaps && problem.classes.count == 1 && problem.time_order == 2),
        averages_(Stepper::leaps && !staggered_),
        recorder_(core_.backend, core_.problem, core_.system.layout(), core_.system.dofs()),
        taps_(FieldTaps<Backend, S>::make(core_.backend, core_.problem, core_.system.layout(), core_.system.dofs(),
                                          Stepper::leaps, staggered_ ? 0.5 : 0)),
        spectra_(core_.backend, core_.problem, core_.system.layout()),
        scheme_(core_, std::forward<Options>(options)...) {
    if (Stepper::leaps && problem.energy_every > 0) earlier_.emplace(core_.system.make_field());
  }

  void start(const Start& start) override {
    core_.start = {
        start.dt_m,          start.steps,        start.waves,      {}, {}, start.take_fields, start.source_waves,
        start.spectra_every, start.wave_numbers, start.jumps_every};
    core_.given = &start;
    now_ = 0;
    taken_ = 0;
    recorder_.forget();
    core_.first_wave = 0;
    record_ = {};
    energies_.clear();
    upload_step();
    if (taps_) taps_->begin(core_.start.dt_m, core_.start.steps);
    spectra_.begin(core_.start.dt_m, staggered_ ? 0.5 : 0);
    scheme_.begin();
    core_.given = nullptr;
    recorder_.sample_magnetic(scheme_.values(Field::magnetic).data(), core_.step.data());
    before_start_.clear();
    recorder_.take(0, 1);
    recorder_.add_taken(before_start_, core_.system.ranks());
    if (!before_start_.empty())
      before_start_.erase(before_start_.begin(),
                          before_start_.begin() + static_cast<std::ptrdiff_t>(core_.problem.electric.size()));
    programs_ = {};
  }

  void advance(std::int64_t steps) override {
    const std::int64_t end = now_ + steps;
    while (now_ < end) {
      take_waves();
      if ((energy_is_due() || fields_are_due()) && now_ < taken_ + recorder_.rows()) {
        step_with_output();
        continue;
      }
      const std::int64_t until = std::min(
          {end, next_energy(), next_fields(), taken_ + recorder_.rows(), core_.first_wave + core_.wave_steps()});
      if (until == now_) {
        take_rows();
        continue;
      }
      run_steps(until - now_);
      recorder_.add_taken(record_.values, core_.system.ranks());  // while the device goes on
    }
  }
  void synchronize() override { core_.backend.synchronize(); }
  void finish() override {
    if (now_ == taken_ + recorder_.rows()) take_rows();
    take_waves();
    core_.clock.look_away();
    action_clock_.begin_step(now_, true);
    record_with_output(core_.problem.energy_every > 0, taps_ && taps_->has_snapshots());
    ++now_;  // the row of step N is complete; E stays at N
    take_rows();
  }

  Record take_record() override {
    if (now_ > taken_) take_rows();
    recorder_.add_taken(record_.values, core_.system.ranks());
    Record result = std::move(record_);
    record_ = {result.first + result.rows, 0, {}};
    scheme_.complete(result);
    return result;
  }
  [[nodiscard]] bool is_staggered() const override { return staggered_; }
  [[nodiscard]] std::vector<double> magnetic_before_start() const override { return before_start_; }
  std::vector<EnergyRow> take_energy() override { return std::exchange(energies_, {}); }
  std::vector<double> spectra() override {
    std::vector<double> sums = spectra_.take();
    scheme_.complete_spectra(sums);
    return sums;
  }
  void set_spectra(const std::vector<double>& sums) override { spectra_.put(sums); }

  double find_stable_step(double useful_m) override {
    if constexpr (requires { scheme_.find_stable_step(useful_m); })
      return scheme_.find_stable_step(useful_m);
    else
      return scheme_.find_stable_step();
  }
  double jump_energy() override { return scheme_.jump_energy(); }
  [[nodiscard]] std::optional<KerrFigures> kerr_figures() const override { return scheme_.kerr_figures(); }
  [[nodiscard]] std::optional<ImplicitFigures> implicit_figures() const override { return scheme_.implicit_figures(); }

  double present_energy() override {
    if (const auto squares = field_squares())
      return eps0_f_per_m / 2 * ((*squares)[0] + (*squares)[1]) + law_joules(Field::electric, false) +
             law_joules(Field::magnetic, false);
    double total = nonlinear_joules();
    for (const Field which : both_fields)
      total += joules(which, scheme_.values(which)) + law_joules(which, true) + law_joules(which, false);
    return total;
  }

  void register_state(StateRegistry& registry) override {
    core_.register_state(registry);
    registry.add(whole_number("step", now_));
    if (taps_) taps_->register_state(registry);
    if (has_sums()) registry.add(whole_number("spectra_every", core_.start.spectra_every));
  }

  void resume() override {
    ensure(now_ >= 0 && now_ <= core_.start.steps, "a state lies within its march");
    taken_ = now_;
    record_ = {now_, 0, {}};
    energies_.clear();
    upload_step();
    take_waves();
    scheme_.restore();
  }

  WorstElement find_worst_element() override {
    const auto& layout = core_.system.layout();
    Buffer<S> value(core_.backend, static_cast<std::size_t>(core_.all_blocks().count * layout.lanes));
    std::vector<double> energy(core_.problem.mesh->global_id.size(), 0.0);
    for (const Field which : both_fields) {
      const S* field = scheme_.values(which).data();
      core_.run(
          kernels::MassProduct<S>{core_.system.view(which), field, field, core_.weights[which].data(), value.data()},
          core_.all_blocks());
      const std::vector<S> found = value.download();
      for (LocalIndex e = 0; e < core_.problem.mesh->element_count(); ++e)
        energy[static_cast<std::size_t>(e)] +=
            eps0_f_per_m / 2 * static_cast<double>(found[layout.at(layout.slot(e), 1, 0)]);
    }
    return find_worst(*core_.problem.mesh, energy, core_.system.ranks());
  }

  std::vector<double> field(Field which) override {
    const std::vector<S> dofs = core_.dofs_of(scheme_.values(which));
    return std::vector<double>(dofs.begin(), dofs.end());
  }

  [[nodiscard]] FieldDofs field_sums(std::size_t frequency, bool imaginary) override {
    ensure(taps_.has_value(), "sums are of the fields that the problem hands out");
    return taps_->sums(frequency, imaginary, core_.start.spectra_every);
  }

  [[nodiscard]] std::int64_t spectra_every() const override { return core_.start.spectra_every; }
  [[nodiscard]] std::int64_t bytes_of_sample() const override {
    return (spectra_.any() ? spectra_.bytes_of_sample() : 0) + (taps_ ? taps_->bytes_of_sample() : 0);
  }

  [[nodiscard]] std::int64_t device_memory_bytes() const override { return core_.backend.allocated_bytes(); }
  [[nodiscard]] std::int64_t bytes_per_step() const override {
    std::int64_t updates = 0;
    for (LocalIndex e = 0; e < core_.problem.mesh->element_count(); ++e)
      updates += core_.problem.classes.substeps(core_.problem.classes.of(e));
    return (core_.moved_bytes() + scheme_.bytes_beside_fields()) * updates;
  }
  [[nodiscard]] ExchangeSeconds exchange_seconds() const override { return core_.clock.seconds(); }
  [[nodiscard]] ShareSeconds share_seconds() const override { return action_clock_.seconds(); }
  [[nodiscard]] const StepPlan& step_plan() const override { return core_.plan; }
  [[nodiscard]] std::string device() const override {
    const std::string solver = scheme_.solver_device();
    return core_.backend.device() + (solver.empty() ? "" : ", " + solver);
  }
  [[nodiscard]] int threads() const override { return core_.backend.threads(); }

 private:
  const Buffer<S>& values_to_record(Field which, [[maybe_unused]] bool whole) {
    if constexpr (requires { scheme_.values_to_record(which, whole); })
      return scheme_.values_to_record(which, whole);
    else
      return scheme_.values(which);
  }
  double joules(Field which, const Buffer<S>& other) {
    return eps0_f_per_m / 2 * core_.system.product(which, other, scheme_.values(which), core_.weights[which]);
  }
  std::optional<std::array<double, 2>> field_squares() {
    if constexpr (requires { scheme_.field_squares(); }) return scheme_.field_squares();
    return std::nullopt;
  }
  double law_joules(Field which, bool of_axes, const Buffer<S>* earlier = nullptr) {
    return eps0_f_per_m / 2 * scheme_.law_energy(which, of_axes, earlier);
  }
  double nonlinear_joules() {
    const Buffer<S>* energy = scheme_.nonlinear_energy();
    return energy == nullptr ? 0.0 : eps0_f_per_m / 2 * core_.system.sum(*energy);
  }

  [[nodiscard]] bool has_sums() const { return spectra_.any() || (taps_ && taps_->has_sums()); }

  void run(const std::vector<Action>& actions, std::int64_t n) {
    for (const Action& action : actions)
      action_clock_.time(action.act, [&] {
        if (action.front && !action_clock_.looks()) return core_.backend.in_front([&] { scheme_.act(action, n); });
        scheme_.act(action, n);
      });
  }
  /// Up to the row of step n; its fields are added to the Fourier sums if the step is sampled. With LTS H is half a
  /// step of its level away from E on both sides: the mean is used, or it is brought back by its rate.
  void run_to_row(std::int64_t n) {
    const bool spectral = has_sums() && n % core_.start.spectra_every == 0;
    const bool mean = averages_ && scheme_.magnetic_rate() == nullptr;
    if (mean) look(1, 0.5, true, spectral);
    run(core_.plan.before_row, n);
    look(mean ? 0 : 1, mean ? 0.5 : 1, !mean, spectral);
    if (averages_ && !mean) sample_rate(spectral);
  }
  void run_from_row(std::int64_t n) {
    run(core_.plan.after_row, n);
    scheme_.end_step();
  }
  void sample_rate(bool spectral) {
    const S* rate = scheme_.magnetic_rate()->data();
    const double share = -core_.start.dt_m / 2;
    recorder_.add_rate(rate, core_.step.data(), share);
    if (!spectral) return;
    if (taps_) taps_->add_rate(rate, core_.step.data(), share);
    if (spectra_.any())
      spectra_.add(scheme_.values(Field::electric).data(), rate, core_.system.dofs(), core_.step.data(), 0, share,
                   true);
  }
  /// Queues: shares of the present fields are recorded, into an empty row (`first`) or added to its contents.
  void look(double electric_share, double magnetic_share, bool first, bool spectral) {
    const S* electric = values_to_record(Field::electric, spectral && taps_).data();
    const S* magnetic = values_to_record(Field::magnetic, spectral && taps_).data();
    if (first) recorder_.sample_electric(electric, core_.step.data());
    recorder_.sample_magnetic(magnetic, core_.step.data(), magnetic_share, !first);
    if (!spectral) return;
    if (taps_) taps_->add(electric, magnetic, core_.step.data(), electric_share, magnetic_share);
    if (spectra_.any())
      spectra_.add(electric, magnetic, core_.system.dofs(), core_.step.data(), electric_share, magnetic_share);
  }
  void one_step(std::int64_t n, bool recorded) {
    core_.clock.begin_step(n);
    action_clock_.begin_step(n, recorded);
    run(core_.plan.begin, n);
    run_to_row(n);
    run_from_row(n);
  }

  /// If the host takes no part in them, batches of steps are one recorded program (a CUDA graph on a GPU). With Fourier
  /// sums a batch starts at a sampled step. Steps of many substeps make shorter batches.
  void run_steps(std::int64_t steps) {
    const std::int64_t batch = std::max<std::int64_t>(1, StepNumber<Backend>::most / core_.problem.classes.substeps(0));
    const std::int64_t end = now_ + steps;
    const std::int64_t grid =
        std::max<std::int64_t>({1, has_sums() ? core_.start.spectra_every : 1, core_.start.jumps_every});
    while (now_ < end) {
      if (!can_record() || scheme_.is_starting() || end - now_ < batch || now_ % grid != 0 ||
          action_clock_.wants(now_)) {
        one_step(now_, false);
        action_clock_.count(1);
        core_.clock.count(now_++, 1);
        continue;
      }
      auto& program = programs_[2 * scheme_.program_kind() + core_.system.exchange_turn()];
      if (!program)
        program = core_.backend.record([this, batch] {
          core_.step.begin_batches(batch);
          for (std::int64_t i = 0; i < batch; ++i) one_step(i, !Backend::is_host);
          core_.step.begin_batches(1);
        });
      core_.backend.replay(*program);
      core_.clock.count(0, batch);
      action_clock_.count(batch);
      now_ += batch;
    }
  }

  /// MPI messages, and the sums of dispersive ports, need the host.
  [[nodiscard]] bool can_record() const {
    if (core_.system.exchange_needs_host() || core_.ranks_share) return false;
    return core_.problem.memories.empty() || core_.system.ranks().size() == 1;
  }
  [[nodiscard]] bool energy_is_due() const {
    return core_.problem.energy_every > 0 && now_ % core_.problem.energy_every == 0;
  }
  [[nodiscard]] bool fields_are_due() const { return taps_ && taps_->is_due(now_); }
  /// The next multiple of `every`, from now on; beyond the end of the run if `every` is 0.
  [[nodiscard]] std::int64_t next_multiple(std::int64_t every) const {
    return every == 0 ? core_.start.steps + 1 : (now_ + every - 1) / every * every;
  }
  [[nodiscard]] std::int64_t next_energy() const { return next_multiple(core_.problem.energy_every); }
  [[nodiscard]] std::int64_t next_fields() const { return next_multiple(taps_ ? taps_->every() : 0); }

  void step_with_output() {
    core_.clock.begin_step(now_);
    action_clock_.begin_step(now_, false);  // what is timed are its actions, not the output
    run(core_.plan.begin, now_);
    core_.clock.count(now_, 1);
    action_clock_.count(1);
    record_with_output(energy_is_due(), fields_are_due());
    run_from_row(now_++);
  }
  void record_with_output(bool energy, bool fields) {
    if (energy && earlier_) {
      core_.backend.copy(scheme_.values(Field::magnetic), *earlier_);
      scheme_.keep_magnetic(*earlier_);
    }
    const Buffer<S>* rate = scheme_.magnetic_rate();
    if (fields && rate == nullptr) taps_->keep_magnetic(scheme_.values(Field::magnetic).data());
    if (fields && rate != nullptr) taps_->keep_rate(rate->data());
    run_to_row(now_);
    if (energy) record_energy();
    if (fields && core_.start.take_fields)
      core_.start.take_fields(
          now_, taps_->snapshot(scheme_.values(Field::electric).data(), scheme_.values(Field::magnetic).data(),
                                rate == nullptr ? 0.5 : 1, rate == nullptr ? 0.5 : -core_.start.dt_m / 2));
  }
  void record_energy() {
    const Buffer<S>* earlier = earlier_ ? &*earlier_ : nullptr;
    EnergyRow row{now_, 0, 0, nonlinear_joules(), 0, 0};
    row.dispersive = law_joules(Field::electric, false) + law_joules(Field::magnetic, false, earlier);
    if (const auto squares = field_squares()) {
      row.electric = eps0_f_per_m / 2 * (*squares)[0];
      row.magnetic = eps0_f_per_m / 2 * (*squares)[1];
      energies_.push_back(row);
      return;
    }
    row.electric = joules(Field::electric, scheme_.values(Field::electric)) + law_joules(Field::electric, true);
    const Buffer<S>& now = scheme_.values(Field::magnetic);
    row.magnetic = joules(Field::magnetic, earlier == nullptr ? now : *earlier);
    if (core_.problem.time_order == 4)  // that of the mean, which is H at the time of E
      row.magnetic =
          row.magnetic / 2 + joules(Field::magnetic, now) / 4 +
          eps0_f_per_m / 8 * core_.system.product(Field::magnetic, *earlier, *earlier, core_.weights.magnetic);
    row.magnetic += law_joules(Field::magnetic, true, earlier);
    row.jumps = scheme_.jump_energy();
    if (earlier_) row.of_rates = c0_m_per_s * c0_m_per_s * eps0_f_per_m / 2 * scheme_.rate_energy(*earlier_);
    energies_.push_back(row);
  }

  void take_rows() {
    recorder_.add_taken(record_.values, core_.system.ranks());
    recorder_.take(taken_, now_);
    record_.rows += now_ - taken_;
    taken_ = now_;
  }

  void take_waves() {
    if (now_ < core_.first_wave + core_.wave_steps()) return;
    core_.backend.synchronize();
    core_.first_wave = now_;
    programs_ = {};  // they know the tables
    scheme_.fill_waves();
  }

  void upload_step() { core_.step.set(now_); }

  Core<Backend, S> core_;
  ActionClock<Backend> action_clock_;
  bool staggered_;  ///< H is recorded half a step after E
  bool averages_;   ///< the mean of H before and after E is
  Recorder<Backend, S> recorder_;
  std::optional<FieldTaps<Backend, S>> taps_;
  SpectralSums<Backend, S> spectra_;
  Stepper scheme_;
  std::optional<Buffer<S>> earlier_;                                  ///< H half a step before, for the energy
  std::array<std::optional<typename Backend::Program>, 4> programs_;  ///< by kind and turn of the exchange
  std::int64_t now_ = 0;                                              ///< steps done
  std::int64_t taken_ = 0;                                            ///< rows copied from the ring
  Record record_;
  std::vector<double> before_start_;
  std::vector<EnergyRow> energies_;
};

}  // namespace tetrawave::march
