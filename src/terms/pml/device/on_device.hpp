// Absorbing layers on a device: lists of elements, and the auxiliary variables of one field (theory/pml).
#pragma once

#include <algorithm>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/scheme.hpp"
#include "march/elements/element_list.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/interface/round_step.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "terms/pml/brakes.hpp"
#include "terms/pml/jumps.hpp"
#include "terms/pml/kernel.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::march {

/// Arrays of a list for one field.
template <class Backend, class S>
struct LayerFieldOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<S> law;
  Buffer<S> memory;
  Buffer<S> brakes;     ///< if the list has any
  Buffer<S> registers;  ///< of Runge-Kutta stages
  Buffer<S> curl_law;   ///< for DFDD-ELD, like the last one
  Buffer<S> curl_memory;
};

template <class Backend, class S>
struct LayerListOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int states;
  int sections;  ///< for DFDD-ELD, else 0
  bool braked;
  ElementList<Backend, S> place;
  Buffer<S> frame;
  Buffer<std::int32_t> neighbour;  ///< of its elements, if it has damping, like the next two
  Buffer<std::uint32_t> faces;
  Buffer<S> jumps;
  std::vector<LayerFieldOnDevice<Backend, S>> fields;  ///< E, H

  LayerListOnDevice(Backend& backend, const Problem& problem, const ElementLayout<S>& layout,
                    const LayerElements& given, int modes, int curl_modes)
      : states(given.states),
        sections(has_rates(problem.scheme) ? curl_sections(problem, given.states) : 0),
        braked(given.braked),
        place(backend, layout, {0, given.part, given.elements}),
        frame(backend, place.numbers(kernels::frame_numbers)),
        neighbour(backend, braked ? place.numbers(4) : 0),
        faces(backend, braked ? place.numbers(1) : 0),
        jumps(backend, braked ? place.numbers(static_cast<int>(basis::reference_element(problem.space).dofs)) : 0) {
    const std::size_t memory = place.numbers(3 * states * modes);
    for (int field = 0; field < 2; ++field)
      fields.push_back({Buffer<S>(backend, place.numbers(law_rows())), Buffer<S>(backend, memory),
                        Buffer<S>(backend, braked ? place.numbers(kernels::brake_numbers) : 0),
                        Buffer<S>(backend, takes_stages(problem) ? memory : 0),
                        Buffer<S>(backend, sections > 0 ? place.numbers(curl_rows()) : 0),
                        Buffer<S>(backend, sections > 0 ? place.numbers(3 * (sections + 1) * curl_modes) : 0)});
    fill_list(place, frame, kernels::frame_numbers, {1, 0, 0, 0, 1, 0, 0, 0, 1},
              [&](LocalIndex e) { return layer_frame(problem, e); });
  }
  LayerFieldOnDevice<Backend, S>& of(Field field) { return fields[field == Field::electric ? 0 : 1]; }

  /// Copies the neighbours of its elements from the arrays of all slots.
  void connect(const ElementLayout<S>& layout, const std::vector<std::int32_t>& neighbours,
               const std::vector<std::uint32_t>& words) {
    const std::vector<std::int32_t> slots = place.element.download();
    std::vector<std::int32_t> behind(neighbour.size());
    std::vector<std::uint32_t> own(faces.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      own[place.at(i, 1, 0)] = words[layout.at(slots[i], 1, 0)];
      for (int f = 0; f < 4; ++f) behind[place.at(i, 4, f)] = neighbours[layout.at(slots[i], 4, f)];
    }
    neighbour.upload(behind);
    faces.upload(own);
  }

  /// Padding has no stretch. `brakes`: of the problem, if some list has damping.
  void begin(const Problem& problem, const LayerBrakes* brakes, Field field, const StepSize& dt) {
    const double dt_m = dt.of(place.of.part);
    LayerFieldOnDevice<Backend, S>& own = of(field);
    std::vector<double> padding(static_cast<std::size_t>(law_rows()), 0.0);
    std::fill_n(padding.begin(), 3, 1.0);
    fill_list(place, own.law, law_rows(), padding,
              [&](LocalIndex e) { return layer_law(problem, e, field, states, dt_m); });
    own.memory.clear();
    if (braked)
      fill_list(place, own.brakes, kernels::brake_numbers,
                std::vector<double>(static_cast<std::size_t>(kernels::brake_numbers), 0.0),
                [&](LocalIndex e) { return brakes->numbers(e, field, dt_m); });
    if (sections == 0) return;
    std::vector<double> curl_padding(static_cast<std::size_t>(curl_rows()), 0.0);
    curl_padding.back() = 1;
    fill_list(place, own.curl_law, curl_rows(), curl_padding,
              [&](LocalIndex e) { return layer_curl_law(problem, e, field, sections, dt_m); });
    own.curl_memory.clear();
  }
  kernels::LayerList<S> view(Field field) {
    return {place.element.data(), frame.data(), of(field).law.data(), of(field).memory.data(), states};
  }

 private:
  [[nodiscard]] int law_rows() const { return kernels::law_numbers(states); }
  [[nodiscard]] int curl_rows() const { return kernels::curl_law_numbers(sections); }
};

/// The update of a layer's elements in a leap-frog scheme inverts their weighted masses, which also define energies.
template <class Backend, class S>
void weigh_layers(ElementSystem<Backend, S>& system, const Problem& problem, const StepSize& dt) {
  const auto lists = list_layers(problem);
  for (const Field field : {Field::electric, Field::magnetic})
    system.weigh(problem, field, lists, [&](const LayerElements& list) {
      const double dt_m = dt.of(list.part);
      return [&problem, field, dt_m](LocalIndex e) { return mass_weights_of(problem, e, field, dt_m); };
    });
}

