// The update of Kerr media by teams of threads, on an emulated GPU, against the kernel that has an element a thread.
#include "support/emulated_team.hpp"
//
#include <random>

#include "basis/kerr_rule.hpp"
#include "catch.hpp"
#include "schemes/central/kerr_update.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr int elements = 32;

/// Elements of a Kerr medium, each at its own place, with fields from weak to strong.
template <class Basis>
struct KerrBlock {
  static constexpr int n = Basis::dofs;
  std::vector<std::int32_t> element;
  std::vector<double> metric, field, density, earlier, figures, energy;
  basis::KerrRule rule = basis::kerr_rule(Basis::space);
  std::int64_t step = 7;

  KerrBlock() {
    std::mt19937 random(5);
    const auto number = [&](double least, double most) {
      return std::uniform_real_distribution<double>(least, most)(random);
    };
    metric.resize(6 * elements);
    field.resize(n * elements);
    density.resize(n * elements);
    earlier.resize(n * elements);
    energy.resize(elements);
    for (std::size_t e = 0; e < elements; ++e) {
      element.push_back(static_cast<std::int32_t>(7 * e % elements));
      const double q[6] = {number(0.8, 1.6), number(-0.2, 0.2), number(-0.2, 0.2),
                           number(0.8, 1.6), number(-0.2, 0.2), number(0.8, 1.6)};
      for (std::size_t k = 0; k < 6; ++k) metric[k * elements + e] = q[k];
      const double strength = e % 8 == 0 ? 0 : std::pow(10, number(-3, 0.3));
      for (std::size_t i = 0; i < n; ++i) {
        field[i * elements + static_cast<std::size_t>(element[e])] = strength * number(-1, 1);
        earlier[i * elements + e] = strength * number(-1, 1);
        density[i * elements + e] = strength * number(-2, 2);
      }
    }
    for (const double start : {0.0, 0.0, 1.0, -1.0}) figures.insert(figures.end(), elements, start);
  }

  kernels::KerrUpdate<double> kernel(bool newton, int most) {
    kernels::KerrUpdate<double> update;
    update.element = element.data();
    update.metric = {metric.data(), nullptr};
    update.field = field.data();
    update.density = density.data();
    update.earlier = earlier.data();
    update.figures = figures.data();
    update.energy = energy.data();
    update.shape = rule.shape.data();
    update.weight = rule.weight.data();
    update.points = static_cast<int>(rule.weight.size());
    update.c = 2.1;
    update.eps_r = 2;
    update.chi = 0.7;
    update.tolerance = 1e-12;
    update.most = most;
    update.newton = newton;
    update.step = &step;
    return update;
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

template <class Basis>
void compare(bool newton, int most, bool backwards) {
  KerrBlock<Basis> alone, shared;
  const auto one = alone.kernel(newton, most);
  for (int i = 0; i < elements; ++i) one.template run<Basis>(cuda::ThreadLane<double>{0, i});
  run_team<Basis>(shared.kernel(newton, most), 1, backwards);
  INFO(Basis::dofs << (newton ? " newton " : " fixed-point ") << most);
  CHECK(largest_difference(shared.field, alone.field) < 1e-10);
  CHECK(largest_difference(shared.earlier, alone.earlier) < 1e-10);
  CHECK(shared.density == alone.density);
  CHECK(largest_difference(shared.energy, alone.energy) < 1e-10);
  CHECK(largest_difference(shared.figures, alone.figures) < 1e-10);  // iterations, eps_r, what did not converge
  const auto count = [&](int i) { return alone.figures[static_cast<std::size_t>(i)]; };
  CHECK(count(0) == 0);  // no field, no iteration
  CHECK(count(1) > 0);
  CHECK((most < 4 || count(1) < most));
}

}  // namespace

TEST_CASE("a team of threads solves an update of Kerr media as one thread does") {
  const bool newton = GENERATE(true, false);
  const bool backwards = GENERATE(true, false);
  for (const int most : {2, 100}) {  // 2: most elements end without convergence
    compare<kernels::Mixed2>(newton, most, backwards);
    if (!backwards) compare<kernels::Full2>(newton, most, backwards);  // the order is the kernel's of all spaces
  }
}
