// Input of the time loop: elements, media, walls, driven faces and the functionals to record.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/scheme.hpp"
#include "base/types.hpp"
#include "media/material.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::march {

enum class Field { electric, magnetic };

/// Meaning of a boundary tag of the mesh: PEC, PMC, an open wall (absorbing, or a port), or a resistive one, E_t = R (H
/// x n), on an outer face or as a sheet between two elements (a film, or a lumped port). A conductor is a dispersive
/// resistive wall, on outer faces. The face of a port of one mode carries only the current of that mode (theory/ports).
enum class Wall { electric, magnetic, open, impedance, conductor, one_mode };
constexpr bool is_open(Wall wall) { return wall == Wall::open; }
constexpr bool is_conductor(Wall wall) { return wall == Wall::conductor; }
/// Good or ideal.
constexpr bool is_metal(Wall wall) { return wall == Wall::electric || wall == Wall::conductor; }
/// Reflects all, whatever the fields are.
constexpr bool is_mirror(Wall wall) { return wall == Wall::electric || wall == Wall::magnetic; }
/// Power ends in it.
constexpr bool has_loss(Wall wall) { return wall == Wall::impedance || wall == Wall::conductor; }

/// A branch R s/(s + p) of the surface impedance of a conductor.
struct WallBranch {
  double ohms = 0;        ///< R, per square
  double rate_per_s = 0;  ///< p
};

/// An incident wave on one face of an open wall: E_inc = w(t) e_p on the face (theory/walls). On a resistive wall or
/// sheet it is half the field of a source behind the resistance; faces of a sheet come from both sides.
struct DrivenFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
  std::int32_t wave = 0;        ///< row of the waves, from 1; row 0 is silence
  std::vector<double> direct;   ///< oint N_i . e_p, n
  std::vector<double> rotated;  ///< oint (n x N_i) . e_p, n
};

/// A linear functional of a field: sum over the items of weight . dofs(element).
struct Functional {
  struct Item {
    LocalIndex element = 0;
    std::vector<double> weight;  ///< n
  };
  std::vector<Item> items;
};

/// Output of whole fields: of some elements, every few steps or summed at frequencies.
struct FieldOutput {
  std::vector<LocalIndex> elements;    ///< of this rank, by ascending global id
  std::int64_t every = 0;              ///< steps between snapshots; 0: none
  std::vector<double> frequencies_hz;  ///< of sums over the run
};

/// How the nonlinear update of E is solved (schemes/central/kerr_update.hpp).
struct KerrSolution {
  bool newton = true;     ///< else fixed-point
  bool averaged = false;  ///< eps at the mean of the two steps
  double tolerance = 1e-10;
  int max_iterations = 30;
};

/// Contribution of a source to the equations of one element, times w(t - delay) (theory/sources):
///   eps M e' = ... + electric w,     mu M h' = ... + magnetic w.
/// In DFDD-ELD both enter by their rates, with curl w added to mu M y'.
struct SourceTerm {
  LocalIndex element = 0;
  std::int32_t wave = 0;           ///< index into Start::source_waves
  double delay_m = 0;              ///< c0 times the delay, at least 0
  std::vector<double> electric{};  ///< n, or empty
  std::vector<double> magnetic{};  ///< n, or empty
  std::vector<double> curl{};      ///< n, or empty: int curl N_i . J/eps of an impressed current
};

/// Faces whose traces are summed to Fourier integrals during the run.
struct SpectralFaces {
  struct Face {
    LocalIndex element = 0;
    std::uint8_t face = 0;
  };
  std::vector<Face> faces;
  std::vector<double> frequencies_per_m;  ///< f/c0
};

