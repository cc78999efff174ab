#include "case/yaml/dump.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text/format.hpp"

namespace tetrawave {

namespace {

// Texts that YAML 1.1 or 1.2 interprets as something other than text, for other readers of the file.
bool is_reserved(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  constexpr std::array<std::string_view, 9> words = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_plain(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/'; };
  const auto good = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), good) && !is_reserved(text);
}

std::string text_of(const std::string& text) {
  if (is_plain(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n' || c == '\t' || c == '\r') {
      quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

bool in_flow(const Node& node) {
  if (node.kind == Node::Kind::scalar || node.kind == Node::Kind::null || node.children.empty()) return true;
  const auto scalar = [](const Node& child) { return child.kind == Node::Kind::scalar; };
  return node.kind == Node::Kind::list && std::all_of(node.children.begin(), node.children.end(), scalar);
}

std::string flow(const Node& node) {
  if (node.kind == Node::Kind::scalar) return node.quoted ? text_of(node.text) : node.text;
  if (node.kind == Node::Kind::null) return "null";
  const bool map = node.kind == Node::Kind::map;
  std::string text = map ? "{" : "[";
  for (const Node& child : node.children)
    text += (text.size() == 1 ? "" : ", ") + (map ? text_of(child.key) + ": " : "") + flow(child);
  return text + (map ? "}" : "]");
}

void block(const Node& node, const std::string& indent, std::string first_indent, std::string& out) {
  for (const Node& child : node.children) {
    const bool item = node.kind == Node::Kind::list;
    const std::string head = first_indent + (item ? "-" : text_of(child.key) + ":");
    first_indent = indent;
    if (in_flow(child)) {
      out += tetrawave::format("{} {}\n", head, flow(child));
    } else if (item) {
      block(child, indent + "  ", head + " ", out);
    } else {
      out += head + "\n";
      block(child, indent + "  ", indent + "  ", out);
    }
  }
}

}  // namespace

std::string dump_flow(const Node& node) { return flow(node); }

std::string dump_yaml(const Node& root) {
  std::string out;
  block(root, "", "", out);
  return out;
}

}  // namespace tetrawave
