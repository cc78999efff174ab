// The part of a case that determines its solution, and differences between two cases.
#pragma once

#include <string>
#include <vector>

#include "case/yaml/node.hpp"

namespace tetrawave {

/// A line "a.b.c: value" per scalar of a resolved case (list items by index), sorted. Values that no field depends on
/// are left out: title, run, the band of the S-parameters, and names of files, whose contents count.
[[nodiscard]] std::vector<std::string> list_identity(const Node& resolved);

/// Whether only `time.end` and `time.steps` differ.
[[nodiscard]] bool differ_in_time_alone(const std::vector<std::string>& before, const std::vector<std::string>& now);

/// A line per value changed, added or removed in `now`: "a.b.c: 2 (was 1)"; at most 10, then a count.
[[nodiscard]] std::vector<std::string> compare_identities(const std::vector<std::string>& before,
                                                          const std::vector<std::string>& now);

}  // namespace tetrawave
