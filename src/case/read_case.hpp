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

/// The first error of the text of a case without its file, and without its place; empty if there is none but files
/// that are missing.
[[nodiscard]] std::string first_fault(const std::string& case_text, const std::vector<std::string>& overrides);

/// The values that the schema knows for a key under the root: {"method", "basis"}.
[[nodiscard]] std::vector<std::string> values_of(const std::vector<std::string>& path);

/// A quantity on the command line, with the units of cases; bare numbers are SI.
[[nodiscard]] Quantity read_quantity(const std::string& text, const std::string& dimension);

}  // namespace tetrawave
