#include "app/bench/bench_case.hpp"

#include "model/set_up/set_up_model.hpp"

namespace tetrawave::app {

BenchCase::BenchCase(const Case& given, const std::filesystem::path& mesh_file, int threads,
                     const comm::Communicator& ranks) {
  modes::set_up_model(model_, given, {{mesh_file, true, threads}, false, false, false, {}}, ranks);
  march::Problem& problem = model_.problem;
  problem.driven.clear();
  problem.electric.clear();
  problem.magnetic.clear();
  problem.energy_every = 0;
  problem.fields = {};
  problem.sources.clear();
  problem.spectral = {};
  problem.memories.clear();
  problem.terminations.clear();
  problem.sums_jumps = false;
  smallest_radius_m_ = modes::smallest_inradius_m(model_.mesh, ranks);
}

}  // namespace tetrawave::app
