// `tetrawave check` for mode fetd.
#pragma once

#include <string>

#include "app/check/report.hpp"

namespace tetrawave::app {

/// `report`: of a run that was set up and one step of which was timed (`step_seconds`). Collective; returns the text,
/// or JSON, on every rank.
[[nodiscard]] std::string check_implicit(CheckReport report, bool as_json, const comm::Communicator& ranks);

}  // namespace tetrawave::app
