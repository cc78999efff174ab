#include "schemes/leap_frog/elements/class_borders.hpp"

#include <array>

#include "base/scheme.hpp"
#include "basis/reference_element.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/pml/layers.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

unsigned class_border_of(const Problem& problem, LocalIndex element) {
  const auto& coarser = problem.classes.coarser;
  if (coarser.empty() || has_upwind_fluxes(problem.scheme)) return 0;
  unsigned faces = coarser[static_cast<std::size_t>(element)];
  if (faces == 0) return 0;
  const Medium& medium = problem.medium_of(element);
  if (is_layer(problem, element) || medium.chi3 > 0) return 0;
  for (const bool electric : {true, false})
    if (schemes::law_of(problem.scheme, medium, electric).is_projected()) return 0;
  for (std::size_t f = 0; f < 4; ++f)
    if (wall_at(problem, element, f)) faces &= ~(1u << f);
  return faces;
}

std::vector<LocalIndex> list_class_borders(const Problem& problem) {
  std::vector<LocalIndex> elements;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    if (class_border_of(problem, e) != 0) elements.push_back(e);
  return elements;
}

namespace {

/// The matrix inverted in a step of a field: b M, in DFDD-ELD b M + dt^2/(4 a) S0.
basis::SymmetricMatrix inverted_by(const Problem& problem, const basis::PhysicalElement& shape, const Medium& medium,
                                   Field field, double dt_m) {
  const bool electric = field == Field::electric;
  const double b = electric ? medium.eps_r : medium.mu_r;
  auto matrix = shape.mass(electric ? medium.eps_axes : medium.mu_axes);
  const auto stiffness = shape.stiffness(electric ? medium.mu_axes : medium.eps_axes);
  const double share = has_rates(problem.scheme) ? dt_m * dt_m / (4 * (electric ? medium.mu_r : medium.eps_r)) : 0;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix.size(); ++j) matrix(i, j) = b * matrix(i, j) + share * stiffness(i, j);
  return matrix;
}

}  // namespace

basis::Weights border_weights(const Problem& problem, LocalIndex element, Field field, const Vec3& axes, double dt_m) {
  basis::Weights weights(axes);
  const unsigned faces = class_border_of(problem, element);
  if (faces == 0) return weights;
  const auto e = static_cast<std::size_t>(element);
  const Medium& medium = problem.medium_of(element);
  const auto& reference = basis::reference_element(problem.space);
  const basis::PhysicalElement shape(problem.space, problem.mesh->corners[e]);
  std::array<std::vector<double>, 3> moments, solved;
  for (std::size_t a = 0; a < 3; ++a) {
    Vec3 unit{};
    unit[a] = 1;
    moments[a].assign(reference.dofs, 0.0);
    for (std::size_t f = 0; f < 4; ++f) {
      if ((faces >> f & 1u) == 0) continue;
      const auto rotated = shape
                               .face_moments(
                                   f, [&](const auto&) { return unit; }, reference.degree)
                               .rotated;
      for (std::size_t i = 0; i < reference.dofs; ++i) moments[a][i] += rotated[i];
    }
  }
  const Field other = field == Field::electric ? Field::magnetic : Field::electric;
  auto inverse = inverted_by(problem, shape, medium, other, dt_m);
  inverse.factor();
  solved = moments;
  for (auto& vector : solved) inverse.solve(vector.data());
  const double part = has_central_fluxes(problem.scheme) ? 1. / 6 : 1. / 3;
  const double own = field == Field::electric ? medium.eps_r : medium.mu_r;
  const double scale = part * dt_m * dt_m / (own * shape.volume());
  const auto added = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < reference.dofs; ++i) sum += moments[a][i] * solved[b][i];
    return scale * sum;
  };
  for (std::size_t a = 0; a < 3; ++a) {
    weights.axes[a] += added(a, a);
    weights.across[a] += added((a + 1) % 3, (a + 2) % 3);
  }
  return weights;
}

}  // namespace tetrawave::march
