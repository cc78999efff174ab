// `tetrawave check` of a case of mode fetd.
#pragma once

#include <string>

#include "app/check/report.hpp"

namespace tetrawave::app {

/// `report`: of a march that was set up and a step of which was timed (`step_seconds`). A collective; the text, or
/// JSON, on every rank.
[[nodiscard]] std::string check_implicit(CheckReport report, bool as_json, const comm::Communicator& ranks);

}  // namespace tetrawave::app
