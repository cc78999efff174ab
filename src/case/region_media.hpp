// The media of a mesh's regions, as named by the case.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "media/material.hpp"

namespace tetrawave {

/// The region of the case for a region of its mesh: for an added absorbing layer, the region that it continues.
[[nodiscard]] std::string region_in_case(const Case& given, const std::string& region_of_mesh);

/// The name of its material in the case; empty for a region that the case does not have.
[[nodiscard]] std::string material_of(const Case& given, const std::string& region);

/// The medium of a material of the case, with the case's time stepping.
[[nodiscard]] Medium medium_of(const Case& given, const Material& material);

/// The medium of each region of the mesh, in the order of `region_names` (a box mesh has the one region "box"). Throws
/// one UserError (bad_case), a line per error: a region of the case that is not a volume of the mesh, and a volume of
/// the mesh without a material.
[[nodiscard]] std::vector<Medium> media_of_regions(const Case& given, const std::vector<std::string>& region_names);

}  // namespace tetrawave
