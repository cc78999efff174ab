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
#include "mesh/solid_edges.hpp"
#include "model/array_setup.hpp"
#include "model/boundaries.hpp"
#include "model/ports/port.hpp"
#include "results/far_field/radiation_surface.hpp"
#include "results/fields/field_grids.hpp"
#include "results/ports/port_modes.hpp"
#include "terms/sources/plane_wave_border.hpp"

namespace tetrawave::modes {

/// Not copyable: the problem points to the mesh.
struct Model {
  Case given;                  ///< with the ports of all cells of an array
  bool is_conforming = false;  ///< for finite elements, of which E is tangentially continuous
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

/// Requirements of a mode on its model.
struct ModelRequest {
  MeshPlan mesh;
  bool is_conforming = false;  ///< Model::is_conforming
  bool has_surface = false;    ///< for the far field: one of the mode's own, unless the case names another
  /// Of mode fetd: it has the functions of the kernels of marches, and plane waves are not terms of elements, but enter
  /// through faces (ModelParts::plane_waves).
  bool is_implicit_march = false;
  /// Called with the slab of the mesh before it is distributed; its UserErrors are reported with those of other names.
  std::function<void(const MeshSlab&)> see_slab{};
};

/// Results of set-up in addition to the model.
struct ModelParts {
  std::vector<FoundPort> ports;  ///< that are not copies
  std::vector<march::PlaneWaveBorder> plane_waves;
};

}  // namespace tetrawave::modes
