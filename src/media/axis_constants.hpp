// Constants of a medium along its axes.
#pragma once

#include <array>
#include <complex>

#include "media/material.hpp"

namespace tetrawave {

/// eps (`electric`) or mu along x, y and z, conductivity and dispersion included, at a frequency above 0 or a complex
/// one near it.
[[nodiscard]] std::array<std::complex<double>, 3> axis_constants(const Medium& medium, bool electric,
                                                                 std::complex<double> frequency_hz);

}  // namespace tetrawave
