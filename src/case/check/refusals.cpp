#include "case/check/refusals.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tetrawave {

namespace {

/// A part of a case: its concrete path, and where the first `*` on the way stands.
struct Found {
  const Node* node = nullptr;
  std::string path;
  const Node* star = nullptr;
  std::string star_name;
};

void find_all(const Found& at, std::string_view rest, std::vector<Found>& found) {
  if (rest.empty()) return found.push_back(at);
  const std::size_t end = std::min(rest.find('.'), rest.size());
  std::string_view names = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  const auto enter = [&](const Node& child, const std::string& name, bool by_star) {
    if (child.invalid || child.kind == Node::Kind::null) return;
    Found next{&child, at.path.empty() ? name : at.path + "." + name, at.star, at.star_name};
    if (by_star && at.star == nullptr) next.star = &child, next.star_name = name;
    find_all(next, rest, found);
  };
  const auto& children = at.node->children;
  const auto name_of = [&](std::size_t i) {
    return at.node->kind == Node::Kind::list ? std::to_string(i) : children[i].key;
  };
  while (!names.empty()) {
    const std::size_t bar = std::min(names.find('|'), names.size());
    const std::string_view name = names.substr(0, bar);
    for (std::size_t i = 0; i < children.size(); ++i)
      if (name == "*" || name_of(i) == name) enter(children[i], name_of(i), name == "*");
    names.remove_prefix(std::min(bar + 1, names.size()));
  }
}

/// Parts of the case under a path; where it begins as that of `first`, only those at the place of `subject`.
std::vector<Found> find_all(const Node& root, std::string_view path, std::string_view first, const Found* subject) {
  std::vector<Found> found;
  const std::size_t star = first.find('*');
  const bool same =
      subject != nullptr && star != std::string_view::npos && path.substr(0, star + 1) == first.substr(0, star + 1);
  if (same)
    find_all({subject->star, "", subject->star, subject->star_name}, path.substr(std::min(star + 2, path.size())),
             found);
  else
    find_all({&root, "", nullptr, ""}, path, found);
  return found;
}

bool holds(const Setting& setting, const Node& node) {
  const bool is_scalar = node.kind == Node::Kind::scalar;
  const auto& values = setting.values;
  const bool is_one = is_scalar && std::find(values.begin(), values.end(), node.text) != values.end();
  switch (setting.test) {
    case Test::given:
      return is_scalar || !node.children.empty();
    case Test::absent:
      return false;
    case Test::typed:
      return !node.is_default && (is_scalar || !node.children.empty());
    case Test::is:
      return is_one;
    case Test::is_not:
      return !is_one;
    case Test::above:
      return node.number > setting.limit;
    case Test::not_0:
      return node.number != 0;
    case Test::list:
      return node.kind == Node::Kind::list;
  }
  return false;
}

bool all_hold(const Node& root, const Refusal& refusal, const Found& subject) {
  return std::all_of(refusal.with.begin(), refusal.with.end(), [&](const Setting& setting) {
    const auto found = find_all(root, setting.path, refusal.first.path, &subject);
    const auto fits = [&](const Found& part) { return holds(setting, *part.node); };
    return setting.test == Test::is_not || setting.test == Test::absent ? std::all_of(found.begin(), found.end(), fits)
                                                                        : std::any_of(found.begin(), found.end(), fits);
  });
}

std::string fill_in(const Node& root, const Refusal& refusal, const Found& subject) {
  std::string text;
  std::string_view rest = refusal.text;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    text += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const std::string_view name = rest.substr(1, rest.find('}') - 1);
    rest.remove_prefix(name.size() + 2);
    if (name == "*")
      text += subject.star_name;
    else if (name == "path")
      text += subject.path;
    else if (name == "value")
      text += subject.node->text;
    else if (const auto found = find_all(root, name, refusal.first.path, &subject); !found.empty())
      text += found.front().node->text;
  }
  return text;
}

template <class Work>
void for_each_refused(const Node& root, const Refusal& refusal, const Work& work) {
  for (const Found& subject : find_all(root, refusal.first.path, {}, nullptr))
    if (holds(refusal.first, *subject.node) && all_hold(root, refusal, subject)) work(subject);
}

std::string describe(const Setting& setting) {
  std::string values;
  for (const std::string_view value : setting.values) values += (values.empty() ? "" : " or ") + std::string(value);
  const std::string path(setting.path);
  switch (setting.test) {
    case Test::given:
    case Test::typed:
      return path;
    case Test::absent:
      return "no " + path;
    case Test::is:
      return path + ": " + values;
    case Test::is_not:
      return path + ": not " + values;
    case Test::above:
      return path + " above " + std::to_string(static_cast<int>(setting.limit));
    case Test::not_0:
      return path + " not 0";
    case Test::list:
      return path + ": a list";
  }
  return path;
}

}  // namespace

void check_refusals(const Node& root, Errors& errors) {
  for (const Refusal& refusal : refusals())
    for_each_refused(root, refusal, [&](const Found& subject) {
      const Node& node = *subject.node;
      errors.add(refusal.at == Refusal::At::key ? node.key_spot : node.spot, fill_in(root, refusal, subject));
    });
}

void leave_out_refused_defaults(Node& root) {
  for (const Refusal& refusal : refusals()) {
    const std::string_view path = refusal.first.path;
    if (refusal.first.test != Test::typed || !all_hold(root, refusal, Found{&root, "", &root, ""})) continue;
    Node* parent = &root;
    std::size_t from = 0;
    for (std::size_t end = 0; parent != nullptr && (end = path.find('.', from)) != path.npos; from = end + 1)
      parent = parent->find(path.substr(from, end - from));
    if (parent == nullptr) continue;
    std::erase_if(parent->children,
                  [&](const Node& child) { return child.is_default && child.key == path.substr(from); });
  }
}

bool is_refused_somewhere(const Node& root, std::string_view path) {
  return std::any_of(refusals().begin(), refusals().end(), [&](const Refusal& refusal) {
    return refusal.first.path == path && all_hold(root, refusal, Found{&root, "", &root, ""});
  });
}

std::string describe(const Refusal& refusal) {
  std::string text = describe(refusal.first);
  for (const Setting& setting : refusal.with) text += " + " + describe(setting);
  return text;
}

}  // namespace tetrawave
