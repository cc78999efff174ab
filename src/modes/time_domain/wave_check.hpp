// Checks of the waveforms of a run before it starts.
#pragma once

#include "modes/time_domain/setup.hpp"

namespace tetrawave::modes {

/// Determines setup.sampled_steps and evaluates all excitations up to there, so that no later run fails. Throws
/// UserError (bad_case) for invalid waveforms, and for runs too long for their waveforms: those that never end are
/// sampled at all steps, and sources inside the mesh and dispersive ports store them.
void check_waves(TimeDomainSetup& setup);

}  // namespace tetrawave::modes
