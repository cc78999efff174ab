// Checks of modes that a schema cannot express: requirements of the frequency domain, and features of the time domain
// only.
#pragma once

#include <string_view>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The mode of a resolved case; empty if its value is invalid.
[[nodiscard]] std::string_view mode_of(const Node& root);

/// In frequency-domain: ascending frequencies, from `frequency` or `outputs.s_parameters`; supported sources and
/// numbers. In other modes: waveforms for all excitations, and a band for S-parameters.
void check_frequency(const Node& root, Errors& errors);

}  // namespace tetrawave
