// Validation of scalars against their schema: text, numbers, quantities, names, files; and the messages about values.
#pragma once

#include <string>
#include <vector>

#include "case/schema/resolve.hpp"
#include "case/schema/schema.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

[[nodiscard]] bool takes_scalar(const Schema& schema);

/// The scalar in canonical form; marked invalid after an error. See resolve().
[[nodiscard]] Node resolve_scalar(const Node& node, const Schema& schema, const std::string& path,
                                  const ResolveContext& context);

/// "expected a list, found 'x'".
[[nodiscard]] std::string wrong_type(const Node& node, const Schema& schema, const UnitTable& units);

/// "PATH: unknown value 'x' (did you mean 'y'?); allowed: y, z".
[[nodiscard]] std::string unknown_value(const std::string& path, const Node& found,
                                        const std::vector<std::string>& known);

/// "PATH: 'x' is not available yet in this version; available: y".
[[nodiscard]] std::string unavailable_value(const std::string& path, const std::string& found,
                                            const std::vector<std::string>& available);

/// "PATH: 'x' is not a name; allowed: ...".
[[nodiscard]] std::string bad_name(const std::string& path, const std::string& found);

}  // namespace tetrawave
