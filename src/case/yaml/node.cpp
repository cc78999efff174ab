#include "case/yaml/node.hpp"

#include <algorithm>
#include <utility>

namespace tetrawave {

const Node* Node::find(std::string_view name) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const Node& child) { return child.key == name; });
  return found == children.end() || found->invalid ? nullptr : &*found;
}

Node* Node::find(std::string_view name) { return const_cast<Node*>(std::as_const(*this).find(name)); }

std::vector<std::string> Node::keys() const {
  std::vector<std::string> names;
  for (const Node& child : children) names.push_back(child.key);
  return names;
}

Node make_scalar(std::string text, bool quoted, const Node& at) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.quoted = quoted;
  node.text = std::move(text);
  node.spot = at.spot;
  node.key_spot = at.key_spot;
  return node;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::scalar:
      return quote(node.text);
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
    default:
      return "nothing";
  }
}

std::string quote(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string shown(text.substr(0, most));
  if (text.size() > most) {
    while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xC0) == 0x80) shown.pop_back();
    shown += "...";
  }
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return "'" + shown + "'";
}

}  // namespace tetrawave
