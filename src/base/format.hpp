// The one door to fmt, through the copy that spdlog was built with.
#pragma once

#include <spdlog/fmt/fmt.h>

#include <string>
#include <utility>

namespace tetrawave {

template <class... Args>
using format_string = fmt::format_string<Args...>;

/// Formats a text with fmt syntax.
template <class... Args>
[[nodiscard]] std::string format(format_string<Args...> text, Args&&... args) {
  return fmt::format(text, std::forward<Args>(args)...);
}

}  // namespace tetrawave
