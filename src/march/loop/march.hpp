// The part of the time loop common to all schemes on one rank: set-up, recording, energies, state, batches of steps.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "march/elements/element_system.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/per_field.hpp"
#include "march/loop/action_clock.hpp"
#include "march/loop/wave_table.hpp"
#include "march/record/field_taps.hpp"
#include "march/record/recorder.hpp"
#include "march/record/spectral_sums.hpp"
#include "terms/dispersion/update_coefficients.hpp"
#include "terms/sources/device/device_sources.hpp"

namespace tetrawave::march {

/// A scheme derives from it, makes the list of a step's actions and defines them; `S`: number type of the fields.
template <class Backend, class S>
class March : public Engine {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  void start(const Start& start) final {
    start_ = {start.dt_m,          start.steps,        start.waves,      {}, {}, start.take_fields, start.source_waves,
              start.spectra_every, start.wave_numbers, start.jumps_every};
    given_ = &start;
    now_ = 0;
    taken_ = 0;
    recorder_.forget();
    first_wave_ = 0;
    record_ = {};
    energies_.clear();
    upload_step();
    if (taps_) taps_->begin(start_.dt_m, start_.steps);
    sources_.begin(start_);
    spectra_.begin(start_.dt_m, staggered_ ? 0.5 : 0);
    begin();
    given_ = nullptr;
    recorder_.sample_magnetic(values(Field::magnetic).data(), step_.data());
    before_start_.clear();
    recorder_.take(0, 1);
    recorder_.add_taken(before_start_, system_.ranks());
    if (!before_start_.empty())
      before_start_.erase(before_start_.begin(),
                          before_start_.begin() + static_cast<std::ptrdiff_t>(problem_.electric.size()));
    programs_ = {};
  }

  void advance(std::int64_t steps) final {
    const std::int64_t end = now_ + steps;
    while (now_ < end) {
      take_waves();
      if ((energy_is_due() || fields_are_due()) && now_ < taken_ + recorder_.rows()) {
        step_with_output();
        continue;
      }
      const std::int64_t until =
          std::min({end, next_energy(), next_fields(), taken_ + recorder_.rows(), first_wave_ + wave_steps()});
      if (until == now_) {
        take_rows();
        continue;
      }
      run_steps(until - now_);
      recorder_.add_taken(record_.values, system_.ranks());  // while the device goes on
    }
  }
  void synchronize() final { backend_.synchronize(); }
  void finish() final {
    if (now_ == taken_ + recorder_.rows()) take_rows();
    take_waves();
    clock_.look_away();
    action_clock_.begin_step(now_, true);
    record_with_output(problem_.energy_every > 0, taps_ && taps_->has_snapshots());
    ++now_;  // the row of step N is complete; E stays at N
    take_rows();
  }

  Record take_record() override {
    if (now_ > taken_) take_rows();
    recorder_.add_taken(record_.values, system_.ranks());
    Record result = std::move(record_);
    record_ = {result.first + result.rows, 0, {}};
    return result;
  }
  [[nodiscard]] bool is_staggered() const final { return staggered_; }
  [[nodiscard]] std::vector<double> magnetic_before_start() const final { return before_start_; }
  std::vector<EnergyRow> take_energy() final { return std::exchange(energies_, {}); }
  std::vector<double> spectra() override { return spectra_.take(); }
  void set_spectra(const std::vector<double>& sums) final { spectra_.put(sums); }

  double present_energy() final {
    double total = nonlinear_joules();
    for (const Field which : both_fields)
      total += joules(which, values(which)) + law_joules(which, true) + law_joules(which, false);
    return total;
  }

  void register_state(StateRegistry& registry) override {
    registry.add(element_state("E", [this]() -> Buffer<S>& { return values(Field::electric); }));
    registry.add(element_state("H", [this]() -> Buffer<S>& { return values(Field::magnetic); }));
    registry.add(whole_number("step", now_));
    if (taps_) taps_->register_state(registry);
    if (has_sums()) registry.add(whole_number("spectra_every", start_.spectra_every));
  }

