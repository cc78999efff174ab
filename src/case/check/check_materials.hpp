// What a schema cannot say of materials: static values, the keys of the other field, bands.
#pragma once

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Checks the materials of a resolved case: eps_static belongs to one electric term with one eps_r, mu_static likewise;
/// the frequencies of a laminate ascend; a complex permittivity is lossy; in the time domain a loss tangent has one
/// eps_r and frequencies to be fitted at.
void check_materials(const Node& root, Errors& errors);

}  // namespace tetrawave
