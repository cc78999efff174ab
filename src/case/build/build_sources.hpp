// Sources of the resolved case as structs.
#pragma once

#include <vector>

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The list `sources` of a resolved case.
[[nodiscard]] std::vector<SourceDescription> build_sources(const Node& list, const Errors& errors);

}  // namespace tetrawave
