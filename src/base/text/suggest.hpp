// "Did you mean": the nearest valid name to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tetrawave {

/// The candidate nearest to `name` by edit distance (ignoring case; swapped neighbours count one), else the first one
/// that starts with it; "" if none is near. Near: at most a third of the name's letters have to change (at least one,
/// at most three).
[[nodiscard]] std::string suggest(std::string_view name, const std::vector<std::string>& candidates);

/// " (did you mean 'NAME'?)" for the nearest candidate, or "" if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c", or "none" for an empty list; after `most` names the others are counted: "a, b and 7 more".
[[nodiscard]] std::string list_names(const std::vector<std::string>& names, std::size_t most = 30);

}  // namespace tetrawave
