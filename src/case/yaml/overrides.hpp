// `--set a.b.c=VALUE`: values of the command line merged into the tree of the case file.
#pragma once

#include <string>
#include <vector>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The dotted paths of --set texts: the part before the first '='.
[[nodiscard]] std::vector<std::string> override_paths(const std::vector<std::string>& overrides);

/// Sets each value, read as YAML, at its path, in order. Missing keys on the way are created; a key may itself contain
/// dots if it is in the file; list items are given by their index. Reports (64) a text without '=', empty parts, an
/// index out of range, a path through a scalar; (78) a value that is not YAML.
void apply_overrides(Node& root, const std::vector<std::string>& overrides, Errors& errors);

}  // namespace tetrawave
