// The start of DFDD-ELD from given fields with LTS (theory/lts): the state after currents that last one step of the
// time loop, starting and ending at rest.
#pragma once

#include <vector>

#include "schemes/dfdd/factored.hpp"

namespace tetrawave::march {

/// In all of it losses, terms and lossy walls are left out; `Hold`: hold(level) for dofs of rate and value that walls
/// hold at zero.
template <class Backend, class S, class Hold>
class PulseStart {
 public:
  using Buffer = typename Backend::template Buffer<S>;
  using Level = typename LeapFrog<Backend, S>::Level;

  PulseStart(Core<Backend, S>& core, LeapFrog<Backend, S>& frog, DfddFactored<Backend, S>& factored, const Hold& hold)
      : core_(core), frog_(frog), factored_(factored), hold_(hold), kick_(core.system.make_field()) {}

  /// Converts values and rates at t = 0, those of Maxwell's equations without losses, to those whose energy stays
  /// bounded.
  void run() {
    Level& electric = frog_[Field::electric];
    Level& magnetic = frog_[Field::magnetic];
    const std::vector<S> electric_rate = electric.rate->download();
    std::vector<S> start = magnetic.value.download();
    release(electric, magnetic, magnetic.rate->download());
    const std::int64_t count = core_.problem.classes.substeps(0);
    advance(magnetic, 0, true, true);
    for (std::int64_t k = 1; k < count; ++k) {
      advance(electric, k, false, false);
      advance(magnetic, k, true, true);
    }
    const std::vector<S> electric_value = electric.value.download();
    magnetic.value.upload(start);
    start = magnetic.rate->download();
    release(magnetic, electric, electric_rate);
    for (std::int64_t k = (count + 1) / 2; k < count; ++k) {
      advance(electric, k, false, true);
      advance(magnetic, k, true, false);
    }
    for_levels([&](int c) { frog_.add_part(c, *magnetic.rate, -core_.step_of(c), magnetic.value, 2); });
    std::vector<S> before = electric.rate->download();
    advance(electric, 0, false, true);
    kick_.upload(before);
    combine(kick_, 1, *electric.rate, 1);
    electric.value.upload(electric_value);
    magnetic.rate->upload(start);
  }

 private:
  template <class Work>
  void for_levels(const Work& work) const {
    for (int c = 0; c < core_.problem.classes.count; ++c) work(c);
    core_.backend.synchronize();
  }
  /// to <- a from + b to
  void combine(const Buffer& from, double a, Buffer& to, double b) {
    for_levels([&](int c) { frog_.add_part(c, from, a, to, b); });
  }

  /// A field as the rate that would produce it in a step of the time loop, and after the first step of every level; the
  /// other one at rest, with the impulses by which its `rate` at t = 0 enters in steps of every level, minus the
  /// contribution of the first.
  void release(Level& own, Level& other, const std::vector<S>& rate) {
    const double dt_m = core_.start.dt_m;
    combine(own.value, 1 / dt_m, *own.rate, 0);
    core_.system.clear_field(other.value);
    core_.system.clear_field(*other.rate);
    core_.system.exchange({&*own.rate});
    for_levels([&](int c) { factored_.launch_level(other, own, c); });
    combine(*other.rate, -1, kick_, 0);
    other.rate->upload(rate);
    for_levels([&](int c) {
      frog_.add_part(c, *other.rate, core_.step_of(c) / dt_m, kick_, 1);
      frog_.add_part(c, own.value, core_.step_of(c) / dt_m - 1, own.value, 1);
    });
    core_.system.clear_field(other.value);
    core_.system.clear_field(*other.rate);
  }

  /// The event of a field (schemes/leap_frog/step_plan.hpp).
  void advance(Level& target, std::int64_t smallest, bool at_middle, bool kicked) {
    const Event event = Event::make(core_.problem.classes, smallest, at_middle);
    for (int c = 0; c < event.classes; ++c) {
      factored_.launch_level(target, frog_[other(target.field)], c);
      if (!kicked) continue;
      frog_.add_part(c, kick_, 1, *target.rate, 1);
      frog_.add_part(c, kick_, core_.step_of(c), target.value, 1);
    }
    hold_(target);
    core_.system.exchange({&*target.rate});
  }

  Core<Backend, S>& core_;
  LeapFrog<Backend, S>& frog_;
  DfddFactored<Backend, S>& factored_;
  const Hold& hold_;
  Buffer kick_;
};

}  // namespace tetrawave::march
