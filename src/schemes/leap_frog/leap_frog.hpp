// Common part of DGTD-Central and DFDD-ELD: E at n and H at n + 1/2, each advanced from the other, walls within the
// step; and the schedule of local time stepping.
#pragma once

#include <algorithm>
#include <list>
#include <string>
#include <type_traits>

#include "march/elements/element_list.hpp"
#include "march/interface/fourth_order.hpp"
#include "march/loop/march.hpp"
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

namespace tetrawave::march {

/// The elements advanced at an event: a part, for its step number `substep` within a step of the time loop.
struct Turn {
  Part part;
  std::int64_t substep = 0;
};

template <class Backend, class S>
class LeapFrog : public March<Backend, S> {
 public:
  using Base = March<Backend, S>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

 protected:
  /// One of the two fields: its values, in DFDD-ELD also their rate, and its walls.
  struct Level {
    Field field;
    Buffer<S> value;
    std::optional<Buffer<S>> rate;
    WallsOnDevice<Backend, S> walls;
    std::optional<Buffer<S>> waves;  ///< [class][substep][wave][step]
    /// The array advanced by the update kernel and used by other elements.
    Buffer<S>& coupled() { return rate ? *rate : value; }
    const Buffer<S>& coupled() const { return rate ? *rate : value; }
  };

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    terminations_.register_state(registry);
    if (magnetic_terminations_) magnetic_terminations_->register_state(registry);
    register_walls(registry, electric_, "E_walls");
    register_walls(registry, magnetic_, "H_walls");
  }

  LeapFrog(Backend backend, const Problem& problem, const comm::Communicator& ranks, bool with_rates)
      : Base(std::move(backend), problem, ranks, true, 1),
        electric_(make_level(Field::electric, with_rates)),
        magnetic_(make_level(Field::magnetic, with_rates)),
        memories_(this->backend_, this->problem_, this->system_),
        terminations_(this->backend_, this->problem_, this->system_) {
    if (with_rates) magnetic_terminations_.emplace(this->backend_, this->problem_, this->system_, Field::magnetic);
  }

  /// Queues an action of the scheme alone on a part of the elements, or one of all schemes.
  virtual void act_on(const Action& action, Level& target, const Level& source, const Turn& turn) = 0;
  /// After a state has been loaded: restores everything of media that follows from it.
  virtual void restore_media() {}
  /// Whether the update leaves walls to corrections.
  [[nodiscard]] virtual bool corrects_walls() const { return true; }
  /// From the fields at t = 0, which are in `value`, to the time levels of the first step.
  virtual void set_levels() = 0;
  virtual void set_coefficients() = 0;
  /// Whether a step starts with E, after its row, or with H, before it.
  [[nodiscard]] bool electric_first() const { return this->problem_.records_rates(); }
  /// Time at which the sources of a field act, relative to the step of their level (in such steps).
  [[nodiscard]] virtual double source_shift(Field field) const = 0;
  /// Value of a wave for the walls of a field at step n of a level with so many steps in one of the time loop.
  [[nodiscard]] virtual double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const = 0;
  /// c0 dt of a level.
  [[nodiscard]] double step_of(int step_class) const {
    return this->problem_.classes.step_of(step_class, this->start_.dt_m);
  }
  /// to <- a from + b to on the elements of a level.
  void add_part(int step_class, const Buffer<S>& from, double a, Buffer<S>& to, double b) {
    for (const bool border : {true, false}) {
      const BlockRange range = this->system_.layout().part({border, step_class});
      this->backend_.for_blocks(this->problem_.space,
                                kernels::Combine<S>{from.data(), to.data(), static_cast<S>(a), static_cast<S>(b)},
                                range.first, range.count);
    }
  }
  /// Makes the metric of a field on elements of projected media that of the mass inverted in a step (or, `at_rest`,
  /// that of the medium alone).
  void weigh_media(bool at_rest = false) {
    for (const Field field : {Field::electric, Field::magnetic}) {
      std::vector<bool> chosen;
      const auto law_of = [&](const Medium& medium) {
        return schemes::law_of(this->problem_.scheme, medium, field == Field::electric);
      };
      for (const Medium& medium : this->problem_.media) chosen.push_back(law_of(medium).is_projected());
      const auto lists = elements_by_region(this->problem_, chosen);
      this->system_.weigh(this->problem_, field, lists, [&](const RegionElements& list) {
        const auto law = law_of(this->problem_.media[list.region]);
        const Vec3 axes = at_rest ? law.axes : schemes::mass_of(law, step_of(list.part.step_class)).axes;
        return [axes](LocalIndex) { return axes; };
      });
    }
  }
  /// The same on elements next to coarser LTS levels.
  void weigh_borders() {
    struct Borders {
      std::vector<LocalIndex> elements;
    };
    const std::vector<Borders> borders{{list_class_borders(this->problem_)}};
    if (borders.front().elements.empty()) return;
    for (const Field field : {Field::electric, Field::magnetic}) {
      this->system_.weigh(this->problem_, field, borders, [&](const Borders&) {
        return [&](LocalIndex e) {
          return mass_weights_of(this->problem_, e, field, step_of(this->problem_.classes.of(e)));
        };
      });
      if (this->system_.has_one_metric()) break;
    }
  }
  /// Table [wave][step] of the waves that the walls of a field use at this event.
  S* waves_at(const Level& level, const Turn& turn) const {
    const StepClasses& classes = this->problem_.classes;
    std::int64_t table = turn.substep;
    for (int c = 0; c < turn.part.step_class; ++c) table += classes.substeps(c);
    const auto rows = static_cast<std::int64_t>(this->start_.waves.size()) + 1;
    return level.waves->data() + table * rows * wave_length() - this->first_wave();
  }
  [[nodiscard]] std::int64_t wave_length() const { return this->wave_steps(); }

