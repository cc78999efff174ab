#include "case/yaml/errors.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text/format.hpp"

namespace tetrawave {

Errors::Errors(std::string file, std::vector<std::string> override_paths)
    : file_(std::move(file)), override_paths_(std::move(override_paths)) {}

void Errors::add(const Spot& spot, std::string text, ExitCode code) {
  errors_.push_back({spot, std::move(text), code});
}

std::string Errors::place(const Spot& spot) const {
  if (spot.override_index < 0) return tetrawave::format("{}:{}:{}", file_, spot.line, spot.column);
  return "--set " + override_paths_.at(static_cast<std::size_t>(spot.override_index));
}

void Errors::throw_if_any() const {
  if (errors_.empty()) return;
  std::vector<Item> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Item& a, const Item& b) {
    const auto order = [](const Spot& s) { return std::tuple(s.override_index, s.line, s.column); };
    return order(a.spot) < order(b.spot);
  });
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
    text += tetrawave::format("{}{}: error: {}", i == 0 ? "" : "\n", place(sorted[i].spot), sorted[i].text);
  }
  if (sorted.size() > most)
    text += tetrawave::format("\n{}: {} more errors are not shown", file_, sorted.size() - most);
  const auto any = [&](ExitCode code) {
    return std::any_of(sorted.begin(), sorted.end(), [code](const Item& item) { return item.code == code; });
  };
  const ExitCode code = any(ExitCode::usage)      ? ExitCode::usage
                        : any(ExitCode::bad_case) ? ExitCode::bad_case
                                                  : ExitCode::missing_input;
  throw UserError(code, text);
}

}  // namespace tetrawave
