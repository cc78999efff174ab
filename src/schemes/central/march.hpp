// The time stepping of DGTD-Central (theory/central, theory/walls).
#pragma once

#include "schemes/central/dispersion.hpp"
#include "schemes/central/fourth_order.hpp"
#include "schemes/central/kerr.hpp"
#include "schemes/central/penalised_step.hpp"
#include "schemes/central/stable_step.hpp"
#include "schemes/central/stored.hpp"
#include "schemes/central/update.hpp"
#include "schemes/leap_frog/leap_frog.hpp"
#include "schemes/leap_frog/recursive_convolution.hpp"
#include "schemes/stored/stored_field.hpp"
#include "terms/dispersion/update_coefficients.hpp"
#include "terms/pml/device/on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralMarch final : public LeapFrog<Backend, S> {
 public:
  using Base = LeapFrog<Backend, S>;
  using typename Base::Level;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  CentralMarch(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : Base(std::move(backend), problem, ranks, false),
        poles_(per_field([&](Field field) {
          return CentralPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })),
        published_(per_field([&](Field field) {
          return PublishedPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })),
        kerr_(this->backend_, this->problem_, this->system_),
        layers_(this->backend_, this->problem_, this->system_) {
    for (const Field field : both_fields)  // their memory; `start` fills them
      for (int c = 0; c < problem.classes.count; ++c)
        tables_[field].push_back(tables(schemes::inverse_masses(problem.media, field == Field::electric)));
    if (problem.layout == Layout::stored) stored_.emplace(this->system_, this->problem_);
    if (problem.penalty > 0) {
      if (problem.layers || problem.classes.count > 1) this->system_.keep_shape();
      penalty_.emplace(this->backend_, make_penalty_faces(this->problem_, this->system_.layout(), ranks),
                       std::array<double, 2>{1, -1});
      old_.emplace(per_field([this](Field) { return this->system_.make_field(); }));
    }
    if (problem.time_order == 4) fourth_.emplace(this->system_.make_field(), this->system_.make_field());
    this->set_plan(layers_.braked());
  }

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    poles_.electric.register_state(registry, "E_poles");
    poles_.magnetic.register_state(registry, "H_poles");
    this->memories_.register_state(registry);
    published_.electric.register_state(registry, "E_recursions");
    published_.magnetic.register_state(registry, "H_recursions");
    kerr_.register_state(registry);
    layers_.register_state(registry);
  }

  [[nodiscard]] std::optional<KerrFigures> kerr_figures() const override {
    if (!kerr_.any()) return {};
    return kerr_.figures();
  }

  double find_stable_step() override {
    return layers_.shorten(this->seek_step([this](auto& work, auto& e, auto& h) {
      if (!penalty_) return find_central_step(work, e, h);
      using Values = typename std::remove_reference_t<decltype(work)>::Buffer;
      const auto find = [&](Values& other_e, Values& other_h) {
        PenalisedStep<Backend> step(work, {&e, &h}, {&other_e, &other_h});
        return step_of_all_classes(work, [&] { return step.find(); });
      };
      if constexpr (std::is_same_v<S, double>)
        if (&e == &this->electric_.value) return find(old_->electric, old_->magnetic);
      Values other_e = work.system().make_field();
      Values other_h = work.system().make_field();
      return find(other_e, other_h);
    }));
  }

 private:
  using Tables = typename FourthOrder<Backend, S>::Tables;
  Tables tables(const schemes::UpdateCoefficients& c) { return {this->table(c.decay), this->table(c.gain)}; }
  [[nodiscard]] bool corrects_walls() const override { return !stored_; }

  void act_on(const Action& action, Level& target, const Level& source, const Turn& turn) override {
    if (fourth_) return act_in_stage(action, target, source, turn);
    const Buffer<S>& old = old_ ? (*old_)[target.field] : target.value;
    switch (action.act) {
      case Act::keep_old:
        return keep_old(target, action.levels);
      case Act::layer_jumps:
        return layers_.sample_jumps(target.field, target.value, this->system_.metric(target.field), action.levels);
      case Act::keep:
        return stored_->keep(target.field, turn.part, target.value.data(), !action.second);
      case Act::dispersion:
        poles_[target.field].before_update(old, target.value, turn.part);
        return published_[target.field].before_update(old, target.value, turn.part);
      case Act::layers:
        return layers_.before_update(target.field, old, target.value, turn.part);
      case Act::update:
        return launch(target, source, this->system_.layout().part(turn.part), turn.part.step_class);
      case Act::waves:
        return stored_->add_to_update(target.field, turn.part, {target.value.data()}, this->waves_at(target, turn),
                                      this->wave_length(), this->step_.data());
      case Act::nonlinear:
        return kerr_.after_update(target.value, this->step_, turn.part);
      default:
        return this->act_on_all(action, {&target.value});
    }
  }
  /// Fourth order: `turn.substep` is the stage.
  void act_in_stage(const Action& action, Level& target, const Level& source, const Turn& turn) {
    const std::int64_t stage = turn.substep;
    Buffer<S>& to = fourth_->written(stage, target.value);
    switch (action.act) {
      case Act::dispersion:
        return poles_.electric.flow(to, turn.part, stage == fourth::second_half);
      case Act::update:
        return update_in_stage(target.field, fourth_->read(stage, source.value), to, turn);
      case Act::sources:  // lists of H are of a third of a step
        for (int k = stage == fourth::first_change ? 2 : 1; k > 0; --k)
          this->sources_.add(target.field, turn.part, to.data(), nullptr, 0, this->step_.data(), fourth::time_of(stage),
                             0, stage == fourth::second_change);
        return;
      case Act::walls:
        return this->run_walls(stage == fourth::second_change ? fourth_->walls : target.walls, to, target, source,
                               turn);
      default:
        return this->act_on_all(action, {&to});
    }
  }
  void update_in_stage(Field field, const Buffer<S>& from, Buffer<S>& to, const Turn& turn) {
    const BlockRange range = this->system_.layout().part(turn.part);
    if (turn.substep == fourth::middle)
      this->backend_.for_blocks(this->problem_.space,
                                kernels::Combine<S>{fourth_->first_change.data(), to.data(), S(1), S(1)}, range.first,
                                range.count);
    const auto& all = *fourth_->tables;
    const bool of_changes = turn.substep >= fourth::first_change || turn.substep == fourth::second_change;
    run_update(field, from, to, of_changes ? all[table_of_stage(turn.substep)] : tables_[field].front(), range);
  }
  static std::size_t table_of_stage(std::int64_t stage) {
    if (stage == fourth::first_change) return 0;
    return stage == fourth::second_change ? 1 : 2;
  }
  void begin_stages() {
    const auto c = StageCoefficients::make(this->problem_.media, this->start_.dt_m);
    fourth_->tables.emplace(std::array<Tables, 3>{tables(c.first_change), tables(c.second_change), tables(c.middle)});
    fourth_->walls =
        put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), Field::electric, 0, {}, true);
  }
  void restore_media() override { kerr_.remember(this->electric_.value); }
  void keep_magnetic(Buffer<S>& earlier) override {
    Base::keep_magnetic(earlier);
    poles_.magnetic.keep();
  }
  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) override {
    return poles_[which].energy(this->system_, this->values(which), earlier, of_axes);
  }
  [[nodiscard]] const Buffer<S>* nonlinear_energy() const override { return kerr_.any() ? &kerr_.energy() : nullptr; }
  /// Wall code that mirrors the field gathered for `target`.
  static std::uint32_t mirror_code(Field target) {
    return target == Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
  }

  /// The present values become the old ones, and the update writes all new ones; with LTS, where it writes those of
  /// some levels, they are copied.
  void keep_old(Level& target, int levels) {
    Buffer<S>& old = (*old_)[target.field];
    if (!copies_old()) {
      std::swap(target.value, old);
      if (target.field == Field::electric) turned_ = 1 - turned_;
      return;
    }
    const kernels::Combine<S> kernel{target.value.data(), old.data(), S(1), S(0)};
    const auto copy = [&](BlockRange range) {
      this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
    };
    const auto& layout = this->system_.layout();
    for (int c = 0; c < levels; ++c)
      for (const bool border : {true, false}) copy(layout.part({border, c}));
    const std::int64_t own = layout.border.count + layout.inner.count;
    copy({own, layout.blocks - own});
  }
  [[nodiscard]] bool copies_old() const { return this->problem_.classes.count > 1; }
  [[nodiscard]] std::size_t program_kind() const override { return turned_; }

  void launch(Level& target, const Level& source, BlockRange range, int step_class) {
    if (penalty_) return launch_penalised(target, source, range, step_class);
    if (stored_)
      stored_->run(
          stored_->update_of(target.field, target.value.data(), source.value.data(), mirror_code(target.field)), range);
    else
      launch_factored(target, source, range, step_class);
  }
  void launch_penalised(Level& target, const Level& source, BlockRange range, int step_class) {
    const Tables& c = tables_[target.field][static_cast<std::size_t>(step_class)];
    auto kernel = penalty_->kernel(target.field);
    kernel.elements = this->system_.view();
    kernel.metric = this->system_.metric(target.field);
    kernel.source = source.value.data();
    kernel.old = (*old_)[target.field].data();
    kernel.kept = copies_old() ? target.value.data() : kernel.old;
    kernel.target = target.value.data();
    kernel.decay = c.decay.data();
    kernel.gain = c.gain.data();
    this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
  }
  void launch_factored(Level& target, const Level& source, BlockRange range, int step_class) {
    run_update(target.field, source.value, target.value, tables_[target.field][static_cast<std::size_t>(step_class)],
               range);
  }
  void run_update(Field field, const Buffer<S>& from, Buffer<S>& to, const Tables& c, BlockRange range) {
    this->backend_.for_blocks(this->problem_.space,
                              kernels::CentralUpdate<S>{this->system_.view(field), from.data(), to.data(),
                                                        c.decay.data(), c.gain.data(), mirror_code(field)},
                              range.first, range.count);
  }
  /// Step of the equation of a field within one of a level.
  [[nodiscard]] double step_of_field(Field field, int step_class) const {
    const double dt_m = this->step_of(step_class);
    if (!fourth_) return dt_m;
    return dt_m / (field == Field::electric ? 2 : 3);
  }

  void set_levels() override {
    this->weigh_media(true);
    weigh_layers(this->system_, this->problem_, this->start_.dt_m);
    this->weigh_borders();
    if (this->given_->electric && this->given_->magnetic) go_back();
    this->weigh_media();
  }

  /// H from t = 0 to -dt/2 of its level, so that the first half step brings it to +dt/2 symmetrically about the initial
  /// state.
  void go_back() {
    this->system_.exchange({&this->electric_.value});
    poles_.magnetic.go_back(this->magnetic_.value, this->start_.dt_m);
    for (int c = 0; c < this->problem_.classes.count; ++c) {
      tables_.magnetic[static_cast<std::size_t>(c)] =
          tables(schemes::magnetic_back_step(this->problem_.media, step_of_field(Field::magnetic, c)));
      for (const bool border : {true, false})
        launch_factored(this->magnetic_, this->electric_, this->system_.layout().part({border, c}), c);
    }
    this->backend_.synchronize();
  }

  void set_coefficients() override {
    if (stored_)
      stored_->set_step(this->start_.dt_m, [this](double dt_m) { return central_matrix_maker(this->problem_, dt_m); });
    layers_.begin(this->start_.dt_m);
    if (fourth_) begin_stages();
    for (const Field field : both_fields) {
      const bool electric = field == Field::electric;
      Buffer<S>& value = this->values(field);
      for (int c = 0; c < this->problem_.classes.count; ++c)
        tables_[field][static_cast<std::size_t>(c)] =
            tables(schemes::update_coefficients(this->problem_.media, electric, step_of_field(field, c)));
      poles_[field].begin(value, fourth_ ? step_of_field(field, 0) : this->start_.dt_m);
      if (!electric && this->given_->electric && this->given_->magnetic)
        poles_.magnetic.begin_before(value, this->system_.layout(), this->start_.dt_m);
      published_[field].begin(value, this->start_.dt_m);
      layers_.begin_field(field, value);
    }
    kerr_.begin(this->electric_.value, this->start_.dt_m);
  }

  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const override {
    return wave((static_cast<double>(n) + (field == Field::electric ? 0.5 : 0.0)) / substeps);
  }

  [[nodiscard]] double source_shift(Field field) const override { return field == Field::electric ? 0.5 : 0.0; }

  /// Per half step: the field read and written, the other read, six metric numbers, four neighbours and the word; with
  /// a penalty the kinds of the faces, with LTS also the copy. Fourth order: six such, and a sum of two fields.
  [[nodiscard]] std::int64_t bytes_of_element() const override {
    if (stored_) return 2 * stored_->bytes_per_update(3);
    if (fourth_) return 6 * this->system_.bytes_moved(3, 5) + this->system_.bytes_moved(3, 0);
    return 2 * this->system_.bytes_moved(penalty_ && copies_old() ? 5 : 3, penalty_ ? 7 : 5);
  }

  std::optional<StoredLayout<Backend, S>> stored_;
  PerField<CentralPoles<Backend, S>> poles_;
  PerField<PublishedPoles<Backend, S>> published_;
  CentralKerr<Backend, S> kerr_;
  LayersOnDevice<Backend, S> layers_;
  PerField<std::vector<Tables>> tables_;  ///< per LTS level
  std::optional<PenaltyOnDevice<Backend, S>> penalty_;
  std::optional<PerField<Buffer<S>>> old_;  ///< with a penalty
  std::optional<FourthOrder<Backend, S>> fourth_;
  std::size_t turned_ = 0;  ///< whether an odd number of steps has exchanged the values
};

}  // namespace tetrawave::march
