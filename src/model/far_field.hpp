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

/// If only ports drive, the surface's net power is what radiates, unless waves are reflected from outside. (Around
/// point currents it also contains products of errors of the reactive field, which do not affect the pattern.)
void warn_of_powers(const std::vector<results::FarFieldResult>& results, const std::vector<double>& frequencies,
                    bool marched);

/// Far fields as numbers for checkpoints, and back.
[[nodiscard]] std::vector<double> to_numbers(const std::vector<results::FarFieldResult>& results);
[[nodiscard]] std::vector<results::FarFieldResult> from_numbers(const std::vector<double>& numbers, std::size_t count);

}  // namespace tetrawave::modes
