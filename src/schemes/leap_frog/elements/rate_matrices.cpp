#include "schemes/leap_frog/elements/rate_matrices.hpp"

#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

/// Dofs that walls hold at zero.
std::vector<bool> find_held(const Problem& problem, LocalIndex element, const Medium& medium, Field field,
                            double dt_m) {
  const auto& reference = basis::reference_element(problem.space);
  std::vector<bool> held(reference.dofs, false);
  for (std::size_t f = 0; f < 4; ++f) {
    const auto wall = wall_at(problem, element, f);
    if (wall && schemes::wall_factors(problem.scheme, *wall, medium, field == Field::electric, dt_m).fixed)
      for (const std::size_t dof : reference.on_face[f]) held[dof] = true;
  }
  return held;
}

/// Columns of U, then of T, with +-dt/b or -dt before the curl.
std::vector<std::vector<double>> make_columns(const Problem& problem, LocalIndex e, Field field, double dt_m,
                                              bool published) {
  const auto& reference = basis::reference_element(problem.space);
  const std::size_t n = reference.dofs;
  const auto at = static_cast<std::size_t>(e);
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[at]);
  const Medium& medium = problem.medium_of(e);
  const bool electric = field == Field::electric;
  const auto factors = schemes::element_factors(problem.scheme, medium, electric, dt_m);
  const auto held = find_held(problem, e, medium, field, dt_m);
  const Field other = electric ? Field::magnetic : Field::electric;
  const basis::SymmetricMatrix mass = element.mass();
  const basis::SymmetricMatrix own_mass = element.mass(mass_weights_of(problem, e, field, dt_m));
  const basis::SymmetricMatrix stiffness = element.stiffness(mass_weights_of(problem, e, other, dt_m));
  basis::SymmetricMatrix inverse(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      inverse(i, j) =
          held[i] || held[j] ? (i == j ? 1 : 0) : factors.mass * own_mass(i, j) + factors.stiffness * stiffness(i, j);
  inverse.factor();
  const double amount = published ? (electric ? -4 : 4) * factors.stiffness / dt_m : -dt_m;  // dt/b = 4 c/dt
  const double curl = element.sign() * amount;
  std::vector<std::vector<double>> columns(2 * n, std::vector<double>(n, 0.0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      if (held[i]) continue;
      columns[j][i] = -mass(i, j);
      columns[n + j][i] = curl * reference.curl(j, i);
    }
    inverse.solve(columns[j].data());
    inverse.solve(columns[n + j].data());
  }
  return columns;
}

}  // namespace

template <class S>
std::vector<S> make_rate_matrices(const Problem& problem, const std::vector<LocalIndex>& elements, Field field,
                                  double dt_m, int lanes, bool published, int threads) {
  const std::size_t n = basis::reference_element(problem.space).dofs;
  const auto w = static_cast<std::size_t>(lanes);
  std::vector<S> all((elements.size() + w - 1) / w * w * 2 * n * n, S(0));
  for_each_task(elements.size(), threads, [&](std::size_t k) {
    const auto columns = make_columns(problem, elements[k], field, dt_m, published);
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t i = 0; i < n; ++i)
        all[(k / w * 2 * n * n + j * n + i) * w + k % w] = static_cast<S>(columns[j][i]);
  });
  return all;
}

template std::vector<double> make_rate_matrices(const Problem&, const std::vector<LocalIndex>&, Field, double, int,
                                                bool, int);
template std::vector<float> make_rate_matrices(const Problem&, const std::vector<LocalIndex>&, Field, double, int, bool,
                                               int);

}  // namespace tetrawave::march
