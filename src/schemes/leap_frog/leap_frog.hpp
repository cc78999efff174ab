// Common part of DGTD-Central and DFDD-ELD: E at n and H at n + 1/2, each advanced from the other, walls within the
// step; and the schedule of local time stepping.
#pragma once

#include <algorithm>
#include <list>
#include <string>
#include <type_traits>

#include "march/elements/element_list.hpp"
#include "march/interface/fourth_order.hpp"
#include "march/loop/scheme_terms.hpp"
#include "schemes/leap_frog/device_walls.hpp"
#include "schemes/leap_frog/elements/class_borders.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "schemes/leap_frog/step_plan.hpp"
#include "schemes/leap_frog/step_problem.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/pml/layers.hpp"
#include "terms/ports/device/modal_terminations.hpp"
#include "terms/ports/device/port_memories.hpp"
#include "terms/ports/modal_termination.hpp"
#include "terms/sources/device/device_sources.hpp"

namespace tetrawave::march {

/// The terms that both schemes have, a line each; those of one: schemes/central/terms.hpp, schemes/dfdd/terms.hpp.
template <class Backend, class S>
using TermsOfLeapFrog = SchemeTerms<Backend, S,                     //
                                    PortMemories<Backend, S>,       //
                                    ModalTerminations<Backend, S>,  //
                                    DeviceSources<Backend, S>>;

/// Fields and walls of such a scheme, with these terms.
template <class Backend, class S>
class LeapFrog {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// One of the two fields: its values, in DFDD-ELD also their rate, and its walls.
  struct Level {
    Field field;
    Buffer<S> value;
    std::optional<Buffer<S>> rate;
    WallsOnDevice<Backend, S> walls{};
    std::optional<Buffer<S>> waves{};  ///< [class][substep][wave][step]
    /// The array advanced by the update kernel and used by other elements.
    Buffer<S>& coupled() { return rate ? *rate : value; }
    const Buffer<S>& coupled() const { return rate ? *rate : value; }
  };

  LeapFrog(Core<Backend, S>& core, bool with_rates)
      : core_(core),
        with_rates_(with_rates),
        levels_(per_field([&](Field field) { return make_level(field); })),
        terms_(core) {
    core.declare([this](StateRegistry& registry) {
      for (const Field field : both_fields)
        register_walls(registry, levels_[field], field == Field::electric ? "E_walls" : "H_walls");
    });
  }

  Level& operator[](Field field) { return levels_[field]; }
  Buffer<S>& values(Field field) { return levels_[field].value; }
  /// Ports of one mode.
  ModalTerminations<Backend, S>& terminations(Field field) {
    return terms_.template get<ModalTerminations<Backend, S>>()[field];
  }

  /// Whether a step starts with E, after its row, or with H, before it.
  [[nodiscard]] bool electric_first() const { return core_.problem.records_rates(); }
  Level& first() { return levels_[electric_first() ? Field::electric : Field::magnetic]; }
  /// to <- a from + b to on the elements of an LTS level.
  void add_part(int level, const Buffer<S>& from, double a, Buffer<S>& to, double b) {
    core_.run_on_level(kernels::Combine<S>{from.data(), to.data(), static_cast<S>(a), static_cast<S>(b)}, level);
  }
  /// to <- to + factor (step of the level) rate, on those of all levels.
  void add_by_step(const Buffer<S>& rate, Buffer<S>& to, double factor) {
    for (int c = 0; c < core_.problem.classes.count; ++c) add_part(c, rate, factor * core_.step_of(c), to, 1);
  }
  /// Makes the metric of a field on elements of projected media that of the mass inverted in a step (or, `at_rest`,
  /// that of the medium alone).
  void weigh_media(bool at_rest = false) {
    for (const Field field : both_fields) {
      std::vector<bool> chosen;
      const auto law_of = [&](const Medium& medium) {
        return schemes::law_of(core_.problem.scheme, medium, field == Field::electric);
      };
      for (const Medium& medium : core_.problem.media) chosen.push_back(law_of(medium).is_projected());
      const auto lists = elements_by_region(core_.problem, chosen);
      core_.system.weigh(core_.problem, field, lists, [&](const RegionElements& list) {
        const auto law = law_of(core_.problem.media[list.region]);
        const Vec3 axes = at_rest ? law.axes : schemes::mass_of(law, core_.step_of(list.part.step_class)).axes;
        return [axes](LocalIndex) { return axes; };
      });
    }
  }
  /// The same on elements next to coarser LTS levels.
  void weigh_borders() {
    struct Borders {
      std::vector<LocalIndex> elements;
    };
    const std::vector<Borders> borders{{list_class_borders(core_.problem)}};
    if (borders.front().elements.empty()) return;
    for (const Field field : both_fields) {
      core_.system.weigh(core_.problem, field, borders, [&](const Borders&) {
        return [&](LocalIndex e) {
          return mass_weights_of(core_.problem, e, field, core_.step_of(core_.problem.classes.of(e)));
        };
      });
      if (core_.system.has_one_metric()) break;
    }
  }
  /// The waves that a field takes at this event, or in this stage.
  WavesNow<Backend, S> waves_of(const Level& level, const Action& action) const {
    std::int64_t table = action.substep;
    for (int c = 0; c < action.part.step_class; ++c) table += core_.problem.classes.substeps(c);
    const auto rows = static_cast<std::int64_t>(core_.start.waves.size()) + 1;
    return {level.waves->data() + table * rows * core_.wave_steps() - core_.first_wave, core_.wave_steps(),
            core_.step.data()};
  }