  void resume() final {
    ensure(now_ >= 0 && now_ <= start_.steps, "a state lies within its march");
    taken_ = now_;
    record_ = {now_, 0, {}};
    energies_.clear();
    upload_step();
    take_waves();
    restore();
  }

  WorstElement find_worst_element() final {
    const auto& layout = system_.layout();
    const std::int64_t own = layout.border.count + layout.inner.count;
    Buffer<S> value(backend_, static_cast<std::size_t>(own * layout.lanes));
    std::vector<double> energy(problem_.mesh->global_id.size(), 0.0);
    for (const Field which : both_fields) {
      const S* field = values(which).data();
      backend_.for_blocks(
          problem_.space,
          kernels::MassProduct<S>{system_.view(which), field, field, weight(which).data(), value.data()}, 0, own);
      const std::vector<S> found = value.download();
      for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
        energy[static_cast<std::size_t>(e)] +=
            eps0_f_per_m / 2 * static_cast<double>(found[layout.at(layout.slot(e), 1, 0)]);
    }
    return find_worst(*problem_.mesh, energy, system_.ranks());
  }

  std::vector<double> field(Field which) final {
    const std::vector<S> dofs = dofs_of(values(which));
    return std::vector<double>(dofs.begin(), dofs.end());
  }

  [[nodiscard]] FieldDofs field_sums(std::size_t frequency, bool imaginary) final {
    ensure(taps_.has_value(), "sums are of the fields that the problem hands out");
    return taps_->sums(frequency, imaginary, start_.spectra_every);
  }

  [[nodiscard]] std::int64_t spectra_every() const final { return start_.spectra_every; }
  [[nodiscard]] std::int64_t bytes_of_sample() const final {
    return (spectra_.any() ? spectra_.bytes_of_sample() : 0) + (taps_ ? taps_->bytes_of_sample() : 0);
  }

  [[nodiscard]] std::int64_t device_memory_bytes() const final { return backend_.allocated_bytes(); }
  [[nodiscard]] std::int64_t bytes_per_step() const final {
    std::int64_t updates = 0;
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      updates += problem_.classes.substeps(problem_.classes.of(e));
    return bytes_of_element() * updates;
  }
  [[nodiscard]] ExchangeSeconds exchange_seconds() const final { return clock_.seconds(); }
  [[nodiscard]] ShareSeconds share_seconds() const final { return action_clock_.seconds(); }
  [[nodiscard]] const StepPlan& step_plan() const final { return plan_; }
  [[nodiscard]] std::string device() const final { return backend_.device(); }
  [[nodiscard]] int threads() const final { return backend_.threads(); }

 protected:
  /// `leaps`: H is half a step before E; `exchanged`: number of fields exchanged between ranks at once.
  March(Backend backend, const Problem& problem, const comm::Communicator& ranks, bool leaps, int exchanged)
      : backend_(std::move(backend)),
        problem_(problem),
        system_(backend_, problem_, ranks, exchanged),
        clock_(backend_, !system_.alone()),
        action_clock_(backend_),
        staggered_(leaps && problem.classes.count == 1 && problem.time_order == 2),
        averages_(leaps && !staggered_),
        weights_(per_field(
            [&](Field which) { return table(schemes::energy_weights(problem.media, which == Field::electric)); })),
        recorder_(backend_, problem_, system_.layout(), system_.dofs()),
        taps_(FieldTaps<Backend, S>::make(backend_, problem_, system_.layout(), system_.dofs(), leaps,
                                          staggered_ ? 0.5 : 0)),
        spectra_(backend_, problem_, system_.layout()),
        sources_(backend_, problem_, system_.layout()),
        step_(backend_, 1) {
    if (leaps && problem.energy_every > 0) earlier_.emplace(system_.make_field());
  }

