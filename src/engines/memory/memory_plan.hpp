// Memory of a run, from the sizes of a rank's problem, before any of it is allocated.
//
// The formulas follow the arrays of march.hpp, element_system.hpp, recorder.hpp, stable_step.hpp and of the schemes; a
// test compares them with the actual allocations.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "march/interface/problem.hpp"
#include "schemes/leap_frog/elements/wall_corrections.hpp"

namespace tetrawave::march {

/// Elements of one dispersive region and part, as listed for one field (terms/dispersion/device/law_on_device.hpp).
struct PoleGroup {
  std::int64_t elements = 0;
  std::int64_t vectors = 0;    ///< fields per element, permanently
  std::int64_t memory = 0;     ///< fields from the start of a run: states of terms, their registers, matrices
  std::int64_t constants = 0;  ///< of the medium
  bool any = false;
  std::int64_t shape = 0;  ///< numbers per element, permanently
  std::int64_t made = 0;   ///< fields per element that pass through the host at the start of a run
  std::int64_t given = 0;  ///< the same for given fields
};

/// Faces of elements of one LTS level that are shared with one other rank.
struct SharedFaces {
  std::int64_t sent = 0;      ///< of own elements
  std::int64_t received = 0;  ///< of the other rank's
};

/// The sizes that determine the memory of one rank. Lists by part have border elements of each LTS level, then inner
/// ones.
struct ProblemCounts {
  Scheme scheme = Scheme::dgtd_central;
  Space space = Space::full_1;
  Layout layout = Layout::factored;
  std::int64_t border = 0;                      ///< elements
  std::int64_t inner = 0;                       ///< elements
  std::vector<std::int64_t> block_groups{};     ///< elements that start a block of their own: a part, a medium
  std::vector<SharedFaces> shared{};            ///< by other rank and level
  std::map<int, std::int64_t> shared_blocks{};  ///< by lanes of a block: blocks of geometry, if they are shared
  int step_classes = 1;
  std::int64_t wave_tables = 1;                   ///< of a field: one for every substep of every level
  std::int64_t substeps = 1;                      ///< of the finest level
  std::int64_t classes = 0;                       ///< of material, padding included
  bool axes = false;                              ///< whether E and H have separate metrics
  bool has_layers = false;                        ///< whether there are absorbing layers, on any rank
  bool published = false;                         ///< whether a medium uses published recursive convolutions
  std::array<std::vector<WallGroup>, 2> walls{};  ///< for E, H: lists of wall_corrections.hpp, if any
  std::array<std::vector<WallGroup>, 2>
      timeless{};  ///< the same with dt = 0, held during the search for the stable step
  std::vector<std::array<std::int64_t, 4>> driven{};  ///< by part: elements with 1, 2, 3, 4 driven faces
  std::array<std::vector<std::int64_t>, 2> kept{};    ///< for E, H, by part: elements of schemes/stored/lists.hpp
  std::vector<std::int64_t> conductors{};             ///< faces of the groups of schemes/upwind/conductors.hpp
  std::int64_t conductor_branches = 0;
  std::vector<PoleGroup> poles{};
  std::vector<std::int64_t> kerr{};  ///< elements of the lists of schemes/central/kerr.hpp
  std::int64_t functionals = 0;      ///< electric and magnetic, with elements on this rank
  std::int64_t all_functionals = 0;  ///< of all ranks
  std::int64_t items = 0;            ///< of all functionals
  std::int64_t rates = 0;            ///< functionals of the rate of H, if recorded
  std::int64_t rate_items = 0;
  std::int64_t memories = 0;                          ///< ports with memory
  std::int64_t memory_items = 0;                      ///< of their functionals
  std::int64_t memory_terms = 0;                      ///< exponentials of each
  std::int64_t waves = 0;                             ///< driven ports
  std::int64_t terminations = 0;                      ///< ports of one mode
  std::int64_t termination_items = 0;                 ///< of their voltages
  std::int64_t termination_elements = 0;              ///< of this rank at their faces
  std::int64_t termination_walls = 0;                 ///< faces of these in lists of walls of E, in DFDD-ELD of H too
  std::int64_t termination_traces = 0;                ///< DFDD-ELD: dofs of H at their faces
  std::int64_t modal_memories = 0;                    ///< those with dispersion
  std::int64_t modal_terms = 0;                       ///< exponentials of all of these
  bool holds_metal = false;                           ///< whether given fields are held at zero there, in a copy
  std::vector<std::array<std::int64_t, 2>> layers{};  ///< by part: elements of layers with 1, 2 states
  std::vector<std::array<std::int64_t, 2>> braked{};  ///< of these, in lists with damping
  std::array<std::int64_t, 2> curl_sections{};        ///< of their curls, in DFDD-ELD
  std::int64_t steps = 0;
  std::int64_t source_terms = 0;  ///< of E and H (terms/sources/device/source_lists.hpp), at most one element for each
  std::int64_t source_waves = 0;
  std::int64_t spectral_faces = 0;
  std::int64_t spectral_frequencies = 0;  ///< of their sums
  std::int64_t all_elements = 0;          ///< of all ranks
  std::int64_t law_energies = 0;          ///< fields with energies of terms, on any rank (law_energy.hpp)
  bool energy = false;                    ///< recorded energies need a previous field
  bool jumps = false;                     ///< the energy of jumps is summed
  std::int64_t listed = 0;                ///< elements whose fields are output
  bool snapshots = false;
  std::int64_t frequencies = 0;  ///< of their sums
  [[nodiscard]] std::int64_t elements() const { return border + inner; }
};

/// Memory layout of a backend.
struct BackendTraits {
  int lanes_double = 8;
  int lanes_single = 16;
  bool on_host = true;  ///< device memory is host memory
};

/// Bytes on one rank. In DGTD-Upwind the table of face_coefficients is left out: at most 64 numbers in most cases.
struct DevicePlan {
  std::int64_t elements = 0;     ///< metric, connections, sums, arrays of the scheme per element
  std::int64_t fields = 0;       ///< of all levels, with polarisations and coefficients
  std::int64_t matrices = 0;     ///< of the stored layout
  std::int64_t ghosts = 0;       ///< lists of shared faces and messages
  std::int64_t walls = 0;        ///< implicit walls, driven faces, tables of waves and of phases
  std::int64_t recorder = 0;     ///< with the fields that are output
  std::int64_t late = 0;         ///< of these, allocated at the start of a run
  std::int64_t start = 0;        ///< in addition, during the start of a run
  std::int64_t stable_step = 0;  ///< in addition, during its computation, before anything of `late` is allocated

