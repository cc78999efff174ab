// Correction of the masses of elements next to a coarser LTS level, so that waves cross the border at the right speed
// (theory/lts).
#pragma once

#include <vector>

#include "basis/physical_element.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Faces of an element, as bits, whose neighbours have longer steps and use its fields; none in layers, in Kerr media
/// and in anisotropic media with losses or dispersion, whose masses follow other laws, and in DGTD-Upwind, whose fluxes
/// are the same on both sides.
[[nodiscard]] unsigned class_border_of(const Problem& problem, LocalIndex element);

/// The elements of this rank with such faces.
[[nodiscard]] std::vector<LocalIndex> list_class_borders(const Problem& problem);

/// `axes` plus the correction for such faces over a step dt_m = c0 dt [m] of the element's level: with g_a = sum_f
/// oint_f N . (n x a) of the unit vectors a,  r dt^2/(eps V) g_a . A^-1 g_b,  A the matrix inverted in a step of the
/// other field, r = 1/6 in DGTD-Central, where half of a flux is the neighbour's, and 1/3 in DFDD-ELD (dually for H).
[[nodiscard]] basis::Weights border_weights(const Problem& problem, LocalIndex element, Field field, const Vec3& axes,
                                            double dt_m);

}  // namespace tetrawave::march
