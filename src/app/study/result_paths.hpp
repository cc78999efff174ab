// Paths of the scalar results in results.h5, known before the run.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"

namespace tetrawave::app {

/// Paths of the scalars that results.h5 of a case may contain, with the names of its ports and frequencies. Some depend
/// on the run and may be missing (`/performance/predicted_gain` without LTS). Not for arrays.
[[nodiscard]] std::vector<std::string> list_result_paths(const Case& given);

}  // namespace tetrawave::app
