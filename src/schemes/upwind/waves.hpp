// Incident waves at driven faces of DGTD-Upwind.
#pragma once

#include <list>

#include "march/elements/element_list.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/interface/engine.hpp"
#include "schemes/upwind/faces.hpp"
#include "schemes/upwind/stage.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindWaves {
 public:
  UpwindWaves(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend), problem_(problem), system_(system) {}

  /// Computes the moments of incident waves for the step, with LTS the smallest one. Collective.
  void start(const Start& /*start*/, const StepSize& dt) {
    lists_.clear();
    const IncidentMoments moments(problem_, system_.ranks());
    std::vector<LocalIndex> elements;
    for (const DrivenFace& face : problem_.driven) elements.push_back(face.element);
    for (const ItemGroup& group : group_items(problem_, elements)) {
      List& list = lists_.emplace_back(backend_, system_.layout(), group.of, system_.dofs());
      const auto face = [&](std::size_t i) -> const DrivenFace& { return problem_.driven[group.items[i]]; };
      std::vector<std::array<std::vector<double>, 2>> all(group.items.size());
      for_each_task(all.size(), list.place.threads, [&](std::size_t i) { all[i] = moments.of(face(i), dt.of(0)); });
      fill_rows(list.place, list.wave, 1, {},
                [&](std::size_t i) { return std::vector<double>{static_cast<double>(face(i).wave)}; });
      fill_rows(list.place, list.electric, system_.dofs(), {}, [&](std::size_t i) { return all[i][0]; });
      fill_rows(list.place, list.magnetic, system_.dofs(), {}, [&](std::size_t i) { return all[i][1]; });
    }
  }

  static bool acts_in(Act act) { return act == Act::waves; }
  void act(const Action& action, const Stage<Backend, S>& at) {
    kernels::UpwindWaves<S> kernel;
    kernel.electric_values = at.fields.electric.value.data();
    kernel.magnetic_values = at.fields.magnetic.value.data();
    kernel.stages = 5;
    kernel.stage = at.stage;
    kernel.b = static_cast<S>(at.b);
    run(kernel, action.part, at.waves);
  }
  void act(const Action& action, const LevelStep<Backend, S>& at) {
    kernels::UpwindWaves<S> kernel;
    kernel.electric_values = at.fields.electric.value.data();
    kernel.magnetic_values = at.fields.magnetic.value.data();
    kernel.stages = at.substeps;
    kernel.stage = at.substep;
    run(kernel, action.part, at.waves);
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  struct List {
    ElementList<Backend, S> place;
    Buffer<std::int32_t> wave;
    Buffer<S> electric;
    Buffer<S> magnetic;
    List(Backend& backend, const ElementLayout<S>& layout, const RegionElements& elements, int dofs)
        : place(backend, layout, elements),
          wave(backend, place.numbers(1)),
          electric(backend, place.numbers(dofs)),
          magnetic(backend, place.numbers(dofs)) {}
  };

  void run(kernels::UpwindWaves<S> kernel, const Part& part, const WavesNow<Backend, S>& waves) {
    kernel.waves = waves.table;
    kernel.wave_length = waves.length;
    kernel.step = waves.step;
    for (const List& list : lists_) {
      if (list.place.of.part != part) continue;
      kernel.element = list.place.element.data();
      kernel.wave = list.wave.data();
      kernel.electric = list.electric.data();
      kernel.magnetic = list.magnetic.data();
      backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
    }
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementSystem<Backend, S>& system_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
