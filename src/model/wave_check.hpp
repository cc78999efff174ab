// The waveforms of a march, looked at before it begins.
#pragma once

#include "case/spec/case.hpp"
#include "model/time_domain_setup.hpp"

namespace tetrawave::modes {

/// Finds setup.sampled_steps and looks at all excitations up to there, so that a march in a later turn does not find
/// one wrong. Throws UserError (bad_case) for waveforms that are wrong, and for marches that are too long for theirs:
/// those that act on and on are sampled at all steps, and sources inside the mesh and ports with memory keep them.
void check_waves(const Case& given, TimeDomainSetup& setup);

}  // namespace tetrawave::modes
