#include "case/build/build_sources.hpp"

#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

SourceDescription build_source(const Node& node, const Errors& errors) {
  const auto place = [&](const Node& of) { return Place{errors.place(of.spot)}; };
  SourceDescription spec;
  spec.type = choose<SourceType>(
      child(node, "type"),
      {{"dipole", SourceType::dipole}, {"plane-wave", SourceType::plane_wave}, {"current", SourceType::current}});
  const Node* waveform = node.find("waveform");
  spec.excite = {optional_text(node, "waveform"), number(node, "amplitude"), number(node, "delay"),
                 place(waveform == nullptr ? node : *waveform)};
  if (const Node* position = node.find("position")) {
    spec.position_m = vector(*position);
    spec.position_place = place(*position);
  }
  if (const Node* direction = node.find("direction")) spec.direction = vector(*direction);
  if (const Node* polarization = node.find("polarization")) spec.polarization = vector(*polarization);
  if (const Node* region = node.find("region")) {
    if (region->kind == Node::Kind::scalar) spec.regions.push_back(region->text);
    for (const Node& name : region->children) spec.regions.push_back(name.text);
    spec.region_place = place(*region);
  }
  if (const Node* density = node.find("density"))
    for (std::size_t axis = 0; axis < 3; ++axis) {
      spec.density[axis] = density->children[axis].text;
      spec.density_places[axis] = place(density->children[axis]);
    }
  spec.place = place(node);
  return spec;
}

}  // namespace

std::vector<SourceDescription> build_sources(const Node& list, const Errors& errors) {
  std::vector<SourceDescription> sources;
  for (const Node& node : list.children) sources.push_back(build_source(node, errors));
  return sources;
}

}  // namespace tetrawave
