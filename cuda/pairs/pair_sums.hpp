// Sums over pairs of points (kernels/pairs/pair_sums.hpp) on a GPU. Free of CUDA's own headers.
#pragma once

#include <memory>

#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::cuda {

/// On GPU number `device` of this process. The paper's mapping is of double precision.
[[nodiscard]] std::unique_ptr<kernels::PairSums> make_pair_sums(int device, int threads,
                                                                const kernels::PairMapping& mapping = {});

}  // namespace tetrawave::cuda
