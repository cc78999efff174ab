#include "case/yaml/parse_yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text/format.hpp"
#include "case/yaml/plain_text.hpp"
#include "case/yaml/syntax_slips.hpp"

namespace tetrawave {

namespace {

constexpr std::size_t deepest_nesting = 64;

// Ends parsing after an error that leaves no tree.
struct Stop {};

// Converts yaml-cpp's marks (line and byte, from 0) to spots (line and character, from 1).
class Places {
 public:
  Places(const std::string& text, int override_index) : override_index_(override_index) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  }

  [[nodiscard]] Spot at(int line, int byte) const {
    Spot spot{line + 1, byte + 1, override_index_};
    if (line >= 0 && static_cast<std::size_t>(line) < lines_.size() && byte >= 0) {
      const std::string& text = lines_[static_cast<std::size_t>(line)];
      spot.column = count_characters(std::string_view(text).substr(0, static_cast<std::size_t>(byte))) + 1;
    }
    return spot;
  }

  [[nodiscard]] Spot at(const YAML::Mark& mark) const {
    return mark.is_null() ? Spot{1, 1, override_index_} : at(mark.line, mark.column);
  }

  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
  int override_index_;
};

// Builds the tree from yaml-cpp's events. A container grows in its frame and joins its parent when it ends.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const Places& places, std::optional<TextPlace> open_quote, Errors& errors)
      : places_(places), open_quote_(open_quote), errors_(errors) {}

