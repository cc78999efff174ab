// What the list of a step's actions depends on.
#pragma once

#include <vector>

#include "march/interface/action.hpp"

namespace tetrawave::march {

/// Which actions a problem needs, and on how many ranks.
struct StepNeeds {
  bool alone = true;  ///< no traces travel
  bool dispersion = false;
  bool nonlinear = false;
  bool layers = false;
  bool braked = false;  ///< layers with damping, on any rank
  bool sources = false;
  bool dispersive_ports = false;
  bool one_mode = false;
  bool stored = false;
  bool walls = false;  ///< that are not in stored matrices, at least in the first step
  bool jumps = false;
  bool fourth_order = false;
  bool penalised = false;  ///< jumps of the advanced field, which is kept apart for it
  bool waves = false;      ///< driven faces
  bool conductors = false;
  bool metal = false;  ///< tangential E is held at zero there

  /// All but `braked`.
  static StepNeeds of(const Problem& problem, bool alone = true);
};

/// Adds work(border) of both parts, with the exchange of `levels` levels of a field between and beside them.
template <class Work>
void add_overlap(std::vector<Action>& to, const Action& exchange, bool alone, const Work& work) {
  const auto in_front = [&](Act act, bool front) {
    Action action = exchange;
    action.act = act;
    action.front = front;
    to.push_back(action);
  };
  if (!alone) in_front(Act::fork, false);
  const std::size_t begin = to.size();
  work(true);
  for (std::size_t k = begin; k < to.size(); ++k) to[k].front = !alone;
  if (!alone) in_front(Act::send, true);
  work(false);
  if (alone) return;
  in_front(Act::carry, false);
  in_front(Act::receive, true);
  in_front(Act::join, false);
}

}  // namespace tetrawave::march
