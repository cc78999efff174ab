#include "modes/fe_iiee/fe_iiee.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/constants.hpp"
#include "base/stopwatch.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "modes/fe_iiee/boundary_iteration.hpp"
#include "modes/fe_iiee/integral_boundary.hpp"
#include "modes/fe_iiee/outer_forecast.hpp"

namespace tetrawave::modes {

namespace {

class IntegralOuterBoundary final : public OuterBoundary {
 public:
  explicit IntegralOuterBoundary(IieeSpec spec) : spec_(std::move(spec)) {}

  [[nodiscard]] kernels::PairMapping mapping() const override {
    kernels::PairMapping mapping;
    mapping.is_papers = spec_.papers_kernel;
    mapping.clusters = cluster_choice(spec_);
    return mapping;
  }
  void see_slab(const MeshSlab& slab) override { inner_faces_ = find_inner_faces(spec_, slab); }
  void place(const Model& model, const FrequencySystem& system, const fem::SolverMachine& machine,
             kernels::PairSums& sums) override {
    boundary_.emplace(model, system, std::move(inner_faces_), machine.threads, sums);
    machine_ = machine;
  }
  [[nodiscard]] SurfaceCurrents& inner() override { return boundary_->inner(); }
  [[nodiscard]] std::array<std::int64_t, 2> count_faces() const override { return boundary_->count_faces(); }
  [[nodiscard]] OuterForecast forecast(double hz) const override {
    const BoundaryExtent extent = boundary_->extent(hz);
    return forecast_outer_iteration(extent.wave_number * extent.radius_m, extent.wave_number * extent.gap_m / (2 * pi),
                                    spec_.tolerance);
  }
  [[nodiscard]] fem::PairForecast forecast_sums(double hz) const override { return boundary_->forecast_sums(hz); }
  [[nodiscard]] std::optional<std::string> warning(const OuterForecast& forecast) const override {
    return warning_of(forecast, spec_);
  }
  [[nodiscard]] bool prepare(const FrequencySystem& system, const fem::CsrMatrix<Complex>& matrix,
                             const std::vector<std::vector<Complex>>& sides,
                             const std::vector<FieldSolution>& fields) override {
    Stopwatch watch;
    boundary_->set_frequency(fields.front().hz);
    const bool has_factors = machine_.factor_device != nullptr || fem::has_direct_solver();
    if (!device_ && machine_.iteration_device && has_factors)
      device_ = machine_.iteration_device->make_boundary(boundary_->matrices(system, machine_.factor_device));
    if (device_) prepare_device(*boundary_, matrix, sides, fields, *device_);
    seconds_ = watch.lap();
    return device_ != nullptr;
  }
  [[nodiscard]] BoundaryHistory iterate(const FrequencySystem& system, const BoundarySolver& solver,
                                        const std::vector<std::vector<Complex>>& sides,
                                        std::vector<FieldSolution>& fields, double tolerance) override {
    IieeSpec spec = spec_;
    spec.tolerance = std::min(spec.tolerance, tolerance);
    BoundaryHistory history =
        iterate_boundary(spec, system, *boundary_, solver, device_, sides, fields, machine_.threads);
    history.seconds += seconds_;
    return history;
  }

  [[nodiscard]] SweepBoundary sweep(const FrequencySystem& system, const std::vector<double>& hz,
                                    const std::vector<DrivenSet>& sets) override {
    return sweep_boundary(system, *boundary_, hz, sets);
  }

 private:
  IieeSpec spec_;
  std::vector<std::array<GlobalIndex, 3>> inner_faces_;
  std::optional<IntegralBoundary> boundary_;
  fem::SolverMachine machine_{1};
  std::shared_ptr<fem::ResidentBoundary> device_;  ///< from the first frequency on, where a device iterates
  double seconds_ = 0;                             ///< of `prepare`
};

}  // namespace

std::unique_ptr<OuterBoundary> make_integral_boundary(const Case& given) {
  return std::make_unique<IntegralOuterBoundary>(given.iiee);
}

}  // namespace tetrawave::modes
