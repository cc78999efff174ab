// `--set a.b.c=VALUE`: values of the command line laid over the tree of the case file.
#pragma once

#include <string>
#include <vector>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// The dotted paths of --set texts: what stands before the first '='.
[[nodiscard]] std::vector<std::string> override_paths(const std::vector<std::string>& overrides);

/// Puts each value, read as YAML, at its path, in order. Keys that are missing on the way are made; a key may itself
/// hold dots when it stands in the file; list items are named by their index. Reports (64) a text without '=', empty
/// parts, an index that is not there, a way through a scalar; (78) a value that is not YAML.
void apply_overrides(Node& root, const std::vector<std::string>& overrides, Errors& errors);

}  // namespace tetrawave
