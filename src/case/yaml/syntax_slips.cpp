#include "case/yaml/syntax_slips.hpp"

#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tetrawave {

namespace {

constexpr std::string_view blanks = " \t\r";

bool begins_block(std::string_view line) {
  const std::size_t end = line.find_last_not_of(" \t\r+-");
  return end != std::string_view::npos && end > 0 && (line[end] == '|' || line[end] == '>') && line[end - 1] == ' ';
}

// Follows quotes from line to line.
class QuoteReader {
 public:
  [[nodiscard]] bool is_open() const { return quote_ != 0; }
  [[nodiscard]] TextPlace start() const { return start_; }

  void read(std::string_view line, int number) {
    char before = 0;  // the last character but blanks
    for (std::size_t k = 0; k < line.size(); ++k) {
      const char c = line[k];
      if (is_open()) {
        const bool twice = quote_ == '\'' && c == '\'' && k + 1 < line.size() && line[k + 1] == '\'';
        if (twice || (quote_ == '"' && c == '\\'))
          ++k;
        else if (c == quote_)
          quote_ = 0;
      } else if (c == '#' && (k == 0 || blanks.find(line[k - 1]) != std::string_view::npos)) {
        return;
      } else if ((c == '"' || c == '\'') && (before == 0 || std::string_view(":,[{-").find(before) < 5)) {
        quote_ = c;
        start_ = {number, static_cast<int>(k)};
      }
      if (blanks.find(c) == std::string_view::npos) before = c;
    }
  }

 private:
  char quote_ = 0;
  TextPlace start_;
};

}  // namespace

std::optional<TextPlace> find_open_quote(const std::vector<std::string>& lines) {
  if (std::any_of(lines.begin(), lines.end(), begins_block)) return std::nullopt;
  QuoteReader reader;
  int number = 0;
  for (const std::string& line : lines) {
    if (reader.is_open() && !line.empty() && blanks.find(line.front()) == std::string_view::npos) return reader.start();
    reader.read(line, number++);
  }
  return reader.is_open() ? std::optional(reader.start()) : std::nullopt;
}

std::optional<TextPlace> find_tab(const std::vector<std::string>& lines, int line) {
  for (const int at : {line, line - 1}) {
    if (at < 0 || static_cast<std::size_t>(at) >= lines.size()) continue;
    const std::string& text = lines[static_cast<std::size_t>(at)];
    const std::size_t byte = text.find_first_not_of(' ');
    if (byte != std::string::npos && text[byte] == '\t') return TextPlace{at, static_cast<int>(byte)};
  }
  return std::nullopt;
}

std::string hint_at(const std::vector<std::string>& lines, TextPlace at, const std::string& message) {
  constexpr const char* indent = "; is this line indented like those around it?";
  if (message == YAML::ErrorMsg::MAP_VALUE) {
    const auto line = static_cast<std::size_t>(at.line);
    const bool is_second = at.line >= 0 && line < lines.size() &&
                           lines[line].substr(0, static_cast<std::size_t>(at.byte)).find(": ") != std::string::npos;
    return is_second ? "; a text with a colon and a blank in it needs quotes: title: \"one: two\""
                     : "; is this line indented like those around it, and is there a blank after the colon before it?";
  }
  const std::array<std::pair<const char*, const char*>, 5> hints{{
      {YAML::ErrorMsg::END_OF_MAP, indent},
      {YAML::ErrorMsg::BLOCK_ENTRY, indent},
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "; a '{' before here is not closed"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "; a '[' before here is not closed"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "; a text that begins with this character needs quotes"},
  }};
  for (const auto& [text, hint] : hints)
    if (message == text) return hint;
  return "";
}

}  // namespace tetrawave
