// The far field of a model: its surface, and its results as numbers.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "results/far_field/far_field_output.hpp"

namespace tetrawave::modes {

/// The sums over currents, on threads of the CPU.
[[nodiscard]] results::DirectionSummation direction_summation(int threads);

/// Chooses the surface and adds its faces to the problem, if the case requests a far field. Throws UserError
/// (bad_case), the same on all ranks. Collective.
void set_up_far_field(Model& model, const Case& given, int threads, const comm::Communicator& ranks);

/// What may drive the net power through the surface away from that of the pattern.
enum class PowerErrors {
  of_solution,     ///< frequency domain: reflection from outside, the mesh
  of_march,        ///< also the end of the run
  of_rough_waves,  ///< around dipoles: waves that the mesh does not resolve and the scheme hardly damps
                   ///< (theory/central)
};

/// If ports and currents drive, the surface's net power is what radiates, unless waves are reflected from outside.
void warn_of_powers(const std::vector<results::FarFieldResult>& results, const std::vector<double>& frequencies,
                    PowerErrors errors);

/// Far fields as numbers for checkpoints, and back.
[[nodiscard]] std::vector<double> to_numbers(const std::vector<results::FarFieldResult>& results);
[[nodiscard]] std::vector<results::FarFieldResult> from_numbers(const std::vector<double>& numbers, std::size_t count);

}  // namespace tetrawave::modes
