#include "observe/ports.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/constants.hpp"
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
    faces.media.push_back(media[static_cast<std::size_t>(face.region)]);
    if (!faces.all.empty() && faces.all.back().vertices == face.triangle.vertices) continue;  // from its other side
    faces.all.push_back(face.triangle);
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
      if (tag < 0) continue;
      const march::Wall wall = walls[static_cast<std::size_t>(tag)];
      if (wall != march::Wall::electric && wall != march::Wall::conductor) continue;
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

namespace {

/// The number of a face in the sorted list of all.
std::size_t number_of(const PortFaces& faces, const LocalPortFace& face) {
  const auto found =
      std::lower_bound(faces.all.begin(), faces.all.end(), face.triangle,
                       [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
  return static_cast<std::size_t>(found - faces.all.begin());
}

using Moments = basis::PhysicalElement::FaceMoments;

/// The moments of a profile, given at the point of a triangle, on this rank's faces.
std::vector<Moments> moments_of(const march::Problem& problem, const PortFaces& faces, int degree,
                                const std::function<Vec3(std::size_t, const std::array<double, 3>&)>& profile) {
  std::vector<Moments> list;
  for (const LocalPortFace& face : faces.mine) {
    const std::size_t t = number_of(faces, face);
    const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(face.element)]);
    list.push_back(element.face_moments(
        face.face, [&](const std::array<double, 3>& l) { return profile(t, l); }, degree));
  }
  return list;
}

/// v = direct.E times `electric`, Z i = rotated.H times `magnetic`.
void add_functionals(march::Problem& problem, const PortFaces& faces, const std::vector<Moments>& moments,
                     double electric, double magnetic) {
  march::Functional voltage;
  march::Functional current;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    voltage.items.push_back({faces.mine[k].element, scaled(moments[k].direct, electric)});
    if (magnetic != 0) current.items.push_back({faces.mine[k].element, scaled(moments[k].rotated, magnetic)});
  }
  problem.electric.push_back(std::move(voltage));
  problem.magnetic.push_back(std::move(current));
}

void drive(march::Problem& problem, const PortFaces& faces, const std::vector<Moments>& moments, std::int32_t wave) {
  for (std::size_t k = 0; k < moments.size(); ++k)
    problem.driven.push_back({faces.mine[k].element, faces.mine[k].face, wave, moments[k].direct, moments[k].rotated});
}

/// m . F^-1 m over the traces of one face: what of the profile the traces hold.
double held_by_traces(const march::Problem& problem, const LocalPortFace& face, const std::vector<double>& moment) {
  const auto& reference = basis::reference_element(problem.space);
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(face.element)]);
  const auto mass = element.face_mass(face.face);
  const auto& dofs = reference.on_face[face.face];
  basis::SymmetricMatrix small(reference.face_dofs);
  std::vector<double> x;
  for (std::size_t i = 0; i < reference.face_dofs; ++i) {
    for (std::size_t k = 0; k < reference.face_dofs; ++k) small(i, k) = mass(dofs[i], dofs[k]);
    x.push_back(moment[dofs[i]]);
  }
  small.factor();
  small.solve(x.data());
  double sum = 0;
  for (std::size_t i = 0; i < reference.face_dofs; ++i) sum += x[i] * moment[dofs[i]];
  return sum;
}

/// Norms of a profile in the traces of E and of H, in the same order on any number of ranks.
struct FaceNorm {
  std::array<GlobalIndex, 3> vertices{};
  double electric = 0;
  double magnetic = 0;
};
FaceNorm norm_in_traces(const march::Problem& problem, const PortFaces& faces, const std::vector<Moments>& moments,
                        const comm::Communicator& ranks) {
  std::vector<FaceNorm> mine;
  for (std::size_t k = 0; k < moments.size(); ++k)
    mine.push_back({faces.mine[k].triangle.vertices, held_by_traces(problem, faces.mine[k], moments[k].direct),
                    held_by_traces(problem, faces.mine[k], moments[k].rotated)});
  auto all = ranks.all_gather(std::span<const FaceNorm>(mine));
  std::sort(all.begin(), all.end(), [](const FaceNorm& a, const FaceNorm& b) { return a.vertices < b.vertices; });
  FaceNorm sum;
  for (const FaceNorm& face : all) {
    sum.electric += face.electric;
    sum.magnetic += face.magnetic;
  }
  return sum;
}

}  // namespace

void add_port(march::Problem& problem, const PortFaces& faces, const TemMode& mode, const Medium& medium,
              std::int32_t wave) {
  const int degree = 2 * basis::reference_element(problem.space).degree;
  const auto moments = moments_of(problem, faces, degree,
                                  [&](std::size_t t, const std::array<double, 3>& l) { return mode.electric(t, l); });
  drive(problem, faces, moments, wave);
  add_functionals(problem, faces, moments, 1 / mode.norm_squared, medium.impedance() / mode.norm_squared);
}

void add_waveguide_port(march::Problem& problem, const PortFaces& faces, const WaveguidePort& port,
                        const Medium& medium, std::int32_t wave, const comm::Communicator& ranks) {
  const int degree = 2 * basis::reference_element(problem.space).degree + 4;
  auto moments = moments_of(problem, faces, degree, [&](std::size_t t, const std::array<double, 3>& l) {
    const auto& corner = faces.all[t].corners;
    return port.electric(l[0] * corner[0] + l[1] * corner[1] + l[2] * corner[2]);
  });
  const FaceNorm norm = norm_in_traces(problem, faces, moments, ranks);
  for (Moments& moment : moments) {
    moment.direct = scaled(std::move(moment.direct), 1 / std::sqrt(norm.electric));
    moment.rotated = scaled(std::move(moment.rotated), 1 / std::sqrt(norm.magnetic));
  }
  drive(problem, faces, moments, wave);
  march::PortMemory memory;
  memory.kind = port.mode.tm ? march::PortMemory::Kind::tm : march::PortMemory::Kind::te;
  memory.wave = wave;
  memory.functional = problem.electric.size();
  memory.cutoff_per_m = port.cutoff_per_m / std::sqrt(medium.eps_r * medium.mu_r);
  problem.memories.push_back(memory);
  add_functionals(problem, faces, moments, 1, medium.impedance());
}

void add_lumped_port(march::Problem& problem, const PortFaces& faces, const LumpedPort& port, const PortSpec& spec,
                     std::int32_t wave) {
  const int degree = 2 * basis::reference_element(problem.space).degree;
  const auto moments = moments_of(
      problem, faces, degree, [&](std::size_t t, const std::array<double, 3>& l) { return port.field.electric(t, l); });
  const double sides = faces.is_inner() ? 2 : 1;
  drive(problem, faces, moments, wave);
  if (spec.inductance_h > 0 || spec.capacitance_f > 0) {
    march::PortMemory memory;
    memory.kind = spec.inductance_h > 0 ? march::PortMemory::Kind::inductance : march::PortMemory::Kind::capacitance;
    memory.wave = wave;
    memory.functional = problem.electric.size();
    memory.tag = wave - 1;
    memory.resistance_ohm = port.resistance_ohm;
    memory.reactance = c0_m_per_s * (spec.inductance_h > 0 ? spec.inductance_h : spec.capacitance_f);
    problem.memories.push_back(memory);
  }
  add_functionals(problem, faces, moments, 1 / (port.field.norm_squared * sides), 0);
}

}  // namespace tetrawave::observe
