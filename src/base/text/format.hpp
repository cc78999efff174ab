// The only access to fmt, through the copy that spdlog was built with.
#pragma once

#include <spdlog/fmt/fmt.h>

namespace tetrawave {

/// Formats a text with fmt syntax. Call it qualified, tetrawave::format, where std::format may be visible.
using fmt::format;
using fmt::format_string;

}  // namespace tetrawave
