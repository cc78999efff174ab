#include "case/check/other_modes.hpp"

#include <algorithm>
#include <utility>

#include "case/check/refusals.hpp"
#include "case/yaml/node_values.hpp"

namespace tetrawave {

void fill_other_modes(Node& resolved) {
  Node* ports = resolved.find("ports");
  if (ports == nullptr) return;
  for (Node& port : ports->children) {
    const std::string type = text(port, "type");
    if (type == "lumped" || type == "parallel-plate" || port.find("other_modes") != nullptr) continue;
    Node node = make_scalar(is_refused_somewhere(resolved, "ports.*.other_modes") ? "absorb" : "auto", true, port);
    node.key = "other_modes";
    const auto comes_later = [](const Node& child) {  // in the order of the schema, as all keys of resolved cases
      return child.key == "reference_plane" || child.key == "symmetry" || child.key == "excite";
    };
    const auto place = std::find_if(port.children.begin(), port.children.end(), comes_later);
    port.children.insert(place, std::move(node));
  }
}

}  // namespace tetrawave
