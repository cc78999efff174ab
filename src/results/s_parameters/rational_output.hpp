// The rational model of a run's S: /rational_model and rational_model.cir.
#pragma once

#include <filesystem>
#include <vector>

#include "results/request/request.hpp"
#include "results/s_parameters/s_parameters.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::results {

/// Fits a rational model to the driven columns of S, makes it passive and writes it; the netlist, with these reference
/// impedances, only if every port is driven. Warns if the tolerance is not reached.
void write_rational_model(const store::File& file, const std::filesystem::path& directory, const SParameters& s,
                          const RationalModelRequest& spec, const std::vector<double>& impedances_ohm);

}  // namespace tetrawave::results
