#include "results/ports/ports.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/scheme.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave::results {

namespace {

/// A face in the form sent between ranks.
struct GatheredFace {
  PortTriangle triangle;
  Vec3 normal{};
  GlobalIndex element = 0;
  std::int32_t region = 0;
};

PortTriangle triangle_of(const LocalMesh& mesh, std::size_t element, std::size_t face) {
  PortTriangle triangle;
  for (std::size_t i = 0; i < 3; ++i) {
    triangle.vertices[i] = mesh.vertices[element][face_corners[face][i]];
    triangle.corners[i] = mesh.corners[element][face_corners[face][i]];
  }
  const auto& [a, b, c] = face_corners[face];
  triangle.bulge = {bulge_of(mesh, element, a, b), bulge_of(mesh, element, a, c), bulge_of(mesh, element, b, c)};
  return triangle;
}

}  // namespace

std::vector<std::vector<LocalPortFace>> find_port_faces(const LocalMesh& mesh, std::size_t tags) {
  std::vector<std::vector<LocalPortFace>> found(tags);
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[k][f];
      if (tag >= 0 && static_cast<std::size_t>(tag) < tags)
        found[static_cast<std::size_t>(tag)].push_back({e, static_cast<std::uint8_t>(f), triangle_of(mesh, k, f)});
    }
  }
  return found;
}

PortFaces collect_port_faces(const LocalMesh& mesh, std::vector<LocalPortFace> mine, const std::vector<Medium>& media,
                             const comm::Communicator& ranks) {
  std::vector<GatheredFace> sent;
  for (const LocalPortFace& face : mine) {
    const auto k = static_cast<std::size_t>(face.element);
    const Vec3 normal = basis::PhysicalElement(Space::mixed_1, mesh.corners[k]).normal(face.face);
    sent.push_back({face.triangle, normal, mesh.global_id[k], mesh.region[k]});
  }
  PortFaces faces;
  faces.mine = std::move(mine);
  auto all = ranks.all_gather(std::span<const GatheredFace>(sent));
  std::sort(all.begin(), all.end(), [](const GatheredFace& a, const GatheredFace& b) {
    return std::tie(a.triangle.vertices, a.element) < std::tie(b.triangle.vertices, b.element);
  });
  for (const GatheredFace& face : all) {
    faces.media.push_back(media[static_cast<std::size_t>(face.region)]);
    const bool other_side = !faces.all.empty() && faces.all.back().vertices == face.triangle.vertices;
    if (!other_side) faces.all.push_back(face.triangle);
    faces.elements.emplace_back(face.element, faces.all.size() - 1);
  }
  std::sort(faces.elements.begin(), faces.elements.end());
  if (!all.empty()) faces.normal = all.front().normal;
  return faces;
}

std::vector<MetalFace> find_metal_faces(const LocalMesh& mesh, const std::vector<march::Wall>& walls) {
  std::vector<MetalFace> found;
  for (std::size_t k = 0; k < mesh.boundary.size(); ++k)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[k][f];
      if (tag < 0) continue;
      const march::Wall wall = walls[static_cast<std::size_t>(tag)];
      if (march::is_metal(wall)) found.push_back({static_cast<LocalIndex>(k), f});
    }
  return found;
}

std::vector<ConductorEdge> collect_port_metal(const LocalMesh& mesh, const std::vector<MetalFace>& metal,
                                              const PortFaces& faces, const comm::Communicator& ranks) {
  std::set<PortEdge> of_port;
  for (const PortTriangle& triangle : faces.all)
    for (const PortEdge& edge : edges_of(triangle)) of_port.insert(edge);
  // most edges of metal have numbers outside the range of those of the port
  const GlobalIndex low = of_port.empty() ? 0 : of_port.begin()->front();
  GlobalIndex high = -1;
  for (const PortEdge& edge : of_port) high = std::max(high, edge.back());
  std::vector<ConductorEdge> mine;
  for (const MetalFace& face : metal) {
    const auto k = static_cast<std::size_t>(face.element);
    if (mesh.vertices[k].front() > high || mesh.vertices[k].back() < low) continue;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        const PortEdge edge{mesh.vertices[k][a], mesh.vertices[k][b]};
        if (a != face.face && b != face.face && of_port.count(edge) > 0)
          mine.push_back({edge, mesh.boundary[k][face.face]});
      }
  }
  auto all = ranks.all_gather(std::span<const ConductorEdge>(mine));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