/// The absorbing layers of a run.
template <class Backend, class S>
class LayersOnDevice {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  LayersOnDevice(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend),
        problem_(problem),
        modes_(static_cast<int>(basis::reference_element(problem.space).modes.size())),
        curl_modes_(static_cast<int>(basis::reference_element(problem.space).curl_modes)) {
    for (const LayerElements& elements : list_layers(problem))
      lists_.emplace_back(backend, problem, system.layout(), elements, modes_, curl_modes_);
    if (!problem.layers || has_upwind_fluxes(problem.scheme)) return;
    brakes_.emplace(problem, system.ranks());
    if (!brakes_->any()) brakes_.reset();
    if (std::none_of(lists_.begin(), lists_.end(), [](const auto& list) { return list.braked; })) return;
    const auto neighbours = system.neighbours();
    const auto words = system.words();
    for (auto& list : lists_)
      if (list.braked) list.connect(system.layout(), neighbours, words);
  }

  static bool acts_in(Act act) { return act == Act::layers || act == Act::layer_jumps; }

  /// Coefficients of a field for the step; auxiliary variables of zero at its present values.
  template <class At>
  void begin(const At& at, const StepSize& dt) {
    set_step(at.field, dt);
    if constexpr (std::is_same_v<At, HalfStep<Backend, S>>)
      for (auto& list : lists_) run(list, at.field, at.value, at.value, true);
  }

  /// Whether elements of some rank use, in their own equation, the updated field of their neighbours.
  [[nodiscard]] bool braked() const { return brakes_.has_value(); }
  /// The stable step with damping, from that without. With LTS it is lower anyway by what least damping takes.
  [[nodiscard]] double shorten(double limit) const {
    if (!braked()) return limit;
    const auto share = [&](double strongest) {
      return schemes::braked_share_of_step(problem_.scheme, problem_.space, strongest);
    };
    const double found = share(brakes_->strongest()) / (problem_.classes.count > 1 ? share(0) : 1);
    return found < 1 ? round_step_down(found * limit) : limit;
  }
  void act(const Action& action, const HalfStep<Backend, S>& at) {
    if (action.act == Act::layer_jumps) return sample_jumps(action, at.value, at.metric);
    for_part(action.part, [&](List& list) { run(list, at.field, at.old, at.value, false); });
  }
  void act(const Action& action, const LevelStep<Backend, S>& at) {
    auto& value = at.fields[at.field].value;
    for_part(action.part, [&](List& list) { run(list, at.field, value, value, false, true); });
  }
  void act(const Action& action, const Stage<Backend, S>& at) {
    const auto& own = at.fields[at.field];
    for_part(action.part, [&](List& list) {
      kernels::LayersAfterStage<S> kernel;
      kernel.list = list.view(at.field);
      kernel.registers = list.of(at.field).registers.data();
      kernel.old_values = own.old.data();
      kernel.new_values = own.value.data();
      kernel.a = static_cast<S>(at.a);
      kernel.b = static_cast<S>(at.b);
      backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
    });
  }

  void register_state(StateRegistry& registry) {
    const int states = most_layer_states(problem_);
    if (states == 0) return;
    for (const Field field : {Field::electric, Field::magnetic}) {
      const std::string name = field == Field::electric ? "E_layers" : "H_layers";
      const LocalIndex count = problem_.mesh->element_count();
      add_list_state<S>(registry, name, count, 3 * states * modes_, lists_, [this, field](List& list) {
        return ListPart<Backend, S>{list.place, list.of(field).memory, 3 * list.states * modes_};
      });
      if (!has_rates(problem_.scheme)) continue;
      const int width = 3 * (curl_sections(problem_, states) + 1) * curl_modes_;
      add_list_state<S>(registry, name + "_curls", count, width, lists_, [this, field](List& list) {
        return ListPart<Backend, S>{list.place, list.of(field).curl_memory, 3 * (list.sections + 1) * curl_modes_};
      });
    }
  }

 protected:
  using List = LayerListOnDevice<Backend, S>;

  void set_step(Field field, const StepSize& dt) {
    for (List& list : lists_) list.begin(problem_, brakes_ ? &*brakes_ : nullptr, field, dt);
  }
  /// Leap-frog schemes: the jumps of the field to be advanced next on the elements of the levels of an action, before
  /// any of it is advanced.
  void sample_jumps(const Action& action, const Buffer<S>& values, const kernels::Metric<S>& metric) {
    for (List& list : lists_) {
      if (!list.braked || list.place.of.part.step_class >= action.levels) continue;
      const kernels::LayerJumps<S> kernel{list.place.element.data(),
                                          metric,
                                          values.data(),
                                          list.neighbour.data(),
                                          list.faces.data(),
                                          list.of(action.field).brakes.data(),
                                          list.jumps.data()};
      backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
    }
  }
  template <class Work>
  void for_part(const Part& part, const Work& work) {
    for (List& list : lists_)
      if (list.place.of.part == part) work(list);
  }

  Backend& backend_;
  const Problem& problem_;
  std::list<LayerListOnDevice<Backend, S>> lists_;

 private:
  void run(List& list, Field field, const Buffer<S>& old, Buffer<S>& values, bool begin, bool alone = false) {
    kernels::LayersBeforeUpdate<S> kernel;
    kernel.list = list.view(field);
    kernel.old = old.data();
    kernel.field = values.data();
    kernel.begin = begin;
    kernel.alone = alone;
    kernel.jumps = list.braked ? list.jumps.data() : nullptr;
    backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
  }

  int modes_;
  int curl_modes_;
  std::optional<LayerBrakes> brakes_;
};

}  // namespace tetrawave::march
