// Absorbing layers of a rank as lists of elements with the coefficients for their kernels (theory/pml).
#pragma once

#include <array>
#include <vector>

#include "march/interface/problem.hpp"
#include "terms/pml/coefficients.hpp"

namespace tetrawave::march {

/// Elements of one part with the same number of auxiliary variables.
struct LayerElements {
  Part part{};
  int states = 1;       ///< per axis and field: 1 if one axis is stretched, 2 in edges and corners
  bool braked = false;  ///< some element needs damping (terms/pml/brakes.hpp)
  std::vector<LocalIndex> elements;
};

[[nodiscard]] bool is_layer(const Problem& problem, LocalIndex element);

/// The stretch of a layer's element, at its centroid, with the loss of its medium for E or H.
[[nodiscard]] schemes::LayerStretch stretch_of(const Problem& problem, LocalIndex element, Field field);

/// The layers' elements of this rank, in their order; no empty lists. Each is stretched along some axis.
[[nodiscard]] std::vector<LayerElements> list_layers(const Problem& problem);

/// The maximum number of auxiliary variables per axis of an element on any rank: 0, 1 or 2.
[[nodiscard]] int most_layer_states(const Problem& problem);

/// Bound on the rates [1/m] of the layers' own equations.
[[nodiscard]] double fastest_layer_rate(const Problem& problem);

/// kernels::frame_numbers of an element.
[[nodiscard]] std::vector<double> layer_frame(const Problem& problem, LocalIndex element);

/// |det J|^(1/3) [m]: the unit of length of `layer_frame`, inverted.
[[nodiscard]] double element_length(const Problem& problem, LocalIndex element);

/// Whether the auxiliary variables are unknowns of Runge-Kutta stages: DGTD-Upwind without LTS.
[[nodiscard]] bool takes_stages(const Problem& problem);

/// kernels::law_numbers(states) of an element, for the kernel of the scheme (terms/pml/kernel.hpp). With LTS
/// DGTD-Upwind uses half of dt_m at a time.
[[nodiscard]] std::vector<double> layer_law(const Problem& problem, LocalIndex element, Field field, int states,
                                            double dt_m);

/// Whether E and H have different weights in the masses of an element: anisotropic media, or layers with losses.
[[nodiscard]] bool weighs_fields_apart(const Problem& problem);

/// DFDD-ELD: factors of the law of the curl in an element with this number of states.
[[nodiscard]] int curl_sections(const Problem& problem, int states);

/// DFDD-ELD: kernels::curl_law_numbers of an element, for the equation of a field.
[[nodiscard]] std::vector<double> layer_curl_law(const Problem& problem, LocalIndex element, Field field, int sections,
                                                 double dt_m);

}  // namespace tetrawave::march