  Buffer<S>& values(Field which) final { return which == Field::electric ? electric_.value : magnetic_.value; }

  void begin() final {
    upload_electric();
    this->upload_field(magnetic_.value, this->given_->magnetic);
    set_levels();
    set_coefficients();
    set_walls(electric_);
    set_walls(magnetic_);
    fill_waves();
    memories_.begin(step_of(this->problem_.classes.of_memories));
    const double dt_m = step_of(this->problem_.classes.of_memories);
    static_assert(kernels::ModalWallFace<S>::constants == kernels::branch_numbers);
    terminations_.begin(dt_m, electric_.walls);
    if (magnetic_terminations_) magnetic_terminations_->begin(dt_m, magnetic_.walls);
    restore();
    for (Level* level : {&electric_, &magnetic_})
      if (level->rate && this->given_->electric && this->given_->magnetic) remember_values(*level);
  }

  /// Ghosts and wall traces are functions of the fields: traces are those after the corrections.
  void restore() final {
    restore_media();
    remember_traces(electric_, electric_.coupled());
    remember_traces(magnetic_, magnetic_.coupled());
    Level& read_first = electric_first() ? magnetic_ : electric_;
    if (braked_ || this->problem_.penalty > 0)
      this->system_.exchange({&(electric_first() ? electric_ : magnetic_).coupled()});
    this->system_.exchange({&read_first.coupled()});
  }

  /// Excluding dofs held at zero: corrections start from the result of the last one.
  void upload_electric() {
    if (!this->given_->electric || this->problem_.scheme != Scheme::dgtd_central || !this->problem_.holds_metal)
      return this->upload_field(electric_.value, this->given_->electric);
    std::optional<std::vector<double>> held = this->given_->electric;
    hold_fixed_dofs(this->problem_, Field::electric, *held, this->backend_.threads());
    this->upload_field(electric_.value, held);
  }

  /// The list of a step's actions; `braked`: absorbing layers have damping, whose elements use the advanced field of
  /// their neighbours.
  void set_plan(bool braked) {
    braked_ = braked;
    StepNeeds needs = StepNeeds::of(this->problem_);
    needs.alone = this->system_.alone();
    needs.braked = braked;
    this->plan_ = plan_leap_frog(this->problem_.classes, needs, electric_.rate.has_value(), electric_first());
  }

