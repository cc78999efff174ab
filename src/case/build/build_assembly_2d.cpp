#include "case/build/build_assembly_2d.hpp"

#include <utility>

#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

std::vector<GroupValue> group_values(const Node& map, const Errors& errors) {
  std::vector<GroupValue> values;
  for (const Node& node : map.children) values.push_back({node.key, node.number, {errors.place(node.key_spot)}});
  return values;
}

StaticsRequest assembly_2d(const Node& node, const Errors& errors) {
  StaticsRequest spec;
  spec.equation = choose<Equation2D>(child(node, "equation"),
                                     {{"electrostatic", Equation2D::electrostatic},
                                      {"magnetostatic", Equation2D::magnetostatic},
                                      {"magnetostatic-axisymmetric", Equation2D::magnetostatic_axisymmetric}});
  spec.order = static_cast<int>(whole(child(node, "order")));
  spec.algorithm = choose<Algorithm2D>(child(node, "algorithm"), {{"serial", Algorithm2D::serial},
                                                                  {"a-fem", Algorithm2D::a_fem},
                                                                  {"ebe-v1", Algorithm2D::ebe_v1},
                                                                  {"ebe-v2", Algorithm2D::ebe_v2}});
  spec.coloring = choose<ColoringMethod>(child(node, "coloring"), {{"none", ColoringMethod::none},
                                                                   {"ccm", ColoringMethod::ccm},
                                                                   {"fcm", ColoringMethod::fcm},
                                                                   {"ofcm", ColoringMethod::ofcm}});
  spec.smallest_last = text(node, "coloring_order") == "smallest-last";
  spec.jacobi = text(node, "preconditioner") == "jacobi";
  spec.tolerance = number(node, "tolerance");
  spec.max_iterations = whole(child(node, "max_iterations"));
  spec.repeats = whole(child(node, "repeats"));
  spec.compare_to_serial = text(node, "compare_to_serial") == "true";
  spec.fields = text(node, "fields") == "true";
  spec.potentials = group_values(child(node, "potentials"), errors);
  spec.currents = group_values(child(node, "currents"), errors);
  spec.place = {errors.place(node.key_spot)};
  return spec;
}

}  // namespace

void add_assembly_2d(const Node& root, const Errors& errors, Case& result) {
  result.assembly_2d = assembly_2d(child(root, "assembly_2d"), errors);
}

void fill_coloring(Node& resolved) {
  Node* assembly = resolved.find("assembly_2d");
  if (assembly == nullptr || assembly->find("coloring") != nullptr) return;
  const std::string algorithm = text(*assembly, "algorithm");
  Node node = make_scalar(algorithm == "ebe-v1" || algorithm == "ebe-v2" ? "ofcm" : "none", true, *assembly);
  node.key = "coloring";
  assembly->children.push_back(std::move(node));
}

}  // namespace tetrawave
