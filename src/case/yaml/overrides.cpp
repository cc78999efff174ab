#include "case/yaml/overrides.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text/format.hpp"
#include "case/yaml/parse_yaml.hpp"

namespace tetrawave {

namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::optional<std::size_t> parse_index(const std::string& text) {
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool whole = error == std::errc() && stop == text.data() + text.size();
  return whole ? std::optional<std::size_t>(index) : std::nullopt;
}

// Follows a dotted path down the tree, creating missing maps.
class Walk {
 public:
  Walk(std::vector<std::string> parts, const Spot& spot, Errors& errors)
      : parts_(std::move(parts)), spot_(spot), errors_(errors) {}

  // The node at the path, or nullptr after an error.
  Node* run(Node& root) {
    Node* node = &root;
    while (node != nullptr && next_ < parts_.size()) node = step(*node);
    return node;
  }

 private:
  [[nodiscard]] std::string walked() const {
    std::string text;
    for (std::size_t i = 0; i < next_; ++i) text += (i == 0 ? "" : ".") + parts_[i];
    return text.empty() ? "the case" : text;
  }

  Node* refuse(std::string text) {
    errors_.add(spot_, std::move(text), ExitCode::usage);
    return nullptr;
  }

  Node* step(Node& node) {
    if (node.invalid) return nullptr;
    if (parts_[next_].empty()) return refuse("the path has an empty part; write it as a.b.c");
    if (node.kind == Node::Kind::scalar) return refuse(tetrawave::format("{} is neither a map nor a list", walked()));
    return node.kind == Node::Kind::list ? step_into_list(node) : step_into_map(node);
  }

  Node* step_into_list(Node& list) {
    const std::optional<std::size_t> index = parse_index(parts_[next_]);
    const std::size_t count = list.children.size();
    if (!index || *index >= count) {
      const std::string allowed = count == 0 ? "the list is empty" : tetrawave::format("allowed: 0 to {}", count - 1);
      return refuse(tetrawave::format("{} has no item {}; {}", walked(), quote(parts_[next_]), allowed));
    }
    ++next_;
    return &list.children[*index];
  }

  Node* step_into_map(Node& map) {
    std::string key;
    for (std::size_t end = next_; end < parts_.size(); ++end) {
      key += (end == next_ ? "" : ".") + parts_[end];
      Node* found = map.find(key);
      if (found == nullptr) continue;
      next_ = end + 1;
      return found;
    }
    const std::string& part = parts_[next_];
    const auto twin =
        std::find_if(map.children.begin(), map.children.end(), [&](const Node& c) { return c.key == part; });
    if (twin != map.children.end()) return nullptr;  // an error was reported there
    if (next_ > 0 && map.children.empty() && parse_index(part)) {
      return refuse(tetrawave::format("{} has no item {}", walked(), quote(part)));
    }
    return make_key(map);
  }

  Node* make_key(Node& map) {
    map.kind = Node::Kind::map;
    Node node;
    node.key = parts_[next_++];
    node.spot = node.key_spot = spot_;
    node.from_path = true;
    map.children.push_back(std::move(node));
    return &map.children.back();
  }

  std::vector<std::string> parts_;
  Spot spot_;
  Errors& errors_;
  std::size_t next_ = 0;
};

void apply(Node& root, const std::string& text, int index, Errors& errors) {
  const Spot spot{1, 1, index};
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) return errors.add(spot, "no '=' found; write --set a.b.c=VALUE", ExitCode::usage);
  Node value = parse_yaml(text.substr(equal + 1), index, errors);
  Node* target = Walk(split(text.substr(0, equal)), spot, errors).run(root);
  if (target == nullptr) return;
  value.key = target->key;
  value.from_path = target->from_path;
  value.key_spot = spot;
  *target = std::move(value);
}

}  // namespace

std::vector<std::string> override_paths(const std::vector<std::string>& overrides) {
  std::vector<std::string> paths;
  for (const std::string& text : overrides) paths.push_back(text.substr(0, text.find('=')));
  return paths;
}

void apply_overrides(Node& root, const std::vector<std::string>& overrides, Errors& errors) {
  for (std::size_t i = 0; i < overrides.size(); ++i) apply(root, overrides[i], static_cast<int>(i), errors);
}

}  // namespace tetrawave
