// results.h5 of mode assembly-2d.
#pragma once

#include <filesystem>
#include <string>

#include "modes/assembly_2d/assembly_2d.hpp"

namespace tetrawave::modes {

/// Writes DIRECTORY/results.h5 atomically. Potentials and fields are in the mesh's numbering.
void write_static_results(const std::filesystem::path& directory, const std::string& resolved_yaml,
                          const results::RunIdentity& identity, const StaticOutcome& outcome);

/// The peak of allocated memory over the number of elements.
[[nodiscard]] double bytes_per_element(const StaticOutcome& outcome);

}  // namespace tetrawave::modes
