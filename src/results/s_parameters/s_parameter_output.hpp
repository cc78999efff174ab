// S-parameters of a run: from the port histories to /s_parameters and the Touchstone file.
#pragma once

#include <filesystem>
#include <vector>

#include "results/s_parameters/march_result.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::results {

/// Writes /s_parameters into `file` and the Touchstone file into `directory`, and logs doubts about them.
void write_s_parameters(const store::File& file, const std::filesystem::path& directory, const OutputRequests& outputs,
                        const PortRequest& request, const HistoryPlan& plan, const PowerBalance& balance,
                        const std::vector<MarchResult>& marches, bool has_kerr);

/// Writes finished S and, if wanted, its rational model, and logs its notes and warnings. `middle_hz`: frequency of the
/// waveguide impedances given in the Touchstone file.
void write_s_matrix(const store::File& file, const std::filesystem::path& directory, const SParameters& s,
                    const OutputRequests& outputs, const std::vector<PortModel>& ports, double middle_hz);

}  // namespace tetrawave::results
