// Strict YAML parsing: the only access to yaml-cpp.
#pragma once

#include <string>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Reads one YAML document into a tree, every node with its place. Reports: text that is not UTF-8, syntax errors, a
/// second document, an empty one (if `override_index` < 0), duplicate keys, keys that are not text, anchors, aliases,
/// merge keys, tags, nesting over 64. The tree is null and invalid after an error that stops parsing. `override_index`:
/// the number of the --set whose value `text` is; -1: the case file.
[[nodiscard]] Node parse_yaml(std::string text, int override_index, Errors& errors);

}  // namespace tetrawave
