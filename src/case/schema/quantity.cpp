#include "case/schema/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/text/format.hpp"
#include "base/text/suggest.hpp"
#include "case/yaml/number.hpp"

namespace tetrawave {

namespace {

// "a length", "an angular frequency".
std::string with_article(std::string dimension) {
  std::replace(dimension.begin(), dimension.end(), '-', ' ');
  return (dimension[0] == 'a' ? "an " : "a ") + dimension;
}

std::vector<std::string> names_of(const Units& units) {
  std::vector<std::string> names;
  for (const auto& [name, value] : units) names.push_back(name);
  return names;
}

const std::string* find_unit(const Units& units, const std::string& name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const auto& unit) { return unit.first == name; });
  return found == units.end() ? nullptr : &found->second;
}

// `number` (shortest text) times `factor`, which is "1", "1eN" (exact) or a whole number such as "60".
std::optional<double> scale(const std::string& number, const std::string& factor) {
  if (factor == "1") return parse_number(number);
  if (factor.rfind("1e", 0) == 0) return parse_number(number, std::stoi(factor.substr(2)));
  const double product = parse_number(number).value() * parse_number(factor).value();
  return std::isfinite(product) ? std::optional<double>(product) : std::nullopt;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

UnitTable::UnitTable(std::vector<std::pair<std::string, Units>> units, std::string length_unit)
    : units_(std::move(units)), length_unit_(std::move(length_unit)) {
  ensure(find_unit(units_of("length"), length_unit_) != nullptr, "the unit of the case is a unit of length");
}

const Units& UnitTable::units_of(const std::string& dimension) const {
  for (const auto& [name, units] : units_) {
    if (name == dimension) return units;
  }
  throw InternalError("the case schema has a dimension without units: " + dimension);
}

double UnitTable::length_unit_m() const { return scale("1", *find_unit(units_of("length"), length_unit_)).value(); }

std::string UnitTable::expectation(const std::string& dimension) const {
  const Units& units = units_of(dimension);
  const std::string bare = dimension == "length" ? length_unit_ : units.front().first;
  return tetrawave::format("{} (bare numbers in {}; units {})", with_article(dimension), bare,
                           list_names(names_of(units)));
}

std::string UnitTable::unit_fault(const std::string& unit, const std::string& dimension) const {
  const std::vector<std::string> allowed = names_of(units_of(dimension));
  for (const auto& [other, units] : units_) {
    if (find_unit(units, unit) == nullptr) continue;
    return tetrawave::format("which is {}; allowed units: {}", with_article(other), list_names(allowed));
  }
  return tetrawave::format("whose unit {} is unknown{}; allowed units: {}", quote(unit), did_you_mean(unit, allowed),
                           list_names(allowed));
}

Quantity UnitTable::read(const Node& scalar, const std::string& dimension) const {
  Quantity result;
  const std::string written = trimmed(scalar.text);
  const std::size_t digits = scan_number(written);
  const std::string unit = trimmed(written.substr(digits));
  const std::optional<double> value = parse_number(written.substr(0, digits));
  if (!value) {
    const std::string fault = number_fault(written.substr(0, written.find_first_of(" \t")));
    result.fault = tetrawave::format("expected {}, found {}{}", expectation(dimension), describe(scalar), fault);
    return result;
  }
  if (unit.empty() && scalar.quoted) {
    result.fault =
        tetrawave::format("expected {}, found the text {} without a unit", expectation(dimension), describe(scalar));
    return result;
  }
  result.has_unit = !unit.empty();
  const Units& units = units_of(dimension);
  const std::string& name = result.has_unit ? unit : dimension == "length" ? length_unit_ : units.front().first;
  const std::string* factor = find_unit(units, name);
  if (factor == nullptr) {
    result.fault = tetrawave::format("expected {}, found {}, {}", with_article(dimension), describe(scalar),
                                     unit_fault(unit, dimension));
    return result;
  }
  const std::string number = shortest(*value);
  const std::optional<double> si = scale(number, *factor);
  if (!si) result.fault = tetrawave::format("found {}, which does not fit a double", describe(scalar));
  result.si = si.value_or(0);
  result.text = number + (result.has_unit ? " " + unit : "");
  return result;
}

}  // namespace tetrawave
