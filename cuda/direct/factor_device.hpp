// Factors of sparse symmetric matrices on a GPU, by cuDSS (theory/direct-solvers). Free of CUDA's own headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fem/solvers/direct_solver.hpp"

namespace tetrawave::cuda {

struct FactorOptions {
  int threads = 1;                ///< of the host, for the order of elimination
  std::int64_t memory_limit = 0;  ///< device memory [B] that factors may take; 0: what is free
};

/// GPU number `device` of this process; nullptr if cuDSS is not found.
///
/// Factors that do not fit into the limit are kept in the host's memory and pass through the device in pieces. Memory
/// is taken from the analysis, before the factorisation: UserError (out_of_memory) says how much is needed.
[[nodiscard]] std::shared_ptr<const fem::FactorDevice> find_factor_device(int device,
                                                                          const FactorOptions& options = {});

/// Opens cuDSS, as find_factor_device does where nobody has before.
void open_factor_library();

/// cuDSS with its version and whether it has threads of the host, or where it was looked for.
[[nodiscard]] std::string describe_factor_library();

}  // namespace tetrawave::cuda
