#include "mesh/curved_elements.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/mapped_element.hpp"
#include "basis/quadrature.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

namespace {

/// In units of the edge length: an edge node closer to the midpoint than this is the midpoint up to rounding.
constexpr double straight = 1e-12;

Vec3 middle_of(const Corners& corners, std::size_t edge) {
  const auto& [a, b] = edge_corners[edge];
  return 0.5 * (corners[a] + corners[b]);
}

double length_of(const Corners& corners, std::size_t edge) {
  const auto& [a, b] = edge_corners[edge];
  return norm(corners[b] - corners[a]);
}

/// Straightens edges that are straight up to rounding; returns whether a curved one remains.
bool is_curved(const Corners& corners, basis::Middles& middles) {
  bool found = false;
  for (std::size_t k = 0; k < middles.size(); ++k) {
    const Vec3 middle = middle_of(corners, k);
    if (norm(middles[k] - middle) > straight * length_of(corners, k))
      found = true;
    else
      middles[k] = middle;
  }
  return found;
}

/// The edge between two corners.
std::size_t edge_between(std::size_t a, std::size_t b) {
  const std::array<std::size_t, 2> wanted{std::min(a, b), std::max(a, b)};
  return static_cast<std::size_t>(std::find(edge_corners.begin(), edge_corners.end(), wanted) - edge_corners.begin());
}

/// In the order of the sorted corners.
basis::Middles in_order_of(const Corners& sorted, const CurvedElement& element) {
  std::array<std::size_t, 4> place{};
  for (std::size_t v = 0; v < 4; ++v) {
    const auto found = std::find(element.corners.begin(), element.corners.end(), sorted[v]);
    ensure(found != element.corners.end(), "an element keeps its corners");
    place[v] = static_cast<std::size_t>(found - element.corners.begin());
  }
  basis::Middles middles;
  for (std::size_t k = 0; k < middles.size(); ++k)
    middles[k] = element.middles[edge_between(place[edge_corners[k][0]], place[edge_corners[k][1]])];
  return middles;
}

/// Across periodic faces too.
void check_neighbours(const LocalMesh& mesh, std::size_t e, const std::string& source) {
  constexpr double tolerance = 1e-6;  // of the edge: elements of a mesher agree to the last digits
  for (std::size_t f = 0; f < 4; ++f) {
    if (mesh.neighbour[e][f] < 0) continue;
    const auto other = static_cast<std::size_t>(mesh.neighbour[e][f]);
    const auto& own = face_corners[f];
    const auto& its = face_corners[mesh.neighbour_face[e][f]];
    for (const auto& [a, b] : {std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 2U)}) {
      const Vec3 difference = bulge_of(mesh, e, own[a], own[b]) - bulge_of(mesh, other, its[a], its[b]);
      if (norm(difference) <= tolerance * length_of(mesh.corners[e], edge_between(own[a], own[b]))) continue;
      fail(ExitCode::bad_mesh,
           "{}: elements {} and {} see the face between them with different edges ({:.2g} m apart), "
           "near {}: regenerate the mesh",
           source, std::min(mesh.global_id[e], mesh.global_id[other]),
           std::max(mesh.global_id[e], mesh.global_id[other]), norm(difference),
           describe_place(face_centroid(mesh.corners[e], f)));
    }
  }
}

}  // namespace

Vec3 bulge_of(const LocalMesh& mesh, std::size_t element, std::size_t a, std::size_t b) {
  const basis::Middles* middles = mesh.curved.of(element);
  if (middles == nullptr) return {};
  const std::size_t edge = edge_between(a, b);
  return (*middles)[edge] - middle_of(mesh.corners[element], edge);
}

std::vector<CurvedElement> find_curved_elements(const MeshSlab& slab, int threads) {
  if (slab.middles.empty()) return {};
  ensure(static_cast<GlobalIndex>(slab.elements.size()) == slab.element_count, "the slab is the whole mesh");
  const auto place = [&](GlobalIndex node) { return slab.nodes[static_cast<std::size_t>(node)]; };
  const auto found = collect<CurvedElement>(slab.elements.size(), threads, [&](std::size_t e, auto& list) {
    CurvedElement element;
    element.id = static_cast<GlobalIndex>(e);
    for (std::size_t v = 0; v < 4; ++v) element.corners[v] = place(slab.elements[e][v]);
    for (std::size_t k = 0; k < 6; ++k) element.middles[k] = place(slab.middles[e][k]);
    if (is_curved(element.corners, element.middles)) list.push_back(element);
  });
  std::vector<double> least(found.size());
  for_each_index(found.size(), threads, [&](std::size_t k) {
    least[k] = basis::least_relative_determinant(found[k].corners, found[k].middles);
  });
  double worst = 1;
  std::size_t at = 0;
  for (std::size_t k = 0; k < least.size(); ++k)
    if (!(least[k] >= worst)) worst = least[at = k];
  if (!(worst > 0))
    fail(
        ExitCode::bad_mesh,
        "{}: element {} near {} is turned inside out by its curved edges (its Jacobian falls to {:.2g} of the straight "
        "element's): use smaller elements there",
        slab.source, found[at].id, describe_place(centroid(found[at].corners)), worst);
  return found;
}

void curve_elements(LocalMesh& mesh, const std::vector<CurvedElement>& elements, const std::string& source,
                    int threads) {
  if (elements.empty()) return;
  mesh.curved.number.assign(mesh.corners.size(), -1);
  const auto is_before = [](const CurvedElement& element, GlobalIndex id) { return element.id < id; };
  const auto curved = collect<std::size_t>(mesh.corners.size(), threads, [&](std::size_t e, auto& list) {
    const auto found = std::lower_bound(elements.begin(), elements.end(), mesh.global_id[e], is_before);
    if (found != elements.end() && found->id == mesh.global_id[e]) list.push_back(e);
  });
  mesh.curved.middles.resize(curved.size());
  for_each_index(curved.size(), threads, [&](std::size_t k) {
    const std::size_t e = curved[k];
    const auto found = std::lower_bound(elements.begin(), elements.end(), mesh.global_id[e], is_before);
    mesh.curved.number[e] = static_cast<std::int32_t>(k);
    mesh.curved.middles[k] = in_order_of(mesh.corners[e], *found);
  });
  for_each_index(curved.size(), threads, [&](std::size_t k) { check_neighbours(mesh, curved[k], source); });
}

double curved_volume(const Corners& corners, const basis::Middles& middles) {
  const basis::CurvedMap map(corners, middles);
  double sum = 0;
  for (const auto& q : basis::symmetric_tetrahedron_rule(3))  // of a cubic
    sum += q.weight * std::abs(map.determinant(q.barycentric)) / 6;
  return sum;
}

double curved_face_area(const Corners& corners, const basis::Middles& middles, std::size_t face) {
  const basis::MappedElement element(Space::mixed_1, corners, &middles);
  double sum = 0;
  for (const auto& q : basis::symmetric_triangle_rule(6)) sum += q.weight * element.on_face(face, q.barycentric).area;
  return sum;
}

}  // namespace tetrawave
