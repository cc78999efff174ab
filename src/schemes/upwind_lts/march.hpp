// DGTD-Upwind with LTS: one-step Taylor integration, in which neighbours exchange integrals over time (theory/lts).
#pragma once

#include "march/loop/core.hpp"
#include "schemes/upwind/coefficients.hpp"
#include "schemes/upwind/parts.hpp"
#include "schemes/upwind/stable_step.hpp"
#include "schemes/upwind/step_plan.hpp"
#include "schemes/upwind_lts/dispersion.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindClassesMarch : public PlainScheme<Backend, S> {
 public:
  static constexpr bool leaps = false;
  static constexpr int exchanged = 1;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  explicit UpwindClassesMarch(Core<Backend, S>& core)
      : core_(core),
        levels_(per_field([&](Field field) {
          const auto value = [this, field]() -> Buffer<S>& { return levels_[field].value; };
          return Level{core_.make_field(3, field == Field::electric ? "E" : "H", value), core_.make_field(2),
                       core_.make_field(0)};
        })),
        parts_(core),
        terms_(basis::reference_element(core.problem.space).degree + 1) {
    core.plan = plan_upwind_lts(core.problem.classes, StepNeeds::of(core.problem, core.system.alone()));
  }

  double jump_energy() { return parts_.jump_energy(); }
  double find_stable_step(double useful_m) {
    return UpwindStep<Backend>(core_.backend, core_.problem, core_.system.ranks()).find_of_classes(useful_m);
  }
  Buffer<S>& values(Field which) { return levels_[which].value; }

  void begin() {
    for (const Field which : both_fields) {
      Level& own = levels_[which];
      core_.upload_field(own.value, core_.given_dofs(which));
      core_.upload_field(own.seen, {});
      core_.upload_field(own.sum, {});
    }
    parts_.hold_metal(levels_.electric.value);
    fill_waves();
    for (const Field which : both_fields) parts_.terms.begin(step_of({Act::update, which}), core_.dt());
    parts_.begin();
    restore();
  }

  void fill_waves() {
    waves_.clear();
    for (int c = 0; c < classes().count; ++c) {
      const std::int64_t substeps = classes().substeps(c);
      waves_.push_back(core_.wave_table(substeps, [&](const Wave& wave, std::int64_t n, std::int64_t j) {
        return integral_of(wave, n * substeps + j, static_cast<double>(substeps)) * static_cast<double>(length_of(c));
      }));
    }
  }

  /// Nothing of a step remains; but the exchange is set up here.
  void restore() {
    core_.system.exchange({&levels_.electric.seen});
    core_.system.exchange({&levels_.magnetic.seen});
  }

  double law_energy(Field which, bool of_axes, const Buffer<S>* /*earlier*/) {
    return of_axes ? 0 : parts_.law_energy(which, values(which));
  }

  void act(const Action& action, std::int64_t n) {
    switch (action.act) {
      case Act::sum_jumps:
        return sum_jumps(n);
      case Act::predict:
        return predict(action.part.border, action.part.step_class, action.substep);
      case Act::update:
        return correct(core_.system.layout().part(action.part));
      case Act::send:
      case Act::carry:
      case Act::receive:
        return travel(action);
      default:
        if (!parts_.terms.act(action, step_of(action))) core_.act(action, {});
    }
  }

  /// Traces written and read, twice the metric, four neighbours, four kinds and the word.
  [[nodiscard]] std::int64_t bytes_beside_fields() const { return static_cast<std::int64_t>(12 * sizeof(S)) + 10 * 4; }

 private:
  /// One field. Integrals are over the smallest step.
  struct Level {
    Buffer<S> value;  ///< at the start of an element's step: read twice, written
    Buffer<S> seen;   ///< integral of the prediction, over the interval needed by neighbours
    Buffer<S> sum;    ///< of elements next to a coarser level, over the neighbour's step so far
  };

  [[nodiscard]] const StepClasses& classes() const { return core_.problem.classes; }
  /// Smallest steps in one of a level.
  [[nodiscard]] std::int64_t length_of(int step_class) const {
    return classes().substeps(0) / classes().substeps(step_class);
  }

  LevelStep<Backend, S> step_of(const Action& action) {
    const int c = action.part.step_class;
    const std::int64_t substeps = classes().substeps(c);
    return {action.field,
            {{levels_.electric.value, levels_.electric.seen}, {levels_.magnetic.value, levels_.magnetic.seen}},
            action.substep,
            substeps,
            static_cast<double>(length_of(c)),
            {waves_[static_cast<std::size_t>(c)].data() - substeps * core_.first_wave, substeps * core_.wave_steps(),
             core_.step.data()}};
  }

  /// Mean of a wave over step n of a level with so many in one of the time loop, by Gauss's rule with three points.
  static double integral_of(const Wave& wave, std::int64_t n, double substeps) {
    const double middle = static_cast<double>(n) + 0.5;
    const double beside = std::sqrt(0.15);
    return (5 * wave((middle - beside) / substeps) + 8 * wave(middle / substeps) +
            5 * wave((middle + beside) / substeps)) /
           18;
  }

  /// From the fields at the start of the step, which all levels share.
  void sum_jumps(std::int64_t n) {
    if (!parts_.sums_jumps(n)) return;
    core_.system.exchange({&levels_.electric.value});
    core_.system.exchange({&levels_.magnetic.value});
    parts_.sum_jumps(levels_.electric.value, levels_.magnetic.value);
  }

  /// E, then H; the clock takes both for one exchange.
  void travel(const Action& action) {
    const bool electric = action.field == Field::electric;
    auto& seen = levels_[action.field].seen;
    if (action.act == Act::send) {
      core_.system.start_exchange({&seen}, action.levels, action.first_level);
      if (electric) core_.clock.note(kernels::traces_sent);
    } else if (action.act == Act::carry) {
      if (electric) core_.clock.note(kernels::inner_done);
      core_.system.carry({&seen}, action.levels, action.first_level);
    } else {
      core_.system.finish_exchange({&seen}, action.levels, action.first_level);
      if (!electric) core_.clock.note(kernels::ghosts_there);
    }
  }

  /// `seen` of level c over its step, of the next coarser level over the same time, a third of its step, and of the
  /// next finer level the sum of its three steps.
  void predict(bool border, int c, std::int64_t substep) {
    const auto& layout = core_.system.layout();
    const auto own = layout.number({border, c});
    integrate(layout.parts[own], 0, static_cast<double>(length_of(c)));
    parts_.hold_metal(levels_.electric.seen, Part{border, c});
    if (c > 0) combine(layout.beside_coarser[layout.number({border, c - 1})], &Level::sum, &Level::seen, 0);
    if (c + 1 == classes().count) return;
    const std::int64_t third = substep % 3;
    combine(layout.beside_coarser[own], &Level::seen, &Level::sum, third == 0 ? 0 : 1);
    const auto begin = static_cast<double>(third * length_of(c));
    integrate(layout.beside_finer[layout.number({border, c + 1})], begin, begin + static_cast<double>(length_of(c)));
    parts_.hold_metal(levels_.electric.seen, Part{border, c + 1});
  }

  /// to <- from + b to on a range of blocks, both fields.
  void combine(BlockRange range, Buffer<S> Level::*from, Buffer<S> Level::*to, double b) {
    for (Level* own : {&levels_.electric, &levels_.magnetic})
      core_.run(kernels::Combine<S>{(own->*from).data(), (own->*to).data(), S(1), static_cast<S>(b)}, range);
  }

  /// `seen` of a range of blocks over [begin, end] of their step, in smallest steps.
  void integrate(BlockRange range, double begin, double end) {
    kernels::UpwindTaylor<S> kernel;
    kernel.elements = core_.system.view();
    kernel.electric = parts_.view(Field::electric, levels_.electric.value, levels_.electric.seen.data());
    kernel.magnetic = parts_.view(Field::magnetic, levels_.magnetic.value, levels_.magnetic.seen.data());
    kernel.terms = terms_;
    double from = 1, to = 1;
    for (int k = 0; k < terms_; ++k) {
      from *= begin / (k + 1);
      to *= end / (k + 1);
      kernel.weight[k] = static_cast<S>(to - from);
    }
    core_.run(kernel, range);
  }

  /// u += the operator applied to `seen`.
  void correct(BlockRange range) {
    const auto view = [this](Field which) {
      return parts_.view(which, levels_[which].seen, levels_[which].value.data());
    };
    parts_.run_stage(view(Field::electric), view(Field::magnetic), {.adds = true}, range);
  }

  Core<Backend, S>& core_;
  PerField<Level> levels_;
  std::vector<Buffer<S>> waves_;  ///< per level: [wave][step of the level], its integral
  UpwindParts<Backend, S, UpwindPoleHalves<Backend, S>> parts_;
  int terms_;
};

}  // namespace tetrawave::march
