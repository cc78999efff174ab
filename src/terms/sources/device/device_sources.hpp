// Sources inside the domain on a device: their lists, and the tables of their waves.
#pragma once

#include <cmath>
#include <functional>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include "basis/reference_element.hpp"
#include "march/interface/engine.hpp"
#include "terms/sources/device/source_lists.hpp"
#include "terms/sources/kernel.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DeviceSources {
 public:
  DeviceSources(Backend& backend, const Problem& problem, const ElementLayout<S>& layout)
      : backend_(backend), problem_(problem), layout_(layout) {}

  /// Lists and tables for the run of `start`.
  void begin(const Start& start) {
    lists_.clear();
    tables_.clear();
    if (problem_.sources.empty()) return;
    steps_ = start.steps;
    for (const Field field : {Field::electric, Field::magnetic})
      for (const auto& list : make_source_lists(problem_, layout_, field, start.dt_m, backend_.threads()))
        lists_.emplace_back(backend_, list, field);
    for (const List& list : lists_) {
      const std::pair key{list.part.step_class, list.by_rate};
      if (tables_.count(key) == 0) tables_.emplace(key, make_table(start.source_waves, key.first, key.second));
    }
  }

  /// Adds the sources of the present step, in its substep of a part's level, plus `shift` (in steps of the level) to
  /// the elements of that part; `second_factor` times as much to `second`, unless that is null.
  void add(Field field, const Part& part, S* to, S* second, double second_factor, const std::int64_t* step,
           double shift, std::int64_t substep = 0) {
    for (const List& list : lists_)
      if (list.field == field && list.part == part) run(list, to, second, second_factor, step, shift, substep);
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  struct List {
    Field field;
    Part part;
    bool by_rate;
    std::int64_t elements;
    Buffer<std::int32_t> slot;
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> wave;
    Buffer<std::int32_t> place;
    Buffer<double> rest;
    Buffer<S> moment;

    List(Backend& backend, const SourceList<S>& list, Field of)
        : field(of),
          part(list.part),
          by_rate(list.by_rate),
          elements(static_cast<std::int64_t>(list.slot.size())),
          slot(backend, list.slot),
          first(backend, list.first),
          wave(backend, list.wave),
          place(backend, list.place),
          rest(backend, list.rest),
          moment(backend, list.moment) {}
  };

  /// Samples of a wave in the table of a level.
  [[nodiscard]] std::int64_t length_of(int step_class) const {
    return (steps_ * problem_.classes.substeps(step_class) + 3) * kernels::wave_samples + kernels::wave_origin;
  }

  Buffer<double> make_table(const std::vector<Wave>& waves, int step_class, bool by_rate) {
    const auto substeps = static_cast<double>(problem_.classes.substeps(step_class));
    std::vector<double> samples;
    for (const Wave& wave : waves)
      for (std::int64_t k = 0; k < length_of(step_class); ++k) {
        const double steps = static_cast<double>(k - kernels::wave_origin) / kernels::wave_samples;
        samples.push_back(by_rate ? wave((steps + 0.5) / substeps) - wave((steps - 0.5) / substeps)
                                  : wave(steps / substeps));
      }
    Buffer<double> table(backend_, samples);
    return table;
  }

  void run(const List& list, S* to, S* second, double second_factor, const std::int64_t* step, double shift,
           std::int64_t substep) {
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
    kernel.table = tables_.at({list.part.step_class, list.by_rate}).data();
    kernel.length = length_of(list.part.step_class);
    kernel.step = step;
    kernel.substeps = problem_.classes.substeps(list.part.step_class);
    kernel.substep = substep;
    const double samples = shift * kernels::wave_samples;
    kernel.shift = static_cast<std::int64_t>(std::floor(samples));
    kernel.shift_part = samples - std::floor(samples);
    kernel.field = to;
    kernel.second = second;
    kernel.second_factor = static_cast<S>(second_factor);
    backend_.for_teams(kernel, (list.elements + elements_of_team - 1) / elements_of_team);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementLayout<S>& layout_;
  std::list<List> lists_;
  std::int64_t steps_ = 0;
  std::map<std::pair<int, bool>, Buffer<double>> tables_;  ///< of a level, by value or by rate: [wave][sample]
};

}  // namespace tetrawave::march
