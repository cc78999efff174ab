#include "case/schema/schema.hpp"

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text/format.hpp"
#include "case/yaml/number.hpp"

namespace tetrawave {

namespace {

using Json = nlohmann::ordered_json;

Node to_node(const Json& json) {
  Node node;
  if (json.is_object() || json.is_array()) {
    node.kind = json.is_object() ? Node::Kind::map : Node::Kind::list;
    for (const auto& [key, value] : json.items()) {
      node.children.push_back(to_node(value));
      if (json.is_object()) node.children.back().key = key;
    }
    return node;
  }
  node.kind = Node::Kind::scalar;
  node.quoted = json.is_string();
  node.text = json.is_string() ? json.get<std::string>() : json.dump();
  return node;
}

std::vector<std::string> to_texts(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& value : list) texts.push_back(to_node(value).text);
  return texts;
}

// Builds the structs; one function per keyword, so that a keyword without one is detected.
class Loader {
 public:
  Loader(const Json& document, std::deque<Schema>& schemas) : document_(document), schemas_(schemas) {}

  const Schema* load(const Json& written) {
    const Json json = resolved(written);
    Schema schema;
    for (const auto& [keyword, value] : json.items()) apply(schema, json, keyword, value);
    const bool text_values = !schema.values.empty() && !json.contains("type");
    if (text_values) schema.types.string = true;
    schemas_.push_back(std::move(schema));
    return &schemas_.back();
  }

 private:
  // A $ref with additional keywords, which extend what it refers to and override it.
  [[nodiscard]] Json resolved(const Json& json) const {
    if (!json.contains("$ref")) return json;
    const std::string pointer = json.at("$ref").get<std::string>().substr(1);
    Json merged = resolved(document_.at(Json::json_pointer(pointer)));
    for (const auto& [keyword, value] : json.items()) {
      if (keyword != "$ref") merged[keyword] = value;
    }
    return merged;
  }

  void apply(Schema& schema, const Json& json, const std::string& keyword, const Json& value) {
    const bool handled = apply_bound(schema, keyword, value) || apply_extension(schema, keyword, value) ||
                         apply_object(schema, keyword, value) || apply_value(schema, json, keyword, value);
    if (!handled) throw InternalError("the case schema has a keyword that the reader does not know: " + keyword);
  }

  static bool apply_bound(Schema& schema, const std::string& keyword, const Json& value) {
    if (keyword == "minimum") return schema.minimum = value.get<double>(), true;
    if (keyword == "exclusiveMinimum") return schema.exclusive_minimum = value.get<double>(), true;
    if (keyword == "maximum") return schema.maximum = value.get<double>(), true;
    if (keyword == "exclusiveMaximum") return schema.exclusive_maximum = value.get<double>(), true;
    if (keyword == "minItems") return schema.min_items = value.get<std::size_t>(), true;
    if (keyword == "maxItems") return schema.max_items = value.get<std::size_t>(), true;
    if (keyword == "uniqueItems") return schema.unique_items = value.get<bool>(), true;
    if (keyword == "minLength") return schema.min_length = value.get<std::size_t>(), true;
    return false;
  }

  static bool apply_extension(Schema& schema, const std::string& keyword, const Json& value) {
    if (keyword == "x-dimension") return schema.dimension = value.get<std::string>(), true;
    if (keyword == "x-modes") return schema.modes = to_texts(value), true;
    if (keyword == "x-available") return schema.available = value.get<bool>(), true;
    if (keyword == "x-unavailable") return schema.unavailable_values = to_texts(value), true;
    if (keyword == "x-unavailable-types") return schema.list_unavailable = value == Json::array({"array"}), true;
    if (keyword == "x-select") return schema.select = value.get<std::string>(), true;
    if (keyword == "x-suffixes") return schema.suffixes = to_texts(value), true;
    return keyword == "x-default" || keyword == "x-units" || keyword == "x-version";
  }

