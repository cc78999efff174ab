// Numbers of an element of an absorbing layer: rows of the arrays that its kernels read.
#pragma once

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Rows of the law of an element with `states` auxiliary variables per axis: `row * 3 + axis`, rows 0 and 1 of u, then
/// two of each variable.
TW_FN constexpr int law_numbers(int states) { return 6 + 6 * states; }

/// DFDD-ELD: rows of the law of the curl with so many sections: `row * 3 + axis`, g, keep, turn of each, a A/dt; then
/// a, 1/a and 4 a b/dt^2 of the element.
TW_FN constexpr int curl_law_numbers(int sections) { return 9 * sections + 6; }

/// dt/a sqrt(g) B^ab (11 12 22) of each face (terms/pml/jumps.hpp): row 3 f + number.
inline constexpr int brake_numbers = 12;

}  // namespace tetrawave::kernels
