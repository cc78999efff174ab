// Marches of one rank alone, known to all ranks, which share out their making.
#pragma once

#include <functional>
#include <vector>

#include "support/outcome.hpp"

namespace tetrawave_tests {

/// What one rank finds.
struct Alone {
  double stable_step_m = 0;
  tetrawave::LocalMesh mesh;  ///< the ids of its elements, nothing else
  Outcome outcome;
};

/// A march of `steps` steps, each `cfl` times the stable one.
inline Alone march_alone(const Situation& situation, tetrawave::march::Engine& engine, double cfl, std::int64_t steps) {
  Alone one;
  one.stable_step_m = engine.find_stable_step();
  one.mesh.global_id = situation.mesh.global_id;
  one.outcome = run_engine(engine, situation.make_start(cfl * one.stable_step_m, steps), {steps});
  return one;
}

/// make(0) to make(count - 1) on all ranks, of which each makes some; `make` is no collective, this is.
inline std::vector<Alone> share_out(std::size_t count, const std::function<Alone(std::size_t)>& make) {
  const auto world = tetrawave::comm::Communicator::world();
  const auto ranks = static_cast<std::size_t>(world.size());
  std::vector<Alone> all(count);
  for (auto k = static_cast<std::size_t>(world.rank()); k < count; k += ranks) all[k] = make(k);
  for (std::size_t k = 0; k < count; ++k) {
    auto& [stable_step_m, mesh, outcome] = all[k];
    const auto maker = static_cast<int>(k % ranks);
    std::vector<double> numbers{stable_step_m, outcome.present_energy};
    for (std::vector<double>* values :
         {&numbers, &outcome.electric, &outcome.magnetic, &outcome.record, &outcome.before_start})
      world.broadcast(*values, maker);
    world.broadcast(mesh.global_id, maker);
    world.broadcast(outcome.energies, maker);
    stable_step_m = numbers[0];
    outcome.present_energy = numbers[1];
  }
  return all;
}

}  // namespace tetrawave_tests
