// Checks of materials that a schema cannot express: static values, the keys of the other field, bands.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Checks the materials of a resolved case: eps_static requires a single electric term and a single eps_r, mu_static
/// likewise; the frequencies of a laminate ascend; a complex permittivity is lossy; in the time domain a loss tangent
/// needs a single eps_r and frequencies for its fit.
void check_materials(const Node& root, Errors& errors);

}  // namespace tetrawave
