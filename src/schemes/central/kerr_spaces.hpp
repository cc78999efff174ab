// The spaces of Kerr media, apart from their kernels.
#pragma once

#include "base/target.hpp"
#include "base/types.hpp"

namespace tetrawave::kernels {

/// Kerr media are supported up to full-2: a dense matrix of the next space does not fit a thread.
TW_FN constexpr bool has_kerr(Space space) { return space <= Space::full_2; }

}  // namespace tetrawave::kernels