  /// The present E or H.
  virtual Buffer<S>& values(Field which) = 0;
  /// The same for a record: unless `whole`, only elements of functionals and of faces with Fourier sums are read.
  virtual Buffer<S>& values_to_record(Field which, bool /*whole*/) { return values(which); }
  [[nodiscard]] virtual bool adds_over_ranks() const { return false; }  ///< voltages of ports of one mode, in a step
  virtual void fill_waves() = 0;                                        ///< for wave_steps() from first_wave() on
  virtual void begin() = 0;  ///< sets all time levels, tables and ghosts for `start_`; `now_` is 0
  /// After the registered state has been loaded: sets everything that follows from it.
  virtual void restore() = 0;
  /// Queues an action of the plan in step n, or a multiple of 16 before it.
  virtual void act(const Action& action, std::int64_t n) = 0;
  virtual void end_step() {}                                        ///< releases what only the first step needed
  [[nodiscard]] virtual bool is_starting() const { return false; }  ///< the next step differs from later ones
  /// Index of the recorded program to continue with, 0 or 1; the same again after a batch of steps.
  [[nodiscard]] virtual std::size_t program_kind() const { return 0; }
  /// With LTS: the rate that takes H back to the time of E, over half the step of its level; null if H before and after
  /// the first half of the step are on both sides of E.
  [[nodiscard]] virtual const Buffer<S>* magnetic_rate() const { return nullptr; }
  /// H as far before E as it is after it at the end of the first half of the step.
  virtual void keep_magnetic(Buffer<S>& earlier) { backend_.copy(values(Field::magnetic), earlier); }
  /// Per slot: energy of E in addition to 1/2 eps E^2, over eps0/2; null if there is none.
  [[nodiscard]] virtual const Buffer<S>* nonlinear_energy() const { return nullptr; }
  /// Energy of a field in addition to u . M u, divided by eps0/2: that of dispersive terms, or, `of_axes`, the part
  /// missing in the mass of a step of projected media. `earlier`: the field half a step before E, this one being half a
  /// step after it; or null. Collective.
  virtual double law_energy(Field /*which*/, bool /*of_axes*/, const Buffer<S>* /*earlier*/) { return 0; }
  /// DFDD-ELD: its conserved quantity, the energy of the rates [J/m^2], after `work` has been used; else 0. Collective.
  virtual double rate_energy(Buffer<S>& /*work*/) { return 0; }
  /// eps or mu per class.
  [[nodiscard]] const Buffer<S>& weight(Field which) const { return weights_[which]; }
  /// Minimum of bytes moved by one step for one element.
  [[nodiscard]] virtual std::int64_t bytes_of_element() const = 0;

  /// A table of numbers on the device.
  Buffer<S> table(const std::vector<double>& numbers) {
    Buffer<S> buffer(backend_, numbers.size());
    buffer.upload(std::vector<S>(numbers.begin(), numbers.end()));
    return buffer;
  }

  void upload_field(Buffer<S>& buffer, const std::optional<std::vector<double>>& dofs) {
    if (dofs)
      set_dofs(buffer, *dofs);
    else
      system_.clear_field(buffer);
  }

  ElementState element_state(const std::string& name, std::function<Buffer<S>&()> buffer) {
    return {name, system_.dofs(), sizeof(S) == sizeof(float),
            [this, buffer] { return ElementValues(dofs_of(buffer())); },
            [this, buffer](const ElementValues& values) { set_dofs(buffer(), std::get<std::vector<S>>(values)); }};
  }

