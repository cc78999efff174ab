// The ports of an array in results.h5: waves over time and active reflection, per cell.
#pragma once

#include <complex>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/s_parameters/march_result.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::results {

/// Name of an array's port without its cell: `p` for `p.3.12`.
[[nodiscard]] std::string name_in_cell(const PortDescription& port);

/// Writes PREFIX/ports/NAME for every port of the antenna cell: time [nt], and incident, reflected, voltage and current
/// [nt, nx, ny] of all cells.
void write_array_ports(const store::File& file, const std::string& prefix, const PortRequest& request,
                       const HistoryPlan& plan, const MarchResult& march);

/// Writes /s_parameters/active/NAME [nf, nx, ny] = b/a of every cell while all are driven, and the table
/// active_NAME.csv of driven cells (up to a million lines) into `directory`, and logs doubts about them. NaN in cells
/// that are not driven.
void write_active(const store::File& file, const std::filesystem::path& directory, const PortRequest& request,
                  const std::vector<double>& frequencies, const HistoryPlan& plan, const MarchResult& march);

/// The same of phasors: `reflection` is b/a of a driven port at a frequency.
void write_active(const store::File& file, const std::filesystem::path& directory, const PortRequest& request,
                  const std::vector<double>& frequencies,
                  const std::function<std::complex<double>(std::size_t frequency, std::size_t port)>& reflection);

}  // namespace tetrawave::results
