// The time stepping of DGTD-Central (theory/central, theory/walls).
#pragma once

#include "schemes/central/fourth_order.hpp"
#include "schemes/central/penalised_step.hpp"
#include "schemes/central/stable_step.hpp"
#include "schemes/central/stored.hpp"
#include "schemes/central/terms.hpp"
#include "schemes/central/update.hpp"
#include "schemes/leap_frog/leap_frog.hpp"
#include "schemes/stored/stored_field.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralMarch : public PlainScheme<Backend, S> {
 public:
  static constexpr bool leaps = true;
  static constexpr int exchanged = 1;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Level = typename LeapFrog<Backend, S>::Level;

  explicit CentralMarch(Core<Backend, S>& core) : core_(core), frog_(core, false), terms_(core) {
    const Problem& problem = core.problem;
    for (const Field field : both_fields)  // their memory; `begin` fills them
      for (int c = 0; c < problem.classes.count; ++c)
        tables_[field].push_back(tables(schemes::inverse_masses(problem.media, field == Field::electric)));
    if (problem.layout == Layout::stored) stored_.emplace(core_.system, core_.problem);
    if (problem.penalty > 0) {
      if (problem.layers || problem.classes.count > 1) core_.system.keep_shape();
      penalty_.emplace(core_.backend, make_penalty_faces(core_.problem, core_.system.layout(), core_.system.ranks()),
                       S(1));
      old_.emplace(core_.make_field(copies_old() ? 2 : 0));
    }
    if (problem.time_order == 4) fourth_.emplace(core_.make_field(8), core_.make_field(7));
    frog_.set_plan(layers().braked());
  }

  [[nodiscard]] std::optional<KerrFigures> kerr_figures() const {
    if (!kerr().any()) return {};
    return kerr().figures();
  }

  double find_stable_step() {
    return layers().shorten(frog_.seek_step([this](auto& work, auto& e, auto& h) {
      if (!penalty_) return find_central_step(work, e, h);
      using Values = typename std::remove_reference_t<decltype(work)>::Buffer;
      const auto find = [&](Values& other_e, Values& other_h) {
        PenalisedStep<Backend> step(work, {&e, &h}, {&other_e, &other_h});
        return step_of_all_classes(work, [&] { return step.find(); });
      };
      Values other_h = work.system().make_field();
      if constexpr (std::is_same_v<S, double>)
        if (&e == &values(Field::electric)) return find(*old_, other_h);
      Values other_e = work.system().make_field();
      return find(other_e, other_h);
    }));
  }

  Buffer<S>& values(Field which) { return frog_.values(which); }
  void fill_waves() { frog_.fill_waves(); }

  void begin() {
    frog_.upload();
    set_levels();
    set_coefficients();
    frog_.begin(!stored_);
    restore();
  }
  void restore() {
    kerr().remember(values(Field::electric));
    frog_.restore();
  }

  void act(const Action& action, std::int64_t /*n*/) {
    if (fourth_) return act_in_stage(action);
    Level& target = frog_[action.field];
    const Level& source = frog_[other(action.field)];
    switch (action.act) {
      case Act::keep_old:
        return keep_old(target.value, action.levels);
      case Act::keep:
        return stored_->keep(target.field, action.part, target.value.data(), !action.second);
      case Act::update:
        return launch(target, source, core_.system.layout().part(action.part), action.part.step_class);
      case Act::waves:
        return stored_->add_to_update(target.field, action.part, {target.value.data()}, frog_.waves_of(target, action));
      default:
        if (!terms_.act(action, half_step(action.field))) frog_.act(action);
    }
  }
  void keep_magnetic(Buffer<S>& /*earlier*/) { poles().magnetic.keep(); }
  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) {
    return poles()[which].energy(core_.system, values(which), earlier, of_axes);
  }
  [[nodiscard]] const Buffer<S>* nonlinear_energy() const { return kerr().any() ? &kerr().energy() : nullptr; }
  [[nodiscard]] std::size_t program_kind() const { return turned_; }
  /// Per half step (fourth order has six): six metric numbers, four neighbours and the word; for E with a penalty the
  /// kinds of the faces.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    if (stored_) return 2 * stored_->bytes_beside_fields();
    return (fourth_ ? 5 : 1) * core_.system.bytes_beside_fields(5) + core_.system.bytes_beside_fields(penalty_ ? 7 : 5);
  }

 private:
  using Tables = typename FourthOrder<Backend, S>::Tables;
  Tables tables(const schemes::UpdateCoefficients& c) { return {core_.table(c.decay), core_.table(c.gain)}; }
  /// Wall code that mirrors the field gathered for `target`.
  static std::uint32_t mirror_code(Field target) {
    return target == Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
  }

  /// The present values of E become the old ones, and the update writes all new ones; with LTS, where it writes those
  /// of some levels, they are copied.
  void keep_old(Buffer<S>& value, int levels) {
    if (!copies_old()) {
      std::swap(value, *old_);
      turned_ = 1 - turned_;
      return;
    }
    const kernels::Combine<S> kernel{value.data(), old_->data(), S(1), S(0)};
    for (int c = 0; c < levels; ++c) core_.run_on_level(kernel, c);
    const std::int64_t own = core_.all_blocks().count;
    core_.run(kernel, {own, core_.system.layout().blocks - own});
  }
  [[nodiscard]] bool copies_old() const { return core_.problem.classes.count > 1; }
  [[nodiscard]] bool is_penalised(Field field) const { return penalty_ && field == Field::electric; }

  void launch(Level& target, const Level& source, BlockRange range, int step_class) {
    if (is_penalised(target.field)) return launch_penalised(target, source, range, step_class);
    if (stored_)
      stored_->run(
          stored_->update_of(target.field, target.value.data(), source.value.data(), mirror_code(target.field)), range);
    else
      launch_factored(target, source, range, step_class);
  }
  void launch_penalised(Level& target, const Level& source, BlockRange range, int step_class) {
    const Tables& c = tables_[target.field][static_cast<std::size_t>(step_class)];
    auto kernel = penalty_->kernel();
    kernel.elements = core_.system.view();
    kernel.metric = core_.system.metric(target.field);
    kernel.source = source.value.data();
    kernel.old = old_->data();
    kernel.kept = copies_old() ? target.value.data() : kernel.old;
    kernel.target = target.value.data();
    kernel.decay = c.decay.data();
    kernel.gain = c.gain.data();
    core_.run(kernel, range, core_.sweep_of(target.field));
  }
  void launch_factored(Level& target, const Level& source, BlockRange range, int step_class) {
    run_update(target.field, source.value, target.value, tables_[target.field][static_cast<std::size_t>(step_class)],
               range);
  }
  void run_update(Field field, const Buffer<S>& from, Buffer<S>& to, const Tables& c, BlockRange range) {
    core_.run(kernels::CentralUpdate<S>{core_.system.view(field), from.data(), to.data(), c.decay.data(), c.gain.data(),
                                        mirror_code(field)},
              range, core_.sweep_of(field));
  }

  /// Fourth order: `substep` is the stage.
  void act_in_stage(const Action& action) {
    const std::int64_t stage = action.substep;
    Buffer<S>& to = fourth_->written(stage, values(action.field));
    if (action.act == Act::update) return update_in_stage(action, to);
    if (terms_.act(action, half_step(action.field))) return;
    frog_.act_in_stage(action, to, stage == fourth::second_change ? fourth_->walls : frog_[action.field].walls);
  }
  void update_in_stage(const Action& action, Buffer<S>& to) {
    const std::int64_t stage = action.substep;
    const BlockRange range = core_.system.layout().part(action.part);
    if (stage == fourth::middle)
      core_.run(kernels::Combine<S>{fourth_->first_change.data(), to.data(), S(1), S(1)}, range);
    const Tables* own = fourth_->tables_of(stage);
    run_update(action.field, fourth_->read(stage, values(other(action.field))), to,
               own == nullptr ? tables_[action.field].front() : *own, range);
  }
  void begin_stages() {
    const auto c = StageCoefficients::make(core_.problem.media, core_.start.dt_m);
    fourth_->tables.emplace(std::array<Tables, 3>{tables(c.first_change), tables(c.second_change), tables(c.middle)});
    fourth_->walls =
        put_walls<Backend, S>(core_.backend, core_.problem, core_.system.layout(), Field::electric, 0, {}, true);
  }

  void set_levels() {
    frog_.weigh_media(true);
    weigh_layers(core_.system, core_.problem, core_.dt());
    frog_.weigh_borders();
    if (core_.has_fields()) go_back();
    frog_.weigh_media();
  }

  /// H from t = 0 to -dt/2 of its level, so that the first half step brings it to +dt/2 symmetrically about the initial
  /// state.
  void go_back() {
    core_.system.exchange({&values(Field::electric)});
    poles().magnetic.go_back(values(Field::magnetic), core_.dt());
    for (int c = 0; c < core_.problem.classes.count; ++c) {
      tables_.magnetic[static_cast<std::size_t>(c)] =
          tables(schemes::magnetic_back_step(core_.problem.media, core_.step_of(Field::magnetic).of(c)));
      for (const bool border : {true, false})
        launch_factored(frog_[Field::magnetic], frog_[Field::electric], core_.system.layout().part({border, c}), c);
    }
    core_.backend.synchronize();
  }

  void set_coefficients() {
    if (stored_)
      stored_->set_step(core_.start.dt_m, [this](double dt_m) { return central_matrix_maker(core_.problem, dt_m); });
    if (fourth_) begin_stages();
    for (const Field field : both_fields) {
      for (int c = 0; c < core_.problem.classes.count; ++c)
        tables_[field][static_cast<std::size_t>(c)] = tables(
            schemes::update_coefficients(core_.problem.media, field == Field::electric, core_.step_of(field).of(c)));
      Buffer<S>& value = values(field);
      terms_.begin(HalfStep<Backend, S>{field, value, value, core_.system.metric(field), core_.step.data(),
                                        field == Field::magnetic && core_.has_fields()},
                   core_.step_of(field));
    }
  }

  HalfStep<Backend, S> half_step(Field field) {
    Buffer<S>& value = values(field);
    return {field, is_penalised(field) ? *old_ : value, value, core_.system.metric(field), core_.step.data()};
  }
  auto& poles() { return terms_.template get<CentralPoles<Backend, S>>(); }
  auto& layers() { return terms_.template get<LayersOnDevice<Backend, S>>(); }
  auto& kerr() { return terms_.template get<CentralKerr<Backend, S>>(); }
  const auto& kerr() const { return terms_.template get<CentralKerr<Backend, S>>(); }

  Core<Backend, S>& core_;
  LeapFrog<Backend, S> frog_;
  std::optional<StoredLayout<Backend, S>> stored_;
  TermsOfCentral<Backend, S> terms_;
  PerField<std::vector<Tables>> tables_;  ///< per LTS level
  std::optional<PenaltyOnDevice<Backend, S>> penalty_;
  std::optional<Buffer<S>> old_;  ///< with a penalty: E
  std::optional<FourthOrder<Backend, S>> fourth_;
  std::size_t turned_ = 0;  ///< whether an odd number of steps has exchanged the arrays of E
};

}  // namespace tetrawave::march
