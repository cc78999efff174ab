// The results and figures of one frequency, and their transfer to rank 0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fem/shared/shared_solver.hpp"
#include "kernels/pairs/pair_sums.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// Where the time of one outer iteration goes.
struct IterationSeconds {
  double solve = 0;
  double sums = 0;      ///< over pairs of points, without
  double transfer = 0;  ///< to and from a GPU
  double rest = 0;      ///< currents, moments, the outer iteration's own products
};

/// The course of the outer iteration of mode fe-iiee at one frequency.
struct BoundaryHistory {
  std::vector<double> changes;  ///< of the boundary values by each iteration, over their size, the largest of all sets
  bool converged = true;        ///< whether the last of them is within iiee.tolerance
  double seconds = 0;           ///< of the integral equation: currents, sums, moments, outer iteration
  double seconds_sums = 0;      ///< of these the sums over pairs of points
  double seconds_solve = 0;
  std::vector<IterationSeconds> parts;  ///< of each iteration
  kernels::ClusterReport clusters;
  double pairs = 0;                      ///< of points that radiated to each other
  std::vector<std::int64_t> iterations;  ///< of the linear solver, per set
  std::vector<double> residual;          ///< of the last solution, per set
};

/// Results and figures of one frequency, per driven set.
struct FrequencyRecord {
  double hz = 0;
  std::vector<std::int64_t> iterations;
  std::vector<double> residual;
  std::vector<std::vector<double>> history;  ///< residuals over iterations; empty with a direct solver
  std::vector<std::int64_t> stride;          ///< iterations between these
  bool made_preconditioner = true;           ///< else that of another frequency has served
  double seconds_assembly = 0;
  double seconds_preprocess = 0;
  double seconds_solve = 0;
  std::vector<std::vector<PortPhasors>> ports;
  std::vector<std::vector<std::array<Complex, 6>>> probes;  ///< E, H
  std::vector<double> lost_w;                               ///< in media and walls; NaN where it is not asked for
  BoundaryHistory boundary;                                 ///< fe-iiee
  bool solved = true;                                       ///< else from the reduced model of a fast sweep
  double error = 0;                                         ///< of the model, estimated
};

/// The shares of ranks in systems that they share out, per rank; on rank 0.
struct SharedReport {
  std::vector<fem::RankShareFigures> shares;
  std::vector<fem::SharedSeconds> seconds;  ///< of all iterations
  std::vector<std::int64_t> memory_bytes;   ///< peak, resident
};

/// For the log: the largest share, and the parts of the time of an iteration.
[[nodiscard]] std::string describe(const SharedReport& report, const std::vector<FrequencyRecord>& records);

/// Numbers that ranks send to rank 0.
using Numbers = std::vector<double>;

void put(Numbers& to, const FrequencyRecord& record);
/// The records appended by `put`.
[[nodiscard]] std::vector<FrequencyRecord> take_records(const Numbers& from, std::size_t sets, std::size_t ports,
                                                        std::size_t probes);

/// Stores iterations, residuals and times of a solver in a record.
void keep_figures(const fem::LinearFigures& figures, FrequencyRecord& record);
/// Frequency, iterations, residual and seconds, for the log.
[[nodiscard]] std::string describe(const FrequencyRecord& record);

}  // namespace tetrawave::modes
