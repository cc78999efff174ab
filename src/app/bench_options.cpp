#include "app/bench_options.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave::app {

namespace {

/// "a,b" becomes a and b; "" becomes an empty list.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t first = 0;
  while (true) {
    const std::size_t comma = text.find(',', first);
    parts.push_back(text.substr(first, comma - first));
    if (comma == std::string::npos) return parts;
    first = comma + 1;
  }
}

template <class Choice>
std::vector<Choice> parse_names(const char* option, const std::string& text, const Names<Choice>& names) {
  std::vector<Choice> chosen;
  for (const std::string& part : split(text)) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == part; });
    if (found == names.end()) {
      std::vector<std::string> known;
      for (const auto& [name, choice] : names) known.push_back(name);
      fail(ExitCode::usage, "tetrawave: error: {}: unknown name '{}'{}; allowed, with commas between: {}", option, part,
           did_you_mean(part, known), list_names(known));
    }
    chosen.push_back(found->second);
  }
  return chosen;
}

template <class Number>
Number parse_number(const char* option, const std::string& text, Number low, Number high, const char* kind) {
  Number value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(value >= low && value <= high))
    fail(ExitCode::usage, "tetrawave: error: {}: expected {} from {} to {}, found '{}'", option, kind, low, high, text);
  return value;
}

std::vector<std::int64_t> parse_numbers(const char* option, const std::string& text, std::int64_t low,
                                        std::int64_t high) {
  std::vector<std::int64_t> values;
  for (const std::string& part : split(text))
    values.push_back(parse_number(option, part, low, high, "whole numbers with commas between,"));
  return values;
}

}  // namespace

BenchOptions parse_bench_options(const BenchTexts& texts) {
  BenchOptions options;
  options.schemes = parse_names("--scheme", texts.schemes, scheme_names());
  options.spaces = parse_names("--space", texts.spaces, space_names());
  options.layouts = parse_names("--layout", texts.layouts, layout_names());
  options.precisions = parse_names("--precision", texts.precisions, precision_names());
  for (const std::string& part : split(texts.penalties))
    options.penalties.push_back(parse_number("--penalty", part, 0.0, 1.0, "numbers with commas between,"));
  options.orderings = parse_names("--order", texts.orderings, ordering_names());
  options.elements = parse_numbers("--elements", texts.elements, 6, 300'000'000);
  options.threads = parse_numbers("--threads", texts.threads, 1, 1024);
  options.faces = parse_numbers("--faces", texts.faces, 1, 10'000'000);
  if (options.faces.size() % 2 != 0)
    fail(ExitCode::usage, "tetrawave: error: --faces: expected faces of S and of S' in turn, found '{}'", texts.faces);
  if (!options.faces.empty() && !texts.pairs)
    fail(ExitCode::usage, "tetrawave: error: --faces needs --pairs: give both");
  if (!texts.seconds.empty()) options.seconds = parse_number("--seconds", texts.seconds, 0.001, 20.0, "a number");
  if (!texts.json.empty()) options.json = texts.json;
  options.split = texts.split;
  options.pairs = texts.pairs;
  options.factors = texts.factors;
  options.iteration = texts.iteration;
  options.assembly = texts.assembly;
  if (texts.pairs + texts.factors + texts.iteration + texts.assembly > 1)
    fail(
        ExitCode::usage,
        "tetrawave: error: bench: --pairs, --factors, --iteration and --assembly exclude each other: give one of them");
  const Names<bool> mappings{{"lane", false}, {"dissertation", true}};
  const std::vector<bool> mapping = parse_names("--mapping", texts.mapping, mappings);
  options.dissertation = std::find(mapping.begin(), mapping.end(), true) != mapping.end();
  const auto is_stored = [](Layout layout) { return layout == Layout::stored; };
  if (options.dissertation && !options.layouts.empty() &&
      std::none_of(options.layouts.begin(), options.layouts.end(), is_stored))
    fail(ExitCode::usage, "tetrawave: error: --mapping dissertation needs the layout stored: name it in --layout");
  return options;
}

}  // namespace tetrawave::app
