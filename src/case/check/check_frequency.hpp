// What a schema cannot say of modes: what the frequency domain needs, and what only a march does.
#pragma once

#include <string_view>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The mode that a resolved case names; empty where its value is wrong.
[[nodiscard]] std::string_view mode_of(const Node& root);

/// In frequency-domain: frequencies that ascend, from `frequency` or `outputs.s_parameters`; sources and numbers that
/// it knows. In other modes: waveforms for all that is driven, and a band for S-parameters.
void check_frequency(const Node& root, Errors& errors);

}  // namespace tetrawave
