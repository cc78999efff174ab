// Absorbing layers of a rank as lists of elements with the numbers that their kernels read (THEORY.md, absorbing
// layers).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "basis/physical_element.hpp"
#include "march/interface/problem.hpp"
#include "terms/pml/coefficients.hpp"

namespace tetrawave::march {

/// Elements of one part with as many auxiliary variables.
struct LayerElements {
  Part part{};
  int states = 1;       ///< per axis and field: 1 where one axis is stretched, 2 in edges and corners
  bool braked = false;  ///< some element asks for brakes (terms/pml/brakes.hpp)
  std::vector<LocalIndex> elements;
};

[[nodiscard]] bool is_layer(const Problem& problem, LocalIndex element);

/// The stretch of a layer's element, by its centroid, with the loss of its medium for E or H.
[[nodiscard]] schemes::LayerStretch stretch_of(const Problem& problem, LocalIndex element, Field field);

/// Weights of the mass that a step of a leap-frog scheme inverts: those of the medium with what its losses and terms
/// add (terms/dispersion/coefficients.hpp), times a layer's, and what a border of classes of steps adds
/// (class_borders.hpp).
[[nodiscard]] basis::Weights mass_weights_of(const Problem& problem, LocalIndex element, Field field, double dt_m,
                                             std::optional<double> border_dt_m = {});

/// The layers' elements of this rank, in their order; no empty lists. Each is stretched along some axis.
[[nodiscard]] std::vector<LayerElements> list_layers(const Problem& problem);

/// The most auxiliary variables per axis that an element of any rank has: 0, 1 or 2.
[[nodiscard]] int most_layer_states(const Problem& problem);

/// Bound on the rates [1/m] of the layers' own equations.
[[nodiscard]] double fastest_layer_rate(const Problem& problem);

/// kernels::frame_numbers of an element.
[[nodiscard]] std::vector<double> layer_frame(const Problem& problem, LocalIndex element);

/// |det J|^(1/3) [m]: the unit of length of `layer_frame`, inverted.
[[nodiscard]] double element_length(const Problem& problem, LocalIndex element);

/// Whether the auxiliary variables are unknowns of Runge-Kutta stages: DGTD-Upwind without classes of time steps.
[[nodiscard]] bool takes_stages(const Problem& problem);

/// kernels::law_numbers(states) of an element, for the march's kernel (terms/pml/kernel.hpp). With classes of time
/// steps DGTD-Upwind takes half of dt_m at a time.
[[nodiscard]] std::vector<double> layer_law(const Problem& problem, LocalIndex element, Field field, int states,
                                            double dt_m);

/// Whether E and H weigh the masses of an element differently: axes of media, or layers with losses.
[[nodiscard]] bool weighs_fields_apart(const Problem& problem);

/// DFDD-ELD: sections of the law of the curl in an element with so many states.
[[nodiscard]] int curl_sections(const Problem& problem, int states);

/// DFDD-ELD: kernels::curl_law_numbers of an element, for the equation of a field.
[[nodiscard]] std::vector<double> layer_curl_law(const Problem& problem, LocalIndex element, Field field, int sections,
                                                 double dt_m);

}  // namespace tetrawave::march
