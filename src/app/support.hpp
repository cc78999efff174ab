// `tetrawave info --support`: what works with what.
#pragma once

#include <string>

namespace tetrawave::app {

/// A table of features by methods, then the settings that are refused together.
[[nodiscard]] std::string support_as_text();
/// The same as JSON: `features`, each with `group`, `name` and by method `works`, `message` where it does not, and the
/// `case` and `settings` of --set that were read; `refused_together`, each with `settings` and `message`.
[[nodiscard]] std::string support_as_json();

}  // namespace tetrawave::app
