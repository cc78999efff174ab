// S-parameters as a Touchstone file, the exchange format of network analysers and circuit simulators.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/s_parameters/s_parameters.hpp"

namespace tetrawave::results {

/// Touchstone 1.1 supports one reference impedance and no gaps: true if all ports were driven and have the same
/// impedance (to 1e-6).
[[nodiscard]] bool fits_touchstone_1(const SParameters& s, const std::vector<double>& impedances_ohm);

/// The file's text, real and imaginary parts in Hz: version 1.1 if possible, else 2.0 with one reference per port and
/// nan in the columns of ports that were not driven.
[[nodiscard]] std::string touchstone_text(const SParameters& s, const std::vector<double>& impedances_ohm);

/// Writes DIRECTORY/sparameters.sNp (N ports) or DIRECTORY/sparameters.ts atomically, and returns its path. Throws
/// UserError (io).
std::filesystem::path write_touchstone(const std::filesystem::path& directory, const SParameters& s,
                                       const std::vector<double>& impedances_ohm);

}  // namespace tetrawave::results
