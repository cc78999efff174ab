// The mesh, media and walls of a case as a problem of the benchmark.
#pragma once

#include <filesystem>

#include "case/spec/case.hpp"
#include "march/interface/engine.hpp"
#include "model/model.hpp"
#include "modes/bench/bench_box.hpp"

namespace tetrawave::app {

/// A case of mode time-domain without what comes in, is recorded or depends on its ports' waves: its open and resistive
/// walls remain, as do losses and dispersion. One step for all elements.
class BenchCase {
 public:
  /// Method and order are those of the case; a mesh of a geometry is made as `mesh_file`. Collective; throws UserError.
  BenchCase(const Case& given, const std::filesystem::path& mesh_file, int threads, const comm::Communicator& ranks);

  [[nodiscard]] const LocalMesh& mesh() const { return model_.mesh; }
  [[nodiscard]] const march::Problem& problem() const { return model_.problem; }
  [[nodiscard]] march::Start start() const {
    return modes::bench_start(model_.mesh, smallest_radius_m_, model_.problem.space);
  }

 private:
  modes::Model model_;
  double smallest_radius_m_ = 1;
};

}  // namespace tetrawave::app
