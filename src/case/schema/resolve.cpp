#include "case/schema/resolve.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.hpp"
#include "base/text/format.hpp"
#include "base/text/suggest.hpp"
#include "case/schema/resolve_scalar.hpp"

namespace tetrawave {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_key(const Node& map, const std::string& name) {
  return std::any_of(map.children.begin(), map.children.end(), [&](const Node& child) { return child.key == name; });
}

bool is_empty(const Node& node) { return node.kind != Node::Kind::scalar && node.children.empty(); }

bool same_value(const Node& a, const Node& b) {
  const bool same_self = a.kind == b.kind && a.text == b.text && a.children.size() == b.children.size();
  return same_self && std::equal(a.children.begin(), a.children.end(), b.children.begin(), same_value);
}

void mark_default(Node& node, const Node& parent) {
  node.spot = node.key_spot = parent.key_spot;
  node.is_default = true;
  for (Node& child : node.children) mark_default(child, parent);
}

class Resolver {
 public:
  Resolver(const ResolveContext& context, const Node& root, const Schema& schema) : context_(context) {
    const Schema* modes = schema.property("mode");
    if (modes == nullptr) return;
    const Node* given = root.kind == Node::Kind::map ? root.find("mode") : nullptr;
    const bool known = given != nullptr && contains(modes->values, given->text);
    mode_ = known ? given->text : modes->default_value->text;
    mode_is_wrong_ = given != nullptr && !known;
  }

  Node value(const Node& node, const Schema& schema, const std::string& path) {
    if (node.invalid) return node;
    Node resolved = available_value(node, schema, path);
    if (schema.available || (resolved.invalid && node.kind == Node::Kind::scalar)) return resolved;
    if (schema.default_value && same_value(resolved, default_value(schema, node, path))) return resolved;
    return refuse(std::move(resolved), node.key_spot,
                  tetrawave::format("{} is not available yet in this version", path));
  }

 private:
  Node refuse(Node node, const Spot& spot, std::string text, ExitCode code = ExitCode::bad_case) {
    context_.errors.add(spot, std::move(text), code);
    node.invalid = true;
    return node;
  }

  Node available_value(const Node& node, const Schema& schema, const std::string& path) {
    const bool nothing = node.kind == Node::Kind::null;
    if (schema.takes_anything()) return node;
    if (schema.types.object && (nothing || node.kind == Node::Kind::map)) return map(node, schema, path);
    if (schema.types.array && (nothing || node.kind == Node::Kind::list)) return list(node, schema, path);
    if (node.kind == Node::Kind::scalar && takes_scalar(schema)) return resolve_scalar(node, schema, path, context_);
    const bool by_path = node.kind == Node::Kind::map && !node.children.empty() && node.children.front().from_path;
    return refuse(
        node, node.spot,
        tetrawave::format("{}: {}", path.empty() ? "the case" : path, wrong_type(node, schema, context_.units)),
        by_path ? ExitCode::usage : ExitCode::bad_case);
  }

  Node default_value(const Schema& schema, const Node& parent, const std::string& path) {
    Node node = schema.default_value.value();
    mark_default(node, parent);
    return available_value(node, schema, path);
  }

  // --- lists

  Node list(const Node& node, const Schema& schema, const std::string& path) {
    if (schema.list_unavailable) {
      return refuse(node, node.spot,
                    tetrawave::format("{} is not available yet in this version as a list; allowed: one number", path));
    }
    Node result = node;
    result.kind = Node::Kind::list;
    const std::size_t count = node.children.size();
    for (std::size_t i = 0; i < count; ++i) {
      result.children[i] = value(node.children[i], *schema.items, tetrawave::format("{}.{}", path, i));
      result.invalid |= result.children[i].invalid;
    }
    check_count(result, schema, path);
    check_unique(result, schema, path);
    check_direction(result, schema, path);
    return result;
  }

  void check_count(Node& node, const Schema& schema, const std::string& path) {
    const std::size_t count = node.children.size();
    const std::size_t least = schema.min_items.value_or(0), most = schema.max_items.value_or(count);
    if (count >= least && count <= most) return;
    const bool exact = schema.max_items && least == most;
    node =
        refuse(std::move(node), node.spot,
               tetrawave::format("{}: expected {} {} item{}, found {}", path,
                                 exact           ? "exactly"
                                 : count < least ? "at least"
                                                 : "at most",
                                 count < least ? least : most, (count < least ? least : most) == 1 ? "" : "s", count));
  }

