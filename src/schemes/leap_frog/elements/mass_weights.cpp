#include "schemes/leap_frog/elements/mass_weights.hpp"

#include "schemes/leap_frog/elements/class_borders.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::march {

basis::Weights mass_weights_of(const Problem& problem, LocalIndex element, Field field, double dt_m,
                               std::optional<double> border_dt_m) {
  const Medium& medium = problem.medium_of(element);
  if (!is_layer(problem, element)) {
    const Vec3 axes = schemes::mass_of(schemes::law_of(problem.scheme, medium, field == Field::electric), dt_m).axes;
    return border_weights(problem, element, field, axes, border_dt_m.value_or(dt_m));
  }
  Vec3 axes = field == Field::electric ? medium.eps_axes : medium.mu_axes;
  const auto terms = schemes::layer_terms(stretch_of(problem, element, field));
  for (std::size_t i = 0; i < 3; ++i) axes[i] *= schemes::layer_step(terms[i], dt_m).axis;
  return axes;
}

}  // namespace tetrawave::march
