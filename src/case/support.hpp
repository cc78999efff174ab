// What works with what: every feature in every method, asked of the reader of cases.
#pragma once

#include <string>
#include <vector>

namespace tetrawave {

/// A feature in a method. The case that was read: a text, with a box or a rectangle as its mesh, or a mesh file that
/// need not be there, and settings in the form of --set; none where the command line decides. `why_not`: the message
/// that refuses it, empty if it works.
struct SupportCell {
  std::string case_text;
  std::vector<std::string> settings;
  std::string why_not;
};

struct SupportRow {
  std::string group;
  std::string feature;
  std::vector<SupportCell> cells;  ///< one for each method
};

struct SupportTable {
  std::vector<std::string> methods;
  std::vector<SupportRow> rows;
};

/// Reads a small case for every cell.
[[nodiscard]] SupportTable support_table();

/// Settings that are refused together, in words, each with its message.
struct RefusedTogether {
  std::string settings;
  std::string message;
};
[[nodiscard]] std::vector<RefusedTogether> refused_together();

}  // namespace tetrawave
