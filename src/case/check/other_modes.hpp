// The key other_modes of coaxial and tem ports: treatment of fields other than the port's mode.
#pragma once

#include "case/yaml/node.hpp"

namespace tetrawave {

/// Fills in the key if it is absent: `reflect` if the mode, the scheme and the media support it, else `absorb`.
void fill_other_modes(Node& resolved);

}  // namespace tetrawave
