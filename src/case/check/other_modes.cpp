#include "case/check/other_modes.hpp"

#include <algorithm>
#include <string_view>

#include "base/text/format.hpp"
#include "case/check/check_frequency.hpp"
#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

bool is_nonlinear(const Node& material) {
  const Node* kerr = material.find("kerr");
  return kerr != nullptr && std::any_of(kerr->children.begin(), kerr->children.end(),
                                        [](const Node& coefficient) { return coefficient.number > 0; });
}

/// Empty if ports may reflect all but their mode; else the reason why not.
std::string_view obstacle(const Node& root) {
  if (mode_of(root) != "time-domain") return "goes with mode time-domain";
  const Node* method = root.find("method");
  const Node* scheme = method == nullptr ? nullptr : method->find("scheme");
  if (scheme != nullptr && scheme->text == "dfdd-eld") return "goes with schemes dgtd-central and dgtd-upwind";
  const Node* materials = root.find("materials");
  const bool kerr =
      materials != nullptr && std::any_of(materials->children.begin(), materials->children.end(), is_nonlinear);
  return kerr ? "does not go with Kerr media" : "";
}

}  // namespace

void fill_other_modes(Node& resolved) {
  Node* ports = resolved.find("ports");
  if (ports == nullptr) return;
  for (Node& port : ports->children) {
    const std::string type = text(port, "type");
    if (type == "lumped" || port.find("other_modes") != nullptr) continue;
    Node node = make_scalar(obstacle(resolved).empty() ? "auto" : "absorb", true, port);
    node.key = "other_modes";
    const auto comes_later = [](const Node& child) {  // in the order of the schema, as all keys of resolved cases
      return child.key == "reference_plane" || child.key == "symmetry" || child.key == "excite";
    };
    const auto place = std::find_if(port.children.begin(), port.children.end(), comes_later);
    port.children.insert(place, std::move(node));
  }
}

void check_other_modes(const Node& root, Errors& errors) {
  const Node* ports = root.find("ports");
  const std::string_view why = obstacle(root);
  if (ports == nullptr || why.empty()) return;
  for (std::size_t i = 0; i < ports->children.size(); ++i)
    if (const Node* modes = ports->children[i].find("other_modes"); modes != nullptr && modes->text == "reflect")
      errors.add(modes->spot, tetrawave::format("ports.{}.other_modes: 'reflect' {}; here it is 'absorb'", i, why));
}

}  // namespace tetrawave
