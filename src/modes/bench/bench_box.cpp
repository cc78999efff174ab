#include "modes/bench/bench_box.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "basis/reference_element.hpp"
#include "mesh/connect/build_mesh.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/report/mesh_summary.hpp"
#include "schemes/stored/matrices.hpp"

namespace tetrawave::modes {

namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 22;

/// A number in [-1, 1] from the id of an element and a dof.
double random_value(GlobalIndex element, std::size_t dof) {
  auto x = static_cast<std::uint64_t>(element) * 0x9e3779b97f4a7c15u + dof + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

std::vector<double> random_dofs(const LocalMesh& mesh, std::size_t dofs, std::size_t seed) {
  std::vector<double> values;
  values.reserve(mesh.global_id.size() * dofs);
  for (const GlobalIndex id : mesh.global_id)
    for (std::size_t i = 0; i < dofs; ++i) values.push_back(random_value(id, seed * dofs + i));
  return values;
}

double seconds_of(const std::function<void(std::int64_t)>& work, std::int64_t count, const comm::Communicator& ranks) {
  ranks.barrier();
  const auto begin = std::chrono::steady_clock::now();
  work(count);
  return ranks.max(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace

BenchBox::BenchBox(std::int64_t elements, Ordering ordering, int threads, const comm::Communicator& ranks) {
  BoxMesh box;
  const auto cells = std::max<std::int64_t>(1, std::llround(std::cbrt(static_cast<double>(elements) / 6)));
  box.size_m = {1, 1, 1};
  box.cells = {cells, cells, cells};
  box.jitter = 0.2;
  MeshSlab slab = make_box_slab(box, ranks.rank(), ranks.size());
  FaceTags tags;
  tags.of_group.assign(slab.group_names.size(), 0);
  tags.names = {"walls"};
  tags.allowed_inside = {false};
  mesh_ = build_local_mesh(std::move(slab), tags, ranks, {ordering, threads});
  smallest_radius_m_ = smallest_inradius_m(mesh_, ranks);
}

march::Problem BenchBox::problem(const BenchMethod& method) const {
  march::Problem problem;
  problem.mesh = &mesh_;
  problem.scheme = method.scheme;
  problem.space = method.space;
  problem.layout = method.layout;
  problem.penalty = method.penalty;
  problem.media = {Medium{}};
  problem.walls = {march::Wall::electric};
  return problem;
}

double smallest_inradius_m(const LocalMesh& mesh, const comm::Communicator& ranks) {
  double radius = std::numeric_limits<double>::max();
  for (const auto& corners : mesh.corners) radius = std::min(radius, measure_element(corners).inradius_m);
  return ranks.min(radius);
}

march::Start bench_start(const LocalMesh& mesh, double smallest_radius_m, Space space) {
  march::Start start;
  start.dt_m = 0.2 * smallest_radius_m;
  start.steps = most_steps;
  const std::size_t dofs = basis::reference_element(space).dofs;
  start.electric = random_dofs(mesh, dofs, 0);
  start.magnetic = random_dofs(mesh, dofs, 1);
  return start;
}

StepTime time_batches(double seconds, std::int64_t unit, const std::function<void(std::int64_t)>& work,
                      const comm::Communicator& ranks) {
  constexpr int batches = 7;
  work(unit);  // warms up
  std::int64_t count = unit;
  double once = seconds_of(work, count, ranks);
  while (once < 0.2 * seconds / batches && count < most_steps / 16) {
    count *= 2;
    once = seconds_of(work, count, ranks);
  }
  const double per_unit = once / static_cast<double>(count / unit);
  count = std::max<std::int64_t>(1, std::llround(seconds / batches / per_unit)) * unit;
  std::vector<double> times;
  for (int k = 0; k < batches; ++k) times.push_back(seconds_of(work, count, ranks) / static_cast<double>(count));
  std::sort(times.begin(), times.end());
  return {times[batches / 2], times.front(), times.back(), batches * count};
}

StepTime time_steps(march::Engine& engine, double seconds, std::int64_t unit, const comm::Communicator& ranks) {
  std::int64_t taken = 0;
  const auto work = [&](std::int64_t steps) {
    taken += steps;
    ensure(taken < most_steps, "a measurement ends before its march");
    engine.advance(steps);
    engine.synchronize();
  };
  StepTime time = time_batches(seconds, unit, work, ranks);
  const march::ExchangeSeconds exchange = engine.exchange_seconds();
  time.exposed = ranks.max(exchange.exposed / static_cast<double>(taken));
  time.hidden = ranks.max(exchange.hidden / static_cast<double>(taken));
  ensure(std::isfinite(engine.present_energy()), "the fields of a timed march are finite");
  return time;
}

std::int64_t stored_bytes_of_element(Scheme scheme, Space space, Precision precision) {
  const std::int64_t entries = march::stored_shape(scheme, space).entries();
  return 2 * entries * (precision == Precision::single_precision ? 4 : 8);
}

}  // namespace tetrawave::modes
