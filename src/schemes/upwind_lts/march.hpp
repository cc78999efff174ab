// DGTD-Upwind with LTS: one-step Taylor integration, in which neighbours exchange integrals over time (theory/lts).
#pragma once

#include "march/loop/core.hpp"
#include "schemes/upwind/coefficients.hpp"
#include "schemes/upwind/faces_on_device.hpp"
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
        host_faces_(make_upwind_faces(core.problem, core.system.layout(), core.system.ranks())),
        faces_(core_.backend, host_faces_),
        parts_(core),
        terms_(basis::reference_element(core.problem.space).degree + 1) {
    const Problem& problem = core.problem;
    UpwindNeeds needs(problem);
    needs.alone = core_.system.alone();
    core_.plan = plan_upwind_lts(problem.classes, needs);
    if (problem.sums_jumps) parts_.jumps.emplace(core_.backend, core_.system, faces_.kinds, host_faces_);
    host_faces_ = {};
  }

  void register_state(StateRegistry& registry) { parts_.register_state(registry, *core_.problem.mesh); }
  double jump_energy() { return parts_.jump_energy(); }

  double find_stable_step() { return find_upwind_step(core_.backend, core_.problem, core_.system.ranks()); }

  [[nodiscard]] bool adds_over_ranks() const { return parts_.terminations.ranks_share(); }
  Buffer<S>& values(Field which) { return levels_[which].value; }
  void begin() {
    const double smallest_m = core_.step_of(0);
    for (const Field which : both_fields) {
      const bool is_electric = which == Field::electric;
      Level& own = levels_[which];
      core_.upload_field(own.value, is_electric ? core_.given->electric : core_.given->magnetic);
      core_.upload_field(own.seen, {});
      core_.upload_field(own.sum, {});
      if (is_electric) parts_.held.hold(own.value);
      const auto c = schemes::stage_coefficients(core_.problem.media, is_electric, smallest_m);
      own.tables.clear();
      own.tables.push_back(core_.table(c.gain));
      own.tables.push_back(core_.table(c.loss));
    }
    set_waves(smallest_m);
    for (const Field which : both_fields)
      parts_.terms.begin(AloneStep<Backend, S>{which, levels_[which].value}, core_.dt());
    parts_.begin(core_.start, core_.dt());
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
    if (of_axes) return 0;
    return parts_.terms.template get<Poles>()[which].energy(core_.system, values(which));
  }

  void act(const Action& action, std::int64_t n) {
    const int c = action.part.step_class;
    const std::int64_t substep = action.substep;
    Level& own = levels_[action.field];
    switch (action.act) {
      case Act::sum_jumps:
        return sum_jumps(n);
      case Act::sources:  // `seen` of the level is free before and after its update
        return parts_.sources.add(action.field, action.part, own.seen.data(), own.value.data(), 0.5, core_.step.data(),
                                  action.second ? 0.75 : 0.25, substep);
      case Act::predict:
        return predict(action.part.border, c, substep);
      case Act::dispersive_ports:
        return parts_.memories.over_step(levels_.electric.seen, levels_.magnetic.seen,
                                         waves_[static_cast<std::size_t>(c)].data(), wave_length(c), core_.step.data(),
                                         substep);
      case Act::one_mode_before:
        return parts_.terminations.before_step(
            levels_.electric.seen,
            waves_[static_cast<std::size_t>(c)].data() - classes().substeps(c) * core_.first_wave, wave_length(c),
            core_.step.data(), classes().substeps(c), substep, static_cast<double>(length_of(c)));
      case Act::update:
        return correct(core_.system.layout().part(action.part));
      case Act::waves:
        for (const Waves& list : driven_)
          if (list.part == action.part) add_waves(list, substep);
        return;
      case Act::conductors:
        return parts_.conductors.after_step(levels_.electric.seen, levels_.magnetic.seen, levels_.electric.value,
                                            levels_.magnetic.value, length_of(c), action.part);
      case Act::metal:
        return parts_.held.hold(levels_.electric.value, action.part);
      case Act::send:
      case Act::carry:
      case Act::receive:
        return travel(action);
      default:
        if (!parts_.terms.act(action, AloneStep<Backend, S>{action.field, own.value})) core_.act(action, {});
    }
  }

  /// Traces written and read, twice the metric, four neighbours, four kinds and the word.
  [[nodiscard]] std::int64_t bytes_beside_fields() const { return static_cast<std::int64_t>(12 * sizeof(S)) + 10 * 4; }

 private:
  /// One field. Integrals are over the smallest step.
  struct Level {
    Buffer<S> value;                  ///< at the start of an element's step: read twice, written
    Buffer<S> seen;                   ///< integral of the prediction, over the interval needed by neighbours
    Buffer<S> sum;                    ///< of elements next to a coarser level, over the neighbour's step so far
    std::vector<Buffer<S>> tables{};  ///< gain, loss
  };
  using Waves = UpwindWavesOnDevice<Backend, S>;
  using Poles = UpwindPoleHalves<Backend, S>;

  [[nodiscard]] const StepClasses& classes() const { return core_.problem.classes; }
  /// Smallest steps in one of a level.
  [[nodiscard]] std::int64_t length_of(int step_class) const {
    return classes().substeps(0) / classes().substeps(step_class);
  }

  /// Length of the wave table of an LTS level.
  [[nodiscard]] std::int64_t wave_length(int step_class) const {
    return classes().substeps(step_class) * core_.wave_steps();
  }

  void set_waves(double smallest_m) {
    driven_.clear();
    for (const auto& list :
         make_upwind_waves<S>(core_.problem, core_.system.layout(), smallest_m, core_.system.ranks(), core_.threads()))
      driven_.emplace_back(core_.backend, list);
    fill_waves();
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
    if (!parts_.jumps->is_due(n)) return;
    core_.system.exchange({&levels_.electric.value});
    core_.system.exchange({&levels_.magnetic.value});
    parts_.jumps->add(levels_.electric.value, levels_.magnetic.value, core_.all_blocks(), core_.problem.space);
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
    parts_.held.hold(levels_.electric.seen, Part{border, c});
    if (c > 0) combine(layout.beside_coarser[layout.number({border, c - 1})], &Level::sum, &Level::seen, 0);
    if (c + 1 == classes().count) return;
    const std::int64_t third = substep % 3;
    combine(layout.beside_coarser[own], &Level::seen, &Level::sum, third == 0 ? 0 : 1);
    const auto begin = static_cast<double>(third * length_of(c));
    integrate(layout.beside_finer[layout.number({border, c + 1})], begin, begin + static_cast<double>(length_of(c)));
    parts_.held.hold(levels_.electric.seen, Part{border, c + 1});
  }

  /// to <- from + b to on a range of blocks, both fields.
  void combine(BlockRange range, Buffer<S> Level::*from, Buffer<S> Level::*to, double b) {
    for (Level* own : {&levels_.electric, &levels_.magnetic})
      core_.run(kernels::Combine<S>{(own->*from).data(), (own->*to).data(), S(1), static_cast<S>(b)}, range);
  }

  kernels::UpwindField<S> view(Field which, const Buffer<S>& from, S* to, S* change) {
    const Level& own = levels_[which];
    return {core_.system.metric(which), from.data(), to, change, own.tables[0].data(), own.tables[1].data()};
  }

  /// `seen` of a range of blocks over [begin, end] of their step, in smallest steps.
  void integrate(BlockRange range, double begin, double end) {
    kernels::UpwindTaylor<S> kernel;
    kernel.elements = core_.system.view();
    kernel.electric = view(Field::electric, levels_.electric.value, levels_.electric.seen.data(), nullptr);
    kernel.magnetic = view(Field::magnetic, levels_.magnetic.value, levels_.magnetic.seen.data(), nullptr);
    kernel.terms = terms_;
    double from = 1, to = 1;
    for (int k = 0; k < terms_; ++k) {
      from *= begin / (k + 1);
      to *= end / (k + 1);
      kernel.weight[k] = static_cast<S>(to - from);
    }
    core_.run(kernel, range);
  }

  /// u += the operator applied to `seen`: a stage whose register is u itself.
  void correct(BlockRange range) {
    kernels::UpwindStage<S> kernel;
    kernel.elements = core_.system.view();
    kernel.electric = view(Field::electric, levels_.electric.seen, nullptr, levels_.electric.value.data());
    kernel.magnetic = view(Field::magnetic, levels_.magnetic.seen, nullptr, levels_.magnetic.value.data());
    kernel.kinds = faces_.kinds.data();
    kernel.coefficients = faces_.coefficients.data();
    kernel.a = 1;
    core_.run(kernel, range);
  }

  void add_waves(const Waves& list, std::int64_t substep) {
    kernels::UpwindWaves<S> kernel = list.kernel();
    kernel.electric_change = levels_.electric.value.data();
    kernel.magnetic_change = levels_.magnetic.value.data();
    kernel.stages = classes().substeps(list.part.step_class);
    kernel.waves = waves_[static_cast<std::size_t>(list.part.step_class)].data() - kernel.stages * core_.first_wave;
    kernel.wave_length = wave_length(list.part.step_class);
    kernel.step = core_.step.data();
    kernel.stage = substep;
    core_.run(kernel, {0, list.blocks});
  }

  Core<Backend, S>& core_;
  PerField<Level> levels_;
  UpwindFaces host_faces_;  ///< until all of them are on the device
  UpwindFacesOnDevice<Backend, S> faces_;
  std::vector<Buffer<S>> waves_;  ///< per level: [wave][step of the level], its integral
  std::list<Waves> driven_;
  UpwindParts<Backend, S, Poles> parts_;
  int terms_;
};

}  // namespace tetrawave::march
