#include "case/build/build_far_field.hpp"

#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

/// A list, or `points` values from start to stop.
std::vector<double> angles(const Node& node) {
  std::vector<double> values;
  if (node.kind == Node::Kind::list) {
    for (const Node& value : node.children) values.push_back(value.number);
    return values;
  }
  const double start = number(node, "start");
  const double stop = number(node, "stop");
  const std::int64_t points = whole(child(node, "points"));
  for (std::int64_t k = 0; k < points; ++k)
    values.push_back(points == 1 ? start
                                 : start + (stop - start) * static_cast<double>(k) / static_cast<double>(points - 1));
  return values;
}

MirrorSpec mirror(const Node& node) {
  MirrorSpec spec;
  spec.axis = choose<int>(child(node, "axis"), {{"x", 0}, {"y", 1}, {"z", 2}});
  spec.position_m = number(node, "position");
  if (const Node* wall = node.find("wall")) spec.magnetic = wall->text == "pmc";
  return spec;
}

}  // namespace

std::vector<MirrorSpec> build_mirrors(const Node& node) {
  std::vector<MirrorSpec> mirrors;
  if (const Node* ground = node.find("ground")) {
    mirrors.push_back(mirror(*ground));
    mirrors.back().is_ground = true;
  }
  for (const Node& plane : child(node, "symmetry").children) mirrors.push_back(mirror(plane));
  return mirrors;
}

FarFieldSpec build_far_field(const Node& node, const Errors& errors) {
  FarFieldSpec spec;
  for (const Node& frequency : child(node, "frequencies").children) spec.frequencies_hz.push_back(frequency.number);
  spec.theta_deg = angles(child(node, "theta"));
  spec.phi_deg = angles(child(node, "phi"));
  spec.place = spec.surface_place = {errors.place(node.key_spot)};
  if (const Node* surface = node.find("surface")) {
    if (surface->kind == Node::Kind::scalar) spec.surface.push_back(surface->text);
    for (const Node& region : surface->children) spec.surface.push_back(region.text);
    spec.surface_place = {errors.place(surface->spot)};
  }
  spec.mirrors = build_mirrors(node);
  return spec;
}

}  // namespace tetrawave
