// `tetrawave check` for mode frequency-domain.
#pragma once

#include <filesystem>
#include <string>

#include "app/command_line.hpp"
#include "case/spec/case.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

/// Mesh, unknowns, memory and time, as JSON or as text. The system at the highest frequency is assembled and analysed,
/// with --solve also solved. A geometry is meshed into `mesh_file`. Collective. Throws UserError.
[[nodiscard]] std::string check_frequencies(const Case& given, const std::filesystem::path& mesh_file,
                                            const CommandLine& line, const comm::Communicator& ranks);

}  // namespace tetrawave::app