/// A dispersive port, whose incident wave depends on the outgoing wave (theory/ports): the mode of a waveguide, whose
/// impedance differs from that of the open wall, or an inductance or capacitance at the resistance of a lumped port.
struct PortMemory {
  enum class Kind { te, tm, inductance, capacitance };
  Kind kind = Kind::te;
  std::int32_t wave = 0;       ///< row of the waves
  std::size_t functional = 0;  ///< index of its voltage in `electric` and of its current in `magnetic`
  double cutoff_per_m = 0;     ///< te, tm: kc/n, the cutoff in time units of 1/c0
  std::int32_t tag = 0;        ///< lumped, as the following: boundary tag of its face
  double resistance_ohm = 0;
  double reactance = 0;  ///< L c0 [ohm m] or C c0 [m/ohm]
};

/// A port that couples to one mode alone (theory/ports): its faces are magnetic walls that carry the current of the
/// mode, n x H = y (2 w - v) e, v the voltage of the mode.
struct ModalTermination {
  std::int32_t wave = 0;               ///< row of the waves
  std::size_t functional = 0;          ///< index of its voltage in `electric`
  double admittance = 0;               ///< y, times eta0
  std::optional<PortMemory> memory{};  ///< of a waveguide's mode, whose impedance depends on the frequency
  double overlap = 1;                  ///< DFDD-ELD: oint e'.e / oint e'.e', y e' being n x H of a voltage of 1
};

/// Regions that are absorbing layers around a box; the profile of their stretch is measured from it (theory/pml). Their
/// media have no conductivity here; it is in `loss_per_m`.
struct AbsorbingLayers {
  std::vector<bool> is_layer;                     ///< per mesh region
  std::vector<std::array<double, 2>> loss_per_m;  ///< per mesh region: sigma_e/eps_r, sigma_m/mu_r
  Vec3 low{};                                     ///< of the box [m]
  Vec3 high{};                                    ///< of the box [m]
  std::array<Vec3, 2> thickness_m{};              ///< below `low` and above `high`; 0 if there is none
  std::int64_t cells = 0;                         ///< cells across the thickness of every layer; 0: unstructured
  double reflection = 1e-6;                       ///< amplitude at normal incidence, without discretisation
};

/// Elements that are updated and listed together: border or inner elements of one LTS level.
struct Part {
  bool border = false;
  int step_class = 0;
  friend auto operator<=>(const Part&, const Part&) = default;
};

/// Local time stepping (theory/lts): an element of level c has 3^c times the smallest step. Levels of face neighbours
/// differ by at most one.
struct StepClasses {
  int count = 1;
  std::vector<std::int8_t> of_element{};           ///< per element; empty with one level
  std::vector<std::uint8_t> coarser{};             ///< per element, bit f: the element at face f is on a coarser level
  std::vector<std::vector<std::int8_t>> behind{};  ///< per peer of the mesh and shared face: level of the element there

  std::vector<int> of_waves{};  ///< per row of the waves: level of all elements at its faces
  int of_memories = 0;          ///< level of all elements at dispersive ports and ports of one mode

  [[nodiscard]] int of(LocalIndex element) const {
    return of_element.empty() ? 0 : of_element[static_cast<std::size_t>(element)];
  }
  /// Steps of a level within one of the coarsest level, which is a step of the time loop: 3^(count - 1 - step_class).
  [[nodiscard]] std::int64_t substeps(int step_class) const {
    std::int64_t steps = 1;
    for (int c = step_class + 1; c < count; ++c) steps *= 3;
    return steps;
  }
  /// The step of a level if that of the time loop is `dt`.
  [[nodiscard]] double step_of(int step_class, double dt) const {
    return dt / static_cast<double>(substeps(step_class));
  }
};

/// The time step of a run: c0 dt [m] of the time loop, which is that of the coarsest LTS level.
struct StepSize {
  double dt_m = 0;
  const StepClasses* levels = nullptr;
  [[nodiscard]] double of(int level) const { return levels->step_of(level, dt_m); }
  [[nodiscard]] double of(const Part& part) const { return of(part.step_class); }
  [[nodiscard]] double of_element(LocalIndex element) const { return of(levels->of(element)); }
  [[nodiscard]] double of_ports() const { return of(levels->of_memories); }
};

