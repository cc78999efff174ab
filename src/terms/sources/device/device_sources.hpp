// Sources inside the domain on a device: their lists, and the tables of their waves.
#pragma once

#include <cmath>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "basis/reference_element.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/fourth_order.hpp"
#include "terms/sources/device/source_lists.hpp"
#include "terms/sources/kernel.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DeviceSources {
 public:
  DeviceSources(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend), problem_(problem), layout_(system.layout()) {}

  /// Lists and tables for the run of `start`.
  void start(const Start& start, const StepSize& /*dt*/) {
    lists_.clear();
    tables_.clear();
    if (problem_.sources.empty()) return;
    steps_ = start.steps;
    const bool fourth = problem_.time_order == 4;
    for (const Field field : {Field::electric, Field::magnetic}) {
      const bool electric = field == Field::electric;
      const double amount_dt_m = fourth ? start.dt_m / (electric ? 2 : 3) : start.dt_m;
      add_lists(start, field, amount_dt_m, fourth && electric ? Use::of_half_steps : Use::value);
      if (fourth && electric) add_lists(start, field, 0, Use::change);
    }
    for (const List& list : lists_) {
      const std::pair key{list.part.step_class, list.use};
      if (tables_.count(key) == 0) tables_.emplace(key, make_table(start.source_waves, key.first, key.second));
    }
  }

  static bool acts_in(Act act) { return act == Act::sources; }
  void act(const Action& action, const LeapStep<Backend, S>& at) {
    add(action, {at.coupled.data(), at.value == nullptr ? nullptr : at.value->data(), at.dt_m, at.middle, at.substep},
        at.waves.step, at.of_change);
  }
  void act(const Action& action, const Stage<Backend, S>& at) {
    const auto& own = at.fields[at.field];
    add(action, {own.value.data(), nullptr, 0, at.c, 0, at.b}, at.waves.step);
  }
  /// Half of them before and half after the update of a level, when `seen` is free.
  void act(const Action& action, const LevelStep<Backend, S>& at) {
    const auto& own = at.fields[at.field];
    add(action, {own.seen.data(), own.value.data(), 0.5, action.second ? 0.75 : 0.25, at.substep}, at.waves.step);
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  /// What sources of a step, in its substep of a part's level, plus `shift` (in steps of the level), are added to;
  /// `factor` times as much to `second`, unless that is null.
  struct To {
    S* first;
    S* second;
    double factor;
    double shift;
    std::int64_t substep = 0;
    double share = 1;  ///< of what is added to `first`
  };
  /// What of a wave w is in a table: its value; w(t + dt/2) - w(t - dt/2); and of sources of E with fourth order
  /// (march/interface/fourth_order.hpp).
  enum class Use { value, rate, of_half_steps, change };

  struct List {
    Field field;
    Part part;
    Use use;
    std::int64_t elements;
    Buffer<std::int32_t> slot;
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> wave;
    Buffer<std::int32_t> place;
    Buffer<double> rest;
    Buffer<S> moment;

    List(Backend& backend, const SourceList<S>& list, Field of, Use as)
        : field(of),
          part(list.part),
          use(list.by_rate ? Use::rate : as),
          elements(static_cast<std::int64_t>(list.slot.size())),
          slot(backend, list.slot),
          first(backend, list.first),
          wave(backend, list.wave),
          place(backend, list.place),
          rest(backend, list.rest),
          moment(backend, list.moment) {}
  };

  void add_lists(const Start& start, Field field, double amount_dt_m, Use use) {
    for (const auto& list :
         make_source_lists(problem_, layout_, field, start.dt_m, backend_.threads(),
                           problem_.time_order == 4 ? std::optional<double>(amount_dt_m) : std::nullopt))
      lists_.emplace_back(backend_, list, field, use);
  }

  /// Samples of a wave in the table of a level.
  [[nodiscard]] std::int64_t length_of(int step_class) const {
    return (steps_ * problem_.classes.substeps(step_class) + 3) * kernels::wave_samples + kernels::wave_origin;
  }

  Buffer<double> make_table(const std::vector<Wave>& waves, int step_class, Use use) {
    const auto sample = [use](const Wave& wave, double step, double substeps) {
      switch (use) {
        case Use::value:
          return wave(step / substeps);
        case Use::rate:
          return wave((step + 0.5) / substeps) - wave((step - 0.5) / substeps);
        case Use::of_half_steps:
          return wave_of_half_step(wave, step);
        case Use::change:
          break;
      }
      return change_of_wave(wave, step);
    };
    const auto substeps = static_cast<double>(problem_.classes.substeps(step_class));
    std::vector<double> samples;
    for (const Wave& wave : waves)
      for (std::int64_t k = 0; k < length_of(step_class); ++k) {
        const double steps = static_cast<double>(k - kernels::wave_origin) / kernels::wave_samples;
        samples.push_back(sample(wave, steps, substeps));
      }
    Buffer<double> table(backend_, samples);
    return table;
  }

  /// `change`: what the change of an electric source over the step adds to the second change of fourth order.
  void add(const Action& action, const To& to, const std::int64_t* step, bool change = false) {
    for (const List& list : lists_)
      if (list.field == action.field && list.part == action.part && (list.use == Use::change) == change)
        run(list, to, step);
  }
  void run(const List& list, const To& to, const std::int64_t* step) {
    constexpr std::int64_t elements_of_team = 16;
    kernels::AddSources<S> kernel;
    kernel.dofs = static_cast<int>(basis::reference_element(problem_.space).dofs);
    kernel.elements = list.elements;
    kernel.chunk = elements_of_team;
    kernel.slot = list.slot.data();
    kernel.first = list.first.data();
    kernel.wave = list.wave.data();
    kernel.place = list.place.data();
    kernel.part = list.rest.data();
    kernel.moment = list.moment.data();
    kernel.table = tables_.at({list.part.step_class, list.use}).data();
    kernel.length = length_of(list.part.step_class);
    kernel.step = step;
    kernel.substeps = problem_.classes.substeps(list.part.step_class);
    kernel.substep = to.substep;
    const double samples = to.shift * kernels::wave_samples;
    kernel.shift = static_cast<std::int64_t>(std::floor(samples));
    kernel.shift_part = samples - std::floor(samples);
    kernel.field = to.first;
    kernel.factor = static_cast<S>(to.share);
    kernel.second = to.second;
    kernel.second_factor = static_cast<S>(to.factor);
    backend_.for_teams(kernel, (list.elements + elements_of_team - 1) / elements_of_team);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementLayout<S>& layout_;
  std::list<List> lists_;
  std::int64_t steps_ = 0;
  std::map<std::pair<int, Use>, Buffer<double>> tables_;  ///< of a level: [wave][sample]
};

}  // namespace tetrawave::march
