// S-parameters of a run: from the port histories to /s_parameters and the Touchstone file.
#pragma once

#include <filesystem>
#include <vector>

#include "observe/results.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::observe {

/// Writes /s_parameters into `file` and the Touchstone file into `directory`, and logs what makes them doubtful.
void write_s_parameters(const store::File& file, const std::filesystem::path& directory, const Case& given,
                        const HistoryPlan& plan, const std::vector<MarchResult>& marches);

}  // namespace tetrawave::observe
