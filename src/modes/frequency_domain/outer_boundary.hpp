// An outer boundary whose values the solution determines itself, as mode fe-iiee hands it in
// (modes/fe_iiee/fe_iiee.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fem/clusters/cluster_pairs.hpp"
#include "fem/shared/low_rank_update.hpp"
#include "kernels/pairs/pair_sums.hpp"
#include "modes/frequency_domain/far_field.hpp"
#include "modes/frequency_domain/fast_sweep.hpp"
#include "modes/frequency_domain/record.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// Forecast of the outer iteration, as if the structure were a metal sphere in a plane wave and S a sphere around it.
struct OuterForecast {
  double size = 0;             ///< k times the sphere's radius
  double gap_wavelengths = 0;  ///< from it to S
  double rate = 0;             ///< what a plain iteration leaves of the slowest partial wave's error; exact
  int plain = 0;               ///< iterations to the tolerance; 0: more than a thousand, or it diverges
  int gmres = 0;
};

/// Solves the system of a frequency for further right-hand sides.
struct BoundarySolver {
  fem::SolveSides solve;
  /// The same with columns on a device, to a residual that is enough or once refined; empty without one.
  std::function<fem::LinearFigures(const fem::ResidentColumns<Complex>&, double enough)> solve_resident{};
};

class OuterBoundary {
 public:
  OuterBoundary() = default;
  OuterBoundary(const OuterBoundary&) = delete;
  OuterBoundary& operator=(const OuterBoundary&) = delete;
  virtual ~OuterBoundary() = default;
  /// The way in which its sums over pairs of points are computed.
  [[nodiscard]] virtual kernels::PairMapping mapping() const = 0;
  /// Checks the names of groups in the mesh, before it is distributed. Throws UserError (bad_case).
  virtual void see_slab(const MeshSlab& slab) = 0;
  /// Finds its faces in the mesh. The arguments must outlive it. Throws UserError (bad_case).
  virtual void place(const Model& model, const FrequencySystem& system, const fem::SolverMachine& machine,
                     kernels::PairSums& sums) = 0;
  /// The surface whose currents radiate. To be called after `place`, as the following.
  [[nodiscard]] virtual SurfaceCurrents& inner() = 0;
  /// Number of faces of the outer surface, and of the inner one with its images.
  [[nodiscard]] virtual std::array<std::int64_t, 2> count_faces() const = 0;
  [[nodiscard]] virtual OuterForecast forecast(double hz) const = 0;
  /// The cost expected of the sums of one iteration.
  [[nodiscard]] virtual fem::PairForecast forecast_sums(double hz) const = 0;
  /// A warning if the case asks for an iteration that nearly diverges.
  [[nodiscard]] virtual std::optional<std::string> warning(const OuterForecast& forecast) const = 0;
  /// What `iterate` needs besides solutions: of the system `matrix` driven by `sides`, one of each of `fields`, which
  /// have no unknowns yet. Returns whether a solver with `solve_resident` is left all solutions.
  [[nodiscard]] virtual bool prepare(const FrequencySystem& system, const fem::CsrMatrix<Complex>& matrix,
                                     const std::vector<std::vector<Complex>>& sides,
                                     const std::vector<FieldSolution>& fields) = 0;
  /// From the first-order absorbing condition, whose solutions `fields` are on entry where they are not left to it; on
  /// return those with the boundary values of the last iteration. `solver`: of the system of `prepare`, as are `sides`.
  /// `tolerance`: if it is less than that of the case.
  [[nodiscard]] virtual BoundaryHistory iterate(const FrequencySystem& system, const BoundarySolver& solver,
                                                const std::vector<std::vector<Complex>>& sides,
                                                std::vector<FieldSolution>& fields, double tolerance) = 0;
  /// Its part of the systems of a fast sweep. The arguments must outlive it.
  [[nodiscard]] virtual SweepBoundary sweep(const FrequencySystem& system, const std::vector<double>& hz,
                                            const std::vector<DrivenSet>& sets) = 0;
};

/// Makes the outer boundary of a case.
using OuterBoundaryMaker = std::function<std::unique_ptr<OuterBoundary>(const Case&)>;

}  // namespace tetrawave::modes
