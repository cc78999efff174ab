#include "base/text/printable.hpp"

#include "base/text/format.hpp"
#include "base/text/utf8.hpp"

namespace tetrawave {

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode_utf8(text, at);
    const std::size_t bytes = character.length == 0 ? 1 : character.length;
    const char32_t code = character.code;
    const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
    for (std::size_t i = at; i < at + bytes; ++i)
      if (character.length == 0 || control)
        shown += tetrawave::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text[i])));
      else
        shown += text[i];
    at += bytes;
  }
  return shown;
}

}  // namespace tetrawave
