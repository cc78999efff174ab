#include "schemes/leap_frog/initial_memory.hpp"

#include <algorithm>
#include <cmath>

#include "basis/physical_element.hpp"

namespace tetrawave::march {

namespace {

/// One x with A x = b, A positive semi-definite with b in its range, by Cholesky's method with pivoting.
std::vector<double> solve_in_range(basis::SymmetricMatrix a, const std::vector<double>& b) {
  const std::size_t n = a.size();
  constexpr double negligible = 1e-11;
  std::vector<std::size_t> pivots;
  std::vector<bool> taken(n, false);
  std::vector<std::vector<double>> columns;
  std::vector<double> y;
  double largest = 0;
  while (pivots.size() < n) {
    std::size_t p = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!taken[i] && (p == n || a(i, i) > a(p, p))) p = i;
    largest = std::max(largest, a(p, p));
    if (a(p, p) <= negligible * largest) break;
    taken[p] = true;
    const double root = std::sqrt(a(p, p));
    std::vector<double> column(n);
    for (std::size_t i = 0; i < n; ++i) column[i] = a(i, p) / root;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) a(i, j) -= column[i] * column[j];
    double right = b[p];
    for (std::size_t m = 0; m < pivots.size(); ++m) right -= columns[m][p] * y[m];
    y.push_back(right / root);
    pivots.push_back(p);
    columns.push_back(std::move(column));
  }
  std::vector<double> x(n, 0.0);
  for (std::size_t k = pivots.size(); k-- > 0;) {
    double right = y[k];
    for (std::size_t m = k + 1; m < pivots.size(); ++m) right -= columns[k][pivots[m]] * x[pivots[m]];
    x[pivots[k]] = right / columns[k][pivots[k]];
  }
  return x;
}

/// M_c^-1 M u, c the constant of the law.
std::vector<double> divide(const Problem& problem, LocalIndex e, const schemes::Law& law, std::vector<double> u) {
  if (law.axes == Vec3{1, 1, 1}) {
    for (double& v : u) v /= law.constant;
    return u;
  }
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(e)]);
  const basis::SymmetricMatrix mass = element.mass();
  basis::SymmetricMatrix weighted = element.mass(law.axes);
  std::vector<double> product(u.size(), 0.0);
  for (std::size_t i = 0; i < u.size(); ++i)
    for (std::size_t j = 0; j < u.size(); ++j) product[i] += mass(i, j) * u[j] / law.constant;
  weighted.factor();
  weighted.solve(product.data());
  return product;
}

}  // namespace

std::vector<double> find_potential(const Problem& problem, LocalIndex e, const std::vector<double>& v) {
  const auto& reference = basis::reference_element(problem.space);
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(e)]);
  std::vector<double> moments(reference.dofs, 0.0);
  for (std::size_t i = 0; i < reference.dofs; ++i)
    for (std::size_t j = 0; j < reference.dofs; ++j) moments[i] += element.sign() * reference.curl(j, i) * v[j];
  return solve_in_range(element.stiffness(), moments);
}

MemoryOfLaw memory_of_law(const Problem& problem, LocalIndex e, const schemes::Law& law,
                          const std::vector<double>& kick, const std::vector<double>& field, double after_m) {
  const std::size_t n = kick.size();
  double total = 0;  // of P by a kick of 1
  for (const PoleTerm& term : law.terms) total += term.states == 1 ? term.b0 : term.b1;
  std::vector<double> pulling = divide(problem, e, law, kick);  // the field less what P takes of it
  for (std::size_t i = 0; i < n; ++i) pulling[i] = field[i] - total * pulling[i];
  MemoryOfLaw result{{}, std::vector<double>(n, 0.0)};
  for (const PoleTerm& term : law.terms) {
    // x' = A x + b u from x = b kick
    const double b1 = term.states == 1 ? term.b0 : term.b1;
    const double b2 = term.states == 1 ? 0 : term.b0;
    const double x1 = b1 + after_m * (term.states == 1 ? -term.a0 * b1 : b2 - term.a1 * b1);
    const double x2 = term.states == 1 ? 0 : b2 - after_m * term.a0 * b1;
    for (std::size_t i = 0; i < n; ++i) {
      result.states.push_back(x1 * kick[i] + after_m * b1 * pulling[i]);
      result.change[i] -= result.states.back();
    }
    for (std::size_t i = 0; i < n; ++i) result.states.push_back(x2 * kick[i] + after_m * b2 * pulling[i]);
  }
  result.change = divide(problem, e, law, std::move(result.change));
  return result;
}

double share_of_losses(const Medium& medium, bool electric, double dt_m) {
  return 1 / (1 + dt_m / 2 * (electric ? medium.sigma_e / medium.eps_r : medium.sigma_m / medium.mu_r));
}

void bound_for_terms(const schemes::Law& law, double dt_m, std::vector<double>& u) {
  double total = 0;
  for (const PoleTerm& term : law.terms) total += std::abs(term.states == 1 ? term.b0 : term.b1);
  for (double& v : u) v /= 1 + dt_m / 2 * total / law.constant;
}

}  // namespace tetrawave::march
