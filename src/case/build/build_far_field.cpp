#include "case/build/build_far_field.hpp"

#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

/// Number k of n from start to stop.
double share(std::int64_t k, std::int64_t n) {
  return n == 1 ? 0 : static_cast<double>(k) / static_cast<double>(n - 1);
}

MirrorPlane mirror(const Node& node) {
  MirrorPlane spec;
  spec.axis = choose<int>(child(node, "axis"), {{"x", 0}, {"y", 1}, {"z", 2}});
  spec.position_m = number(node, "position");
  if (const Node* wall = node.find("wall")) spec.magnetic = wall->text == "pmc";
  return spec;
}

}  // namespace

std::vector<double> build_angles(const Node& node) {
  if (node.kind == Node::Kind::scalar) return {node.number};
  std::vector<double> values;
  if (node.kind == Node::Kind::list) {
    for (const Node& value : node.children) values.push_back(value.number);
    return values;
  }
  const double start = number(node, "start");
  const double stop = number(node, "stop");
  const std::int64_t points = whole(child(node, "points"));
  for (std::int64_t k = 0; k < points; ++k) values.push_back(start + (stop - start) * share(k, points));
  return values;
}

std::vector<MirrorPlane> build_mirrors(const Node& node) {
  std::vector<MirrorPlane> mirrors;
  if (const Node* ground = node.find("ground")) {
    mirrors.push_back(mirror(*ground));
    mirrors.back().is_ground = true;
  }
  for (const Node& plane : child(node, "symmetry").children) mirrors.push_back(mirror(plane));
  return mirrors;
}

NearFieldRequest build_near_field(const Node& node, const Errors& errors) {
  NearFieldRequest spec;
  spec.name = text(node, "name");
  spec.place = {errors.place(node.spot)};
  for (const Node& frequency : child(node, "frequencies").children) spec.frequencies_hz.push_back(frequency.number);
  if (const Node* points = node.find("points"))
    for (const Node& point : points->children) spec.points_m.push_back(vector(point));
  if (const Node* line = node.find("line")) {
    const Vec3 start = vector(child(*line, "start")), way = vector(child(*line, "stop")) - start;
    const std::int64_t count = whole(child(*line, "points"));
    for (std::int64_t k = 0; k < count; ++k) spec.points_m.push_back(start + share(k, count) * way);
  }
  spec.shape = {static_cast<std::int64_t>(spec.points_m.size())};
  if (const Node* plane = node.find("plane")) {
    const Vec3 corner = vector(child(*plane, "corner"));
    const Vec3 first = vector(child(*plane, "first")) - corner, second = vector(child(*plane, "second")) - corner;
    const Node& counts = child(*plane, "points");
    spec.shape = {whole(counts.children[0]), whole(counts.children[1])};
    for (std::int64_t i = 0; i < spec.shape[0]; ++i)
      for (std::int64_t k = 0; k < spec.shape[1]; ++k)
        spec.points_m.push_back(corner + share(i, spec.shape[0]) * first + share(k, spec.shape[1]) * second);
  }
  return spec;
}

FarFieldRequest build_far_field(const Node& node, const Errors& errors) {
  FarFieldRequest spec;
  for (const Node& frequency : child(node, "frequencies").children) spec.frequencies_hz.push_back(frequency.number);
  if (const Node* theta = node.find("theta")) spec.theta_deg = build_angles(*theta);
  if (const Node* phi = node.find("phi")) spec.phi_deg = build_angles(*phi);
  if (const Node* monostatic = node.find("monostatic")) spec.monostatic = monostatic->text == "true";
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
