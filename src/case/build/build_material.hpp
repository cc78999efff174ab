// A material of a case from its resolved node.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The material under `node`, whose key is its name; `errors` is used only for the text of places.
[[nodiscard]] Material build_material(const Node& node, const Errors& errors);

}  // namespace tetrawave
