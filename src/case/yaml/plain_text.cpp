#include "case/yaml/plain_text.hpp"

#include "base/text/format.hpp"
#include "base/text/utf8.hpp"

namespace tetrawave {

TextFault check_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [length, code] = decode_utf8(text, at);
    if (length == 0) return {at, "the text is not valid UTF-8"};
    const bool blank = code == '\t' || code == '\n' || code == '\r' || code == 0x85;
    const bool control = (code < 0x20 || (code >= 0x7F && code < 0xA0)) && !blank;
    if (control || code == 0xFEFF) {
      return {at, tetrawave::format("the character U+{:04X} is not allowed", static_cast<unsigned>(code))};
    }
    at += length;
  }
  return {};
}

int count_characters(std::string_view text) {
  int count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace tetrawave
