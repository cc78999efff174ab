// How much memory a march takes, from the sizes of a rank's problem, before any of it is allocated.
//
// The formulas follow the arrays of march.hpp, element_system.hpp, recorder.hpp, stable_step.hpp and of the
// schemes' marches; a test holds them to what is allocated.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "march/interface/problem.hpp"
#include "schemes/leap_frog/wall_corrections.hpp"

namespace tetrawave::march {

/// Elements of one dispersive region and part, as a march of one field lists them (pole_lists.hpp).
struct PoleGroup {
  std::int64_t elements = 0;
  std::int64_t vectors = 0;    ///< fields that go with each from the beginning
  std::int64_t memory = 0;     ///< likewise from the start of a march: memories of terms, their registers, matrices
  std::int64_t constants = 0;  ///< of the medium
  bool any = false;
  std::int64_t shape = 0;  ///< numbers that go with each from the beginning
  std::int64_t made = 0;   ///< fields that pass through the host with each as a march starts
  std::int64_t given = 0;  ///< likewise from given fields
};

/// Faces of elements of one class of time steps that are shared with one other rank.
struct SharedFaces {
  std::int64_t sent = 0;      ///< of own elements
  std::int64_t received = 0;  ///< of the other rank's
};

/// What the memory of one rank depends on. Lists by part have border elements of each class of time steps, then inner
/// ones.
struct ProblemCounts {
  Scheme scheme = Scheme::dgtd_central;
  Space space = Space::full_1;
  Layout layout = Layout::factored;
  std::int64_t border = 0;                      ///< elements
  std::int64_t inner = 0;                       ///< elements
  std::vector<std::int64_t> block_groups{};     ///< elements that begin with a block of their own: a part, a medium
  std::vector<SharedFaces> shared{};            ///< by other rank and class
  std::map<int, std::int64_t> shared_blocks{};  ///< by lanes of a block: blocks of geometry, where they are shared
  int step_classes = 1;
  std::int64_t wave_tables = 1;                   ///< of a field: one for every substep of every class
  std::int64_t substeps = 1;                      ///< of the smallest class
  std::int64_t classes = 0;                       ///< of material, padding included
  bool axes = false;                              ///< whether E and H have metrics of their own
  bool has_layers = false;                        ///< whether there are absorbing layers, on any rank
  bool published = false;                         ///< whether a medium has published terms of dispersion
  std::array<std::vector<WallGroup>, 2> walls{};  ///< of E, H: lists of wall_corrections.hpp, if made
  std::array<std::vector<WallGroup>, 2>
      timeless{};  ///< likewise of those with dt = 0, which the search of the stable step holds
  std::vector<std::array<std::int64_t, 4>> driven{};  ///< by part: elements with 1, 2, 3, 4 driven faces
  std::array<std::vector<std::int64_t>, 2> kept{};    ///< of E, H, by part: elements of schemes/stored/lists.hpp
  std::vector<std::int64_t> conductors{};             ///< faces of the groups of schemes/upwind/conductors.hpp
  std::int64_t conductor_branches = 0;
  std::vector<PoleGroup> poles{};
  std::vector<std::int64_t> kerr{};  ///< elements of the lists of schemes/central/kerr.hpp
  std::int64_t functionals = 0;      ///< electric and magnetic
  std::int64_t items = 0;            ///< of all functionals
  std::int64_t rates = 0;            ///< functionals of the rate of H, where they are recorded
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
  std::vector<std::array<std::int64_t, 2>> braked{};  ///< of these, in lists with brakes
  std::array<std::int64_t, 2> curl_sections{};        ///< of their curls, in DFDD-ELD
  std::int64_t steps = 0;
  std::int64_t source_terms = 0;  ///< of E and of H (terms/sources/source_lists.hpp), an element for each at most
  std::int64_t source_waves = 0;
  std::int64_t spectral_faces = 0;
  std::int64_t spectral_frequencies = 0;  ///< of their sums
  std::int64_t all_elements = 0;          ///< of all ranks
  std::int64_t law_energies = 0;          ///< fields with energies of terms, of some rank (law_energy.hpp)
  bool energy = false;                    ///< recorded energies need an earlier field
  std::int64_t listed = 0;                ///< elements whose fields are handed out
  bool snapshots = false;
  std::int64_t frequencies = 0;  ///< of their sums
  [[nodiscard]] std::int64_t elements() const { return border + inner; }
};

/// How a backend lays out memory.
struct BackendTraits {
  int lanes_double = 8;
  int lanes_single = 16;
  bool on_host = true;  ///< device memory is this host's
};

/// Bytes of one rank. In DGTD-Upwind the table of face_coefficients is left out: 64 numbers or fewer in most cases.
struct DevicePlan {
  std::int64_t elements = 0;     ///< metric, connections, sums, what a scheme holds of each
  std::int64_t fields = 0;       ///< of all levels, with polarisations and coefficients
  std::int64_t matrices = 0;     ///< of the stored layout
  std::int64_t ghosts = 0;       ///< lists of shared faces and messages
  std::int64_t walls = 0;        ///< implicit walls, driven faces, tables of waves and of phases
  std::int64_t recorder = 0;     ///< with the fields that are handed out
  std::int64_t late = 0;         ///< of these, what is only made when a march starts
  std::int64_t start = 0;        ///< besides, while a march starts
  std::int64_t stable_step = 0;  ///< besides, while it is sought, before anything of `late` is made

  /// While it marches.
  [[nodiscard]] std::int64_t march() const { return elements + fields + matrices + ghosts + walls + recorder; }
  /// At most, at any time.
  [[nodiscard]] std::int64_t peak() const;
};

/// `steps` of the march, with `waves` ports (driven or not) at open walls, for backends with these lanes.
ProblemCounts count_problem(const Problem& problem, std::int64_t waves, std::int64_t steps,
                            const BackendTraits& traits);

DevicePlan plan_device(const ProblemCounts& counts, Precision precision, const BackendTraits& traits);

/// Bytes of host memory besides those of DevicePlan, the mesh and its set-up, at the worst time of each phase.
struct HostPlan {
  std::int64_t stable_step = 0;
  std::int64_t start = 0;       ///< initial fields, walls and waves on their way to the device
  std::int64_t checkpoint = 0;  ///< one field on its way to a file
  std::int64_t recorder = 0;    ///< recorded rows on their way to a file
};
HostPlan plan_host(const ProblemCounts& counts, Precision precision, const BackendTraits& traits, bool initial_fields);

/// Bytes of the functionals of a Problem.
std::int64_t bytes_of_functionals(const ProblemCounts& counts);

/// Throws UserError (out_of_memory) with figures and what to do when the plan is above the `free` bytes of `device`.
void check_memory(const DevicePlan& plan, const ProblemCounts& counts, Precision precision, std::int64_t free,
                  const std::string& device);

}  // namespace tetrawave::march
