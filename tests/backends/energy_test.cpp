// Energies as they are recorded: conserved where nothing is lost, falling elsewhere (theory/energy, theory/dfdd).
#include "base/names.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/cavity.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

/// Terms without damping.
Medium resonant() {
  Medium medium{2.1, 1.3, 0, 0};
  medium.electric_poles = {{2, 40, 0, 30, 0}, {2, 0, 0, 9, 0}};
  medium.magnetic_poles = {{2, 25, 0, 12, 0}};
  return medium;
}

/// Terms of every kind, all of them passive: one state, damped resonances, complex poles of both circuits.
Medium lossy() {
  Medium medium{2.1, 1.3, 0.7, 0};
  medium.electric_poles = {{1, 3, 0, 2.4, 0}, {2, 40, 1.5, 30, 0}, {2, 20, 4, 12, 2}, {2, 20, 9, 12, 4}};
  medium.magnetic_poles = {{2, 25, 3, 13, 1.5}, {1, 2, 0, 1, 0}};
  return medium;
}

Medium with_axes(Medium medium) {
  medium.eps_axes = {1.6, 0.5, 1.25};
  medium.mu_axes = {0.8, 1.25, 1};
  return medium;
}

/// Rows of a cavity with walls of both kinds that starts from any fields.
std::vector<march::EnergyRow> run_cavity(Scheme scheme, Space space, const Medium& medium, std::int64_t steps,
                                         Layout layout = Layout::factored) {
  BoxProblem box(unit_box(2, 0.15), space, {{"z1", march::Wall::magnetic}}, medium, Communicator::self());
  box.problem.scheme = scheme;
  box.problem.layout = layout;
  box.problem.energy_every = std::max<std::int64_t>(1, steps / 200);
  march::EngineOptions options;
  options.threads = 1;
  const auto engine = host::make_engine(box.problem, options, Communicator::self());
  march::Start start;
  start.dt_m = 0.95 * engine->find_stable_step();
  start.steps = steps;
  const auto numbers = [&](double seed) {
    std::vector<double> dofs;
    for (std::size_t i = 0; i < box.mesh.global_id.size() * dofs_of(space); ++i)
      dofs.push_back(std::sin(seed + 1.7 * static_cast<double>(i * i % 1009)));
    return dofs;
  };
  start.electric = numbers(1);
  start.magnetic = numbers(2);
  engine->start(start);
  engine->advance(steps);
  return engine->take_energy();
}

/// (max - min)/max of the totals.
double spread(const std::vector<march::EnergyRow>& rows, double (*number)(const march::EnergyRow&)) {
  double least = INFINITY, most = 0;
  for (const auto& row : rows) {
    least = std::min(least, number(row));
    most = std::max(most, number(row));
  }
  return (most - least) / most;
}
double total(const march::EnergyRow& row) { return row.total(); }
double of_rates(const march::EnergyRow& row) { return row.of_rates; }

double largest_growth(const std::vector<march::EnergyRow>& rows) {
  double growth = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    growth = std::max(growth, (rows[i].total() - rows[i - 1].total()) / rows.front().total());
  return growth;
}

}  // namespace

TEST_CASE("DGTD-Central conserves the energy of fields and lossless terms, also beside axes, to rounding") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2})
    for (const Layout layout : {Layout::factored, Layout::stored})
      for (const Medium& medium : {Medium{}, resonant(), with_axes(resonant())}) {
        const auto rows = run_cavity(Scheme::dgtd_central, space, medium, 2000, layout);
        INFO(tetrawave::name_of(space) << ", " << name_of(layout) << ", " << medium.electric_poles.size() << " terms, "
                                       << medium.eps_axes[0]);
        CHECK(spread(rows, total) < 1e-11);
        CHECK((rows.back().dispersive > 0.01 * rows.back().total()) == medium.is_dispersive());
      }
}

TEST_CASE("the energy of lossy and dispersive media never grows") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind})
    for (const Space space : {Space::mixed_1, Space::full_1})
      for (const Medium& medium : {lossy(), with_axes(lossy())}) {
        const auto rows = run_cavity(scheme, space, medium, 200);
        INFO(name_of(scheme) << ", " << tetrawave::name_of(space) << ", " << medium.eps_axes[0]);
        CHECK(largest_growth(rows) < 1e-13);
        CHECK(rows.back().total() < 0.1 * rows.front().total());
      }
}

TEST_CASE("DFDD-ELD conserves the energy of its rates") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2})
    for (const Medium& medium : {Medium{}, with_axes({2.1, 1.3, 0, 0})}) {
      const auto rows = run_cavity(Scheme::dfdd_eld, space, medium, space == Space::full_1 ? 10000 : 1000);
      INFO(tetrawave::name_of(space) << ", " << medium.eps_axes[0]);
      CHECK(rows.back().of_rates > 0);
      CHECK(spread(rows, of_rates) < 1e-9);
    }
}
