// The case as plain structs: what a YAML case file says after validation, with every default filled in.
//
// Lengths are metres, times seconds, frequencies hertz; units stand in the names.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/transport.hpp"
#include "base/types.hpp"
#include "case/spec/assembly_2d_spec.hpp"
#include "case/spec/frequency_spec.hpp"
#include "case/spec/place.hpp"

namespace tetrawave {

enum class Mode { time_domain, frequency_domain, fetd, fe_iiee, eigenmode, assembly_2d };

/// As the case file writes it.
[[nodiscard]] const char* name_of(Mode mode);

/// Whether fields are phasors.
[[nodiscard]] constexpr bool is_harmonic(Mode mode) {
  return mode == Mode::frequency_domain || mode == Mode::fe_iiee || mode == Mode::eigenmode;
}

/// `mesh: {file: ...}`: a geometry, a Gmsh mesh, or Tetrawave's own HDF5 mesh.
struct MeshFileSpec {
  std::filesystem::path file;                ///< absolute
  std::map<std::string, double> parameters;  ///< DefineConstant overrides, as written (units of the case)
  std::optional<double> size_m;              ///< largest element edge
  int order = 1;
  Place place;
};

/// `mesh: {box: ...}`: hexahedra cut into 6 tetrahedra each (Kuhn), made by slabs.
struct BoxSpec {
  Vec3 size_m{};
  std::array<std::int64_t, 3> cells{};
  double jitter = 0;  ///< inner nodes move by up to jitter/2 of a cell, in [0, 0.5]
  std::uint64_t seed = 1;
  Place place;
  std::array<std::array<std::int64_t, 2>, 3> layer_cells{};  ///< added below and above, from boundaries.pml
  double layer_m = 0;                                        ///< thickness of what is added
};

/// `array`: a finite array of antenna cells; its unit cells are the case's mesh.
struct ArraySpec {
  std::array<std::int64_t, 2> size{};             ///< antenna cells along x and y
  bool is_explicit = false;                       ///< made as a plain mesh
  std::vector<double> amplitude;                  ///< per cell (i, j), at i size[1] + j; empty: 1
  std::vector<double> phase_deg;                  ///< likewise; empty: 0
  double frequency_hz = 0;                        ///< where the phases hold
  std::optional<std::array<double, 2>> scan_deg;  ///< theta, phi of the beam
  Place place;
  std::size_t cell_ports = 0;  ///< ports of a cell, once Case::ports holds those of all cells (model/array_setup.hpp)
};

/// `mesh: {rectangle: ...}`: rectangles cut into 2 triangles each.
struct RectangleSpec {
  std::array<double, 2> size_m{};
  std::array<std::int64_t, 2> cells{};
  double jitter = 0;  ///< as BoxSpec
  std::uint64_t seed = 1;
  Place place;
};

/// chi = delta/(1 + j w tau), with exp(+j w t) as in all terms.
struct DebyeSpec {
  double delta = 0;
  double tau_s = 0;
};

/// chi = delta w0^2/(w0^2 + 2 j w damping - w^2), w0 = 2 pi frequency.
struct LorentzSpec {
  double delta = 0;
  double frequency_hz = 0;
  double damping_rad_per_s = 0;
};

/// chi = -wp^2/(w^2 - j w collision), wp = 2 pi plasma_frequency.
struct DrudeSpec {
  double plasma_frequency_hz = 0;
  double collision_rad_per_s = 0;
};

/// chi(t) = Re(residue exp(-pole t)) u(t).
struct PoleSpec {
  std::complex<double> residue_per_s;
  std::complex<double> pole_rad_per_s;
};

/// One term added to eps_r, or to mu_r.
struct DispersionSpec {
  std::variant<DebyeSpec, LorentzSpec, DrudeSpec, PoleSpec> model;
  Place place;
};

/// `wideband-debye`: a laminate of this eps_r and loss tangent at one frequency, with a loss tangent that hardly
/// depends on the frequency from `from` to `to`. It stands in place of eps_r and electric_dispersion.
struct WidebandDebyeSpec {
  double eps_r = 1;
  double loss_tangent = 0;
  double at_hz = 0;
  double from_hz = 0;
  double to_hz = 0;
  Place place;
};

struct KerrSpec {
  double chi3_m2_per_v2 = 0;  ///< given, or from n2
  std::optional<double> n2_m2_per_w;
  Place place{};
};

struct MaterialSpec {
  std::string name;
  double eps_r = 1;
  double mu_r = 1;
  double sigma_s_per_m = 0;
  double sigma_m_ohm_per_m = 0;
  std::optional<Vec3> eps_diagonal{};  ///< eps_r: [a, b, c] along x, y, z, instead of eps_r
  std::optional<Vec3> mu_diagonal{};
  double loss_tangent = 0;  ///< at every frequency: eps_r (1 - j loss_tangent); in time as a wideband_debye
  Place loss_tangent_place{};
  std::vector<DispersionSpec> electric_dispersion{};
  std::vector<DispersionSpec> magnetic_dispersion{};
  std::optional<WidebandDebyeSpec> wideband_debye{};
  std::optional<KerrSpec> kerr{};
  Place place{};
};

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
  double roughness_m = 0;    ///< conductor: of its surface, root of the mean square
};

