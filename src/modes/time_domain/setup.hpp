// A model ready to be stepped in time: engine, LTS levels and time step. Of modes time-domain and fetd.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "march/interface/engine.hpp"
#include "model/model.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

using EngineFactory = std::function<std::unique_ptr<march::Engine>(const march::Problem&, const march::EngineOptions&,
                                                                   const comm::Communicator&)>;

/// The engine of a mode for a model. Collective; errors are the same on all ranks.
using EngineMaker =
    std::function<std::unique_ptr<march::Engine>(Model& model, ModelParts& parts, const comm::Communicator& ranks)>;

/// How a mode steps in time.
struct Stepping {
  EngineMaker make_engine;
  bool is_implicit = false;  ///< mode fetd
};
/// Mode time-domain: an engine of the case's scheme on a backend.
[[nodiscard]] Stepping explicit_stepping(const EngineFactory& make_engine);

/// The time step of a resumed run.
struct KnownStep {
  double stable_step_s = 0;  ///< of the finest LTS level
  double dt_s = 0;           ///< of the coarsest
};

struct TimeDomainSetup : Model {
  std::unique_ptr<march::Engine> engine;
  bool is_implicit = false;
  std::vector<std::int64_t> class_elements;  ///< on each LTS level, on all ranks
  double predicted_gain = 1;                 ///< of LTS over a single step, both at their limits
  results::SingleStep single;
  double stable_step_s = 0;  ///< of the finest level
  double smallest_dt_s = 0;  ///< likewise
  double dt_s = 0;           ///< of the time loop and of its rows: of the coarsest level
  std::int64_t steps = 0;
  std::int64_t sampled_steps = 0;  ///< up to which waveforms are sampled: all, in very long runs while one is active
  std::int64_t spectra_every = 1;  ///< steps between samples of the Fourier sums
  std::int64_t jumps_every = 0;    ///< and of the energy of jumps; 0: none
};

/// Reads and partitions the mesh, checks that the case fits it, makes the engine and finds the time step. `mesh_file`
/// is the file for the mesh of a geometry (rank 0). `known`: of a resumed run; the step is then not computed and an
/// existing `mesh_file` is kept. Collective; errors are the same on all ranks.
std::unique_ptr<TimeDomainSetup> set_up(const Case& spec, const std::filesystem::path& mesh_file,
                                        const Stepping& stepping, const comm::Communicator& ranks,
                                        const std::optional<KnownStep>& known = {});

}  // namespace tetrawave::modes
