#include "terms/pml/layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/scheme.hpp"
#include "mesh/tetrahedron.hpp"
#include "terms/pml/brakes.hpp"
#include "terms/pml/rows.hpp"

namespace tetrawave::march {

namespace {

std::size_t region_of(const Problem& problem, LocalIndex element) {
  return static_cast<std::size_t>(problem.mesh->region[static_cast<std::size_t>(element)]);
}

double thickest(const AbsorbingLayers& layers) {
  double length = 0;
  for (const Vec3& side : layers.thickness_m) length = std::max({length, side[0], side[1], side[2]});
  return length;
}

Vec3 rates_of(const Problem& problem, LocalIndex element) {
  const AbsorbingLayers& layers = *problem.layers;
  const Vec3 place = centroid(problem.mesh->corners[static_cast<std::size_t>(element)]);
  Vec3 sigma{};
  for (std::size_t i = 0; i < 3; ++i)
    for (const bool above : {false, true}) {
      const double thickness = layers.thickness_m[above ? 1 : 0][i];
      const double depth = above ? place[i] - layers.high[i] : layers.low[i] - place[i];
      if (thickness > 0 && depth > 0)
        sigma[i] = schemes::largest_rate_per_m(layers.reflection, thickness) *
                   schemes::layer_profile(depth / thickness, layers.cells);
    }
  return sigma;
}

/// Edges from the first corner.
std::array<Vec3, 3> edges(const std::array<Vec3, 4>& corners) {
  return {corners[1] - corners[0], corners[2] - corners[0], corners[3] - corners[0]};
}

double length_of(const std::array<Vec3, 3>& t) { return std::cbrt(std::abs(dot(t[0], cross(t[1], t[2])))); }

/// Rows of one axis of the law, m that of the medium.
std::array<double, 6> rows_of(const schemes::LayerTerm& term, bool of_stages, double m, double dt_m) {
  if (of_stages)
    return {m,
            m * dt_m * term.rate,
            dt_m * term.poles[0],
            m * dt_m * dt_m * term.residues[0],
            dt_m * term.poles[1],
            m * dt_m * dt_m * dt_m * term.residues[1]};
  const auto step = schemes::layer_step(term, dt_m);
  return {m * step.axis, 2 * m * (step.axis - 1), step.keep[0], m * step.push[0], step.keep[1], m * step.push[1]};
}

const Vec3& medium_axes(const Problem& problem, LocalIndex element, Field field) {
  const Medium& medium = problem.medium_of(element);
  return field == Field::electric ? medium.eps_axes : medium.mu_axes;
}

}  // namespace

bool is_layer(const Problem& problem, LocalIndex element) {
  return problem.layers && problem.layers->is_layer[region_of(problem, element)];
}

schemes::LayerStretch stretch_of(const Problem& problem, LocalIndex element, Field field) {
  const double loss = problem.layers->loss_per_m[region_of(problem, element)][field == Field::electric ? 0 : 1];
  return {rates_of(problem, element), schemes::static_rate_per_m(thickest(*problem.layers)), loss};
}

std::vector<LayerElements> list_layers(const Problem& problem) {
  std::map<std::pair<Part, int>, std::vector<LocalIndex>> lists;
  for (LocalIndex e = 0; problem.layers && e < problem.mesh->element_count(); ++e) {
    if (!is_layer(problem, e)) continue;
    const Vec3 sigma = rates_of(problem, e);
    const auto stretched = std::count_if(sigma.begin(), sigma.end(), [](double rate) { return rate > 0; });
    ensure(stretched > 0, "an element of an absorbing layer is outside of the box");
    lists[{problem.part_of(e), stretched > 1 ? 2 : 1}].push_back(e);
  }
  std::vector<LayerElements> result;
  for (auto& [key, elements] : lists) {
    const bool braked = asks_for_brakes(problem, elements);
    result.push_back({key.first, key.second, braked, std::move(elements)});
  }
  return result;
}

int most_layer_states(const Problem& problem) {
  if (!problem.layers) return 0;
  const auto& [below, above] = problem.layers->thickness_m;
  int axes = 0;
  for (std::size_t i = 0; i < 3; ++i) axes += below[i] > 0 || above[i] > 0 ? 1 : 0;
  return std::min(axes, 2);
}

double fastest_layer_rate(const Problem& problem) {
  if (!problem.layers) return 0;
  double fastest = 0;
  for (const Vec3& side : problem.layers->thickness_m)
    for (const double thickness : side)
      if (thickness > 0)
        fastest = std::max(fastest, schemes::largest_rate_per_m(problem.layers->reflection, thickness));
  double loss = 0;
  for (const auto& [electric, magnetic] : problem.layers->loss_per_m) loss = std::max({loss, electric, magnetic});
  return fastest + schemes::static_rate_per_m(thickest(*problem.layers)) + loss;
}

std::vector<double> layer_frame(const Problem& problem, LocalIndex element) {
  std::vector<double> numbers;
  const auto t = edges(problem.mesh->corners[static_cast<std::size_t>(element)]);
  for (const Vec3& edge : t)
    for (const double x : edge) numbers.push_back(x / length_of(t));
  return numbers;
}

double element_length(const Problem& problem, LocalIndex element) {
  return length_of(edges(problem.mesh->corners[static_cast<std::size_t>(element)]));
}

bool weighs_fields_apart(const Problem& problem) {
  const auto has_axes = [](const Medium& medium) { return !medium.is_isotropic(); };
  if (std::any_of(problem.media.begin(), problem.media.end(), has_axes)) return true;
  if (!problem.layers) return false;
  const auto& losses = problem.layers->loss_per_m;
  return std::any_of(losses.begin(), losses.end(), [](const auto& of) { return of[0] != of[1]; });
}

int curl_sections(const Problem& problem, int states) {
  const auto& losses = problem.layers->loss_per_m;
  const bool lossy = std::any_of(losses.begin(), losses.end(), [](const auto& of) { return of[0] > 0 || of[1] > 0; });
  return lossy ? 3 : states;
}

std::vector<double> layer_curl_law(const Problem& problem, LocalIndex element, Field field, int sections, double dt_m) {
  const bool electric = field == Field::electric;
  const auto stretch = stretch_of(problem, element, electric ? Field::magnetic : Field::electric);
  const auto terms = schemes::layer_terms(stretch);
  const Medium& medium = problem.medium_of(element);
  const double a = electric ? medium.eps_r : medium.mu_r;
  const double b = electric ? medium.mu_r : medium.eps_r;
  std::vector<double> law(static_cast<std::size_t>(kernels::curl_law_numbers(sections)));
  const auto last = static_cast<std::size_t>(3 * sections);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = schemes::inverse_sections(stretch, i, dt_m);
    for (std::size_t s = 0; 3 * s < last; ++s) {
      law[9 * s + i] = row[s].gain;
      law[9 * s + 3 + i] = row[s].keep;
      law[9 * s + 6 + i] = row[s].turn;
    }
    law[3 * last + i] = a * schemes::layer_step(terms[i], dt_m).axis / dt_m;
  }
  law[3 * last + 3] = a;
  law[3 * last + 4] = 1 / a;
  law[3 * last + 5] = 4 * a * b / (dt_m * dt_m);
  return law;
}

bool takes_stages(const Problem& problem) { return has_upwind_fluxes(problem.scheme) && problem.classes.count == 1; }

std::vector<double> layer_law(const Problem& problem, LocalIndex element, Field field, int states, double dt_m) {
  const auto terms = schemes::layer_terms(stretch_of(problem, element, field));
  const Vec3& axes = medium_axes(problem, element, field);
  std::vector<double> law(static_cast<std::size_t>(kernels::law_numbers(states)));
  const bool halves = has_upwind_fluxes(problem.scheme) && !takes_stages(problem);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto rows = rows_of(terms[i], takes_stages(problem), axes[i], halves ? dt_m / 2 : dt_m);
    for (std::size_t row = 0; 3 * row + i < law.size(); ++row) law[3 * row + i] = rows[row];
  }
  return law;
}

}  // namespace tetrawave::march
