// Validates a case against its schema and fills in defaults.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "case/schema/quantity.hpp"
#include "case/schema/schema.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Inputs of resolving in addition to the schema.
struct ResolveContext {
  const UnitTable& units;
  std::filesystem::path directory;  ///< absolute; file names are relative to it
  Errors& errors;
};

/// The case with all defaults, numbers in shortest form (their SI value in Node::number), file names absolute, keys in
/// the order of the schema; values with errors are marked invalid. Reports unknown keys, missing keys, wrong types,
/// units, bounds, unknown enum values, bad names, missing files (66), and features not yet available.
[[nodiscard]] Node resolve(const Node& root, const Schema& schema, const ResolveContext& context);

/// Whether a name can be an HDF5 path and a file name: letters, digits, '.', '_', '-', not starting with '.' or '-', at
/// most 128 characters.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace tetrawave
