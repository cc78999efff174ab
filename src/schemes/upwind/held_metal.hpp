// Metal in DGTD-Upwind with tangential E held at zero (theory/metal-edges).
#pragma once

#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "schemes/leap_frog/device_walls.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class HeldMetal {
 public:
  HeldMetal(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend),
        space_(problem.space),
        walls_(put_walls<Backend, S>(backend, problem, system.layout(), Field::electric, 0)),
        silence_(backend, 1),
        step_(backend, 1) {
    silence_.upload({S(0)});
    step_.upload({0});
  }

  static bool acts_in(Act act) { return act == Act::metal; }
  void act(const Action& action, const Stage<Backend, S>& at) { hold(at.fields.electric.value, action.part); }
  void act(const Action& action, const LevelStep<Backend, S>& at) { hold(at.fields.electric.value, action.part); }

  /// E, or its integral, on the elements of a part; or all.
  void hold(typename Backend::template Buffer<S>& field, std::optional<Part> part = {}) {
    hold_at_zero(backend_, space_, walls_, field, silence_, step_.data(), part);
  }

 private:
  Backend& backend_;
  Space space_;
  WallsOnDevice<Backend, S> walls_;
  typename Backend::template Buffer<S> silence_;
  typename Backend::template Buffer<std::int64_t> step_;
};

}  // namespace tetrawave::march