  void act(const Action& action, std::int64_t /*n*/) final {
    Level& target = level(action.field);
    Level& source = level(other(action.field));
    const Turn turn{action.part, action.substep};
    if (this->problem_.time_order == 4) return act_on(action, target, source, turn);
    switch (action.act) {
      case Act::dispersive_ports:  // they use the known field, in DFDD-ELD its rate; all their elements are on one
                                   // level
        return memories_.after(source.field, source.coupled(), waves_at(target, turn), wave_length(), this->step_);
      case Act::one_mode_before:
        return terminations_of(action.field)->before(target_of_ports(target), this->step_);
      case Act::one_mode_after:
        return terminations_of(action.field)
            ->after(target_of_ports(target), waves_at(target, turn), wave_length(), this->step_);
      case Act::sources:
        return add_sources(target, turn);
      case Act::walls:
        return run_walls(target, source, turn);
      default:
        return act_on(action, target, source, turn);
    }
  }

  /// find(work, E, H) with the elements and the fields of this run if they are in double precision; with layers, whose
  /// masses are weighted anew, on separate elements.
  template <class Find>
  double seek_step(const Find& find) {
    if constexpr (std::is_same_v<S, double>) {
      if (!this->problem_.layers) {
        StepProblem<Backend> work(this->system_, this->problem_);
        return find(work, electric_.value, magnetic_.value);
      }
    }
    StepProblem<Backend> work(this->backend_, this->problem_, this->system_.ranks(), 1);
    auto electric = work.system().make_field();
    auto magnetic = work.system().make_field();
    return find(work, electric, magnetic);
  }

  /// All lists of the current part, starting with those of elements with most walls, which take longest.
  void run_walls(Level& level, const Level& other, const Turn& turn) {
    run_walls(level.walls, level.coupled(), level, other, turn);
  }
  void run_walls(WallsOnDevice<Backend, S>& lists, Buffer<S>& field, Level& level, const Level& other,
                 const Turn& turn) {
    kernels::WallCorrections<S> all;
    const auto run = [&] { this->backend_.for_blocks(this->problem_.space, all, 0, all.blocks()); };
    for (auto walls = lists.rbegin(); walls != lists.rend(); ++walls) {
      if (walls->part != turn.part) continue;
      if (all.is_full()) {
        run();
        all = {};
      }
      auto kernel = wall_kernel(level, other, *walls, walls->matrix, turn);
      kernel.field = field.data();
      all.add(kernel, walls->blocks);
    }
    run();
  }

  kernels::WallCorrection<S> wall_kernel(Level& level, const Level& other, DeviceWalls<Backend, S>& walls,
                                         const Buffer<S>& matrix, const Turn& turn) {
    auto kernel = walls.kernel(level.coupled(), matrix);
    if (level.rate) {
      kernel.advanced = level.value.data();
      kernel.advance = static_cast<S>(step_of(walls.part.step_class));
    }
    if (walls.with_other) kernel.other = other.coupled().data();
    kernel.of_old = this->problem_.time_order == 4;
    kernel.waves = waves_at(level, turn);
    kernel.wave_length = wave_length();
    kernel.step = this->step_.data();
    if (&matrix == &walls.matrix) {  // else the traces are only looked at
      kernel.branches = walls.branches;
      kernel.of_electric = level.field == Field::electric && !level.rate;
      kernel.of_means = level.rate.has_value();
      kernel.branch = walls.branch.data();
      kernel.memory = walls.memory.data();
    }
    return kernel;
  }

  Level& level(Field field) { return field == Field::electric ? electric_ : magnetic_; }

  Level electric_;
  Level magnetic_;
  PortMemories<Backend, S> memories_;
  ModalTerminations<Backend, S> terminations_;                          ///< of E
  std::optional<ModalTerminations<Backend, S>> magnetic_terminations_;  ///< of schemes with rates

  /// Null where the ports of one mode do nothing to a field.
  ModalTerminations<Backend, S>* terminations_of(Field field) {
    if (field == Field::electric) return &terminations_;
    return magnetic_terminations_ ? &*magnetic_terminations_ : nullptr;
  }

 private:
  bool braked_ = false;

  typename ModalTerminations<Backend, S>::Target target_of_ports(Level& target) {
    return {target.coupled(), target.rate ? &target.value : nullptr};
  }
  [[nodiscard]] bool adds_over_ranks() const final { return terminations_.ranks_share(); }

