// What `tetrawave new` has cases of.
#pragma once

#include <string>

namespace tetrawave::app {

/// Their names with `between` them.
[[nodiscard]] std::string case_kinds(const char* between);

}  // namespace tetrawave::app