  /// The given fields; of E without dofs held at zero: corrections start from the result of the last one.
  void upload() {
    core_.upload_field(values(Field::magnetic), core_.given->magnetic);
    if (!core_.given->electric || with_rates_ || !core_.problem.holds_metal)
      return core_.upload_field(values(Field::electric), core_.given->electric);
    std::optional<std::vector<double>> held = core_.given->electric;
    hold_fixed_dofs(core_.problem, Field::electric, *held, core_.threads());
    core_.upload_field(values(Field::electric), held);
  }

  /// `corrects_walls`: the update leaves walls to corrections.
  void begin(bool corrects_walls) {
    static_assert(kernels::ModalWallFace<S>::constants == kernels::branch_numbers);
    fill_waves();
    terms_.start(core_.start, core_.dt());
    for (const Field field : both_fields) {
      levels_[field].walls.clear();
      if (corrects_walls)
        levels_[field].walls = put_walls<Backend, S>(core_.backend, core_.problem, core_.system.layout(), field,
                                                     core_.step_of(field).dt_m);
      terminations(field).prepare(core_.dt().of_ports(), levels_[field].walls);
    }
  }

  /// Ghosts and wall traces are functions of the fields: traces are those after the corrections.
  void restore() {
    for (const Field field : both_fields) remember_traces(levels_[field], levels_[field].coupled());
    if (braked_) core_.system.exchange({&first().coupled()});
    core_.system.exchange({&levels_[other(first().field)].coupled()});
  }

  /// DFDD-ELD from given fields, after `restore`: to walls, given values jump from zero, a rate of value/dt in the
  /// first mean of rates: their response to the jump, and their states after it, keep the equations consistent, as if
  /// the run had started from rest.
  void jump() {
    for (const Field field : both_fields) {
      Level& level = levels_[field];
      remember_traces(level, level.value);
      for (auto& walls : level.walls) {
        std::vector<S> trace = walls.trace.download();
        const auto per_step = static_cast<S>(2 / core_.step_of(walls.part.step_class));
        for (S& number : trace) number *= per_step;
        walls.trace.upload(trace);
      }
      terminations(field).jump();
      terms_.template get<PortMemories<Backend, S>>().jump(field, level.value, *level.rate, core_.dt().of_ports(),
                                                           &level != &first(), core_.step.data());
    }
  }

  /// DFDD-ELD: whether the first step from given fields is still to come, for ports of one mode.
  [[nodiscard]] bool jumps() { return terminations(Field::electric).jumps() || terminations(Field::magnetic).jumps(); }
  void forget_walls() {
    for (const Field field : both_fields) {
      terminations(field).forget_walls();
      levels_[field].walls.clear();
    }
  }

