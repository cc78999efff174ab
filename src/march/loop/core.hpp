// What a scheme works with on one rank: the backend, the problem and its elements, the run, the waves of its step.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/sweep.hpp"
#include "march/elements/element_system.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/per_field.hpp"
#include "march/loop/step_number.hpp"
#include "march/loop/wave_table.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

/// Owned by the time loop, which makes the scheme with it; `S`: number type of the fields.
template <class Backend, class S>
class Core {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Fields = typename ElementSystem<Backend, S>::Fields;

  /// `exchanged`: number of fields exchanged between ranks at once.
  Core(Backend on, const Problem& given_problem, const comm::Communicator& ranks, int exchanged)
      : backend(std::move(on)),
        problem(given_problem),
        system(backend, problem, ranks, exchanged),
        clock(backend, !system.alone()),
        weights(per_field(
            [&](Field field) { return table(schemes::energy_weights(problem.media, field == Field::electric)); })),
        step(backend) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  Backend backend;
  Problem problem;
  ElementSystem<Backend, S> system;
  ExchangeClock<Backend> clock;
  PerField<Buffer<S>> weights;   ///< eps and mu per class, for the energy
  StepNumber<Backend> step;      ///< the present one
  StepPlan plan;                 ///< of a step; made by the scheme
  Start start;                   ///< without fields
  const Start* given = nullptr;  ///< concurrently, while the scheme begins
  bool ranks_share = false;      ///< ranks add up something of a term in every step
  /// Kernels get pointers to wave tables as if these began so many steps earlier.
  std::int64_t first_wave = 0;

  [[nodiscard]] int threads() const { return backend.threads(); }
  /// Whether the run starts from fields.
  [[nodiscard]] bool has_fields() const { return given->electric && given->magnetic; }
  [[nodiscard]] const std::optional<std::vector<double>>& given_dofs(Field field) const {
    return field == Field::electric ? given->electric : given->magnetic;
  }
  [[nodiscard]] StepSize dt() const { return {start.dt_m, &problem.classes}; }
  /// Of the equation of a field: with time_order 4 E has two in a step, and H one of a third and others.
  [[nodiscard]] StepSize step_of(Field field) const {
    if (problem.time_order == 2) return dt();
    return {start.dt_m / (field == Field::electric ? 2 : 3), &problem.classes};
  }
  /// c0 dt of an LTS level.
  [[nodiscard]] double step_of(int level) const { return dt().of(level); }
  [[nodiscard]] BlockRange all_blocks() const {
    return {0, system.layout().border.count + system.layout().inner.count};
  }

  template <class Kernel>
  void run(const Kernel& kernel, BlockRange range, Sweep sweep = Sweep::forwards) {
    backend.for_blocks(problem.space, kernel, range.first, range.count, sweep);
  }
  /// The passes of the two fields go in opposite directions: what one used last is in the cache for the other.
  static Sweep sweep_of(Field field) { return field == Field::electric ? Sweep::backwards : Sweep::forwards; }
  /// On the elements of a level.
  template <class Kernel>
  void run_on_level(const Kernel& kernel, int level) {
    for (const bool border : {true, false}) run(kernel, system.layout().part({border, level}));
  }

  /// A table of numbers on the device.
  Buffer<S> table(const std::vector<double>& numbers) {
    return Buffer<S>(backend, std::vector<S>(numbers.begin(), numbers.end()));
  }

  void upload_field(Buffer<S>& buffer, const std::optional<std::vector<double>>& dofs) {
    if (dofs)
      set_dofs(buffer, *dofs);
    else
      buffer.clear();
  }
  /// Coefficients of all elements of this rank, in mesh order.
  [[nodiscard]] std::vector<S> dofs_of(const Buffer<S>& buffer) const {
    const auto n = static_cast<std::size_t>(system.dofs());
    std::vector<S> dofs(problem.mesh->global_id.size() * n);
    system.read_field(buffer, [&](LocalIndex e, int i, S value) {
      dofs[static_cast<std::size_t>(e) * n + static_cast<std::size_t>(i)] = value;
    });
    return dofs;
  }
  /// A field, declared where it is made: an element's dofs are read or written `moved` times in a step of the element,
  /// and are in checkpoints, as `present()`, if it has a name.
  Buffer<S> make_field(double moved, const std::string& name = "", std::function<Buffer<S>&()> present = {}) {
    moved_fields_ += moved;
    if (!name.empty())
      declare([this, name, present](StateRegistry& registry) {
        registry.add(ElementState{
            name, system.dofs(), sizeof(S) == sizeof(float),
            [this, present] { return ElementValues(dofs_of(present())); },
            [this, present](const ElementValues& values) { set_dofs(present(), std::get<std::vector<S>>(values)); }});
      });
    return system.make_field();
  }
  /// State besides fields: `add(registry)` registers it, after the start of a run.
  void declare(std::function<void(StateRegistry&)> add) { states_.push_back(std::move(add)); }
  /// All that has been declared.
  void register_state(StateRegistry& registry) const {
    for (const auto& add : states_) add(registry);
  }
  [[nodiscard]] std::int64_t moved_bytes() const {
    return std::llround(moved_fields_ * system.dofs()) * static_cast<std::int64_t>(sizeof(S));
  }

