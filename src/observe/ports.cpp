#include "observe/ports.hpp"

#include <algorithm>
#include <set>

#include "basis/physical_element.hpp"

namespace tetrawave::observe {

namespace {

/// A face as it travels between ranks.
struct GatheredFace {
  PortTriangle triangle;
  Vec3 normal{};
  std::int32_t region = 0;
};

std::vector<GatheredFace> local_faces(const LocalMesh& mesh, std::int32_t tag, std::vector<LocalPortFace>& mine) {
  std::vector<GatheredFace> faces;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    for (std::size_t f = 0; f < 4; ++f) {
      if (mesh.boundary[k][f] != tag) continue;
      PortTriangle triangle;
      std::size_t next = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        if (i == f) continue;
        triangle.vertices[next] = mesh.vertices[k][i];
        triangle.corners[next++] = mesh.corners[k][i];
      }
      const Vec3 normal = basis::PhysicalElement(Space::mixed_1, mesh.corners[k]).normal(f);
      mine.push_back({e, static_cast<std::uint8_t>(f), triangle});
      faces.push_back({triangle, normal, mesh.region[k]});
    }
  }
  return faces;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

PortFaces collect_port_faces(const LocalMesh& mesh, std::int32_t tag, const std::vector<Medium>& media,
                             const comm::Communicator& ranks) {
  PortFaces faces;
  const auto mine = local_faces(mesh, tag, faces.mine);
  auto all = ranks.all_gather(std::span<const GatheredFace>(mine));
  std::sort(all.begin(), all.end(),
            [](const GatheredFace& a, const GatheredFace& b) { return a.triangle.vertices < b.triangle.vertices; });
  for (const GatheredFace& face : all) {
    faces.all.push_back(face.triangle);
    faces.media.push_back(media[static_cast<std::size_t>(face.region)]);
  }
  if (!all.empty()) faces.normal = all.front().normal;
  return faces;
}

std::vector<ConductorEdge> collect_port_metal(const LocalMesh& mesh, const std::vector<march::Wall>& walls,
                                              const PortFaces& faces, const comm::Communicator& ranks) {
  std::set<PortEdge> of_port;
  for (const PortTriangle& triangle : faces.all)
    for (const PortEdge& edge : edges_of(triangle)) of_port.insert(edge);
  std::vector<ConductorEdge> mine;
  for (std::size_t k = 0; k < mesh.boundary.size(); ++k)
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[k][f];
      if (tag < 0 || walls[static_cast<std::size_t>(tag)] != march::Wall::electric) continue;
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = a + 1; b < 4; ++b) {
          const PortEdge edge{mesh.vertices[k][a], mesh.vertices[k][b]};
          if (a != f && b != f && of_port.count(edge) > 0) mine.push_back({edge, tag});
        }
    }
  auto all = ranks.all_gather(std::span<const ConductorEdge>(mine));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void add_port(march::Problem& problem, const PortFaces& faces, const TemMode& mode, const Medium& medium,
              std::int32_t wave) {
  const double inverse_norm = 1 / mode.norm_squared;
  march::Functional voltage;
  march::Functional current;
  const int degree = 2 * basis::reference_element(problem.space).degree;
  for (const LocalPortFace& face : faces.mine) {
    const auto found =
        std::lower_bound(faces.all.begin(), faces.all.end(), face.triangle,
                         [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
    const auto t = static_cast<std::size_t>(found - faces.all.begin());
    const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(face.element)]);
    const auto moments = element.face_moments(
        face.face, [&](const std::array<double, 3>& l) { return mode.electric(t, l); }, degree);
    problem.driven.push_back({face.element, face.face, wave, moments.direct, moments.rotated});
    voltage.items.push_back({face.element, scaled(moments.direct, inverse_norm)});
    current.items.push_back({face.element, scaled(moments.rotated, inverse_norm * medium.impedance())});
  }
  problem.electric.push_back(std::move(voltage));
  problem.magnetic.push_back(std::move(current));
}

}  // namespace tetrawave::observe
