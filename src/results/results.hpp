// results.h5 and the Touchstone file, assembled from the streams of the runs.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "march/interface/action.hpp"
#include "mesh/report/face_shares.hpp"
#include "mesh/report/halo_summary.hpp"
#include "results/ports/power_balance.hpp"
#include "results/request/request.hpp"
#include "results/s_parameters/march_result.hpp"

namespace tetrawave::results {

/// Attributes of /performance for what steps spend their time on (march::Share, but for the rest).
inline constexpr std::array share_seconds{"seconds_volume_surface", "seconds_dispersion", "seconds_nonlinear",
                                          "seconds_layers",         "seconds_walls",      "seconds_ports",
                                          "seconds_sources"};
static_assert(share_seconds.size() + 1 == march::share_count);

/// The program and the start time.
struct RunIdentity {
  std::string program = "tetrawave";
  std::string version;
  std::string git_revision;
  std::string backend;    ///< cpu or cuda
  std::string transport;  ///< between the ranks; none for one rank
  std::string started;    ///< ISO 8601, UTC
};

/// Statistics of nonlinear updates; all 0 without Kerr media.
struct KerrSummary {
  double mean_iterations = 0;  ///< per nonlinear element and step
  double most_iterations = 0;
  double largest_eps_r = 0;
};

/// Linear systems of mode fetd, in this session.
struct ImplicitSummary {
  std::int64_t unknowns = 0;
  std::int64_t nonzeros = 0;
  double mean_iterations = 0;  ///< per solution; 0 with the direct solver
  double seconds_assembly = 0;
  double seconds_preprocess = 0;  ///< factors or preconditioner
  double seconds_solve = 0;
  double seconds_side = 0;    ///< right-hand sides
  double seconds_fields = 0;  ///< E and H from the solutions
  std::int64_t solver_bytes = 0;
  std::int64_t step_bytes = 0;  ///< other matrices and vectors of a step
};

/// For the gain of LTS: a step of the same march without it.
struct SingleStep {
  double dt_s = 0;
  double seconds = 0;  ///< that it takes, on the slowest rank, with fields of zero
};

/// Sizes and times of a run.
struct RunFigures {
  std::int64_t elements = 0;
  std::int64_t dofs = 0;
  std::string mesh_hash;
  double dt_s = 0;
  double smallest_dt_s = 0;                     ///< of the finest LTS level
  std::vector<std::int64_t> class_elements{0};  ///< elements on each level
  double updates_of_step = 0;                   ///< of unknowns, in a step of the time loop
  double ideal_gain = 1;                        ///< of LTS, by counting updates
  double predicted_gain = 1;                    ///< over a single step, with the shorter smallest step
  double measured_gain = 1;                     ///< of the whole march over one without LTS
  SingleStep single;
  std::int64_t steps = 0;        ///< of a run, at most
  std::int64_t steps_done = 0;   ///< of all runs so far
  bool complete = true;          ///< every run has reached its end
  double surface_impedance = 1;  ///< of the medium around the far field's surface, relative
  PowerBalance balance;
  std::optional<ImplicitSummary> implicit;  ///< mode fetd
  int ranks = 1;
  int threads = 1;  ///< per rank
  double setup_seconds = 0;
  /// Phases of the set-up, each on the slowest rank: read (or make), corners, match, check, partition, redistribute,
  /// order, quality, ports, layout (the arrays of the engine), step.
  std::vector<std::pair<std::string, double>> setup;
  std::vector<RankHalo> halos;  ///< of all ranks
  Ordering ordering = Ordering::blocks;
  FaceShares shares;
  double march_seconds = 0;
  double steps_per_second = 0;
  OverRanks exchange_exposed;  ///< seconds in which elements waited for traces of other ranks
  OverRanks exchange_hidden;   ///< seconds in which the transfer of traces overlapped with the update
  std::array<OverRanks, march::share_count>
      actions{};              ///< seconds by what actions of steps are for; negative: not timed
  double seconds_output = 0;  ///< histories: copied from the device, summed over the ranks and written
  KerrSummary kerr;
  std::int64_t bytes_per_step = 0;
  std::int64_t device_memory_bytes = 0;
  std::int64_t host_memory_bytes = 0;  ///< peak, on the rank with the largest
};

/// The outputs that the case asks for, and the names of its methods.
struct ResultRequest {
  const std::string& resolved_yaml;
  std::string mode, scheme, space, layout, precision;  ///< as written in case files
  bool has_dispersion = false;
  bool has_kerr = false;
  bool has_rates = false;   ///< DFDD-ELD without LTS: the energy of rates
  bool sums_jumps = false;  ///< DGTD-Upwind: the energy of jumps
  std::string end_rule;     ///< the key that ends a run, unless its energy decays
  const OutputRequests& outputs;
  PortRequest ports;
};

/// Writes DIRECTORY/results.h5 (atomically) and, if requested, DIRECTORY/sparameters.sNp or .ts. During the session
/// (figures.complete is false) `marches` are the runs started so far, and no S-parameters are computed. Warns where S
/// is unreliable (driving spectrum too weak, run too short).
void write_results(const std::filesystem::path& directory, const ResultRequest& request, const HistoryPlan& plan,
                   const RunIdentity& identity, const std::string& device, const RunFigures& figures,
                   const std::vector<MarchResult>& marches);

/// The present time, as ISO 8601 in UTC.
std::string time_stamp();

}  // namespace tetrawave::results
