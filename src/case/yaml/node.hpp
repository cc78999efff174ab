// The case file as a tree with the place of every node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tetrawave {

/// A place in the input: line and column of the file (from 1, columns in characters), or the number of a --set.
struct Spot {
  int line = 1;
  int column = 1;
  int override_index = -1;  ///< from 0; -1: the file
};

/// A value: null, scalar, list or map. Children of a map carry their key, children of a list none.
struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;      ///< a scalar in quotes or a block scalar: text, never a number
  bool invalid = false;     ///< an error was reported here: no further messages
  bool from_path = false;   ///< the key comes from the path of a --set
  bool is_default = false;  ///< not given: the default of the schema
  std::string text;         ///< of a scalar
  double number = 0;        ///< of a resolved number: in SI units
  std::string key;
  std::vector<Node> children;
  Spot spot;      ///< of the value
  Spot key_spot;  ///< of the key; of the value in a list

  /// The valid child under `name`, or nullptr. Not for lists.
  [[nodiscard]] const Node* find(std::string_view name) const;
  [[nodiscard]] Node* find(std::string_view name);

  /// Keys of a map, in the order written.
  [[nodiscard]] std::vector<std::string> keys() const;
};

/// A scalar node at the place of `at`.
[[nodiscard]] Node make_scalar(std::string text, bool quoted, const Node& at);

/// Description of a node for messages: its text in quotes, "a list", "a map" or "nothing".
[[nodiscard]] std::string describe(const Node& node);

/// The text in quotes for a message, cut after 60 characters; control characters become blanks.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace tetrawave
