// Text checks before YAML parsing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tetrawave {

/// Where a text stops being plain UTF-8, and why.
struct TextFault {
  std::size_t byte = 0;
  std::string what;  ///< empty: the text is valid
};

/// The first invalid UTF-8 sequence or control character (all but tab, line feed, carriage return). Control characters
/// matter: byte 4 would silently end the text inside yaml-cpp.
[[nodiscard]] TextFault check_text(std::string_view text);

/// Number of characters (code points) in UTF-8 text.
[[nodiscard]] int count_characters(std::string_view text);

}  // namespace tetrawave
