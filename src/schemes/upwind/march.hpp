// The time stepping of DGTD-Upwind: E and H at n dt, five Runge-Kutta stages per step (theory/upwind).
#pragma once

#include "march/loop/core.hpp"
#include "schemes/stored/stored_field.hpp"
#include "schemes/upwind/coefficients.hpp"
#include "schemes/upwind/dispersion.hpp"
#include "schemes/upwind/faces_on_device.hpp"
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
    const Problem& problem = core.problem;
    UpwindNeeds needs(problem);
    needs.alone = core_.system.alone();
    core_.plan = plan_upwind(needs);
    if (problem.layout == Layout::stored) stored_.emplace(core_.system, core_.problem);
    if (problem.layout == Layout::stored && !problem.sums_jumps) return;
    const UpwindFaces faces = make_upwind_faces(problem, core_.system.layout(), core_.system.ranks());
    faces_.emplace(core_.backend, faces);
    if (problem.sums_jumps) parts_.jumps.emplace(core_.backend, core_.system, faces_->kinds, faces);
  }

  void register_state(StateRegistry& registry) { parts_.register_state(registry, *core_.problem.mesh); }
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
      const bool is_electric = which == Field::electric;
      TwoValues& own = fields_[which];
      core_.upload_field(values(which), is_electric ? core_.given->electric : core_.given->magnetic);
      core_.upload_field(own.values[1], {});
      core_.upload_field(own.change, {});
      if (is_electric) parts_.held.hold(values(which));
      const auto c = schemes::stage_coefficients(core_.problem.media, is_electric, core_.start.dt_m);
      own.tables.clear();
      own.tables.push_back(core_.table(c.gain));
      own.tables.push_back(core_.table(c.loss));
    }
    fill_waves();
    if (stored_)
      stored_->set_step(core_.start.dt_m, [this](double dt_m) {
        return upwind_matrix_maker(core_.problem, core_.system.layout(), core_.system.ranks(), dt_m);
      });
    for (const Field which : both_fields) parts_.terms.begin(stage_of(which, 0), core_.dt());
    parts_.begin(core_.start, core_.dt());
    driven_.clear();
    for (const auto& list : make_upwind_waves<S>(core_.problem, core_.system.layout(), core_.start.dt_m,
                                                 core_.system.ranks(), core_.threads()))
      driven_.emplace_back(core_.backend, list);
    restore();
  }

  void restore() { core_.system.exchange({&values(Field::electric), &values(Field::magnetic)}); }

  double law_energy(Field which, bool of_axes, const Buffer<S>* /*earlier*/) {
    if (of_axes) return 0;
    return parts_.terms.template get<Poles>()[which].energy(core_.system, values(which));
  }

  [[nodiscard]] bool adds_over_ranks() const { return parts_.terminations.ranks_share(); }
  /// After a step the other set of values is the present one.
  [[nodiscard]] std::size_t program_kind() const { return present_; }

  void act(const Action& action, std::int64_t n) {
    const std::size_t next = 1 - present_;
    const auto stage = static_cast<int>(action.substep);
    const auto& c = schemes::lserk54[static_cast<std::size_t>(stage)];
    TwoValues& field = fields_[action.field];
    switch (action.act) {
      case Act::sum_jumps:
        return sum_jumps(n);
      case Act::dispersive_ports:
        return parts_.memories.before_stage(values(Field::electric), values(Field::magnetic), waves_->data(),
                                            5 * (core_.start.steps + 1), core_.step.data(), stage, c.a, c.b);
      case Act::one_mode_before:
        return parts_.terminations.before_stage(values(Field::electric), waves_->data() - 5 * core_.first_wave,
                                                5 * core_.wave_steps(), core_.step.data(), stage, c.a, c.b);
      case Act::update:
        return launch(stage, core_.system.layout().part(action.part));
      case Act::waves:
        return add_waves(stage, action.part);
      case Act::conductors:
        return parts_.conductors.after_stage(conductor_view(stage), action.part);
      case Act::sources:
        return parts_.sources.add(action.field, action.part, field.change.data(), field.values[next].data(), c.b,
                                  core_.step.data(), c.c);
      case Act::metal:
        for (Buffer<S>* held : {&fields_.electric.change, &fields_.electric.values[next]})
          parts_.held.hold(*held, action.part);
        return;
      case Act::turn:
        present_ = next;
        return;
      default:
        if (!parts_.terms.act(action, stage_of(action.field, stage)))
          core_.act(action, {&fields_.electric.values[next], &fields_.magnetic.values[next]});
    }
  }

  /// Per stage: the metric, four neighbours, four kinds and the word.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    return 5 * (stored_ ? 2 * stored_->bytes_beside_fields() : core_.system.bytes_beside_fields(9));
  }

 private:
  /// One field: two sets of values, of which a stage reads one and writes the other, the register of the stages, and
  /// tables of gain and loss.
  struct TwoValues {
    std::array<Buffer<S>, 2> values;
    Buffer<S> change;
    std::vector<Buffer<S>> tables;
  };
  /// In a stage one of the sets is read, in the stored layout also for the other field, and one written; the register
  /// is read and written.
  TwoValues make_values(Field field) {
    const auto present = [this, field]() -> Buffer<S>& { return values(field); };
    const double read = core_.problem.layout == Layout::stored ? 2 : 1;
    return {{core_.make_field(5 * read, field == Field::electric ? "E" : "H", present), core_.make_field(5)},
            core_.make_field(10),
            {}};
  }
  using Waves = UpwindWavesOnDevice<Backend, S>;
  using Poles = UpwindPoles<Backend, S>;

  void sum_jumps(std::int64_t n) {
    if (parts_.jumps->is_due(n))
      parts_.jumps->add(values(Field::electric), values(Field::magnetic), core_.all_blocks(), core_.problem.space);
  }

  Stage<Backend, S> stage_of(Field which, int stage) {
    TwoValues& field = fields_[which];
    const auto& c = schemes::lserk54[static_cast<std::size_t>(stage)];
    return {which,        field.values[present_], field.values[1 - present_],
            field.change, static_cast<S>(c.a),    static_cast<S>(c.b)};
  }

  kernels::UpwindField<S> view(Field which) {
    TwoValues& field = fields_[which];
    return {core_.system.metric(which), field.values[present_].data(), field.values[1 - present_].data(),
            field.change.data(),        field.tables[0].data(),        field.tables[1].data()};
  }

  void launch(int stage, BlockRange range) {
    if (!stored_) return launch_factored(stage, range);
    for (const Field which : both_fields) {
      TwoValues& own = fields_[which];
      kernels::StoredStage<S> kernel;
      kernel.elements = core_.system.view();
      kernel.matrix = stored_->matrix(which);
      kernel.own = own.values[present_].data();
      kernel.other = fields_[other(which)].values[present_].data();
      kernel.new_values = own.values[1 - present_].data();
      kernel.change = own.change.data();
      kernel.a = static_cast<S>(schemes::lserk54[static_cast<std::size_t>(stage)].a);
      kernel.b = static_cast<S>(schemes::lserk54[static_cast<std::size_t>(stage)].b);
      stored_->run(kernel, range);
    }
  }

  void launch_factored(int stage, BlockRange range) {
    const auto& coefficients = schemes::lserk54[static_cast<std::size_t>(stage)];
    kernels::UpwindStage<S> kernel;
    kernel.elements = core_.system.view();
    kernel.electric = view(Field::electric);
    kernel.magnetic = view(Field::magnetic);
    kernel.kinds = faces_->kinds.data();
    kernel.coefficients = faces_->coefficients.data();
    kernel.a = static_cast<S>(coefficients.a);
    kernel.b = static_cast<S>(coefficients.b);
    core_.run(kernel, range, stage % 2 == 0 ? Sweep::forwards : Sweep::backwards);
  }

  kernels::UpwindConductors<S> conductor_view(int stage) {
    kernels::UpwindConductors<S> kernel;
    kernel.old_electric = fields_.electric.values[present_].data();
    kernel.old_magnetic = fields_.magnetic.values[present_].data();
    kernel.new_electric = fields_.electric.values[1 - present_].data();
    kernel.new_magnetic = fields_.magnetic.values[1 - present_].data();
    kernel.electric_change = fields_.electric.change.data();
    kernel.magnetic_change = fields_.magnetic.change.data();
    kernel.a = static_cast<S>(schemes::lserk54[static_cast<std::size_t>(stage)].a);
    kernel.b = static_cast<S>(schemes::lserk54[static_cast<std::size_t>(stage)].b);
    return kernel;
  }

  void add_waves(int stage, const Part& part) {
    for (const Waves& list : driven_)
      if (list.part == part) add_waves(list, stage);
  }
  void add_waves(const Waves& list, int stage) {
    kernels::UpwindWaves<S> kernel = list.kernel();
    kernel.electric_values = fields_.electric.values[1 - present_].data();
    kernel.magnetic_values = fields_.magnetic.values[1 - present_].data();
    kernel.electric_change = fields_.electric.change.data();
    kernel.magnetic_change = fields_.magnetic.change.data();
    kernel.waves = waves_->data() - 5 * core_.first_wave;
    kernel.wave_length = 5 * core_.wave_steps();
    kernel.step = core_.step.data();
    kernel.stages = 5;
    kernel.stage = stage;
    kernel.b = static_cast<S>(schemes::lserk54[static_cast<std::size_t>(stage)].b);
    core_.run(kernel, {0, list.blocks});
  }

  Core<Backend, S>& core_;
  std::optional<UpwindFacesOnDevice<Backend, S>> faces_;  ///< of the factored layout, and for the energy of jumps
  std::optional<StoredLayout<Backend, S>> stored_;
  PerField<TwoValues> fields_;
  std::optional<Buffer<S>> waves_;
  std::list<Waves> driven_;
  UpwindParts<Backend, S, Poles> parts_;
  std::size_t present_ = 0;
};

}  // namespace tetrawave::march
