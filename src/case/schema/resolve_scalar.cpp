#include "case/schema/resolve_scalar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/text/format.hpp"
#include "base/text/suggest.hpp"
#include "case/yaml/number.hpp"

namespace tetrawave {

namespace {

bool contains_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool in_bounds(double value, const Schema& schema) {
  return !(schema.minimum && value < *schema.minimum) &&
         !(schema.exclusive_minimum && value <= *schema.exclusive_minimum) &&
         !(schema.maximum && value > *schema.maximum) &&
         !(schema.exclusive_maximum && value >= *schema.exclusive_maximum);
}

// Shortest form; integers without an exponent.
std::string number_text(double value, const Schema& schema) {
  constexpr double exact = 9007199254740992.0;  // 2^53: whole numbers up to here are exact
  const bool whole = schema.types.integer && std::abs(value) <= exact;
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

// "above 0 and at most 1", for a value that is not.
std::string bounds_text(const Schema& schema, double value) {
  constexpr double beyond_use = 9007199254740992.0;  // 2^53, the bound of whole numbers, is news to few
  std::vector<std::string> parts;
  if (schema.exclusive_minimum) parts.push_back("above " + shortest(*schema.exclusive_minimum));
  if (schema.minimum) parts.push_back("at least " + number_text(*schema.minimum, schema));
  if (schema.exclusive_maximum) parts.push_back("below " + shortest(*schema.exclusive_maximum));
  if (schema.maximum && (parts.empty() || *schema.maximum < beyond_use || value > *schema.maximum)) {
    parts.push_back("at most " + number_text(*schema.maximum, schema));
  }
  return parts.size() == 2 ? parts[0] + " and " + parts[1] : parts.front();
}

std::string expectation(const Schema& schema, const UnitTable& units) {
  std::vector<std::string> kinds;
  if (schema.types.object) kinds.push_back("a map of keys");
  if (schema.types.array && !schema.list_unavailable) kinds.push_back("a list");
  if (!schema.dimension.empty()) {
    kinds.push_back(units.expectation(schema.dimension));
  } else if (!schema.values.empty()) {
    kinds.push_back("one of " + list_names(schema.values));
  } else {
    if (schema.types.string) kinds.push_back("text");
    if (schema.types.integer) kinds.push_back("a whole number");
    if (schema.types.number && !schema.types.string) kinds.push_back("a number");
    if (schema.types.boolean) kinds.push_back("true or false");
  }
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) text += (i == 0 ? "" : " or ") + kinds[i];
  return text;
}

class ScalarResolver {
 public:
  ScalarResolver(const Node& node, const Schema& schema, const std::string& path, const ResolveContext& context)
      : node_(node), schema_(schema), path_(path), context_(context), result_(node) {}

  Node run() {
    if (!schema_.dimension.empty()) {
      quantity();
    } else if (schema_.types.string) {
      text();
    } else if (schema_.types.boolean) {
      boolean();
    } else {
      number();
    }
    return std::move(result_);
  }

 private:
  void refuse(std::string text, ExitCode code = ExitCode::bad_case) {
    context_.errors.add(node_.spot, std::move(text), code);
    result_.invalid = true;
  }

  void check_bounds(double value) {
    if (in_bounds(value, schema_)) return;
    refuse(
        tetrawave::format("{}: {} is out of range; allowed: {}", path_, describe(node_), bounds_text(schema_, value)));
  }

  void check_values() {
    if (schema_.values.empty()) return;
    if (!contains_name(schema_.values, result_.text)) return refuse(unknown_value(path_, node_, schema_.values));
    if (!contains_name(schema_.unavailable_values, result_.text)) return;
    std::vector<std::string> available;
    for (const std::string& value : schema_.values) {
      if (!contains_name(schema_.unavailable_values, value)) available.push_back(value);
    }
    refuse(unavailable_value(path_, result_.text, available));
  }