namespace {

/// The index of a face in the sorted list of all.
std::size_t number_of(const PortFaces& faces, const LocalPortFace& face) {
  const auto found =
      std::lower_bound(faces.all.begin(), faces.all.end(), face.triangle,
                       [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
  return static_cast<std::size_t>(found - faces.all.begin());
}

using Moments = basis::PhysicalElement::FaceMoments;

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// The moments of a profile on a face, without the recipe's factors.
Moments plain_moments(const march::Problem& problem, const PlacedFace& face, const PortRecipe::Profile& profile,
                      int degree) {
  const basis::MappedElement element = map_element(problem.space, *problem.mesh, face.element);
  return element.face_moments(
      face.face,
      [&](const std::array<double, 3>& own) {
        std::array<double, 3> l{};
        for (std::size_t i = 0; i < 3; ++i) l[face.order[i]] = own[i];
        return profile(face.triangle, l);
      },
      degree);
}

/// The moments of the wave's profile on a face.
Moments moments_of(const march::Problem& problem, const PlacedFace& face, const PortRecipe& recipe) {
  Moments moments = plain_moments(problem, face, recipe.profile, recipe.degree);
  if (recipe.direct != 1) moments.direct = scaled(std::move(moments.direct), recipe.direct);
  if (recipe.rotated != 1) moments.rotated = scaled(std::move(moments.rotated), recipe.rotated);
  return moments;
}

/// m . F^-1 m over the traces of one face: the part of the profile contained in the traces.
double held_by_traces(const march::Problem& problem, const LocalPortFace& face, const std::vector<double>& moment) {
  const auto& reference = basis::reference_element(problem.space);
  const auto mass = map_element(problem.space, *problem.mesh, face.element).face_mass(face.face);
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
FaceNorm norm_in_traces(const march::Problem& problem, const PortFaces& faces, const PortRecipe& recipe,
                        const comm::Communicator& ranks) {
  std::vector<FaceNorm> mine;
  const auto placed = place_faces(faces);
  for (std::size_t k = 0; k < placed.size(); ++k) {
    const Moments moments = moments_of(problem, placed[k], recipe);
    mine.push_back({faces.mine[k].triangle.vertices, held_by_traces(problem, faces.mine[k], moments.direct),
                    held_by_traces(problem, faces.mine[k], moments.rotated)});
  }
  auto all = ranks.all_gather(std::span<const FaceNorm>(mine));
  std::sort(all.begin(), all.end(), [](const FaceNorm& a, const FaceNorm& b) { return a.vertices < b.vertices; });
  FaceNorm sum;
  for (const FaceNorm& face : all) {
    sum.electric += face.electric;
    sum.magnetic += face.magnetic;
  }
  return sum;
}

/// The corner of a triangle that is nearest to a point.
std::uint8_t nearest_corner(const PortTriangle& triangle, const Vec3& point) {
  std::size_t nearest = 0;
  for (std::size_t c = 1; c < 3; ++c)
    if (norm(triangle.corners[c] - point) < norm(triangle.corners[nearest] - point)) nearest = c;
  return static_cast<std::uint8_t>(nearest);
}

/// `face` as a face of the triangle, moved back by `shift`; none if it is another one.
std::optional<PlacedFace> fit(const PortTriangle& triangle, std::size_t t, const LocalPortFace& face,
                              const Vec3& shift) {
  PlacedFace placed{face.element, face.face, t};
  const auto& corners = triangle.corners;
  const double edge =
      std::min({norm(corners[1] - corners[0]), norm(corners[2] - corners[0]), norm(corners[2] - corners[1])});
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 point = face.triangle.corners[i] - shift;
    placed.order[i] = nearest_corner(triangle, point);
    if (norm(triangle.corners[placed.order[i]] - point) > 1e-3 * edge) return std::nullopt;
  }
  return placed;
}

}  // namespace

std::vector<PlacedFace> place_faces(const PortFaces& faces) {
  std::vector<PlacedFace> placed;
  for (const LocalPortFace& face : faces.mine) placed.push_back({face.element, face.face, number_of(faces, face)});
  return placed;
}

std::vector<PlacedFace> place_copy(const PortFaces& faces, const LocalMesh& mesh,
                                   const std::vector<LocalPortFace>& copy, GlobalIndex id_shift, const Vec3& shift) {
  std::vector<PlacedFace> placed;
  for (const LocalPortFace& face : copy) {
    const GlobalIndex id = mesh.global_id[static_cast<std::size_t>(face.element)] - id_shift;
    std::optional<PlacedFace> found;
    for (auto at = std::lower_bound(faces.elements.begin(), faces.elements.end(), std::pair(id, std::size_t{0}));
         at != faces.elements.end() && at->first == id && !found; ++at)
      found = fit(faces.all[at->second], at->second, face, shift);
    ensure(found.has_value(), "a copy of a port has the faces of the port");
    placed.push_back(*found);
  }
  ensure(placed.empty() || placed.size() == faces.elements.size(), "a copy of a port is on one rank");
  return placed;
}

PlacedPort make_placed_port(const march::Problem& problem, const std::vector<PlacedFace>& faces,
                            const PortRecipe& recipe, std::int32_t wave) {
  PlacedPort port;
  for (const PlacedFace& face : faces) {
    const Moments moments = moments_of(problem, face, recipe);
    port.driven.push_back({face.element, face.face, wave, moments.direct, moments.rotated});
    if (!recipe.admittance.empty())
      port.admittance.push_back({{face.element, face.face}, recipe.admittance.at(face.triangle)});
    const auto moments_with = [&](const PortRecipe::Profile& profile) {
      return profile ? plain_moments(problem, face, profile, recipe.degree) : moments;
    };
    if (!recipe.sheet.empty()) {
      const Medium& medium =
          problem.media[static_cast<std::size_t>(problem.mesh->region[static_cast<std::size_t>(face.element)])];
      const double share = recipe.voltage * recipe.sheet.at(face.triangle);
      port.voltage.items.push_back({face.element, scaled(moments.direct, share / medium.impedance())});
      port.current.items.push_back({face.element, scaled(moments.rotated, -share)});
      continue;
    }
    port.voltage.items.push_back({face.element, scaled(moments_with(recipe.voltage_profile).direct, recipe.voltage)});
    if (recipe.current != 0)
      port.current.items.push_back(
          {face.element, scaled(moments_with(recipe.current_profile).rotated, recipe.current)});
  }
  return port;
}

void add_port(march::Problem& problem, PlacedPort port, const PortRecipe& recipe, std::int32_t wave) {
  std::optional<march::PortMemory> memory = recipe.memory;
  if (memory) {
    memory->wave = wave;
    memory->functional = problem.electric.size();
  }
  if (recipe.termination)
    problem.terminations.push_back({wave, problem.electric.size(), *recipe.termination, memory, recipe.overlap});
  else if (memory)
    problem.memories.push_back(*memory);
  problem.driven.insert(problem.driven.end(), std::make_move_iterator(port.driven.begin()),
                        std::make_move_iterator(port.driven.end()));
  for (const auto& [place, admittance] : port.admittance) problem.open_admittance[place] = admittance;
  problem.electric.push_back(std::move(port.voltage));
  problem.magnetic.push_back(std::move(port.current));
}

void place_port(march::Problem& problem, const std::vector<PlacedFace>& faces, const PortRecipe& recipe,
                std::int32_t wave) {
  add_port(problem, make_placed_port(problem, faces, recipe, wave), recipe, wave);
}

WallCurrent make_wall_current(const march::Problem& problem, const std::vector<PlacedFace>& faces,
                              const PortRecipe& recipe) {
  WallCurrent result;
  const PortRecipe::Profile& profile = recipe.current_profile ? recipe.current_profile : recipe.profile;
  for (const PlacedFace& face : faces) {
    const auto e = static_cast<std::size_t>(face.element);
    const Medium& medium = problem.media[static_cast<std::size_t>(problem.mesh->region[e])];
    const double admittance = recipe.admittance.empty() ? 1 / medium.impedance() : recipe.admittance.at(face.triangle);
    const double factor = recipe.current * admittance;
    const Moments moments = plain_moments(problem, face, profile, recipe.degree);
    result.of_field.items.push_back({face.element, scaled(moments.direct, factor)});
    const basis::MappedElement element = map_element(problem.space, *problem.mesh, face.element);
    for (const auto& q : basis::triangle_rule(element.degree_of_rule(recipe.degree))) {
      const double area = element.on_face(face.face, q.barycentric).area;
      const double overlap = dot(profile(face.triangle, q.barycentric), recipe.profile(face.triangle, q.barycentric));
      result.of_wave += 2 * factor * recipe.direct * q.weight * area * overlap;
    }
  }
  return result;
}

PortRecipe make_modal_recipe(const march::Problem& problem, const std::vector<PortTriangle>& triangles,
                             const TemMode& vacuum, double admittance) {
  PortRecipe recipe;
  recipe.degree = 2 * basis::reference_element(problem.space).degree;
  recipe.profile = [vacuum](std::size_t t, const std::array<double, 3>& l) { return vacuum.electric(t, l); };
  recipe.voltage = 1 / vacuum.norm_squared;
  recipe.current = 0;
  recipe.termination = admittance;
  if (!has_rates(problem.scheme)) return recipe;
  const TemMode closed = solve_closed_mode(triangles, vacuum);
  recipe.profile = [closed](std::size_t t, const std::array<double, 3>& l) { return closed.electric(t, l); };
  recipe.overlap = vacuum.norm_squared / closed.norm_squared;
  recipe.current = 1 / (admittance * closed.norm_squared);
  return recipe;
}

PortRecipe make_tem_recipe(const march::Problem& problem, const TemMode& mode, const Medium& medium) {
  PortRecipe recipe;
  recipe.degree = 2 * basis::reference_element(problem.space).degree;
  recipe.profile = [mode](std::size_t t, const std::array<double, 3>& l) { return mode.electric(t, l); };
  recipe.voltage = 1 / mode.norm_squared;
  recipe.current = medium.impedance() / mode.norm_squared;
  return recipe;
}

PortRecipe make_mixed_recipe(const march::Problem& problem, const TemPort& port) {
  PortRecipe recipe;
  recipe.degree = 2 * basis::reference_element(problem.space).degree;
  const double norm = port.vacuum.norm_squared;
  const double y0 = eta0_ohm / (port.mode.impedance_ohm * norm);  // sqrt(eps_effective/mu)
  recipe.profile = [port, y0](std::size_t t, const std::array<double, 3>& l) {
    return 0.5 * port.mode.electric(t, l) + (0.5 * y0 / port.admittance[t]) * port.vacuum.electric(t, l);
  };
  recipe.voltage_profile = [mode = port.vacuum](std::size_t t, const std::array<double, 3>& l) {
    return mode.electric(t, l);
  };
  recipe.current_profile = [mode = port.mode](std::size_t t, const std::array<double, 3>& l) {
    return mode.electric(t, l);
  };
  recipe.voltage = 1 / norm;
  recipe.current = port.mode.impedance_ohm / eta0_ohm;
  recipe.admittance = port.admittance;
  return recipe;
}

PortRecipe make_waveguide_recipe(const march::Problem& problem, const PortFaces& faces, const WaveguidePort& port,
                                 const Medium& medium, bool one_mode, const comm::Communicator& ranks) {
  PortRecipe recipe;
  recipe.degree = 2 * basis::reference_element(problem.space).degree + 4;
  recipe.profile = [port, all = faces.all](std::size_t t, const std::array<double, 3>& l) {
    return port.electric(point_on(all[t], l));
  };
  const FaceNorm norm = norm_in_traces(problem, faces, recipe, ranks);
  recipe.direct = 1 / std::sqrt(norm.electric);
  recipe.rotated = 1 / std::sqrt(norm.magnetic);
  recipe.current = one_mode && !has_rates(problem.scheme) ? 0 : medium.impedance();
  if (one_mode) recipe.termination = 1 / medium.impedance();
  march::PortMemory memory;
  memory.kind = port.mode.tm ? march::PortMemory::Kind::tm : march::PortMemory::Kind::te;
  memory.cutoff_per_m = port.cutoff_per_m / std::sqrt(medium.eps_r * medium.mu_r);
  recipe.memory = memory;
  return recipe;
}

namespace {

/// v = oint E* . e / oint e.e with E* = [Y E + Y+ E+ + n x (H+ - H) + 2 G w e]/(Y + Y+ + G), the field that dissipates
/// power in the sheet: the mean of both sides would include jumps of E, and exceed the absorbed power on coarse meshes.
void take_state_at_sheet(PortRecipe& recipe, const PortFaces& faces, const LumpedPort& port) {
  const double norm = port.field.norm_squared;
  const double conductance = eta0_ohm / port.sheet_ohms();
  const std::vector<double> own_norm = overlaps(port.field, port.field, faces.all);
  const std::size_t sides = faces.is_inner() ? 2 : 1;
  recipe.voltage = 1 / norm;
  for (std::size_t t = 0; t < faces.all.size(); ++t) {
    double sum = conductance;
    for (std::size_t side = 0; side < sides; ++side) sum += 1 / faces.media[sides * t + side].impedance();
    recipe.sheet.push_back(1 / sum);
    recipe.source_share += conductance / sum * own_norm[t] / norm;
  }
}

}  // namespace

PortRecipe make_lumped_recipe(const march::Problem& problem, const PortFaces& faces, const LumpedPort& port,
                              const PortDescription& spec, std::int32_t tag) {
  PortRecipe recipe;
  recipe.degree = 2 * basis::reference_element(problem.space).degree;
  recipe.profile = [field = port.field](std::size_t t, const std::array<double, 3>& l) { return field.electric(t, l); };
  recipe.voltage = 1 / (port.field.norm_squared * (faces.is_inner() ? 2 : 1));
  recipe.current = 0;
  if (has_upwind_fluxes(problem.scheme)) take_state_at_sheet(recipe, faces, port);
  if (spec.inductance_h <= 0 && spec.capacitance_f <= 0) return recipe;
  march::PortMemory memory;
  memory.kind = spec.inductance_h > 0 ? march::PortMemory::Kind::inductance : march::PortMemory::Kind::capacitance;
  memory.tag = tag;
  memory.resistance_ohm = port.resistance_ohm;
  memory.reactance = c0_m_per_s * (spec.inductance_h > 0 ? spec.inductance_h : spec.capacitance_f);
  recipe.memory = memory;
  return recipe;
}

}  // namespace tetrawave::results
