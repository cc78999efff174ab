// Checks that a schema cannot express: references between the parts of a case, and contradictory parts.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Checks a resolved case: materials of regions and waveforms of excitations exist; names of ports and probes are
/// unique; a group has one use; S-parameters have an excitation, and one at a time; bounds that depend on each other.
void check_case(const Node& resolved, Errors& errors);

}  // namespace tetrawave
