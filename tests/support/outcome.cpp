#include "support/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tetrawave;

namespace tetrawave_tests {

Outcome run_engine(march::Engine& engine, const march::Start& start, const std::vector<std::int64_t>& pieces) {
  engine.start(start);
  for (const std::int64_t steps : pieces) engine.advance(steps);
  Outcome outcome;
  outcome.electric = engine.field(march::Field::electric);
  outcome.magnetic = engine.field(march::Field::magnetic);
  outcome.present_energy = engine.present_energy();
  engine.finish();
  outcome.record = engine.take_record().values;
  outcome.before_start = engine.magnetic_before_start();
  outcome.energies = engine.take_energy();
  return outcome;
}

double energy_growth(march::Engine& engine, const march::Start& start) {
  engine.start(start);
  engine.advance(start.steps / 10);
  const double before = engine.present_energy();
  engine.advance(start.steps - start.steps / 10);
  return engine.present_energy() / before;
}

Outcome run_reference(const Situation& situation, const march::Start& start) {
  DenseReference reference(situation.problem, situation.profile);
  reference.start(start);
  reference.advance(start.steps);
  Outcome outcome;
  outcome.electric = reference.field(march::Field::electric);
  outcome.magnetic = reference.field(march::Field::magnetic);
  outcome.present_energy = reference.present_energy();
  reference.finish();
  outcome.record = reference.record();
  outcome.before_start = reference.magnetic_before_start();
  outcome.energies = reference.energies();
  return outcome;
}

namespace {

std::vector<double> energy_numbers(const std::vector<march::EnergyRow>& rows, double march::EnergyRow::*number) {
  std::vector<double> numbers;
  for (const auto& row : rows) numbers.push_back(row.*number);
  return numbers;
}

std::vector<std::int64_t> energy_steps(const std::vector<march::EnergyRow>& rows) {
  std::vector<std::int64_t> steps;
  for (const auto& row : rows) steps.push_back(row.step);
  return steps;
}

}  // namespace

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference == 0 ? 0 : difference / size;
}

double largest_energy_difference(const Outcome& a, const Outcome& b) {
  if (energy_steps(a.energies) != energy_steps(b.energies)) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (double march::EnergyRow::*number :
       {&march::EnergyRow::electric, &march::EnergyRow::magnetic, &march::EnergyRow::dispersive})
    largest =
        std::max(largest, largest_difference(energy_numbers(a.energies, number), energy_numbers(b.energies, number)));
  return largest;
}

double largest_difference(const Outcome& a, const Outcome& b) {
  return std::max({largest_difference(a.electric, b.electric), largest_difference(a.magnetic, b.magnetic),
                   largest_difference({a.present_energy}, {b.present_energy}), largest_difference(a.record, b.record),
                   largest_difference(a.before_start, b.before_start), largest_energy_difference(a, b)});
}

double rounding_of(Space space) {
  switch (space) {
    case Space::mixed_1:
      return 5;
    case Space::mixed_2:
      return 30;
    case Space::mixed_3:
    case Space::full_3:
    case Space::full_4:
      return 3;
    default:
      return 1;
  }
}

bool are_identical(const Outcome& a, const Outcome& b) {
  return a.electric == b.electric && a.magnetic == b.magnetic && a.present_energy == b.present_energy &&
         a.record == b.record && a.before_start == b.before_start && largest_energy_difference(a, b) == 0;
}

std::vector<double> pick_dofs(const std::vector<double>& dofs, const LocalMesh& whole, const LocalMesh& part) {
  const std::size_t n = dofs.size() / whole.global_id.size();
  std::vector<std::size_t> place(whole.global_id.size());
  for (std::size_t e = 0; e < place.size(); ++e) place[static_cast<std::size_t>(whole.global_id[e])] = e;
  std::vector<double> picked;
  for (const GlobalIndex id : part.global_id) {
    const std::size_t e = place[static_cast<std::size_t>(id)];
    for (std::size_t i = 0; i < n; ++i) picked.push_back(dofs[e * n + i]);
  }
  return picked;
}

}  // namespace tetrawave_tests
