// A case as what it describes, whatever the mode: mesh, media, walls, ports, probes, surfaces.
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
#include "march/interface/problem.hpp"
#include "mesh/report/face_shares.hpp"
#include "mesh/report/halo_summary.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "mesh/report/setup_memory.hpp"
#include "mesh/sheet_edges.hpp"
#include "model/array_setup.hpp"
#include "model/boundaries.hpp"
#include "results/far_field/radiation_surface.hpp"
#include "results/fields/field_grids.hpp"
#include "results/ports/port_modes.hpp"
#include "results/ports/ports.hpp"
#include "terms/sources/plane_wave_border.hpp"

namespace tetrawave::modes {

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

/// Not copyable: the problem points to the mesh.
struct Model {
  Case given;  ///< with the ports of all cells of an array
  std::optional<ArrayPlan> array;
  LocalMesh mesh;
  MeshSummary summary;
  std::string mesh_hash;
  FaceShares shares;
  std::vector<RankHalo> halos;  ///< of all ranks
  BoundaryTable boundaries;
  SheetEdges edges;  ///< of metal
  std::vector<PortSummary> ports;
  std::shared_ptr<std::vector<results::PortMode>> port_modes = std::make_shared<std::vector<results::PortMode>>();
  march::Problem problem;
  std::vector<results::FieldGrid> grids;             ///< of outputs.fields
  std::optional<results::RadiationSurface> surface;  ///< of the far field
  double source_delay_s = 0;                         ///< from a source's waveform to its latest arrival
  PhaseClock clock;                                  ///< of this rank's set-up
  SlabSizes slab;
  std::int64_t bytes_before = 0;  ///< resident on this rank at the start of the set-up

  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
};

/// File for the mesh of a geometry (rank 0), and its inputs.
struct MeshPlan {
  std::filesystem::path file;
  bool keep = false;  ///< an existing one is used
  int threads = 1;    ///< of this rank
};

/// A port found on its faces, to be copied or evaluated again.
struct FoundPort {
  results::PortFaces faces;
  results::PortRecipe recipe;
};

/// What a mode asks for besides the model.
struct ModelRequest {
  MeshPlan mesh;
  /// Plane waves are not terms of elements, but enter through faces (ModelParts::plane_waves).
  bool waves_through_faces = false;
  /// Called with the slab of the mesh before it is distributed; its UserErrors are reported with those of other names.
  std::function<void(const MeshSlab&)> see_slab{};
};

/// What set-up has found besides the model.
struct ModelParts {
  std::vector<FoundPort> ports;  ///< that are not copies
  std::vector<march::PlaneWaveBorder> plane_waves;
};

/// The definition of the fields of a case, for any solver. Collective; errors are the same on all ranks.
ModelParts set_up_model(Model& model, const Case& spec, const ModelRequest& request, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