  /// Time steps of the wave tables on the device; kernels get table pointers as if the tables began `first_wave()`
  /// steps earlier.
  [[nodiscard]] std::int64_t wave_steps() const {
    const auto rows = static_cast<std::int64_t>(start_.waves.size()) + 1;
    return steps_of_waves(start_.steps, rows, !problem_.memories.empty(), start_.wave_numbers);
  }
  [[nodiscard]] std::int64_t first_wave() const { return first_wave_; }
  /// See march::append_waves.
  template <class At>
  Buffer<S> wave_table(std::int64_t parts, const At& at) {
    std::vector<S> all;
    append_waves(all, parts, at);
    Buffer<S> waves(backend_, all.size());
    waves.upload(all);
    return waves;
  }
  template <class At>
  void append_waves(std::vector<S>& all, std::int64_t parts, const At& at) const {
    march::append_waves(all, start_.waves, {first_wave_, wave_steps(), start_.steps}, parts, threads(), at);
  }

  using Fields = typename ElementSystem<Backend, S>::Fields;

  /// Actions of all schemes: the exchange of traces of `sent`, and the count of steps.
  void act_on_all(const Action& action, const Fields& sent) {
    switch (action.act) {
      case Act::fork:
        return backend_.fork();
      case Act::send:
        system_.start_exchange(sent, action.levels, action.first_level);
        return clock_.note(kernels::traces_sent);
      case Act::carry:
        clock_.note(kernels::inner_done);
        return system_.carry(sent, action.levels, action.first_level);
      case Act::receive:
        system_.finish_exchange(sent, action.levels, action.first_level);
        return clock_.note(kernels::ghosts_there);
      case Act::join:
        backend_.join();
        return clock_.add();
      case Act::count:
        return backend_.for_teams(kernels::Tick{step_.data()}, 1);
      default:
        throw InternalError(std::string("this scheme has no action ") + name_of(action.act));
    }
  }

  [[nodiscard]] BlockRange all_blocks() const {
    return {0, system_.layout().border.count + system_.layout().inner.count};
  }

  Backend backend_;
  Problem problem_;
  ElementSystem<Backend, S> system_;
  ExchangeClock<Backend> clock_;
  ActionClock<Backend> action_clock_;
  StepPlan plan_;                 ///< of a step; made by the scheme
  Start start_;                   ///< without fields
  const Start* given_ = nullptr;  ///< concurrently, during `begin`

 private:
  double joules(Field which, const Buffer<S>& other) {
    return eps0_f_per_m / 2 * system_.product(which, other, values(which), weight(which));
  }
  double law_joules(Field which, bool of_axes, const Buffer<S>* earlier = nullptr) {
    return eps0_f_per_m / 2 * law_energy(which, of_axes, earlier);
  }
  double nonlinear_joules() {
    const Buffer<S>* energy = nonlinear_energy();
    return energy == nullptr ? 0.0 : eps0_f_per_m / 2 * system_.sum(*energy);
  }

  /// Coefficients of all elements of this rank, in mesh order.
  [[nodiscard]] std::vector<S> dofs_of(const Buffer<S>& buffer) const {
    const auto n = static_cast<std::size_t>(system_.dofs());
    std::vector<S> dofs(problem_.mesh->global_id.size() * n);
    system_.read_field(buffer, [&](LocalIndex e, int i, S value) {
      dofs[static_cast<std::size_t>(e) * n + static_cast<std::size_t>(i)] = value;
    });
    return dofs;
  }

  template <class T>
  void set_dofs(Buffer<S>& buffer, const std::vector<T>& dofs) {
    const auto n = static_cast<std::size_t>(system_.dofs());
    ensure(dofs.size() == problem_.mesh->global_id.size() * n, "a field has n dofs per element");
    system_.set_field(buffer, [&](LocalIndex e, int i) {
      return dofs[static_cast<std::size_t>(e) * n + static_cast<std::size_t>(i)];
    });
  }

  [[nodiscard]] bool has_sums() const { return spectra_.any() || (taps_ && taps_->has_sums()); }

