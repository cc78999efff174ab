#include "sources/ports/port_description.hpp"

#include <regex>

#include "base/text/format.hpp"

namespace tetrawave {

std::optional<WaveguideMode> read_waveguide_mode(const std::string& name) {
  static const std::regex pattern(R"(T([EM])(?:(\d)(\d)|(\d{1,3}),(\d{1,3})))");
  std::smatch parts;
  if (!std::regex_match(name, parts, pattern)) return std::nullopt;
  const bool short_form = parts[2].matched;
  const WaveguideMode mode{parts[1].str() == "M", std::stoi(parts[short_form ? 2 : 4].str()),
                           std::stoi(parts[short_form ? 3 : 5].str())};
  const bool exists = mode.tm ? mode.m > 0 && mode.n > 0 : mode.m + mode.n > 0;
  return exists ? std::optional(mode) : std::nullopt;
}

std::string name_of(const WaveguideMode& mode) {
  return tetrawave::format("T{}{}{}{}", mode.tm ? "M" : "E", mode.m, mode.m > 9 || mode.n > 9 ? "," : "", mode.n);
}

}  // namespace tetrawave
