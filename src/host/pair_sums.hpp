// Sums over pairs of points (kernels/pair_sums.hpp) on the cores of the CPU.
#pragma once

#include <memory>

#include "host/isa.hpp"
#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::host {

/// The same bits for any number of threads.
[[nodiscard]] std::unique_ptr<kernels::PairSums> make_pair_sums(int threads, Isa isa = best_isa());

}  // namespace tetrawave::host
