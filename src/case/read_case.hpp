// The strict reader of case files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/schema/quantity.hpp"
#include "case/spec/case.hpp"

namespace tetrawave {

/// Reads, checks and resolves a case. `file_as_typed` is the file's name in messages; `overrides` are the texts of
/// --set, "a.b.c=VALUE" with VALUE a YAML scalar or flow collection, list items by index. Throws one UserError with all
/// errors of the case (at most 20 lines), each "FILE:LINE:COLUMN: error: ..." or "--set a.b.c: error: ...": 66 for a
/// missing file, 64 for a bad --set path, 78 for everything else.
[[nodiscard]] Case read_case(const std::filesystem::path& file_as_typed, const std::vector<std::string>& overrides);

/// A quantity on the command line, with the units of cases; bare numbers are SI.
[[nodiscard]] Quantity read_quantity(const std::string& text, const std::string& dimension);

}  // namespace tetrawave