  /// During time stepping.
  [[nodiscard]] std::int64_t march() const { return elements + fields + matrices + ghosts + walls + recorder; }
  /// Peak at any time.
  [[nodiscard]] std::int64_t peak() const;
};

/// `steps` of the run, with `waves` ports (driven or not) at open walls, for backends with these lanes.
ProblemCounts count_problem(const Problem& problem, std::int64_t waves, std::int64_t steps,
                            const BackendTraits& traits);

DevicePlan plan_device(const ProblemCounts& counts, Precision precision, const BackendTraits& traits);

/// Bytes of host memory in addition to those of DevicePlan, the mesh and its set-up, at the peak of each phase.
struct HostPlan {
  std::int64_t stable_step = 0;
  std::int64_t start = 0;       ///< initial fields, walls and waves during transfer to the device
  std::int64_t checkpoint = 0;  ///< one field during transfer to a file
  std::int64_t recorder = 0;    ///< recorded rows during transfer to a file
};
HostPlan plan_host(const ProblemCounts& counts, Precision precision, const BackendTraits& traits, bool initial_fields);

/// Bytes of the functionals of a Problem.
std::int64_t bytes_of_functionals(const ProblemCounts& counts);

/// Throws UserError (out_of_memory) with figures and a remedy if the plan exceeds the `free` bytes of `device`.
void check_memory(const DevicePlan& plan, const ProblemCounts& counts, Precision precision, std::int64_t free,
                  const std::string& device);

}  // namespace tetrawave::march