  /// The list of a step's actions; `braked`: absorbing layers have damping, whose elements use the advanced field of
  /// their neighbours.
  void set_plan(bool braked) {
    braked_ = braked;
    StepNeeds needs = StepNeeds::of(core_.problem, core_.system.alone());
    needs.braked = braked;
    core_.plan = plan_leap_frog(core_.problem.classes, needs, with_rates_, electric_first());
  }

  /// Queues an action that is no matter of the scheme alone.
  void act(const Action& action) {
    Level& target = levels_[action.field];
    const Level& source = levels_[other(action.field)];
    if (action.act == Act::walls) return run_walls(target.walls, target.coupled(), target, source, action);
    const LeapStep<Backend, S> step{action.field,
                                    target.coupled(),
                                    target.rate ? &target.value : nullptr,
                                    source.coupled(),
                                    core_.step_of(action.part.step_class),
                                    middle_of(action.field),
                                    action.substep,
                                    waves_of(target, action)};
    if (!terms_.act(action, step)) core_.act(action, {&target.coupled()});
  }

  /// Fourth order: on what the stage writes and its walls.
  void act_in_stage(const Action& action, Buffer<S>& to, WallsOnDevice<Backend, S>& walls) {
    const std::int64_t stage = action.substep;
    Level& target = levels_[action.field];
    const Level& source = levels_[other(action.field)];
    if (action.act == Act::walls) return run_walls(walls, to, target, source, action);
    if (action.act != Act::sources) return core_.act(action, {&to});
    const LeapStep<Backend, S> step{action.field,
                                    to,
                                    nullptr,
                                    source.coupled(),
                                    0,
                                    fourth::time_of(stage),
                                    0,
                                    {nullptr, 0, core_.step.data()},
                                    stage == fourth::second_change};
    for (int k = stage == fourth::first_change ? 2 : 1; k > 0; --k)
      terms_.act(action, step);  // H: of a third of a step
  }

  /// find(work, E, H) with the elements and the fields of this run if they are in double precision; with layers, whose
  /// masses are weighted anew, on separate elements.
  template <class Find>
  double seek_step(const Find& find) {
    if constexpr (std::is_same_v<S, double>) {
      if (!core_.problem.layers) {
        StepProblem<Backend> work(core_.system, core_.problem);
        return find(work, values(Field::electric), values(Field::magnetic));
      }
    }
    StepProblem<Backend> work(core_.backend, core_.problem, core_.system.ranks(), 1);
    auto electric = work.system().make_field();
    auto magnetic = work.system().make_field();
    return find(work, electric, magnetic);
  }

  void fill_waves() {
    for (const Field field : both_fields) {
      std::vector<S> all;
      if (core_.problem.time_order == 4) append_waves_of_stages(all);
      for (int c = 0; core_.problem.time_order == 2 && c < core_.problem.classes.count; ++c) {
        const std::int64_t substeps = core_.problem.classes.substeps(c);
        for (std::int64_t j = 0; j < substeps; ++j)
          core_.append_waves(all, 1, [&](const Wave& wave, std::int64_t n, std::int64_t) {
            return wave_at(wave, field, n * substeps + j, static_cast<double>(substeps));
          });
      }
      std::optional<Buffer<S>>& waves = levels_[field].waves;
      waves.reset();
      waves.emplace(core_.backend, all);
    }
  }

 private:
  void append_waves_of_stages(std::vector<S>& all) const {
    for (std::int64_t stage = 0; stage < fourth::wave_tables; ++stage)
      core_.append_waves(all, 1, [&](const Wave& wave, std::int64_t n, std::int64_t) {
        const double at = static_cast<double>(n) + fourth::time_of(stage);
        return stage == fourth::second_change ? change_of_wave(wave, at) : wave_of_half_step(wave, at);
      });
  }

  /// What is coupled is read and written, and read for the other field; a value besides is read and written.
  Level make_level(Field field) {
    const std::string name = field == Field::electric ? "E" : "H";
    std::optional<Buffer<S>> rate;
    if (with_rates_)
      rate.emplace(core_.make_field(3, name + "_rate", [this, field]() -> Buffer<S>& { return *levels_[field].rate; }));
    return {field, core_.make_field(with_rates_ ? 2 : 3, name, [this, field]() -> Buffer<S>& { return values(field); }),
            std::move(rate)};
  }

