// `tetrawave check` of a case of mode frequency-domain.
#pragma once

#include <filesystem>
#include <string>

#include "app/command_line.hpp"
#include "case/spec/case.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

/// Mesh, unknowns, memory and time, as JSON or as lines for an engineer. The system of the highest frequency is
/// assembled and analysed for that, with --solve solved. A geometry is meshed into `mesh_file`. A collective. Throws
/// UserError.
[[nodiscard]] std::string check_frequencies(const Case& given, const std::filesystem::path& mesh_file,
                                            const CommandLine& line, const comm::Communicator& ranks);

}  // namespace tetrawave::app