/// Two physical surfaces of `boundaries.periodic`.
struct PeriodicSpec {
  std::array<std::string, 2> groups;
  std::array<Place, 2> places;
};

/// `boundaries.pml`: absorbing layers, added outside of face groups, or regions that the user has meshed.
struct PmlSpec {
  /// What is added to a region is named after it with this behind it.
  static constexpr std::string_view suffix = ".pml";
  std::vector<std::string> faces;    ///< physical surfaces, or
  std::vector<std::string> regions;  ///< physical volumes
  std::vector<Place> name_places;    ///< of these names
  double thickness_m = 0;            ///< with faces
  std::int64_t cells = 0;            ///< over the thickness; with faces
  double reflection = 1e-6;          ///< amplitude at normal incidence, in the continuum
  Place place;
};

enum class WaveformType { gaussian, derivative_gaussian, modulated_gaussian, sine, expression, table };

struct WaveformSpec {
  std::string name;
  WaveformType type = WaveformType::gaussian;
  double width_s = 0;             ///< gaussian, derivative-gaussian
  std::optional<double> delay_s;  ///< always there for the three Gaussians; default: 6 width, or 6 s
  double frequency_hz = 0;        ///< modulated-gaussian, sine
  double bandwidth_hz = 0;        ///< modulated-gaussian: full width at -20 dB of the amplitude spectrum
  double rise_s = 0;              ///< sine
  std::string expression;         ///< in t (s), pi, c0
  std::filesystem::path table;    ///< absolute; two columns, linear, 0 outside
  Place value_place;              ///< of the expression, or of the table's name
  Place place;
};

struct ExcitationSpec {
  std::string waveform;  ///< may be empty in mode frequency-domain
  double amplitude = 1;
  double delay_s = 0;
  Place place;
};

enum class PortType { coaxial, tem, rectangular_waveguide, lumped };

/// TEmn or TMmn: m half waves along the longer side, n along the shorter one.
struct WaveguideMode {
  bool tm = false;
  int m = 1;
  int n = 0;
};

struct PortSpec {
  std::string name;
  std::string boundary;
  PortType type = PortType::coaxial;
  std::optional<Vec3> centre_m;  ///< coaxial: read off the face unless given
  std::optional<Vec3> axis;      ///< coaxial: any length, points either way
  std::optional<double> inner_radius_m;
  std::optional<double> outer_radius_m;
  std::string signal;               ///< tem: physical surface of the positive conductor, one of boundaries.pec
  WaveguideMode mode;               ///< rectangular-waveguide
  double resistance_ohm = 0;        ///< lumped, as the rest
  double inductance_h = 0;          ///< in series; 0: none
  double capacitance_f = 0;         ///< in parallel; 0: none
  std::optional<Vec3> direction{};  ///< from the negative to the positive conductor; absent: radial, on a ring
  double reference_plane_m = 0;     ///< where S is taken, from the face into the structure
  bool takes_one_mode = false;      ///< but lumped: reflects all but its mode; else the rest ends in an open wall
  bool may_take_one_mode = false;   ///< it does where that is the better way (THEORY.md 35)
  int electric_planes = 0;          ///< planes of symmetry that cut the port: PEC, as the rest of them PMC
  int magnetic_planes = 0;
  std::optional<ExcitationSpec> excite;
  Place boundary_place;
  Place signal_place{};
  Place modes_place{};  ///< of the key other_modes
  Place place;
};

enum class SourceType { dipole, plane_wave, current };

/// A source inside the domain; its excitation is amplitude w(t - delay), in A m, V/m, or times the density.
struct SourceSpec {
  SourceType type = SourceType::dipole;
  ExcitationSpec excite{};
  Vec3 position_m{};                   ///< dipole
  Vec3 direction{};                    ///< dipole: of the current; plane-wave: where it goes; any length
  Vec3 polarization{};                 ///< plane-wave: of E, any length
  std::vector<std::string> regions{};  ///< plane-wave: of the total field; current: the one where it flows
  std::array<std::string, 3> density{"0", "0", "0"};  ///< current: expressions in x, y, z (m), A/m^2
  std::array<Place, 3> density_places{};
  Place position_place{};
  Place region_place{};
  Place place{};
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
  bool keep_inside = false;  ///< borders between ranks avoid the finest class
  double cfl = 0.9;
  std::optional<double> time_step_s;  ///< instead of cfl
  std::optional<bool> holds_metal;    ///< DGTD-Central: E is zero along PEC, not by its flux alone; else as the mesh is
  std::optional<double> edge_factor;  ///< of eps and mu at edges of metal sheets, instead of the scheme's
  bool allow_unstable = false;
  Place step_place;  ///< of time_step, or of cfl
  Place place;
};