  bool apply_object(Schema& schema, const std::string& keyword, const Json& value) {
    if (keyword == "properties") return load_properties(schema, value), true;
    if (keyword == "additionalProperties") {
      if (value.is_object()) schema.other_properties = load(value);
      return true;
    }
    if (keyword == "propertyNames") {
      schema.keys_are_names = resolved(value).value("format", "") == "name";
      return schema.keys_are_names;
    }
    if (keyword == "required") return schema.required = to_texts(value), true;
    if (keyword == "oneOf") return load_alternatives(schema, value), true;
    if (keyword == "not") return load_exclusions(schema, value), true;
    if (keyword == "dependencies") {
      for (const auto& [key, names] : value.items()) schema.depends_on[key] = to_texts(names);
      return true;
    }
    if (keyword == "allOf") return load_conditions(schema, value), true;
    return false;
  }

  bool apply_value(Schema& schema, const Json& json, const std::string& keyword, const Json& value) {
    if (keyword == "type") return load_types(schema.types, value), true;
    if (keyword == "enum") return schema.values = to_texts(value), true;
    if (keyword == "const") return schema.values = {value.get<std::string>()}, true;
    if (keyword == "default") return schema.default_value = to_node(value), true;
    if (keyword == "items") return schema.items = load(value), true;
    if (keyword == "format") return schema.format = value.get<std::string>(), true;
    if (keyword == "pattern") return json.value("format", "") == "name";  // the reader's own check of names
    return keyword == "$schema" || keyword == "$id" || keyword == "$defs" || keyword == "title" ||
           keyword == "description";
  }

  void load_properties(Schema& schema, const Json& value) {
    for (const auto& [name, property] : value.items()) schema.properties.emplace_back(name, load(property));
  }

  static void load_exclusions(Schema& schema, const Json& value) {
    for (const Json& group : value.contains("anyOf") ? value.at("anyOf") : Json::array({value}))
      schema.not_together.push_back(to_texts(group.at("required")));
  }

  static void load_conditions(Schema& schema, const Json& list) {
    for (const Json& item : list) {
      const auto selector = item.at("if").at("properties").begin();
      schema.conditions.push_back(
          {selector.key(), to_texts(selector.value().at("enum")), to_texts(item.at("then").at("required"))});
    }
  }

  // oneOf is used in two forms: exactly one of some keys, and branches selected by x-select.
  void load_alternatives(Schema& schema, const Json& branches) {
    for (const Json& branch : branches) {
      const bool only_required = branch.size() == 1 && branch.contains("required");
      if (only_required) {
        schema.exactly_one.push_back(branch.at("required").at(0).get<std::string>());
      } else {
        schema.branches.push_back(load(branch));
      }
    }
  }

  static void load_types(Schema::Types& types, const Json& value) {
    for (const std::string& name : to_texts(value.is_array() ? value : Json::array({value}))) {
      types.object |= name == "object";
      types.array |= name == "array";
      types.string |= name == "string";
      types.number |= name == "number";
      types.integer |= name == "integer";
      types.boolean |= name == "boolean";
    }
  }

  const Json& document_;
  std::deque<Schema>& schemas_;
};

}  // namespace

const Schema* Schema::property(std::string_view name) const {
  for (const auto& [key, schema] : properties) {
    if (key == name) return schema;
  }
  return nullptr;
}

bool Schema::takes_anything() const {
  const bool typed = types.object || types.array || types.string || types.number || types.integer || types.boolean ||
                     !branches.empty();
  return !typed && values.empty();
}

std::vector<std::string> Schema::property_names() const {
  std::vector<std::string> names;
  for (const auto& [key, schema] : properties) names.push_back(key);
  return names;
}

SchemaDocument::SchemaDocument(const char* json_text) {
  try {
    const Json document = Json::parse(json_text);
    root_ = Loader(document, schemas_).load(document);
    for (const auto& [dimension, table] : document.at("x-units").items()) {
      Units units;
      for (const auto& [unit, value] : table.items()) units.emplace_back(unit, value.get<std::string>());
      units_.emplace_back(dimension, std::move(units));
    }
  } catch (const Json::exception& error) {
    throw InternalError(std::string("the case schema is not well formed: ") + error.what());
  }
}

}  // namespace tetrawave
