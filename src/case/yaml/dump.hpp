// Writes a resolved case as YAML that reads back as the same case.
#pragma once

#include <string>

#include "case/yaml/node.hpp"

namespace tetrawave {

/// Block style, two spaces per level; lists of scalars and empty containers in flow style.
[[nodiscard]] std::string dump_yaml(const Node& root);

/// A value in one line, flow style.
[[nodiscard]] std::string dump_flow(const Node& node);

}  // namespace tetrawave
