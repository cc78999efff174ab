// A time-domain case ready to run: mesh, media, walls, ports, probes, engine and time step.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/phase_clock.hpp"
#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/engine.hpp"
#include "mesh/report/face_shares.hpp"
#include "mesh/report/halo_summary.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "mesh/report/setup_memory.hpp"
#include "mesh/sheet_edges.hpp"
#include "mesh/solid_edges.hpp"
#include "model/array_setup.hpp"
#include "model/boundaries.hpp"
#include "model/sources.hpp"
#include "results/far_field/radiation_surface.hpp"
#include "results/fields/field_grids.hpp"
#include "results/history/histories.hpp"
#include "results/results.hpp"

namespace tetrawave::fem {
class FactorDevice;
}

namespace tetrawave::modes {

class FetdMarch;

using EngineFactory = std::function<std::unique_ptr<march::Engine>(const march::Problem&, const march::EngineOptions&,
                                                                   const comm::Communicator&)>;

/// The time step of a resumed run.
struct KnownStep {
  double stable_step_s = 0;  ///< of the finest LTS level
  double dt_s = 0;           ///< of the coarsest
};

/// Results of a port's set-up.
struct PortSummary {
  std::string name;
  double impedance_ohm = 0;  ///< of the whole port
  std::size_t faces = 0;
  std::optional<std::array<double, 2>> radii_m;  ///< coaxial: of the inner and the outer conductor
  double refractive_index = 1;
  double eps_effective = 0;  ///< tem: capacitance over that without media; 0 for others
  double source_share = 0;   ///< lumped: of the source's voltage, the part missing in the recorded voltage
  double voltage_scale = 1;  ///< of the whole port over that of its face, if it is cut by symmetry planes
  double current_scale = 1;
  double mode_cutoff_per_m = 0;  ///< rectangular-waveguide: kc of its mode
  double second_mode_hz = 0;     ///< from here on another mode than the port's propagates as well; 0: lumped
  bool takes_one_mode = false;   ///< reflects all else
  bool means_waves = false;      ///< then: of the port's E and of its H (results::PortModel)

  [[nodiscard]] double face_impedance_ohm() const { return impedance_ohm * current_scale / voltage_scale; }
  /// Cutoff of a waveguide port's mode; 0 for other ports.
  [[nodiscard]] double mode_cutoff_hz() const;
};

/// Everything needed to run the case. Not copyable: the problem points to the mesh.
struct TimeDomainSetup {
  Case given;  ///< with the ports of all cells of an array
  std::optional<ArrayPlan> array;
  LocalMesh mesh;
  MeshSummary summary;
  std::string mesh_hash;
  FaceShares shares;
  std::vector<RankHalo> halos;  ///< of all ranks
  BoundaryTable boundaries;
  SheetEdges edges;  ///< of metal
  SolidEdges solid_edges;
  std::vector<PortSummary> ports;
  std::shared_ptr<std::vector<results::PortMode>> port_modes = std::make_shared<std::vector<results::PortMode>>();
  march::Problem problem;
  std::vector<results::FieldGrid> grids;  ///< of outputs.fields
  std::unique_ptr<march::Engine> engine;
  const FetdMarch* implicit = nullptr;       ///< mode fetd: the engine
  std::vector<std::int64_t> class_elements;  ///< on each LTS level, on all ranks
  double predicted_gain = 1;                 ///< of LTS over a single step, both at their limits
  double stable_step_s = 0;                  ///< of the finest level
  double smallest_dt_s = 0;                  ///< likewise
  double dt_s = 0;                           ///< of the time loop and of its rows: of the coarsest level
  std::int64_t steps = 0;
  std::int64_t sampled_steps = 0;  ///< up to which waveforms are sampled: all, in very long runs while one is active
  std::int64_t spectra_every = 1;  ///< steps between samples of the Fourier sums
  std::int64_t jumps_every = 0;    ///< and of the energy of jumps; 0: none
  std::optional<results::RadiationSurface> surface;  ///< of the far field
  std::vector<PlaneWaveBorder> plane_waves;          ///< mode fetd
  double source_delay_s = 0;                         ///< from a source's waveform to its latest arrival
  std::vector<std::array<GlobalIndex, 3>>
      inner_faces;   ///< fe-iiee: of iiee.inner on this rank's slab, vertices ascending
  PhaseClock clock;  ///< of this rank's set-up
  SlabSizes slab;
  std::int64_t bytes_before = 0;  ///< resident on this rank at the start of the set-up

  TimeDomainSetup() = default;
  TimeDomainSetup(const TimeDomainSetup&) = delete;
  TimeDomainSetup& operator=(const TimeDomainSetup&) = delete;
};

struct FoundPort;

/// File for the mesh of a geometry (rank 0), and its inputs.
struct MeshPlan {
  std::filesystem::path file;
  bool keep = false;  ///< an existing one is used
  int threads = 1;    ///< of this rank
};

/// The first half of `set_up`, without an engine and a time step: the definition of the fields of a case, for any
/// solver. `ports`: the results of port set-up (model/port_setup.hpp). Collective; errors are the same on all ranks.
std::unique_ptr<TimeDomainSetup> set_up_problem(const Case& spec, const MeshPlan& plan, const comm::Communicator& ranks,
                                                std::vector<FoundPort>* ports = nullptr);

/// Reads and partitions the mesh, checks that the case fits it, makes the engine and finds the time step. `mesh_file`
/// is the file for the mesh of a geometry (rank 0). `known`: of a resumed run; the step is then not computed and an
/// existing `mesh_file` is kept. `factor_device`: of mode fetd. Collective; errors are the same on all ranks.
std::unique_ptr<TimeDomainSetup> set_up(const Case& spec, const std::filesystem::path& mesh_file,
                                        const EngineFactory& make_engine, const comm::Communicator& ranks,
                                        const std::optional<KnownStep>& known = {},
                                        const std::shared_ptr<const fem::FactorDevice>& factor_device = nullptr);

/// The columns of the recorded histories.
results::HistoryPlan history_plan(const Case& given, const TimeDomainSetup& setup);

/// Start of a run with only the ports of `driven` excited (indices into given.ports). An expression of the initial
/// fields can be invalid on one rank only (UserError, bad_case): call it inside Communicator::agree. Without fields for
/// a run resumed from a checkpoint.
march::Start make_start(const Case& given, const TimeDomainSetup& setup, const std::vector<std::size_t>& driven,
                        bool with_fields = true);

}  // namespace tetrawave::modes
