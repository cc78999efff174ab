// Builds what mode frequency-domain has beside the others.
#pragma once

#include "case/case.hpp"
#include "case/errors.hpp"
#include "case/node.hpp"

namespace tetrawave {

/// Fills in `frequency` and `solver` from a resolved tree without errors, and the band of S-parameters where it is that
/// of `frequency`.
void add_frequency(const Node& root, const Errors& errors, Case& result);

}  // namespace tetrawave