  void run(const std::vector<Action>& actions, std::int64_t n) {
    for (const Action& action : actions)
      action_clock_.time(action.act, [&] {
        if (action.front && !action_clock_.looks()) return backend_.in_front([&] { act(action, n); });
        act(action, n);
      });
  }
  /// Up to the row of step n; its fields are added to the Fourier sums if the step is sampled. With LTS H is half a
  /// step of its level away from E on both sides: the mean is used, or it is brought back by its rate.
  void run_to_row(std::int64_t n) {
    const bool spectral = has_sums() && n % start_.spectra_every == 0;
    const bool mean = averages_ && magnetic_rate() == nullptr;
    if (mean) look(1, 0.5, true, spectral);
    run(plan_.before_row, n);
    look(mean ? 0 : 1, mean ? 0.5 : 1, !mean, spectral);
    if (averages_ && !mean) sample_rate(spectral);
  }
  void run_from_row(std::int64_t n) {
    run(plan_.after_row, n);
    end_step();
  }
  void sample_rate(bool spectral) {
    const S* rate = magnetic_rate()->data();
    const double share = -start_.dt_m / 2;
    recorder_.add_rate(rate, step_.data(), share);
    if (!spectral) return;
    if (taps_) taps_->add_rate(rate, step_.data(), share);
    if (spectra_.any())
      spectra_.add(values(Field::electric).data(), rate, system_.dofs(), step_.data(), 0, share, true);
  }
  /// Queues: shares of the present fields are recorded, into an empty row (`first`) or added to its contents.
  void look(double electric_share, double magnetic_share, bool first, bool spectral) {
    const S* electric = values_to_record(Field::electric, spectral && taps_).data();
    const S* magnetic = values_to_record(Field::magnetic, spectral && taps_).data();
    if (first) recorder_.sample_electric(electric, step_.data());
    recorder_.sample_magnetic(magnetic, step_.data(), magnetic_share, !first);
    if (!spectral) return;
    if (taps_) taps_->add(electric, magnetic, step_.data(), electric_share, magnetic_share);
    if (spectra_.any()) spectra_.add(electric, magnetic, system_.dofs(), step_.data(), electric_share, magnetic_share);
  }
  void one_step(std::int64_t n, bool recorded) {
    clock_.begin_step(n);
    action_clock_.begin_step(n, recorded);
    run(plan_.begin, n);
    run_to_row(n);
    run_from_row(n);
  }

  /// If the host takes no part in them, batches of steps are one recorded program (a CUDA graph on a GPU). With Fourier
  /// sums a batch starts at a sampled step. Steps of many substeps make shorter batches.
  void run_steps(std::int64_t steps) {
    const std::int64_t batch = std::max<std::int64_t>(1, 16 / problem_.classes.substeps(0));
    const std::int64_t end = now_ + steps;
    const std::int64_t grid = std::max<std::int64_t>({1, has_sums() ? start_.spectra_every : 1, start_.jumps_every});
    while (now_ < end) {
      if (!can_record() || is_starting() || end - now_ < batch || now_ % grid != 0 || action_clock_.wants(now_)) {
        one_step(now_, false);
        action_clock_.count(1);
        clock_.count(now_++, 1);
        continue;
      }
      auto& program = programs_[2 * program_kind() + system_.exchange_turn()];
      if (!program)
        program = backend_.record([this, batch] {
          for (std::int64_t i = 0; i < batch; ++i) one_step(i, !Backend::is_host);
        });
      backend_.replay(*program);
      clock_.count(0, batch);
      action_clock_.count(batch);
      now_ += batch;
    }
  }

  /// MPI messages, and the sums of dispersive ports, need the host.
  [[nodiscard]] bool can_record() const {
    if (system_.exchange_needs_host() || adds_over_ranks()) return false;
    return problem_.memories.empty() || system_.ranks().size() == 1;
  }
  [[nodiscard]] bool energy_is_due() const { return problem_.energy_every > 0 && now_ % problem_.energy_every == 0; }
  [[nodiscard]] bool fields_are_due() const { return taps_ && taps_->is_due(now_); }
  /// The next multiple of `every`, from now on; beyond the end of the run if `every` is 0.
  [[nodiscard]] std::int64_t next_multiple(std::int64_t every) const {
    return every == 0 ? start_.steps + 1 : (now_ + every - 1) / every * every;
  }
  [[nodiscard]] std::int64_t next_energy() const { return next_multiple(problem_.energy_every); }
  [[nodiscard]] std::int64_t next_fields() const { return next_multiple(taps_ ? taps_->every() : 0); }

