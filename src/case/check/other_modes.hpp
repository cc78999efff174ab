// The key other_modes of coaxial and tem ports: what becomes of fields that are not the port's mode.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Fills the key in where it is absent: `reflect` where the mode, the scheme and the media have it, else `absorb`.
void fill_other_modes(Node& resolved);

/// An error for each `reflect` where there is none.
void check_other_modes(const Node& root, Errors& errors);

}  // namespace tetrawave