  /// States of conductors at the walls: a row per element that has one, as long as the longest.
  void register_walls(StateRegistry& registry, Level& level, const char* name) {
    std::size_t branches = 0;
    for (const auto& list : core_.problem.wall_branches) branches = std::max(branches, list.size());
    if (branches == 0) return;
    const std::size_t of_face = branches * basis::reference_element(core_.problem.space).face_dofs;
    add_memory_state<S>(registry, name, 4 * of_face, level.walls, [this, of_face](const auto& walls, const auto& work) {
      if (walls.branches == 0) return;
      const auto rows = static_cast<int>(static_cast<std::size_t>(walls.faces) * of_face);
      for (std::size_t k = 0; k < walls.owner.size(); ++k)
        for (int row = 0; row < rows; ++row)
          work(core_.problem.mesh->global_id[static_cast<std::size_t>(walls.owner[k])], static_cast<std::size_t>(row),
               core_.system.layout().at(static_cast<std::int32_t>(k), rows, row));
    });
  }

  /// With zero matrices the kernel changes nothing and stores the traces of `field`.
  void remember_traces(Level& level, Buffer<S>& field) {
    for (auto& walls : level.walls) {
      Buffer<S> zero(core_.backend, walls.matrix.size());
      kernels::WallCorrections<S> all;
      auto kernel = wall_kernel(level, level, walls, zero, {Act::walls, level.field, walls.part});
      kernel.field = field.data();
      kernel.advanced = nullptr;
      all.add(kernel, walls.blocks);
      core_.run(all, {0, all.blocks()});
      core_.backend.synchronize();
    }
  }

  /// All lists of the current part, starting with those of elements with most walls, which take longest.
  void run_walls(WallsOnDevice<Backend, S>& lists, Buffer<S>& field, Level& level, const Level& other,
                 const Action& action) {
    kernels::WallCorrections<S> all;
    const auto run = [&] { core_.run(all, {0, all.blocks()}); };
    for (auto walls = lists.rbegin(); walls != lists.rend(); ++walls) {
      if (walls->part != action.part) continue;
      if (all.is_full()) {
        run();
        all = {};
      }
      auto kernel = wall_kernel(level, other, *walls, walls->matrix, action);
      kernel.field = field.data();
      all.add(kernel, walls->blocks);
    }
    run();
  }

  kernels::WallCorrection<S> wall_kernel(Level& level, const Level& other, DeviceWalls<Backend, S>& walls,
                                         const Buffer<S>& matrix, const Action& action) {
    auto kernel = walls.kernel(level.coupled(), matrix);
    if (level.rate) {
      kernel.advanced = level.value.data();
      kernel.advance = static_cast<S>(core_.step_of(walls.part.step_class));
    }
    if (walls.with_other) kernel.other = other.coupled().data();
    kernel.of_old = core_.problem.time_order == 4;
    const auto waves = waves_of(level, action);
    kernel.waves = waves.table;
    kernel.wave_length = waves.length;
    kernel.step = waves.step;
    if (&matrix == &walls.matrix) {  // else the traces are only looked at
      kernel.branches = walls.branches;
      kernel.of_electric = level.field == Field::electric && !level.rate;
      kernel.of_means = level.rate.has_value();
      kernel.branch = walls.branch.data();
      kernel.memory = walls.memory.data();
    }
    return kernel;
  }

  /// Time at which waves and sources of a field act, relative to the step of their level (in such steps).
  [[nodiscard]] double middle_of(Field field) const {
    if (field == Field::electric) return with_rates_ ? 0.0 : 0.5;
    return !with_rates_ ? 0.0 : electric_first() ? 0.5 : -0.5;
  }
  /// Value of a wave for the walls of a field at step n of a level with so many steps in one of the time loop; it
  /// enters a rate by its increment over a step, divided by dt in the equations.
  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const {
    const double middle = static_cast<double>(n) + middle_of(field);
    if (!with_rates_) return wave(middle / substeps);
    return wave((middle + 0.5) / substeps) - wave((middle - 0.5) / substeps);
  }

  Core<Backend, S>& core_;
  bool with_rates_;
  bool braked_ = false;
  PerField<Level> levels_;
  TermsOfLeapFrog<Backend, S> terms_;
};

}  // namespace tetrawave::march
