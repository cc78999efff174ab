// The single numbers of results.h5, by their paths, before there is one.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"

namespace tetrawave::app {

/// Paths of the numbers that results.h5 of a case may hold, those of its ports and frequencies by their names. It may
/// lack some that depend on how the run went (`/performance/predicted_gain` without classes of steps). Not of arrays.
[[nodiscard]] std::vector<std::string> list_result_paths(const Case& given);

}  // namespace tetrawave::app