  void check_unique(Node& node, const Schema& schema, const std::string& path) {
    if (!schema.unique_items) return;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (node.children[i].text != node.children[j].text) continue;
        context_.errors.add(node.children[i].spot,
                            tetrawave::format("{}: {} is given twice", path, describe(node.children[i])));
        node.invalid = true;
      }
    }
  }

  void check_direction(Node& node, const Schema& schema, const std::string& path) {
    const auto zero = [](const Node& item) { return item.number == 0; };
    const bool no_direction = std::all_of(node.children.begin(), node.children.end(), zero);
    if (schema.format != "direction" || node.invalid || !no_direction) return;
    node = refuse(std::move(node), node.spot, tetrawave::format("{}: a direction of length 0", path));
  }

  // --- maps

  Node map(const Node& as_given, const Schema& given, const std::string& path) {
    const Schema* schema = given.select.empty() ? &given : branch(as_given, given, path);
    Node result = as_given;
    result.kind = Node::Kind::map;
    result.children.clear();
    if (schema == nullptr) {
      result.invalid = true;
      return result;
    }
    const Node node = replace_alternatives(as_given, *schema, path);
    refuse_unknown_keys(node, *schema, path);
    for (const auto& [key, property] : schema->properties) {
      if (!property->modes.empty() && !contains(property->modes, mode_) && !mode_is_wrong_)
        refuse_key_of_other_modes(node, key, *property, path);
      else
        add_property(result, node, key, *property, *schema, path);
    }
    if (schema->other_properties != nullptr) add_named(result, node, *schema, path);
    check_keys(node, *schema, path);
    return result;
  }

  // A key given by --set replaces its alternatives in the file (time.steps replaces time.end), and what needs them.
  static Node replace_alternatives(Node node, const Schema& schema, const std::string& path) {
    const auto is_set = [](const Node& child) {
      return child.key_spot.override_index >= 0 && child.kind != Node::Kind::null;
    };
    std::vector<std::vector<std::string>> groups{schema.exactly_one};
    for (const auto& group : schema.not_together)
      if (group.size() == 2) groups.push_back(group);
    std::vector<std::string> replaced;
    for (const Node& child : node.children) {
      if (!is_set(child)) continue;
      for (const auto& group : groups)
        if (contains(group, child.key))
          std::copy_if(group.begin(), group.end(), std::back_inserter(replaced),
                       [&](const std::string& key) { return key != child.key; });
    }
    const auto goes = [&](const Node& child) {
      if (is_set(child)) return false;
      const auto needs = schema.depends_on.find(child.key);
      const auto is_replaced = [&](const std::string& key) { return contains(replaced, key); };
      return is_replaced(child.key) ||
             (needs != schema.depends_on.end() && std::any_of(needs->second.begin(), needs->second.end(), is_replaced));
    };
    for (const Node& child : node.children)
      if (goes(child)) log::info("{}{} of the case is replaced by --set", path.empty() ? "" : path + ".", child.key);
    std::erase_if(node.children, goes);
    return node;
  }

  // The branch of a map selected by a key such as `type`; nullptr after an error.
  const Schema* branch(const Node& node, const Schema& schema, const std::string& path) {
    std::vector<std::string> known, available;
    for (const Schema* candidate : schema.branches) {
      const std::string& name = candidate->property(schema.select)->values.front();
      known.push_back(name);
      if (candidate->available) available.push_back(name);
    }
    const auto found = std::find_if(node.children.begin(), node.children.end(),
                                    [&](const Node& child) { return child.key == schema.select; });
    const std::string where = path + "." + schema.select;
    if (found == node.children.end()) {
      context_.errors.add(node.key_spot, tetrawave::format("{}: the key '{}' is missing; allowed values: {}", path,
                                                           schema.select, list_names(known)));
      return nullptr;
    }
    if (found->invalid) return nullptr;
    for (const Schema* candidate : schema.branches) {
      if (candidate->property(schema.select)->values.front() != found->text) continue;
      if (candidate->available) return candidate;
      context_.errors.add(found->spot, unavailable_value(where, found->text, available));
      return nullptr;
    }
    context_.errors.add(found->spot, unknown_value(where, *found, known));
    return nullptr;
  }

  void refuse_unknown_keys(const Node& node, const Schema& schema, const std::string& path) {
    if (schema.other_properties != nullptr) return;
    const std::vector<std::string> known = schema.property_names();
    for (const Node& child : node.children) {
      if (contains(known, child.key)) continue;
      const std::string where = path.empty() ? "" : path + ": ";
      context_.errors.add(child.key_spot,
                          tetrawave::format("{}unknown key {}{}; allowed: {}", where, quote(child.key),
                                            did_you_mean(child.key, known), list_names(known)),
                          child.from_path ? ExitCode::usage : ExitCode::bad_case);
    }
  }

  void refuse_key_of_other_modes(const Node& node, const std::string& key, const Schema& property,
                                 const std::string& path) {
    const auto given =
        std::find_if(node.children.begin(), node.children.end(), [&](const Node& child) { return child.key == key; });
    if (given == node.children.end()) return;
    context_.errors.add(given->key_spot,
                        tetrawave::format("{}{}: not a key of mode {}; it is for {}", path.empty() ? "" : path + ".",
                                          key, mode_, list_names(property.modes)));
  }

  void add_property(Node& result, const Node& node, const std::string& key, const Schema& property,
                    const Schema& schema, const std::string& path) {
    const std::string where = path.empty() ? key : path + "." + key;
    const auto given =
        std::find_if(node.children.begin(), node.children.end(), [&](const Node& child) { return child.key == key; });
    const bool container = property.types.object || property.types.array;
    const bool given_nothing = given != node.children.end() && container && !property.available && is_empty(*given);
    if (given != node.children.end() && !given_nothing) {
      result.children.push_back(value(*given, property, where));
    } else if (property.default_value && takes_default(node, schema, key)) {
      result.children.push_back(default_value(property, node, where));
    } else {
      return;
    }
    result.children.back().key = key;
  }

  // A default must not add a key that contradicts the present ones.
  static bool takes_default(const Node& node, const Schema& schema, const std::string& key) {
    const auto needs = schema.depends_on.find(key);
    if (needs != schema.depends_on.end()) {
      for (const std::string& other : needs->second) {
        if (!has_key(node, other)) return false;
      }
    }
    const auto has = [&](const std::string& other) { return other != key && has_key(node, other); };
    return std::none_of(schema.not_together.begin(), schema.not_together.end(), [&](const auto& group) {
      return contains(group, key) && std::any_of(group.begin(), group.end(), has);
    });
  }

  void add_named(Node& result, const Node& node, const Schema& schema, const std::string& path) {
    for (const Node& child : node.children) {
      if (schema.keys_are_names && !is_name(child.key)) {
        context_.errors.add(child.key_spot, bad_name(path, child.key));
      }
      result.children.push_back(value(child, *schema.other_properties, path + "." + child.key));
      result.children.back().key = child.key;
    }
  }

  void check_keys(const Node& node, const Schema& schema, const std::string& path) {
    const std::string where = path.empty() ? "" : path + ": ";
    for (const std::string& key : schema.required) require(node, key, where);
    for (const Schema::Condition& condition : schema.conditions) {
      const Node* selector = node.find(condition.key);
      if (selector != nullptr && !contains(condition.values, selector->text)) continue;
      // An invalid value of the key was reported; the requirements of the first condition are used then.
      if (selector == nullptr && &condition != &schema.conditions.front()) continue;
      for (const std::string& key : condition.required) require(node, key, where);
    }
    check_combinations(node, schema, where);
  }

  void require(const Node& node, const std::string& key, const std::string& where) {
    if (!has_key(node, key))
      context_.errors.add(node.key_spot, tetrawave::format("{}the key '{}' is missing", where, key));
  }

  void check_combinations(const Node& node, const Schema& schema, const std::string& where) {
    std::vector<const Node*> rivals;
    for (const Node& child : node.children) {
      if (contains(schema.exactly_one, child.key)) rivals.push_back(&child);
      if (schema.depends_on.count(child.key) == 0) continue;
      for (const std::string& needed : schema.depends_on.at(child.key)) {
        if (has_key(node, needed)) continue;
        context_.errors.add(child.key_spot,
                            tetrawave::format("{}the key '{}' needs '{}', which is missing", where, child.key, needed));
      }
    }
    const std::string wanted = join_or(schema.exactly_one);
    if (!schema.exactly_one.empty() && rivals.empty()) {
      context_.errors.add(node.key_spot, tetrawave::format("{}exactly one of {} is needed, found none", where, wanted));
    }
    if (rivals.size() > 1) {
      context_.errors.add(rivals[1]->key_spot,
                          tetrawave::format("{}exactly one of {} is needed, found {}", where, wanted, rivals.size()));
    }
    for (const auto& group : schema.not_together) check_not_together(node, group, where);
  }

  void check_not_together(const Node& node, const std::vector<std::string>& group, const std::string& where) {
    const Node* last = nullptr;
    std::size_t found = 0;
    for (const Node& child : node.children) {
      if (!contains(group, child.key)) continue;
      last = &child;
      ++found;
    }
    if (last == nullptr || found < group.size()) return;
    context_.errors.add(last->key_spot,
                        tetrawave::format("{}only one of {} is allowed, found {}", where, join_or(group), found));
  }

  static std::string join_or(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "'" : " and '") + names[i] + "'";
    return text;
  }

  const ResolveContext& context_;
  std::string mode_;
  bool mode_is_wrong_ = false;  ///< keys of all modes are then accepted
};

}  // namespace

Node resolve(const Node& root, const Schema& schema, const ResolveContext& context) {
  return Resolver(context, root, schema).value(root, schema, "");
}

}  // namespace tetrawave
