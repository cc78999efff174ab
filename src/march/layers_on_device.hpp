// Absorbing layers on a device: lists of elements, and the auxiliary variables of one field (THEORY.md, absorbing
// layers).
#pragma once

#include <list>
#include <string>
#include <utility>
#include <vector>

#include "march/layers.hpp"
#include "march/pole_lists.hpp"

namespace tetrawave::march {

/// What a list has of one field.
template <class Backend, class S>
struct LayerFieldOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<S> law;
  Buffer<S> memory;
  Buffer<S> registers;  ///< of DGTD-Upwind
};

template <class Backend, class S>
struct LayerListOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int states;
  PolesOnDevice<Backend, S> place;
  Buffer<S> frame;
  std::vector<LayerFieldOnDevice<Backend, S>> fields;  ///< E, H

  LayerListOnDevice(Backend& backend, const Problem& problem, const ElementLayout<S>& layout,
                    const LayerElements& given, int modes)
      : states(given.states),
        place(backend, layout, {0, given.part, given.elements}),
        frame(backend, place.numbers(kernels::frame_numbers)) {
    const std::size_t memory = place.numbers(3 * states * modes);
    for (int field = 0; field < 2; ++field)
      fields.push_back({Buffer<S>(backend, place.numbers(law_rows())), Buffer<S>(backend, memory),
                        Buffer<S>(backend, problem.scheme == Scheme::dgtd_upwind ? memory : 0)});
    set(frame, kernels::frame_numbers, {1, 0, 0, 0, 1, 0, 0, 0, 1},
        [&](LocalIndex e) { return layer_frame(problem, e); });
  }
  LayerFieldOnDevice<Backend, S>& of(Field field) { return fields[field == Field::electric ? 0 : 1]; }

  /// Padding has no stretch.
  void begin(const Problem& problem, double march_dt_m) {
    const double dt_m = problem.classes.step_of(place.of.part.step_class, march_dt_m);
    std::vector<double> padding(static_cast<std::size_t>(law_rows()), 0.0);
    std::fill_n(padding.begin(), 3, 1.0);
    for (const Field field : {Field::electric, Field::magnetic}) {
      set(of(field).law, law_rows(), padding, [&](LocalIndex e) { return layer_law(problem, e, field, states, dt_m); });
      of(field).memory.upload(std::vector<S>(of(field).memory.size(), S(0)));
    }
  }
  kernels::LayerList<S> view(Field field) {
    return {place.element.data(), frame.data(), of(field).law.data(), of(field).memory.data(), states};
  }

 private:
  [[nodiscard]] int law_rows() const { return kernels::law_numbers(states); }

  template <class Numbers>
  void set(Buffer<S>& buffer, int rows, const std::vector<double>& padding, const Numbers& numbers) {
    std::vector<S> all(buffer.size());
    const auto put = [&](std::size_t i, const std::vector<double>& own) {
      for (int row = 0; row < rows; ++row)
        all[place.at(i, rows, row)] = static_cast<S>(own[static_cast<std::size_t>(row)]);
    };
    for (std::size_t i = 0; i < place.element.size(); ++i)
      put(i, i < place.of.elements.size() ? numbers(place.of.elements[i]) : padding);
    buffer.upload(all);
  }
};

/// The layers of a march.
template <class Backend, class S>
class LayersOnDevice {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  LayersOnDevice(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend),
        problem_(problem),
        modes_(static_cast<int>(basis::reference_element(problem.space).modes.size())) {
    for (const LayerElements& elements : list_layers(problem))
      lists_.emplace_back(backend, problem, system.layout(), elements, modes_);
  }

  /// Numbers for the step; auxiliary variables of zero.
  void begin(double dt_m) {
    for (auto& list : lists_) list.begin(problem_, dt_m);
  }

  /// DGTD-Central: the memory for auxiliary variables of zero at the present values of a field.
  void begin_field(Field field, Buffer<S>& values) {
    for (auto& list : lists_) run_before(list, field, values, true);
  }
  /// DGTD-Central, before the update of a field.
  void before_update(Field field, Buffer<S>& values, const Part& part) {
    for (auto& list : lists_)
      if (list.place.of.part == part) run_before(list, field, values, false);
  }

  /// DGTD-Upwind, after a stage with these coefficients.
  void after_stage(Field field, const Buffer<S>& old_values, Buffer<S>& new_values, Buffer<S>& change, S a, S b,
                   const Part& part) {
    for (auto& list : lists_) {
      if (list.place.of.part != part) continue;
      kernels::LayersAfterStage<S> kernel;
      kernel.list = list.view(field);
      kernel.registers = list.of(field).registers.data();
      kernel.old_values = old_values.data();
      kernel.new_values = new_values.data();
      kernel.change = change.data();
      kernel.a = a;
      kernel.b = b;
      backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
    }
  }

  void register_state(StateRegistry& registry) {
    const int width = 3 * most_layer_states(problem_) * modes_;
    if (width == 0) return;
    for (const Field field : {Field::electric, Field::magnetic}) {
      std::vector<ListState<S>> parts;
      for (auto& list : lists_)
        parts.push_back(state_part<Backend, S>(list.place, list.of(field).memory, 3 * list.states * modes_));
      registry.add(make_list_state<S>(field == Field::electric ? "E_layers" : "H_layers",
                                      problem_.mesh->element_count(), width, std::move(parts)));
    }
  }

 private:
  void run_before(LayerListOnDevice<Backend, S>& list, Field field, Buffer<S>& values, bool begin) {
    kernels::LayersBeforeUpdate<S> kernel;
    kernel.list = list.view(field);
    kernel.field = values.data();
    kernel.begin = begin;
    backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
  }

  Backend& backend_;
  const Problem& problem_;
  int modes_;
  std::list<LayerListOnDevice<Backend, S>> lists_;
};

}  // namespace tetrawave::march
