// Sources inside the domain on a device: their lists, and the tables of their waves.
#pragma once

#include <cmath>
#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "basis/reference_element.hpp"
#include "kernels/list.hpp"
#include "march/engine.hpp"
#include "march/source_lists.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DeviceSources {
 public:
  DeviceSources(Backend& backend, const Problem& problem, const ElementLayout<S>& layout)
      : backend_(backend), problem_(problem), layout_(layout) {}

  /// Lists and tables for the march of `start`.
  void begin(const Start& start) {
    lists_.clear();
    values_.reset();
    rates_.reset();
    if (problem_.sources.empty()) return;
    length_ = (start.steps + 3) * kernels::wave_samples + kernels::wave_origin;
    for (const Field field : {Field::electric, Field::magnetic})
      for (const auto& list : make_source_lists(problem_, layout_, field, start.dt_m))
        lists_.emplace_back(backend_, list, field);
    for (const List& list : lists_) {
      auto& table = list.by_rate ? rates_ : values_;
      if (!table) table.emplace(make_table(start.source_waves, list.by_rate));
    }
  }

  /// Adds what acts at the present step plus `shift` (in steps) to the border elements of a field, or to its inner
  /// ones; `second_factor` times as much to `second`, unless that is null.
  void add(Field field, bool border, S* to, S* second, double second_factor, const std::int64_t* step, double shift) {
    for (const List& list : lists_)
      if (list.field == field && list.border == border) run(list, to, second, second_factor, step, shift);
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  struct List {
    Field field;
    bool border;
    bool by_rate;
    std::int64_t elements;
    Buffer<std::int32_t> slot;
    Buffer<std::int64_t> first;
    Buffer<std::int32_t> wave;
    Buffer<std::int32_t> place;
    Buffer<double> part;
    Buffer<S> moment;

    List(Backend& backend, const SourceList<S>& list, Field of)
        : field(of),
          border(list.border),
          by_rate(list.by_rate),
          elements(static_cast<std::int64_t>(list.slot.size())),
          slot(backend, list.slot.size()),
          first(backend, list.first.size()),
          wave(backend, list.wave.size()),
          place(backend, list.place.size()),
          part(backend, list.part.size()),
          moment(backend, list.moment.size()) {
      slot.upload(list.slot);
      first.upload(list.first);
      wave.upload(list.wave);
      place.upload(list.place);
      part.upload(list.part);
      moment.upload(list.moment);
    }
  };

  Buffer<double> make_table(const std::vector<Wave>& waves, bool by_rate) {
    std::vector<double> samples;
    for (const Wave& wave : waves)
      for (std::int64_t k = 0; k < length_; ++k) {
        const double steps = static_cast<double>(k - kernels::wave_origin) / kernels::wave_samples;
        samples.push_back(by_rate ? wave(steps + 0.5) - wave(steps - 0.5) : wave(steps));
      }
    Buffer<double> table(backend_, samples.size());
    table.upload(samples);
    return table;
  }

  void run(const List& list, S* to, S* second, double second_factor, const std::int64_t* step, double shift) {
    constexpr std::int64_t elements_of_team = 16;
    kernels::AddSources<S> kernel;
    kernel.dofs = static_cast<int>(basis::reference_element(problem_.space).dofs);
    kernel.elements = list.elements;
    kernel.chunk = elements_of_team;
    kernel.slot = list.slot.data();
    kernel.first = list.first.data();
    kernel.wave = list.wave.data();
    kernel.place = list.place.data();
    kernel.part = list.part.data();
    kernel.moment = list.moment.data();
    kernel.table = (list.by_rate ? rates_ : values_)->data();
    kernel.length = length_;
    kernel.step = step;
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
  std::int64_t length_ = 0;
  std::optional<Buffer<double>> values_;  ///< [wave][sample]
  std::optional<Buffer<double>> rates_;
};

}  // namespace tetrawave::march
