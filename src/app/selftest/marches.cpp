// Checks by time stepping: a jittered box with PEC walls.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "app/selftest/selftest.hpp"
#include "base/constants.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "modes/bench/bench_box.hpp"
#include "sources/initial_fields.hpp"

namespace tetrawave::app {

namespace {

using modes::BenchBox;
using modes::BenchMethod;

constexpr std::int64_t small_box = 6 * 4 * 4 * 4;
constexpr std::int64_t steps = 16;

/// E and H of the elements of this rank after some steps.
using BothFields = std::array<std::vector<double>, 2>;

BothFields march(const ChosenBackend& backend, const BenchBox& box, const BenchMethod& method,
                 const comm::Communicator& ranks) {
  const march::Problem problem = box.problem(method);
  march::EngineOptions options;
  options.precision = method.precision;
  const auto engine = backend.make_engine(problem, options, ranks);
  engine->start(box.start(method.space));
  engine->advance(steps);
  return {engine->field(march::Field::electric), engine->field(march::Field::magnetic)};
}

/// max |a - b| / max |b| over all ranks.
double difference(const BothFields& a, const BothFields& b, const comm::Communicator& ranks) {
  double most = 0;
  double size = 0;
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t i = 0; i < b[f].size(); ++i) {
      const double apart = std::abs(a[f][i] - b[f][i]);
      most = apart <= most ? most : (std::isfinite(apart) ? apart : HUGE_VAL);
      size = std::max(size, std::abs(b[f][i]));
    }
  return ranks.max(most) / ranks.max(size);
}

/// Every scheme in both layouts, which share no table, and on both backends.
void check_schemes(SelfTestTable& table, const ChosenBackend& backend, const ChosenBackend* other,
                   const BenchBox& box) {
  constexpr double most = 1e-12;
  const comm::Communicator& ranks = table.ranks();
  for (const auto& [name, scheme] : scheme_names()) {
    const BenchMethod factored{scheme, Space::full_1, Layout::factored, Precision::double_precision};
    const BenchMethod stored{scheme, Space::full_1, Layout::stored, Precision::double_precision};
    table.check(name + " " + backend.name, [&] {
      const BothFields fields = march(backend, box, factored, ranks);
      const double layouts = difference(march(backend, box, stored, ranks), fields, ranks);
      expect(layouts < most, "after {} steps the layouts differ by {:.2g} of the fields", steps, layouts);
      if (other == nullptr) return tetrawave::format("layouts agree to {:.1g}", layouts);
      const double backends = difference(fields, march(*other, box, factored, ranks), ranks);
      expect(backends < most, "after {} steps {} and {} differ by {:.2g} of the fields", steps, backend.name,
             other->name, backends);
      return tetrawave::format("layouts agree to {:.1g}, {} and {} to {:.1g}", layouts, backend.name, other->name,
                               backends);
    });
  }
}

/// Dofs of this rank's elements, extracted from those of a whole mesh.
std::vector<double> pick(const std::vector<double>& all, const LocalMesh& whole, const LocalMesh& part,
                         std::size_t dofs) {
  std::unordered_map<GlobalIndex, std::size_t> place;
  for (std::size_t e = 0; e < whole.global_id.size(); ++e) place[whole.global_id[e]] = e;
  std::vector<double> picked;
  for (const GlobalIndex id : part.global_id)
    for (std::size_t i = 0; i < dofs; ++i) picked.push_back(all[place.at(id) * dofs + i]);
  return picked;
}

std::string check_ranks(const ChosenBackend& backend, const BenchBox& box, const comm::Communicator& ranks) {
  const auto self = comm::Communicator::self();
  const BenchBox whole(small_box, Ordering::blocks, 1, self);
  const BenchMethod method;
  const BothFields found = march(backend, box, method, ranks);
  BothFields expected = march(backend, whole, method, self);
  for (auto& field : expected)
    field = pick(field, whole.mesh(), box.mesh(), basis::reference_element(method.space).dofs);
  const double apart = difference(found, expected, ranks);
  expect(apart == 0, "{} ranks differ from one by {:.2g} of the fields", ranks.size(), apart);
  return tetrawave::format("{} ranks give the same fields as one, bit for bit, over {}", ranks.size(),
                           backend.transport);
}

/// The conserved energy of DGTD-Central in a closed box of vacuum.
std::string check_energy(const ChosenBackend& backend, const BenchBox& box, const comm::Communicator& ranks) {
  constexpr double most = 1e-12;
  const BenchMethod method;
  march::Problem problem = box.problem(method);
  problem.energy_every = 10;
  const auto engine = backend.make_engine(problem, {}, ranks);
  engine->start(box.start(method.space));
  engine->advance(500);
  const auto rows = engine->take_energy();
  double drift = 0;
  const double first = rows.front().electric + rows.front().magnetic;
  for (const auto& row : rows) drift = std::max(drift, std::abs((row.electric + row.magnetic) / first - 1));
  expect(drift < most, "the energy of a closed box of vacuum has changed by {:.2g} in 500 steps", drift);
  return tetrawave::format("a closed box keeps it to {:.1g} over 500 steps", drift);
}

/// TM110 of the unit cube, E = z sin(pi x) sin(pi y), k = pi sqrt 2, after 2 1/4 periods, where E passes through zero:
/// its remainder is the phase error.
std::string check_resonance(const ChosenBackend& backend, const BenchBox& box, const comm::Communicator& ranks) {
  constexpr double most = 2e-3;
  constexpr double periods = 2.25;
  BenchMethod method;
  method.space = Space::full_2;
  const march::Problem problem = box.problem(method);
  const auto engine = backend.make_engine(problem, {}, ranks);
  const double end_m = periods * 2 * pi / (pi * std::sqrt(2.0));
  march::Start start;
  start.steps = static_cast<std::int64_t>(std::ceil(end_m / (0.9 * engine->find_stable_step())));
  start.dt_m = end_m / static_cast<double>(start.steps);
  start.electric = project_field(box.mesh(), method.space, [](const Vec3& r) {
    return Vec3{0, 0, std::sin(pi * r[0]) * std::sin(pi * r[1])};
  });
  start.magnetic = std::vector<double>(start.electric->size(), 0.0);
  const std::vector<double> before = *start.electric;
  engine->start(start);
  engine->advance(start.steps);
  const std::vector<double> after = engine->field(march::Field::electric);
  std::vector<double> products(2);
  for (std::size_t i = 0; i < before.size(); ++i) {
    products[0] += before[i] * after[i];
    products[1] += before[i] * before[i];
  }
  ranks.sum_in_place(std::span<double>(products));
  const double error = std::abs(products[0] / products[1]) / (2 * pi * periods);
  expect(error < most, "the frequency of TM110 of a cube is wrong by {:.2g}", error);
  return tetrawave::format("TM110 of a cube: frequency within {:.1g} after {} periods", error, periods);
}

std::string measure_speed(const ChosenBackend& backend, const comm::Communicator& ranks) {
  const bool on_gpu = backend.name == "cuda";
  const BenchBox box(on_gpu ? 196'608 : 41'154, Ordering::blocks, march::threads_of_rank({}, ranks), ranks);
  const BenchMethod method;
  const march::Problem problem = box.problem(method);
  const auto engine = backend.make_engine(problem, {}, ranks);
  engine->start(box.start(method.space));
  const modes::StepTime time = modes::time_steps(*engine, 1, on_gpu ? 16 : 1, ranks);
  const double dofs = 2.0 * static_cast<double>(basis::reference_element(method.space).dofs * box.elements());
  return tetrawave::format("{:.3g} dof-updates/s (dgtd-central, full-1, double, {} elements)", dofs / time.seconds,
                           box.elements());
}

}  // namespace

void check_marches(SelfTestTable& table, const ChosenBackend& backend, const ChosenBackend* other) {
  const comm::Communicator& ranks = table.ranks();
  const BenchBox box(small_box, Ordering::blocks, 1, ranks);
  check_schemes(table, backend, other, box);
  if (ranks.size() > 1) table.check("ranks", [&] { return check_ranks(backend, box, ranks); });
  table.check("energy", [&] { return check_energy(backend, box, ranks); });
  table.check("resonance", [&] { return check_resonance(backend, box, ranks); });
  table.check("speed", [&] { return measure_speed(backend, ranks); });
}

}  // namespace tetrawave::app
