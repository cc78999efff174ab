// Values of a resolved tree, for building the structs of a case.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/types.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

template <class Value>
using Choices = std::initializer_list<std::pair<std::string_view, Value>>;

/// The value denoted by the text of an enum key; InternalError if there is none.
template <class Value>
Value choose(const Node& node, const Choices<Value>& choices) {
  for (const auto& [name, value] : choices) {
    if (node.text == name) return value;
  }
  throw InternalError("the schema allows a value that the reader does not know: " + node.text);
}

/// The value under a key that the schema fills in; InternalError if it is absent.
inline const Node& child(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  if (found == nullptr) throw InternalError("the resolved case lacks the key " + std::string(key));
  return *found;
}

inline double number(const Node& node, std::string_view key) { return child(node, key).number; }
inline std::string text(const Node& node, std::string_view key) { return child(node, key).text; }

/// Empty if it is absent.
inline std::string optional_text(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  return found == nullptr ? std::string() : found->text;
}

inline std::optional<double> optional_number(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  return found == nullptr ? std::nullopt : std::optional<double>(found->number);
}

inline std::int64_t whole(const Node& node) { return static_cast<std::int64_t>(node.number); }

inline Vec3 vector(const Node& list) {
  return {list.children[0].number, list.children[1].number, list.children[2].number};
}

}  // namespace tetrawave
