// The start of DFDD-ELD from given fields with LTS (theory/lts): the state after currents that last one step of the
// time loop, starting and ending at rest.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "march/elements/element_system.hpp"
#include "schemes/leap_frog/leap_frog.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class PulseStart {
 public:
  using Buffer = typename Backend::template Buffer<S>;
  struct Level {
    Field field;
    Buffer& value;
    Buffer& rate;
  };
  /// The operations of the scheme, except for losses, terms and lossy walls.
  struct Steps {
    std::function<void(Field, int step_class)>
        update;                        ///< rate and value of the elements of a level, advanced by their step
    std::function<void(Level&)> hold;  ///< dofs of rate and value held at zero by walls
    /// to <- a from + b to on the elements of a level
    std::function<void(int step_class, const Buffer& from, double a, Buffer& to, double b)> combine;
  };

  /// `dt_m`: c0 times a step of the time loop.
  PulseStart(ElementSystem<Backend, S>& system, const StepClasses& classes, double dt_m, Steps steps)
      : system_(system), classes_(classes), dt_m_(dt_m), steps_(std::move(steps)), kick_(system.make_field()) {}

  /// Converts values and rates at t = 0, those of Maxwell's equations without losses, to those whose energy stays
  /// bounded.
  void run(Level electric, Level magnetic) {
    const std::vector<S> electric_rate = electric.rate.download();
    std::vector<S> start = magnetic.value.download();
    release(electric, magnetic, magnetic.rate.download());
    const std::int64_t count = classes_.substeps(0);
    advance(magnetic, 0, true, true);
    for (std::int64_t k = 1; k < count; ++k) {
      advance(electric, k, false, false);
      advance(magnetic, k, true, true);
    }
    const std::vector<S> electric_value = electric.value.download();
    magnetic.value.upload(start);
    start = magnetic.rate.download();
    release(magnetic, electric, electric_rate);
    for (std::int64_t k = (count + 1) / 2; k < count; ++k) {
      advance(electric, k, false, true);
      advance(magnetic, k, true, false);
    }
    for_classes([&](int c) { steps_.combine(c, magnetic.rate, -step_of(c), magnetic.value, 2); });
    std::vector<S> before = electric.rate.download();
    advance(electric, 0, false, true);
    kick_.upload(before);
    for_classes([&](int c) { steps_.combine(c, kick_, 1, electric.rate, 1); });
    electric.value.upload(electric_value);
    magnetic.rate.upload(start);
  }

 private:
  [[nodiscard]] double step_of(int step_class) const { return classes_.step_of(step_class, dt_m_); }
  template <class Work>
  void for_classes(const Work& work) const {
    for (int c = 0; c < classes_.count; ++c) work(c);
    system_.backend().synchronize();
  }

  /// A field as the rate that would produce it in a step of the time loop, and after the first step of every level; the
  /// other one at rest, with the impulses by which its `rate` at t = 0 enters in steps of every level, minus the
  /// contribution of the first.
  void release(Level& own, Level& other, const std::vector<S>& rate) {
    for_classes([&](int c) { steps_.combine(c, own.value, 1 / dt_m_, own.rate, 0); });
    system_.clear_field(other.value);
    system_.clear_field(other.rate);
    system_.exchange({&own.rate});
    for_classes([&](int c) { steps_.update(other.field, c); });
    for_classes([&](int c) { steps_.combine(c, other.rate, -1, kick_, 0); });
    other.rate.upload(rate);
    for_classes([&](int c) {
      steps_.combine(c, other.rate, step_of(c) / dt_m_, kick_, 1);
      steps_.combine(c, own.value, step_of(c) / dt_m_ - 1, own.value, 1);
    });
    system_.clear_field(other.value);
    system_.clear_field(other.rate);
  }

  /// The event of a field, of leap_frog.hpp.
  void advance(Level& target, std::int64_t smallest, bool at_middle, bool kicked) {
    const Event event = Event::make(classes_, smallest, at_middle);
    for (int c = 0; c < event.classes; ++c) {
      steps_.update(target.field, c);
      if (!kicked) continue;
      steps_.combine(c, kick_, 1, target.rate, 1);
      steps_.combine(c, kick_, step_of(c), target.value, 1);
    }
    steps_.hold(target);
    system_.exchange({&target.rate});
  }

  ElementSystem<Backend, S>& system_;
  const StepClasses& classes_;
  double dt_m_;
  Steps steps_;
  Buffer kick_;
};

}  // namespace tetrawave::march
