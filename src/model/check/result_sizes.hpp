// How large the results of a case are that do not grow with the steps of a march.
#pragma once

#include <cstdint>

#include "case/spec/case.hpp"

namespace tetrawave::modes {

/// Bytes, in double where they do not fit a whole number.
struct ResultSizes {
  double disk = 0;    ///< results.h5 with the tables and files beside it
  double memory = 0;  ///< of rank 0, while they are written
};

/// Number of runs in modes time-domain and fetd: one per driven port, or one with all ports.
[[nodiscard]] std::int64_t marches_of(const Case& given);

/// Far fields, S-parameters and, in the modes of single frequencies, probes. `drives`: marches, or right-hand sides per
/// frequency.
[[nodiscard]] ResultSizes size_of_results(const Case& given, std::int64_t drives, std::int64_t frequencies);

}  // namespace tetrawave::modes