  /// States of conductors at the walls: a row per element that has one, as long as the longest.
  void register_walls(StateRegistry& registry, Level& level, const char* name) {
    std::size_t branches = 0;
    for (const auto& list : this->problem_.wall_branches) branches = std::max(branches, list.size());
    if (branches == 0) return;
    const std::size_t of_face = branches * basis::reference_element(this->problem_.space).face_dofs;
    add_memory_state<S>(registry, name, 4 * of_face, level.walls, [this, of_face](const auto& walls, const auto& work) {
      if (walls.branches == 0) return;
      const auto rows = static_cast<int>(static_cast<std::size_t>(walls.faces) * of_face);
      for (std::size_t k = 0; k < walls.owner.size(); ++k)
        for (int row = 0; row < rows; ++row)
          work(this->problem_.mesh->global_id[static_cast<std::size_t>(walls.owner[k])], static_cast<std::size_t>(row),
               this->system_.layout().at(static_cast<std::int32_t>(k), rows, row));
    });
  }

  Level make_level(Field field, bool with_rate) {
    Level level{field, this->system_.make_field(), {}, {}, {}};
    if (with_rate) level.rate.emplace(this->system_.make_field());
    return level;
  }

  void set_walls(Level& level) {
    level.walls.clear();
    if (corrects_walls())
      level.walls = put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), level.field,
                                          this->problem_.time_order == 4 ? this->start_.dt_m / 2 : this->start_.dt_m);
  }

  void fill_waves() final {
    for (Level* level : {&electric_, &magnetic_}) {
      std::vector<S> all;
      if (this->problem_.time_order == 4) append_waves_of_stages(all);
      for (int c = 0; this->problem_.time_order == 2 && c < this->problem_.classes.count; ++c) {
        const std::int64_t substeps = this->problem_.classes.substeps(c);
        for (std::int64_t j = 0; j < substeps; ++j)
          this->append_waves(all, 1, [&](const Wave& wave, std::int64_t n, std::int64_t) {
            return wave_at(wave, level->field, n * substeps + j, static_cast<double>(substeps));
          });
      }
      level->waves.reset();
      level->waves.emplace(this->backend_, all.size());
      level->waves->upload(all);
    }
  }

  void append_waves_of_stages(std::vector<S>& all) const {
    for (std::int64_t stage = 0; stage < fourth::wave_tables; ++stage)
      this->append_waves(all, 1, [&](const Wave& wave, std::int64_t n, std::int64_t) {
        const double at = static_cast<double>(n) + fourth::time_of(stage);
        return stage == fourth::second_change ? change_of_wave(wave, at) : wave_of_half_step(wave, at);
      });
  }

  /// DFDD-ELD: to walls, given values jump from zero, a rate of value/dt in the first mean of rates: their response to
  /// the jump, and their states after it, keep the equations consistent, as if the run had started from rest.
  void remember_values(Level& level) {
    remember_traces(level, level.value);
    for (auto& walls : level.walls) {
      std::vector<S> trace = walls.trace.download();
      const auto per_step = static_cast<S>(2 / step_of(walls.part.step_class));
      for (S& number : trace) number *= per_step;
      walls.trace.upload(trace);
    }
    terminations_of(level.field)->jump();
    const bool is_first = level.field == (electric_first() ? Field::electric : Field::magnetic);
    memories_.jump(level.field, level.value, *level.rate, step_of(this->problem_.classes.of_memories), !is_first,
                   this->step_);
  }

  /// With zero matrices the kernel changes nothing and stores the traces of `field`.
  void remember_traces(Level& level, Buffer<S>& field) {
    for (auto& walls : level.walls) {
      Buffer<S> zero(this->backend_, walls.matrix.size());
      kernels::WallCorrections<S> all;
      auto kernel = wall_kernel(level, level, walls, zero, {walls.part, 0});
      kernel.field = field.data();
      kernel.advanced = nullptr;
      all.add(kernel, walls.blocks);
      this->backend_.for_blocks(this->problem_.space, all, 0, all.blocks());
      this->backend_.synchronize();
    }
  }

  void add_sources(Level& target, const Turn& turn) {
    this->sources_.add(target.field, turn.part, target.coupled().data(), target.rate ? target.value.data() : nullptr,
                       step_of(turn.part.step_class), this->step_.data(), source_shift(target.field), turn.substep);
  }
};

}  // namespace tetrawave::march
