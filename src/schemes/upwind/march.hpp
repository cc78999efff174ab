// The time stepping of DGTD-Upwind: E and H at n dt, five Runge-Kutta stages per step (theory/upwind).
#pragma once

#include "march/loop/core.hpp"
#include "schemes/stored/stored_field.hpp"
#include "schemes/upwind/coefficients.hpp"
#include "schemes/upwind/dispersion.hpp"
#include "schemes/upwind/parts.hpp"
#include "schemes/upwind/stable_step.hpp"
#include "schemes/upwind/step_plan.hpp"
#include "schemes/upwind/stored.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindMarch : public PlainScheme<Backend, S> {
 public:
  static constexpr bool leaps = false;
  static constexpr int exchanged = 2;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  explicit UpwindMarch(Core<Backend, S>& core)
      : core_(core), fields_(per_field([&](Field field) { return make_values(field); })), parts_(core) {
    core.plan = plan_upwind(StepNeeds::of(core.problem, core.system.alone()));
    if (core.problem.layout == Layout::stored) stored_.emplace(core.system, core.problem);
  }

  double jump_energy() { return parts_.jump_energy(); }
  double find_stable_step() { return find_upwind_step(core_.backend, core_.problem, core_.system.ranks()); }
  Buffer<S>& values(Field which) { return fields_[which].values[present_]; }

  void fill_waves() {
    waves_.reset();
    waves_.emplace(core_.wave_table(5, [](const Wave& wave, std::int64_t n, std::int64_t stage) {
      return wave(static_cast<double>(n) + schemes::lserk54[static_cast<std::size_t>(stage)].c);
    }));
  }

  void begin() {
    present_ = 0;
    for (const Field which : both_fields) {
      TwoValues& own = fields_[which];
      core_.upload_field(own.values[0], core_.given_dofs(which));
      core_.upload_field(own.values[1], {});
    }
    parts_.hold_metal(values(Field::electric));
    fill_waves();
    if (stored_)
      stored_->set_step(core_.start.dt_m, [this](double dt_m) {
        return upwind_matrix_maker(core_.problem, core_.system.layout(), core_.system.ranks(), dt_m);
      });
    for (const Field which : both_fields) parts_.terms.begin(stage_of({Act::update, which}), core_.dt());
    parts_.begin();
    restore();
  }

  void restore() { core_.system.exchange({&values(Field::electric), &values(Field::magnetic)}); }

  double law_energy(Field which, bool of_axes, const Buffer<S>* /*earlier*/) {
    return of_axes ? 0 : parts_.law_energy(which, values(which));
  }
  /// After a step the other set of values is the present one.
  [[nodiscard]] std::size_t program_kind() const { return present_; }

  void act(const Action& action, std::int64_t n) {
    switch (action.act) {
      case Act::sum_jumps:
        if (parts_.sums_jumps(n)) parts_.sum_jumps(values(Field::electric), values(Field::magnetic));
        return;
      case Act::update:
        return launch(action);
      case Act::turn:
        present_ = 1 - present_;
        return;
      default:
        if (!parts_.terms.act(action, stage_of(action)))
          core_.act(action, {&fields_.electric.values[1 - present_], &fields_.magnetic.values[1 - present_]});
    }
  }

  /// Per stage: the metric, four neighbours, four kinds and the word.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    return 5 * (stored_ ? 2 * stored_->bytes_beside_fields() : core_.system.bytes_beside_fields(9));
  }

 private:
  /// One field: two sets of values, of which a stage reads one and advances the other.
  struct TwoValues {
    std::array<Buffer<S>, 2> values;
  };
  /// In a stage one of the sets is read, in the stored layout also for the other field, and one read and written.
  TwoValues make_values(Field field) {
    const auto present = [this, field]() -> Buffer<S>& { return values(field); };
    const double read = core_.problem.layout == Layout::stored ? 2 : 1;
    return {{core_.make_field(5 * read, field == Field::electric ? "E" : "H", present), core_.make_field(10)}};
  }

  Stage<Backend, S> stage_of(const Action& action) {
    const auto fields_of = [this](TwoValues& own) {
      return typename Stage<Backend, S>::Fields{own.values[present_], own.values[1 - present_]};
    };
    const auto& [a, b, c] = schemes::lserk54[static_cast<std::size_t>(action.substep)];
    return {action.field,
            {fields_of(fields_.electric), fields_of(fields_.magnetic)},
            action.substep,
            a,
            b,
            c,
            {waves_->data() - 5 * core_.first_wave, 5 * core_.wave_steps(), core_.step.data()}};
  }

  void launch(const Action& action) {
    const BlockRange range = core_.system.layout().part(action.part);
    const auto substep = static_cast<std::size_t>(action.substep);
    const double b = schemes::lserk54[substep].b;
    const double back = schemes::lserk54_back(substep);
    const auto view = [this](Field which) {
      TwoValues& own = fields_[which];
      return parts_.view(which, own.values[present_], own.values[1 - present_].data());
    };
    const Sweep sweep = action.substep % 2 == 0 ? Sweep::forwards : Sweep::backwards;
    if (!stored_) return parts_.run_stage(view(Field::electric), view(Field::magnetic), {back, b}, range, sweep);
    for (const Field which : both_fields) {
      TwoValues& own = fields_[which];
      kernels::StoredStage<S> kernel;
      kernel.elements = core_.system.view();
      kernel.matrix = stored_->matrix(which);
      kernel.own = own.values[present_].data();
      kernel.other = fields_[other(which)].values[present_].data();
      kernel.new_values = own.values[1 - present_].data();
      kernel.back = static_cast<S>(back);
      kernel.b = static_cast<S>(b);
      stored_->run(kernel, range);
    }
  }

  Core<Backend, S>& core_;
  std::optional<StoredLayout<Backend, S>> stored_;
  PerField<TwoValues> fields_;
  std::optional<Buffer<S>> waves_;
  UpwindParts<Backend, S, UpwindPoles<Backend, S>> parts_;
  std::size_t present_ = 0;
};

}  // namespace tetrawave::march
