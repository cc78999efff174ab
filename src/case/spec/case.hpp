// The case as plain structs: the contents of a YAML case file after validation, with all defaults.
//
// Lengths are metres, times seconds, frequencies hertz; units are part of the names.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/place.hpp"
#include "base/transport.hpp"
#include "base/types.hpp"
#include "case/spec/frequency_spec.hpp"
#include "fem/sparse/solver_options.hpp"
#include "media/material_data.hpp"
#include "mesh/file/mesh_input.hpp"
#include "results/request/request.hpp"
#include "sources/description.hpp"
#include "sources/ports/port_description.hpp"
#include "statics/request/request.hpp"

namespace tetrawave {

enum class Mode { time_domain, frequency_domain, fetd, fe_iiee, eigenmode, assembly_2d };

/// As written in the case file.
[[nodiscard]] const char* name_of(Mode mode);

/// Whether fields are phasors.
[[nodiscard]] constexpr bool is_harmonic(Mode mode) {
  return mode == Mode::frequency_domain || mode == Mode::fe_iiee || mode == Mode::eigenmode;
}

struct RegionSpec {
  std::string volume;    ///< name of a physical volume
  std::string material;  ///< name of a material
  Place place;           ///< of the volume's name
};

enum class BoundaryKind { pec, pmc, absorbing, impedance, conductor };

struct BoundarySpec {
  std::string group;  ///< name of a physical surface
  BoundaryKind kind = BoundaryKind::pec;
  Place place;
  double impedance_ohm = 0;  ///< impedance: the surface resistance, per square
  double sigma_s_per_m = 0;  ///< conductor
  double roughness_m = 0;    ///< conductor: root mean square roughness of its surface
};

/// Two physical surfaces of `boundaries.periodic`.
struct PeriodicSpec {
  std::array<std::string, 2> groups;
  std::array<Place, 2> places;
};

struct InitialFieldsSpec {
  std::array<std::string, 3> electric{"0", "0", "0"};  ///< expressions in x, y, z (m), V/m
  std::array<std::string, 3> magnetic{"0", "0", "0"};  ///< A/m
  std::array<Place, 3> electric_places, magnetic_places;
  Place place;
};

/// Solution of the nonlinear update.
struct KerrMethodSpec {
  bool newton = true;     ///< else fixed-point
  bool averaged = false;  ///< else at the end point
  double tolerance = 1e-10;
  int max_iterations = 30;
};

struct MethodSpec {
  Scheme scheme = Scheme::dgtd_central;
  Space basis = Space::full_1;
  Layout layout = Layout::factored;
  Dispersion dispersion = Dispersion::passive;
  Precision precision = Precision::double_precision;
  KerrMethodSpec kerr{};
  int max_classes = 1;       ///< of time steps; 1: no local time stepping
  bool keep_inside = false;  ///< partition borders avoid the finest LTS level
  double cfl = 0.9;
  std::optional<double> time_step_s;  ///< instead of cfl
  std::optional<bool>
      holds_metal;     ///< DGTD-Central: E is zero along PEC, not by its flux alone; else decided by the mesh
  int time_order = 2;  ///< DGTD-Central: of a step, 2 or 4
  double penalty = 0;  ///< DGTD-Central: on jumps, relative to the upwind flux's
  std::optional<double> edge_factor;  ///< of eps and mu at edges of metal sheets, instead of the scheme's
  bool allow_unstable = false;
  Place step_place;  ///< of time_step, or of cfl
  Place place;
};

struct TimeSpec {
  std::optional<double> end_s;
  std::optional<std::int64_t> steps;      ///< exactly one of the two is given
  std::optional<double> energy_decay_db;  ///< negative: stop earlier, this far below the largest energy
  Place place;
};

struct CheckpointSpec {
  std::optional<double> every_s;  ///< of wall-clock time; absent: only when the run is stopped
  std::int64_t keep = 2;
};

struct RunSpec {
  int threads = 0;  ///< 0: the node's cores divided among its ranks
  Ordering ordering = Ordering::blocks;
  Transport transport = Transport::automatic;
  CheckpointSpec checkpoint;
};

/// One key varied by a study, with its values as YAML texts.
struct StudyAxis {
  std::string path;
  std::vector<std::string> values;
  Place place{};
};

/// A whole case. Members that the mode does not use are left at their default.
struct Case {
  Mode mode = Mode::time_domain;
  std::string title;
  std::filesystem::path file;                            ///< absolute path of the case file
  double unit_m = 1;                                     ///< metres per unit of length
  std::variant<MeshInput, BoxMesh, RectangleMesh> mesh;  ///< of an array: its unit cells
  std::optional<ArrayDescription> array;
  std::vector<Material> materials;
  std::vector<RegionSpec> regions;
  std::vector<BoundarySpec> boundaries;
  Place boundaries_place;
  std::optional<BoundaryKind> default_boundary;
  std::vector<PeriodicSpec> periodic;
  std::optional<PmlLayers> pml;
  std::vector<PortDescription> ports;
  std::vector<SourceDescription> sources;
  std::vector<WaveformShape> waveforms;
  std::optional<InitialFieldsSpec> initial_fields;
  MethodSpec method;
  TimeSpec time;
  OutputRequests outputs;
  RunSpec run;
  FrequencySpec frequency;
  std::optional<PlanarSpec> planar;  ///< with `dimension: 2`
  SolverOptions solver;
  double newmark_beta = 0.25;
  std::vector<IncidentWave> plane_waves;
  EigenmodeSpec eigenmode;
  IieeSpec iiee;
  StaticsRequest assembly_2d;
  std::vector<StudyAxis> study;
  std::string resolved_yaml;  ///< the case as run: overrides and defaults filled in, absolute paths
  /// The part of it that fields depend on (without title, run, files' names and the band of S-parameters), a line per
  /// value, "a.b.c: value", sorted: equal lines and equal files give the same solution.
  std::vector<std::string> identity;

  /// Number of boundary tags of ports: one per port, except that the copies of an array's port may share one.
  [[nodiscard]] std::size_t port_tag_count() const {
    return array && !array->has_port_tags ? array->cell_ports : ports.size();
  }
};

}  // namespace tetrawave
