// Sources of the resolved case as structs.
#pragma once

#include <vector>

#include "case/case.hpp"
#include "case/errors.hpp"
#include "case/node.hpp"

namespace tetrawave {

/// The list `sources` of a resolved case.
[[nodiscard]] std::vector<SourceSpec> build_sources(const Node& list, const Errors& errors);

}  // namespace tetrawave
