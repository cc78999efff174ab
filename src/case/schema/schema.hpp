// The JSON schema of the case file, as plain structs for the reader.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/yaml/node.hpp"

namespace tetrawave {

/// Constraints of one value. Keywords of JSON Schema keep their meaning, bounds apply to the value in SI units; `x-`
/// keywords are extensions:
///   x-dimension          the number may carry a unit of this dimension ("length": bare numbers are in `units`)
///   x-available: false   of a part to come: anything but the default is refused
///   x-unavailable        enum values of parts to come;  x-unavailable-types: types likewise
///   x-select             the key whose `const` in a branch of oneOf tells the branch
///   x-suffixes           allowed ends of a file name
///   x-default            a default that is computed, in words
///   x-modes              the modes that know the key; elsewhere it is refused and has no default
///   x-units (at the root)   units by dimension and their values in SI
/// A schema with only a description accepts any value.
struct Schema {
  struct Types {
    bool object = false, array = false, string = false, number = false, integer = false, boolean = false;
  };
  Types types;
  std::vector<std::pair<std::string, const Schema*>> properties;
  const Schema* other_properties = nullptr;  ///< schema of keys named by users; nullptr: no such keys
  bool keys_are_names = false;
  std::vector<std::string> required;
  std::vector<std::string> exactly_one;                        ///< oneOf: [{required: [a]}, {required: [b]}]
  std::vector<std::vector<std::string>> not_together;          ///< not: {required: [a, b]}, or anyOf of such
  std::map<std::string, std::vector<std::string>> depends_on;  ///< dependencies
  struct Condition {
    std::string key;                    ///< if: {properties: {key: {enum}}}
    std::vector<std::string> values;    ///< of that key
    std::vector<std::string> required;  ///< then: {required}
  };
  std::vector<Condition> conditions;  ///< allOf: [{if, then}]
  const Schema* items = nullptr;
  std::optional<std::size_t> min_items, max_items;
  bool unique_items = false;
  std::size_t min_length = 0;
  std::optional<double> minimum, exclusive_minimum, maximum, exclusive_maximum;
  std::vector<std::string> values;              ///< enum, or the one value of const
  std::vector<std::string> unavailable_values;  ///< among `values`
  bool list_unavailable = false;
  std::optional<Node> default_value;
  std::string dimension;
  std::string format;  ///< "name", "file", "direction" or ""
  std::vector<std::string> suffixes;
  std::string select;
  std::vector<const Schema*> branches;
  bool available = true;
  std::vector<std::string> modes;  ///< empty: all

  [[nodiscard]] bool takes_anything() const;
  [[nodiscard]] const Schema* property(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> property_names() const;
};

/// Units of one dimension, in the order of the schema: name and value in SI, as decimal text ("1e-3", "60").
using Units = std::vector<std::pair<std::string, std::string>>;

class SchemaDocument {
 public:
  /// Reads a JSON schema; throws InternalError on a keyword that the reader does not know.
  explicit SchemaDocument(const char* json_text);
  SchemaDocument(const SchemaDocument&) = delete;
  SchemaDocument& operator=(const SchemaDocument&) = delete;

  [[nodiscard]] const Schema& root() const { return *root_; }
  [[nodiscard]] const std::vector<std::pair<std::string, Units>>& units() const { return units_; }

 private:
  std::deque<Schema> schemas_;
  std::vector<std::pair<std::string, Units>> units_;
  const Schema* root_ = nullptr;
};

}  // namespace tetrawave