  [[nodiscard]] Node take_root() { return std::move(root_); }
  /// Reports keys that are not text, for a document without syntax errors: yaml-cpp first takes an unclosed list for a
  /// key.
  void report_bad_keys() const {
    for (const auto& [spot, text] : bad_keys_) errors_.add(spot, text);
  }
  [[nodiscard]] int documents() const { return documents_; }
  /// Whether a text in quotes begins where a quote is not closed: else it is one within a plain text.
  [[nodiscard]] bool has_open_quote() const { return has_open_quote_; }
  [[nodiscard]] const Spot& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    ++documents_;
    start_ = places_.at(mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    Node node;
    node.spot = places_.at(mark);
    finish(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    errors_.add(places_.at(mark), "aliases are not allowed; write the value out");
    Node node;
    node.spot = places_.at(mark);
    node.invalid = true;
    finish(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = value;
    node.quoted = tag == "!";  // yaml-cpp: "?" a plain scalar, "!" one in quotes or a block
    if (node.quoted && open_quote_ && mark.line == open_quote_->line && mark.column == open_quote_->byte)
      has_open_quote_ = true;
    node.spot = places_.at(mark);
    node.invalid = refuse_tag(mark, tag);
    finish(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start_container(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end_container(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start_container(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { end_container(); }

 private:
  struct Frame {
    Node node;
    bool has_key = false;
    Node key;
    std::map<std::string, Spot> seen;
  };

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) errors_.add(places_.at(mark), "anchors are not allowed; write the value out where it is used");
  }

  bool refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return false;
    errors_.add(places_.at(mark), tetrawave::format("tags are not allowed, found {}", quote(tag)));
    return true;
  }

  [[nodiscard]] bool awaits_key() const {
    return !frames_.empty() && frames_.back().node.kind == Node::Kind::map && !frames_.back().has_key;
  }

  [[noreturn]] void stop(const Spot& spot, std::string text) {
    errors_.add(spot, std::move(text));
    throw Stop{};
  }

  void start_container(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    const Spot spot = places_.at(mark);
    if (frames_.size() == deepest_nesting)
      stop(spot, tetrawave::format("nested deeper than {} levels", deepest_nesting));
    Frame frame;
    frame.node.kind = kind;
    frame.node.spot = spot;
    frame.node.invalid = refuse_tag(mark, tag);
    frames_.push_back(std::move(frame));
  }

  void end_container() {
    Node node = std::move(frames_.back().node);
    frames_.pop_back();
    finish(std::move(node));
  }

  void finish(Node node) {
    node.key_spot = node.spot;
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (awaits_key()) {
      take_key(std::move(node));
    } else {
      join_parent(std::move(node));
    }
  }

  void take_key(Node key) {
    if (key.kind != Node::Kind::scalar && !key.invalid) {
      bad_keys_.emplace_back(key.spot, "a key must be text, found " + describe(key));
      key.invalid = true;
    }
    if (key.text == "<<" && !key.quoted) {
      errors_.add(key.spot, "merge keys are not allowed; write the keys out");
      key.invalid = true;
    }
    Frame& frame = frames_.back();
    frame.key = std::move(key);
    frame.has_key = true;
  }

  void join_parent(Node node) {
    Frame& frame = frames_.back();
    if (frame.node.kind == Node::Kind::list) {
      frame.node.children.push_back(std::move(node));
      return;
    }
    frame.has_key = false;
    if (frame.key.invalid) return;
    node.key = frame.key.text;
    node.key_spot = frame.key.spot;
    if (node.kind == Node::Kind::null) node.spot = node.key_spot;
    const auto [first, is_new] = frame.seen.emplace(node.key, node.key_spot);
    if (is_new) {
      frame.node.children.push_back(std::move(node));
    } else {
      errors_.add(node.key_spot, tetrawave::format("duplicate key {}, first given at line {} column {}",
                                                   quote(node.key), first->second.line, first->second.column));
    }
  }

  const Places& places_;
  std::optional<TextPlace> open_quote_;
  bool has_open_quote_ = false;
  Errors& errors_;
  std::vector<Frame> frames_;
  std::vector<std::pair<Spot, std::string>> bad_keys_;
  Node root_;
  int documents_ = 0;
  Spot start_;
};

// Checks UTF-8 and control characters; removes a byte order mark.
bool clean(std::string& text, int override_index, Errors& errors) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  const TextFault fault = check_text(text);
  if (fault.what.empty()) return true;
  const std::string before = text.substr(0, fault.byte);
  const std::size_t line_start = before.rfind('\n') == std::string::npos ? 0 : before.rfind('\n') + 1;
  int line = 1;
  for (const char c : before) line += c == '\n' ? 1 : 0;
  const int column = count_characters(std::string_view(before).substr(line_start)) + 1;
  errors.add({line, column, override_index}, fault.what);
  return false;
}

}  // namespace

Node parse_yaml(std::string text, int override_index, Errors& errors) {
  Node broken;
  broken.invalid = true;
  if (!clean(text, override_index, errors)) return broken;
  const Places places(text, override_index);
  const auto open_quote = find_open_quote(places.lines());
  const auto refuse_quote = [&] {
    errors.add(places.at(open_quote->line, open_quote->byte), "the quote that opens here is not closed");
    return broken;
  };
  TreeBuilder builder(places, open_quote, errors);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (builder.has_open_quote()) return refuse_quote();
    builder.report_bad_keys();
    Node root = builder.take_root();
    if (builder.documents() == 0 && override_index < 0) errors.add({1, 1, -1}, "the case file is empty");
    if (parser.HandleNextDocument(builder)) errors.add(builder.start(), "a second document is not allowed");
    if (override_index >= 0) root.spot.override_index = root.key_spot.override_index = override_index;
    return root;
  } catch (const Stop&) {
  } catch (const YAML::Exception& error) {
    if (open_quote) return refuse_quote();
    if (const auto tab = find_tab(places.lines(), error.mark.line))
      errors.add(places.at(tab->line, tab->byte), "a tab indents this line; YAML is indented by blanks");
    else
      errors.add(places.at(error.mark), "the YAML is not well formed: " + error.msg +
                                            hint_at(places.lines(), {error.mark.line, error.mark.column}, error.msg));
  }
  return broken;
}

}  // namespace tetrawave
