// Mode frequency-domain with `dimension: 2`: fields on triangles that do not depend on z (theory/frequency-domain-2d).
#pragma once

#include <filesystem>

#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::modes {

/// Plane problems run on one rank: UserError (usage) with more.
void refuse_ranks_of_planes(const comm::Communicator& ranks);

/// Sizes of a plane problem, and what its systems take.
struct PlanarCheck {
  std::int64_t triangles = 0, unknowns = 0, nonzeros = 0;
  std::int64_t frequencies = 0, right_hand_sides = 0;
  std::vector<results::PortModel> ports;
  double hz = 0;  ///< the highest frequency, at which the system was assembled
  double seconds_assembly = 0;
  fem::LinearEstimate solution;  ///< expected of the highest frequency
  std::vector<std::string> warnings;
};
/// Everything short of solving. Throws UserError.
[[nodiscard]] PlanarCheck check_planar_case(const Case& given, const std::filesystem::path& mesh_file);

/// Runs the case. Throws UserError: bad_case; unstable (76) where the iteration does not converge.
void run_planar(const Case& given, const FrequencyDomainOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
