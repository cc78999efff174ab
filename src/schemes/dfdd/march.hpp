// The time stepping of DFDD-ELD: e at n with its rate x at n - 1/2, h at n - 1/2 with its rate y at n - 1
// (theory/dfdd).
#pragma once

#include "schemes/dfdd/stable_step.hpp"
#include "schemes/dfdd/start.hpp"
#include "schemes/dfdd/stored.hpp"
#include "schemes/dfdd/terms.hpp"
#include "schemes/stored/stored_field.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddMarch : public PlainScheme<Backend, S> {
 public:
  static constexpr bool leaps = true;
  static constexpr int exchanged = 1;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Level = typename LeapFrog<Backend, S>::Level;

  explicit DfddMarch(Core<Backend, S>& core) : core_(core), frog_(core, true), factored_(core), terms_(core) {
    if (core.problem.layout == Layout::stored) stored_.emplace(core_.system, core_.problem);
    frog_.set_plan(layers().braked());
  }

  double find_stable_step() {
    return layers().shorten(frog_.seek_step([](auto& work, auto& e, auto& h) { return find_dfdd_step(work, e, h); }));
  }

  Buffer<S>& values(Field which) { return frog_.values(which); }
  void fill_waves() { frog_.fill_waves(); }

  void begin() {
    frog_.upload();
    starting_ = false;
    DfddStart<Backend, S> start(core_, frog_, factored_, poles());
    start.run();
    starting_ = core_.has_fields() && core_.problem.starts_factored();
    set_coefficients(start.take_magnetic_change());
    frog_.begin(!uses_matrices());
    restore();
    if (core_.has_fields()) frog_.jump();
  }
  void restore() { frog_.restore(); }

  [[nodiscard]] const Buffer<S>* magnetic_rate() {
    return frog_.electric_first() ? &*frog_[Field::magnetic].rate : nullptr;
  }
  void keep_magnetic(Buffer<S>& earlier) {
    if (frog_.electric_first()) frog_.add_by_step(*frog_[Field::magnetic].rate, earlier, -1);
  }

  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) {
    return poles()[which].energy(core_.system, values(which), earlier, of_axes);
  }
  /// x . M_e x + eb . S_e eb + y . M_h y + hb . S_h hb + dt x . D y, the bar the mean over the last step of a field, if
  /// a single step has brought all elements to y (theory/dfdd).
  double rate_energy(Buffer<S>& work) {
    if (frog_.electric_first()) return 0;
    double sum = 0;
    for (const Field field : both_fields) {
      const Level& level = frog_[field];
      const Field across = other(field);
      sum += core_.system.product(field, *level.rate, *level.rate, core_.weights[field]);
      const Buffer<S> inverse =
          core_.table(schemes::inverse_masses(core_.problem.media, across == Field::electric).gain);
      sum += core_.system.curl_product(across, level.value, *level.rate, -core_.start.dt_m / 2, inverse);
    }
    const auto c = schemes::inverse_masses(core_.problem.media, true);
    const Buffer<S> decay = core_.table(c.decay);
    const Buffer<S> gain = core_.table(c.gain);
    core_.run(kernels::DfddCoupling<S>{core_.system.view(Field::electric), frog_[Field::magnetic].rate->data(),
                                       work.data(), decay.data(), gain.data(), false},
              core_.all_blocks());
    return sum + core_.start.dt_m * core_.system.product(Field::electric, *frog_[Field::electric].rate, work,
                                                         core_.weights[Field::electric]);
  }

  void act(const Action& action, std::int64_t /*n*/) {
    Level& target = frog_[action.field];
    const Level& source = frog_[other(action.field)];
    switch (action.act) {
      case Act::keep:
        if (uses_matrices()) stored_->keep(target.field, action.part, target.rate->data(), !action.second);
        return;
      case Act::update:
        return launch(target, source, action.part);
      case Act::waves:
        if (uses_matrices())
          stored_->add_to_update(
              target.field, action.part,
              {target.rate->data(), target.value.data(), static_cast<S>(core_.step_of(action.part.step_class))},
              frog_.waves_of(target, action));
        return;
      default:
        if (!terms_.act(action, rate_step(action.field))) frog_.act(action);
    }
  }
  [[nodiscard]] bool is_starting() { return starting_ || frog_.jumps(); }
  void end_step() {
    if (!starting_) return;
    starting_ = false;
    core_.backend.synchronize();
    frog_.forget_walls();
    factored_.forget_inverses();
  }

  /// Per half step: the metrics, four neighbours and the word; the stored K^-1 is not counted.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    return 2 * (stored_ ? stored_->bytes_beside_fields() : core_.system.bytes_beside_fields(5));
  }

 private:
  RateStep<Backend, S> rate_step(Field field) {
    Level& own = frog_[field];
    Level& across = frog_[other(field)];
    return {field,
            own.value,
            *own.rate,
            across.value,
            *across.rate,
            core_.system.metric(field),
            core_.system.metric(other(field)),
            factored_.inverse_of(field)};
  }
  auto& poles() { return terms_.template get<DfddPoles<Backend, S>>(); }
  auto& layers() { return terms_.template get<LayersOfRatesOnDevice<Backend, S>>(); }

  /// In the stored layout walls are in the matrices, but not the jump of given fields at them: the first step from
  /// given fields uses the factored layout.
  [[nodiscard]] bool uses_matrices() const { return stored_ && !starting_; }
  void launch(Level& target, const Level& source, const Part& part) {
    const BlockRange range = core_.system.layout().part(part);
    if (range.count == 0) return;
    if (!uses_matrices()) {
      const auto update = [&](auto kernel, BlockRange blocks) {
        factored_.launch(kernel, target, source, blocks, part.step_class);
      };
      return poles()[target.field].visit(part, range, update);
    }
    kernels::StoredRate<S> kernel;
    kernel.elements = core_.system.view();
    kernel.matrix = stored_->matrix(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.dt = static_cast<S>(core_.step_of(part.step_class));
    stored_->run(kernel, range);
  }

  void set_coefficients(std::vector<S> magnetic_change) {
    factored_.set_tables(core_.problem.media);
    if (stored_)
      stored_->set_step(core_.start.dt_m, [this](double dt_m) { return dfdd_matrix_maker(core_.problem, dt_m); });
    Level& e = frog_[Field::electric];
    Level& h = frog_[Field::magnetic];
    for (Level* level : {&e, &h}) poles()[level->field].begin(level->value, *level->rate, core_.dt());
    if (core_.has_fields()) {
      const typename DfddPoles<Backend, S>::FieldAtStart electric{e.value, *e.rate, 0, {}};
      const typename DfddPoles<Backend, S>::FieldAtStart magnetic{h.value, *h.rate, frog_.electric_first() ? 0.5 : -0.5,
                                                                  std::move(magnetic_change)};
      poles().electric.remember(electric, magnetic);
      poles().magnetic.remember(magnetic, electric);
    }
    for (const Field field : both_fields) terms_.begin(rate_step(field), core_.dt());
  }

  Core<Backend, S>& core_;
  LeapFrog<Backend, S> frog_;
  DfddFactored<Backend, S> factored_;
  std::optional<StoredLayout<Backend, S>> stored_;
  TermsOfDfdd<Backend, S> terms_;
  /// The next step is the first from given fields, in the stored layout with lossy walls.
  bool starting_ = false;
};

}  // namespace tetrawave::march