  void step_with_output() {
    clock_.begin_step(now_);
    action_clock_.begin_step(now_, true);  // the output is timed by itself
    run(plan_.begin, now_);
    clock_.count(now_, 1);
    action_clock_.count(1);
    record_with_output(energy_is_due(), fields_are_due());
    run_from_row(now_++);
  }
  void record_with_output(bool energy, bool fields) {
    if (energy && earlier_) keep_magnetic(*earlier_);
    const Buffer<S>* rate = magnetic_rate();
    if (fields && rate == nullptr) taps_->keep_magnetic(values(Field::magnetic).data());
    if (fields && rate != nullptr) taps_->keep_rate(rate->data());
    run_to_row(now_);
    if (energy) record_energy();
    if (fields && start_.take_fields)
      start_.take_fields(now_, taps_->snapshot(values(Field::electric).data(), values(Field::magnetic).data(),
                                               rate == nullptr ? 0.5 : 1, rate == nullptr ? 0.5 : -start_.dt_m / 2));
  }
  void record_energy() {
    const Buffer<S>* earlier = earlier_ ? &*earlier_ : nullptr;
    EnergyRow row{now_, 0, 0, nonlinear_joules(), 0, 0};
    row.electric = joules(Field::electric, values(Field::electric)) + law_joules(Field::electric, true);
    row.magnetic = joules(Field::magnetic, earlier == nullptr ? values(Field::magnetic) : *earlier);
    if (problem_.time_order == 4)  // that of the mean, which is H at the time of E
      row.magnetic = row.magnetic / 2 + joules(Field::magnetic, values(Field::magnetic)) / 4 +
                     eps0_f_per_m / 8 * system_.product(Field::magnetic, *earlier, *earlier, weight(Field::magnetic));
    row.magnetic += law_joules(Field::magnetic, true, earlier);
    row.dispersive = law_joules(Field::electric, false) + law_joules(Field::magnetic, false, earlier);
    row.jumps = jump_energy();
    if (earlier_) row.of_rates = c0_m_per_s * c0_m_per_s * eps0_f_per_m / 2 * rate_energy(*earlier_);
    energies_.push_back(row);
  }

  void take_rows() {
    recorder_.add_taken(record_.values, system_.ranks());
    recorder_.take(taken_, now_);
    record_.rows += now_ - taken_;
    taken_ = now_;
  }

  void take_waves() {
    if (now_ < first_wave_ + wave_steps()) return;
    backend_.synchronize();
    first_wave_ = now_;
    programs_ = {};  // they know the tables
    fill_waves();
  }

  void upload_step() { step_.upload(std::vector<std::int64_t>{now_}); }

  bool staggered_;               ///< H is recorded half a step after E
  bool averages_;                ///< the mean of H before and after E is
  PerField<Buffer<S>> weights_;  ///< eps and mu per class, for the energy
  Recorder<Backend, S> recorder_;
  std::optional<FieldTaps<Backend, S>> taps_;
  SpectralSums<Backend, S> spectra_;

 protected:
  DeviceSources<Backend, S> sources_;
  Buffer<std::int64_t> step_;

 private:
  std::int64_t first_wave_ = 0;
  std::optional<Buffer<S>> earlier_;                                  ///< H half a step before, for the energy
  std::array<std::optional<typename Backend::Program>, 4> programs_;  ///< by kind and turn of the exchange
  std::int64_t now_ = 0;                                              ///< steps done
  std::int64_t taken_ = 0;                                            ///< rows copied from the ring
  Record record_;
  std::vector<double> before_start_;
  std::vector<EnergyRow> energies_;
};

}  // namespace tetrawave::march
