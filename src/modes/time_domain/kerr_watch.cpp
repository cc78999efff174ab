#include "modes/time_domain/kerr_watch.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "model/kerr_media.hpp"

namespace tetrawave::modes {

namespace {

struct Failure {
  std::int64_t step = -1;
  GlobalIndex id = 0;
  std::int32_t region = 0;
  Vec3 centroid_m{};
  double field = 0;
};

Failure failure_of(const march::KerrFigures& figures, const LocalMesh& mesh) {
  if (figures.failed_step < 0) return {};
  const auto e = static_cast<std::size_t>(figures.failed_element);
  Failure failure{figures.failed_step, mesh.global_id[e], mesh.region[e], {}, figures.failed_field};
  for (const Vec3& corner : mesh.corners[e])
    for (std::size_t axis = 0; axis < 3; ++axis) failure.centroid_m[axis] += corner[axis] / 4;
  return failure;
}

}  // namespace

std::optional<KerrReport> watch_kerr(const march::Engine& engine, const march::Problem& problem, std::int64_t steps,
                                     double dt_s, const comm::Communicator& ranks) {
  if (!has_kerr(problem)) return {};
  const march::KerrFigures mine = engine.kerr_figures().value_or(march::KerrFigures{});
  const Failure failure = failure_of(mine, *problem.mesh);
  for (const Failure& f : ranks.all_gather(std::span<const Failure>(&failure, 1)))
    if (f.step >= 0)
      fail(ExitCode::unstable,
           "no convergence at step {} (t = {:.6g} s): the nonlinear update of element {} at ({:.6g}, {:.6g}, {:.6g}) "
           "m in region '{}', |E| up to {:.4g} V/m, has not reached method.kerr.tolerance {:.3g} in {} iterations: "
           "{}raise max_iterations or lower the time step",
           f.step, static_cast<double>(f.step) * dt_s, f.id, f.centroid_m[0], f.centroid_m[1], f.centroid_m[2],
           problem.mesh->region_names[static_cast<std::size_t>(f.region)], f.field, problem.kerr.tolerance,
           problem.kerr.max_iterations, problem.kerr.newton ? "" : "use iteration: newton, ");
  const double updates = ranks.sum(mine.updates) * static_cast<double>(std::max<std::int64_t>(steps, 1));
  return KerrReport{ranks.sum(mine.iterations) / updates, ranks.max(mine.most), ranks.max(mine.largest_eps_r), steps};
}

KerrReport both(const KerrReport& first, const KerrReport& second) {
  const auto steps = std::max<std::int64_t>(first.steps + second.steps, 1);
  return {(first.mean_iterations * static_cast<double>(first.steps) +
           second.mean_iterations * static_cast<double>(second.steps)) /
              static_cast<double>(steps),
          std::max(first.most_iterations, second.most_iterations), std::max(first.largest_eps_r, second.largest_eps_r),
          first.steps + second.steps};
}

}  // namespace tetrawave::modes
