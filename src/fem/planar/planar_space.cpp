#include "fem/planar/planar_space.hpp"

#include "mesh/number_tuples.hpp"

namespace tetrawave::fem {

namespace {

/// Ends of the edges of all elements.
std::vector<std::int32_t> ends_of_edges(const TriangleMesh& mesh) {
  std::vector<std::int32_t> ends;
  ends.reserve(6 * mesh.element_count());
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for (const auto& edge : planar_edges)
      for (const std::size_t corner : edge) ends.push_back(mesh.elements[mesh.nodes_per_element() * e + corner]);
  return ends;
}

}  // namespace

PlanarSpace make_planar_space(const TriangleMesh& mesh, PlanarKind kind, int order) {
  PlanarSpace space;
  space.kind = kind;
  space.order = order;
  space.functions = PlanarElement::count(kind, order);
  const TupleNumbers edges = number_tuples(ends_of_edges(mesh), 2, static_cast<std::int32_t>(mesh.nodes.size()));
  space.edge_of = edges.id;
  space.first.assign(static_cast<std::size_t>(edges.count), {-1, 0});
  space.second = space.first;
  for (std::size_t k = 0; k < edges.id.size(); ++k) {
    const auto edge = static_cast<std::size_t>(edges.id[k]);
    PlanarEdge& place = space.first[edge].element < 0 ? space.first[edge] : space.second[edge];
    place = {static_cast<std::int32_t>(k / 3), static_cast<std::int32_t>(k % 3)};
  }
  const auto elements = static_cast<std::int32_t>(mesh.element_count());
  for (std::int32_t e = 0; e < elements; ++e) {
    const auto element = static_cast<std::size_t>(e);
    for (std::size_t i = 0; i < space.functions; ++i) {
      std::int32_t id = 0;
      if (kind == PlanarKind::nodal)
        id = mesh.elements[mesh.nodes_per_element() * element + i];
      else if (i < 6)
        id = edges.id[3 * element + i % 3] + (i < 3 ? 0 : edges.count);
      else
        id = 2 * edges.count + 2 * e + static_cast<std::int32_t>(i - 6);
      space.shared.push_back(id);
    }
  }
  const std::int32_t all = kind == PlanarKind::nodal ? static_cast<std::int32_t>(mesh.nodes.size())
                           : order == 1              ? edges.count
                                                     : 2 * (edges.count + elements);
  space.unknown.assign(static_cast<std::size_t>(all), 0);
  space.number({});
  return space;
}

std::vector<std::size_t> PlanarSpace::on_edge(std::size_t edge) const {
  std::vector<std::size_t> places;
  if (kind == PlanarKind::nodal) places = {planar_edges[edge][0], planar_edges[edge][1]};
  if (kind == PlanarKind::edge) places = {edge};
  if (order == 2) places.push_back(3 + edge);
  return places;
}

void PlanarSpace::number(std::span<const std::int32_t> fixed_edges) {
  std::fill(unknown.begin(), unknown.end(), 0);
  for (const std::int32_t edge : fixed_edges) {
    const PlanarEdge& side = first[static_cast<std::size_t>(edge)];
    for (const std::size_t i : on_edge(static_cast<std::size_t>(side.edge)))
      unknown[static_cast<std::size_t>(shared_of(static_cast<std::size_t>(side.element))[i])] = fixed;
  }
  unknowns = 0;
  for (std::int32_t& u : unknown)
    if (u != fixed) u = unknowns++;
}

}  // namespace tetrawave::fem
