// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace tetrawave {

/// One character: its bytes and its code point. Length 0: malformed, overlong or a surrogate.
struct Character {
  std::size_t length = 0;
  char32_t code = 0;
};

/// The character that starts at byte `at` of the text.
[[nodiscard]] Character decode_utf8(std::string_view text, std::size_t at);

}  // namespace tetrawave
