// Sums over pairs of points by clusters of them, on the cores of the CPU (theory/fe-iiee#sums-by-clusters).
#pragma once

#include <memory>

#include "host/isa.hpp"
#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::host {

/// Where that is expected to take less than `pairs`, which sums over all of them. In double precision. The same bits
/// for any number of threads.
[[nodiscard]] std::unique_ptr<kernels::PairSums> make_cluster_sums(const kernels::ClusterChoice& choice, int threads,
                                                                   std::unique_ptr<kernels::PairSums> pairs,
                                                                   Isa isa = best_isa());

}  // namespace tetrawave::host