  /// Time steps of the wave tables on the device.
  [[nodiscard]] std::int64_t wave_steps() const {
    const auto rows = static_cast<std::int64_t>(start.waves.size()) + 1;
    return steps_of_waves(start.steps, rows, !problem.memories.empty(), start.wave_numbers);
  }
  /// See march::append_waves.
  template <class At>
  Buffer<S> wave_table(std::int64_t parts, const At& at) {
    std::vector<S> all;
    append_waves(all, parts, at);
    return Buffer<S>(backend, all);
  }
  template <class At>
  void append_waves(std::vector<S>& all, std::int64_t parts, const At& at) const {
    march::append_waves(all, start.waves, {first_wave, wave_steps(), start.steps}, parts, threads(), at);
  }

  /// Actions of all schemes: the exchange of traces of `sent`, and the count of steps.
  void act(const Action& action, const Fields& sent) {
    switch (action.act) {
      case Act::fork:
        return backend.fork();
      case Act::send:
        system.start_exchange(sent, action.levels, action.first_level);
        return clock.note(kernels::traces_sent);
      case Act::carry:
        clock.note(kernels::inner_done);
        return system.carry(sent, action.levels, action.first_level);
      case Act::receive:
        system.finish_exchange(sent, action.levels, action.first_level);
        return clock.note(kernels::ghosts_there);
      case Act::join:
        backend.join();
        return clock.add();
      case Act::count:
        return step.count(backend);
      default:
        throw InternalError(std::string("this scheme has no action ") + name_of(action.act));
    }
  }

 private:
  template <class T>
  void set_dofs(Buffer<S>& buffer, const std::vector<T>& dofs) {
    const auto n = static_cast<std::size_t>(system.dofs());
    ensure(dofs.size() == problem.mesh->global_id.size() * n, "a field has n dofs per element");
    system.set_field(buffer, [&](LocalIndex e, int i) {
      return dofs[static_cast<std::size_t>(e) * n + static_cast<std::size_t>(i)];
    });
  }

  std::vector<std::function<void(StateRegistry&)>> states_;
  double moved_fields_ = 0;
};

/// What most schemes have not: a scheme has functions of these names where it has more to say.
template <class Backend_, class S>
struct PlainScheme {
  using Backend = Backend_;
  using Number = S;
  using Values = typename Backend::template Buffer<S>;

  [[nodiscard]] bool is_starting() const { return false; }  ///< the next step differs from later ones
  void end_step() {}                                        ///< releases what only the first step needed
  /// Index of the recorded program to continue with, 0 or 1; the same again after a batch of steps.
  [[nodiscard]] std::size_t program_kind() const { return 0; }
  /// With LTS: the rate that takes H back to the time of E, over half the step of its level; null if H before and after
  /// the first half of the step are on both sides of E.
  [[nodiscard]] const Values* magnetic_rate() const { return nullptr; }
  /// After H has been copied for the energy: takes it as far before E as it is after it at the end of the first half of
  /// the step.
  void keep_magnetic(Values& /*earlier*/) {}
  /// Per slot: energy of E in addition to 1/2 eps E^2, over eps0/2; null if there is none.
  [[nodiscard]] const Values* nonlinear_energy() const { return nullptr; }
  /// DFDD-ELD: its conserved quantity, the energy of the rates [J/m^2], after `work` has been used; else 0. Collective.
  double rate_energy(Values& /*work*/) { return 0; }
  [[nodiscard]] double jump_energy() { return 0; }
  [[nodiscard]] std::optional<KerrFigures> kerr_figures() const { return {}; }
  [[nodiscard]] std::optional<ImplicitFigures> implicit_figures() const { return {}; }
  /// What solves systems of equations, if not the backend.
  [[nodiscard]] std::string solver_device() const { return {}; }
  /// Replaces what was recorded by what the problem asks for.
  void complete(Record& /*record*/) {}
  void complete_spectra(std::vector<double>& /*sums*/) {}
};

}  // namespace tetrawave::march
