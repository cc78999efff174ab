#include "case/utf8.hpp"

#include "base/format.hpp"

namespace tetrawave {

namespace {

// Length of the well-formed sequence at `at` and its code point; length 0 when malformed, overlong or a surrogate.
struct Decoded {
  std::size_t length;
  char32_t code;
};

Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {0, 0};
  char32_t code = lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0, 0};
    code = (code << 6) | (byte(at + i) & 0x3F);
  }
  constexpr char32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[length] || code > 0x10FFFF || surrogate) return {0, 0};
  return {length, code};
}

}  // namespace

TextFault check_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [length, code] = decode(text, at);
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
