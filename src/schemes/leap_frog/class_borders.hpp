// What the masses of elements beside a coarser class of time steps get, so that waves cross the border at their speed
// (THEORY.md 25).
#pragma once

#include <vector>

#include "basis/physical_element.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Faces of an element, bit by bit, behind which elements march at longer steps and see its fields; none in layers,
/// in Kerr media and where losses or terms stand beside axes, whose laws have masses of their own, and in DGTD-Upwind,
/// whose fluxes are the same on both sides.
[[nodiscard]] unsigned class_border_of(const Problem& problem, LocalIndex element);

/// The elements of this rank with such faces.
[[nodiscard]] std::vector<LocalIndex> list_class_borders(const Problem& problem);

/// `axes` and what such faces add to them over a step dt_m = c0 dt [m] of the element's class: with g_a = sum_f
/// oint_f N . (n x a) of the unit vectors a,  r dt^2/(eps V) g_a . A^-1 g_b,  A what a step of the other field inverts,
/// r = 1/6 in DGTD-Central, where half of a flux is the neighbour's, and 1/3 in DFDD-ELD (dually for H).
[[nodiscard]] basis::Weights border_weights(const Problem& problem, LocalIndex element, Field field, const Vec3& axes,
                                            double dt_m);

}  // namespace tetrawave::march