  void quantity() {
    const Quantity read = context_.units.read(node_, schema_.dimension);
    if (!read.fault.empty()) return refuse(path_ + ": " + read.fault);
    result_.number = read.si;
    result_.text = read.text;
    result_.quoted = read.has_unit;
    check_bounds(read.si);
  }

  void number() {
    const std::optional<double> value = node_.quoted ? std::nullopt : parse_number(node_.text);
    const bool whole = value && (!schema_.types.integer || std::floor(*value) == *value);
    if (!whole) {
      const std::string fault = node_.quoted ? "; write numbers without quotes" : number_fault(node_.text);
      return refuse(
          tetrawave::format("{}: {}{}", path_, wrong_type(node_, schema_, context_.units), value ? "" : fault));
    }
    result_.number = *value;
    result_.text = number_text(*value, schema_);
    check_bounds(*value);
    if (!result_.invalid) check_values();
  }

  void boolean() {
    const bool good = !node_.quoted && (node_.text == "true" || node_.text == "false");
    if (!good) refuse(tetrawave::format("{}: {}", path_, wrong_type(node_, schema_, context_.units)));
  }

  void text() {
    result_.quoted = true;
    if (node_.text.size() < schema_.min_length) return refuse(tetrawave::format("{}: the text is empty", path_));
    if (schema_.format == "name" && !is_name(node_.text)) return refuse(bad_name(path_, node_.text));
    if (schema_.format == "file") return file();
    check_values();
  }

  void file() {
    namespace fs = std::filesystem;
    const fs::path path = (context_.directory / node_.text).lexically_normal();
    const bool known = schema_.suffixes.empty() || contains_name(schema_.suffixes, path.extension().string());
    if (!known) {
      return refuse(tetrawave::format("{}: the extension of {} is unknown; allowed: {}", path_, describe(node_),
                                      list_names(schema_.suffixes)));
    }
    std::error_code ignored;
    if (!fs::exists(path, ignored) || fs::is_directory(path, ignored)) {
      return refuse(tetrawave::format("{}: no such file {}; names are relative to the directory of the case file",
                                      path_, describe(node_)),
                    ExitCode::missing_input);
    }
    if (!fs::is_regular_file(path, ignored)) {
      return refuse(tetrawave::format("{}: {} is a pipe or a device; a plain file is expected", path_, describe(node_)),
                    ExitCode::missing_input);
    }
    result_.text = path.string();
  }

  const Node& node_;
  const Schema& schema_;
  const std::string& path_;
  const ResolveContext& context_;
  Node result_;
};

}  // namespace

bool takes_scalar(const Schema& schema) {
  return schema.types.string || schema.types.number || schema.types.integer || schema.types.boolean;
}

Node resolve_scalar(const Node& node, const Schema& schema, const std::string& path, const ResolveContext& context) {
  return ScalarResolver(node, schema, path, context).run();
}

std::string wrong_type(const Node& node, const Schema& schema, const UnitTable& units) {
  return tetrawave::format("expected {}, found {}", expectation(schema, units), describe(node));
}

std::string unknown_value(const std::string& path, const Node& found, const std::vector<std::string>& known) {
  return tetrawave::format("{}: unknown value {}{}; allowed: {}", path, describe(found),
                           did_you_mean(found.text, known), list_names(known));
}

std::string unavailable_value(const std::string& path, const std::string& found,
                              const std::vector<std::string>& available) {
  return tetrawave::format("{}: {} is not available yet in this version; available: {}", path, quote(found),
                           list_names(available));
}

std::string bad_name(const std::string& path, const std::string& found) {
  return tetrawave::format(
      "{}: {} is not a valid name; allowed: letters, digits, '.', '_' and '-', neither '.' nor '-' first, at most 128 "
      "characters",
      path, quote(found));
}

bool is_name(std::string_view text) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  const bool sound = !text.empty() && text.size() <= 128 && text[0] != '.' && text[0] != '-';
  return sound && std::all_of(text.begin(), text.end(), good);
}

}  // namespace tetrawave
