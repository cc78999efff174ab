// Sizes of the results of a case that do not grow with the number of steps.
#pragma once

#include <cstdint>

#include "case/spec/case.hpp"

namespace tetrawave::modes {

/// Bytes, in double as they may not fit an integer.
struct ResultSizes {
  double disk = 0;    ///< results.h5 with the tables and other files
  double memory = 0;  ///< of rank 0, while they are written
};

/// Number of runs in modes time-domain and fetd: one per driven port, or one with all ports.
[[nodiscard]] std::int64_t marches_of(const Case& given);

/// Far fields, S-parameters and, in frequency-domain modes, probes. `drives`: runs, or right-hand sides per frequency.
[[nodiscard]] ResultSizes size_of_results(const Case& given, std::int64_t drives, std::int64_t frequencies);

}  // namespace tetrawave::modes
