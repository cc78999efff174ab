// results.h5 and the Touchstone file, assembled from the streams of the marches.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case/spec/case.hpp"
#include "mesh/report/face_shares.hpp"
#include "mesh/report/halo_summary.hpp"
#include "results/far_field/far_field_output.hpp"
#include "results/history/histories.hpp"
#include "results/s_parameters/power_balance.hpp"
#include "results/s_parameters/s_parameters.hpp"

namespace tetrawave::results {

/// Which program ran, and when it began.
struct RunIdentity {
  std::string program = "tetrawave";
  std::string version;
  std::string git_revision;
  std::string backend;    ///< cpu or cuda
  std::string transport;  ///< between the ranks; none for one rank
  std::string started;    ///< ISO 8601, UTC
};

/// What nonlinear updates took; all 0 without Kerr media.
struct KerrSummary {
  double mean_iterations = 0;  ///< per nonlinear element and step
  double most_iterations = 0;
  double largest_eps_r = 0;
};

/// Linear systems of an implicit march, in this session.
struct ImplicitSummary {
  std::int64_t unknowns = 0;
  std::int64_t nonzeros = 0;
  double mean_iterations = 0;  ///< per solution; 0 with the direct solver
  double seconds_assembly = 0;
  double seconds_preprocess = 0;  ///< factors or preconditioner
  double seconds_solve = 0;
  std::int64_t solver_bytes = 0;
};

/// Sizes and times of a run.
struct RunFigures {
  std::int64_t elements = 0;
  std::int64_t dofs = 0;
  std::string mesh_hash;
  double dt_s = 0;
  double smallest_dt_s = 0;                     ///< of the finest class of time steps
  std::vector<std::int64_t> class_elements{0};  ///< elements of each class
  double updates_of_step = 0;                   ///< of unknowns, in a step of the march
  double ideal_gain = 1;                        ///< of the classes, by counting updates
  double predicted_gain = 1;                    ///< over one step for all, with the shorter smallest step
  double measured_gain = 1;
  std::int64_t steps = 0;        ///< of a march, at most
  std::int64_t steps_done = 0;   ///< of all marches so far
  bool complete = true;          ///< every march has reached its end
  double surface_impedance = 1;  ///< of the medium round the far field's surface, relative
  PowerBalance balance;
  std::optional<ImplicitSummary> implicit;  ///< mode fetd
  int ranks = 1;
  int threads = 1;  ///< per rank
  double setup_seconds = 0;
  /// Phases of the set-up, each on the rank that took longest: read (or make), corners, match, check, partition,
  /// redistribute, order, quality, ports, layout (the arrays of the march), step.
  std::vector<std::pair<std::string, double>> setup;
  std::vector<RankHalo> halos;  ///< of all ranks
  Ordering ordering = Ordering::blocks;
  FaceShares shares;
  double march_seconds = 0;
  double steps_per_second = 0;
  OverRanks exchange_exposed;  ///< seconds in which elements waited for traces of other ranks
  OverRanks exchange_hidden;   ///< seconds in which traces travelled beside the update
  double seconds_output = 0;   ///< histories: taken off the device, summed over the ranks and written
  KerrSummary kerr;
  std::int64_t bytes_per_step = 0;
  std::int64_t device_memory_bytes = 0;
  std::int64_t host_memory_bytes = 0;  ///< at most, of the rank that took most
};

/// One march and where its streams are.
struct MarchResult {
  std::string name;                 ///< the driven port with drive: each, else empty
  std::vector<std::size_t> driven;  ///< indices of the ports that were driven
  std::filesystem::path streams;
  EnergyTail energy{};  ///< as seen while it marched
  std::int64_t steps_done = 0;
  bool ended = false;
  bool decayed = false;                     ///< time.energy_decay has ended it, not the last step
  std::vector<FarFieldResult> far_field{};  ///< of a march that is done (rank 0)
};

/// What the source of a port sends in a march, as the case states it: a voltage, of a waveguide a wave in sqrt(W).
using SentWave = std::function<double(double t_s)>;
SentWave sent_by(const Case& given, const MarchResult& march, std::size_t port);

/// What to do, beside a longer run, where energy leaves slowly: central flux does not damp what the mesh cannot
/// resolve, of which mixed-2 has most. Empty for other schemes and spaces.
[[nodiscard]] std::string remedy_of_slow_decay(const Case& given);

/// Writes DIRECTORY/results.h5 (atomically) and, when asked for, DIRECTORY/sparameters.sNp or .ts.
/// While the run goes on (figures.complete is false) `marches` are those begun so far, and no S-parameters are made.
/// Warns where S is not to be trusted (driving spectrum too weak, march too short).
void write_results(const std::filesystem::path& directory, const Case& given, const HistoryPlan& plan,
                   const RunIdentity& identity, const std::string& device, const RunFigures& figures,
                   const std::vector<MarchResult>& marches);

/// Now, as ISO 8601 in UTC.
std::string time_stamp();

}  // namespace tetrawave::results