/// Everything constant during a run.
struct Problem {
  const LocalMesh* mesh = nullptr;
  Scheme scheme = Scheme::dgtd_central;
  Space space = Space::full_1;
  Layout layout = Layout::factored;
  bool has_initial_fields = false;       ///< of this run; matters for its memory
  std::vector<Medium> media;             ///< per mesh region; then those of elements at edges of metal sheets
  std::vector<std::int32_t> material{};  ///< per element, index into `media`; empty: its region
  std::vector<Wall> walls;               ///< per boundary tag
  bool holds_metal = false;  ///< DGTD schemes: electric walls hold the tangential E at zero, except in Kerr media
  int time_order = 2;        ///< DGTD-Central: of a step, 2 or 4; with 4 the media have exact_steps
  double penalty = 0;        ///< DGTD-Central: on jumps of tangential E, relative to the upwind flux's; 0 to 1
  /// Per element, bit f: the flux of face f conserves energy, since it is close to an edge of metal or carries an
  /// incident wave; or empty.
  std::vector<std::uint8_t> undamped{};
  bool sums_jumps = false;  ///< DGTD-Upwind: the energy taken from jumps is summed
  std::vector<DrivenFace> driven;
  /// Relative wave admittance of open walls (element, face) if it differs from that of the element's medium: for
  /// quasi-TEM ports.
  std::map<std::pair<LocalIndex, std::uint8_t>, double> open_admittance{};
  std::vector<Functional> electric;  ///< recorded at every step; the same number on every rank
  std::vector<Functional> magnetic;
  std::int64_t energy_every = 0;    ///< 0: never
  std::vector<double> wall_ohms{};  ///< per boundary tag: R of an impedance wall, per square, of a conductor at high
                                    ///< frequency; empty if there is none
  std::vector<std::vector<WallBranch>>
      wall_branches{};  ///< per boundary tag: branches of a conductor; each has the same number
  FieldOutput fields{};
  KerrSolution kerr{};
  std::vector<SourceTerm> sources{};
  SpectralFaces spectral{};
  std::vector<PortMemory> memories{};
  std::vector<ModalTermination> terminations{};  ///< of DGTD-Central and DGTD-Upwind
  std::optional<AbsorbingLayers> layers{};
  StepClasses classes{};

  /// The wall of a boundary tag of the mesh; none if that is negative.
  [[nodiscard]] std::optional<Wall> wall_of(std::int32_t tag) const {
    return tag < 0 ? std::nullopt : std::optional(walls[static_cast<std::size_t>(tag)]);
  }
  /// Whether H at the time of E is computed from H and its rate: in DFDD-ELD with several LTS levels, where the last
  /// steps of H were at different times.
  [[nodiscard]] bool records_rates() const { return has_rates(scheme) && classes.count > 1; }
  /// Whether the first step from given fields uses the factored layout: stored matrices contain the walls, but not the
  /// effect of lossy walls on fields that jump from zero.
  [[nodiscard]] bool starts_factored() const {
    return has_rates(scheme) && layout == Layout::stored &&
           std::any_of(walls.begin(), walls.end(), [](Wall w) { return w == Wall::open || w == Wall::impedance; });
  }
  [[nodiscard]] const std::vector<std::int32_t>& materials() const {
    return material.empty() ? mesh->region : material;
  }
  [[nodiscard]] std::size_t material_of(LocalIndex element) const {
    return static_cast<std::size_t>(materials()[static_cast<std::size_t>(element)]);
  }
  [[nodiscard]] const Medium& medium_of(LocalIndex element) const { return media[material_of(element)]; }
  [[nodiscard]] Part part_of(LocalIndex element) const { return {element < mesh->border_count, classes.of(element)}; }
};

}  // namespace tetrawave::march