struct TimeSpec {
  std::optional<double> end_s;
  std::optional<std::int64_t> steps;      ///< exactly one of the two is given
  std::optional<double> energy_decay_db;  ///< below 0: stop earlier, this far below the largest energy
  Place place;
};

struct ProbeSpec {
  std::string name;
  Vec3 point_m{};
  bool electric = true;
  bool magnetic = true;
  std::int64_t every = 1;
  Place point_place;
  Place place;
};

struct SParameterSpec {
  double start_hz = 0;
  double stop_hz = 0;
  std::int64_t points = 0;
  bool drive_each = false;
  Place place;
  std::vector<double> impedance_ohm{};  ///< S is renormalised to: one per port, one for all, or none
};

/// A plane through all regions.
struct CutSpec {
  std::string name;
  Vec3 point_m{};
  Vec3 normal{};  ///< of any length
  Place place;
};

/// `outputs.fields`: snapshots, Fourier sums, or both.
struct FieldsSpec {
  std::optional<std::int64_t> every;
  std::vector<double> frequencies_hz;
  bool volumes = true;               ///< whether regions are written
  std::vector<std::string> regions;  ///< empty: all of them
  std::vector<CutSpec> cuts;
};

struct FarFieldSpec {
  std::vector<double> frequencies_hz;
  std::vector<double> theta_deg;
  std::vector<double> phi_deg;
  std::vector<std::string> surface;  ///< regions whose border it is; empty: chosen
  std::vector<MirrorSpec> mirrors;   ///< on different axes
  Place surface_place;
  Place place;
};

struct OutputsSpec {
  std::vector<ProbeSpec> probes;
  std::optional<SParameterSpec> s_parameters;
  std::optional<std::int64_t> energy_every;
  std::optional<FieldsSpec> fields;
  std::optional<FarFieldSpec> far_field;
};

struct CheckpointSpec {
  std::optional<double> every_s;  ///< of wall-clock time; absent: only when the run is stopped
  std::int64_t keep = 2;
};

struct RunSpec {
  int threads = 0;  ///< 0: the cores of the node divided among its ranks
  Ordering ordering = Ordering::blocks;
  Transport transport = Transport::automatic;
  CheckpointSpec checkpoint;
};

/// A whole case. What the mode does not know is left at its default.
struct Case {
  Mode mode = Mode::time_domain;
  std::string title;
  std::filesystem::path file;                               ///< absolute path of the case file
  double unit_m = 1;                                        ///< metres per unit of length
  std::variant<MeshFileSpec, BoxSpec, RectangleSpec> mesh;  ///< of an array: its unit cells
  std::optional<ArraySpec> array;
  std::vector<MaterialSpec> materials;
  std::vector<RegionSpec> regions;
  std::vector<BoundarySpec> boundaries;
  Place boundaries_place;
  std::optional<BoundaryKind> default_boundary;
  std::vector<PeriodicSpec> periodic;
  std::optional<PmlSpec> pml;
  std::vector<PortSpec> ports;
  std::vector<SourceSpec> sources;
  std::vector<WaveformSpec> waveforms;
  std::optional<InitialFieldsSpec> initial_fields;
  MethodSpec method;
  TimeSpec time;
  OutputsSpec outputs;
  RunSpec run;
  FrequencySpec frequency;
  SolverSpec solver;
  double newmark_beta = 0.25;
  std::vector<PlaneWaveSpec> plane_waves;
  EigenmodeSpec eigenmode;
  IieeSpec iiee;
  Assembly2DSpec assembly_2d;
  std::vector<StudyAxis> study;
  std::string resolved_yaml;  ///< the case as run: overrides and defaults filled in, absolute paths
  /// What of it the fields depend on (title, run, files' names and the band of S-parameters left out), a line per
  /// value, "a.b.c: value", sorted: equal lines and equal files make the same march.
  std::vector<std::string> identity;

  /// How many boundary tags are of ports: one per port, but the copies of an array's port share one.
  [[nodiscard]] std::size_t port_tag_count() const {
    return array && !array->is_explicit ? array->cell_ports : ports.size();
  }
};

}  // namespace tetrawave
