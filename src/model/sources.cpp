#include "model/sources.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/scheme.hpp"
#include "base/text/suggest.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "case/check/refusals.hpp"
#include "case/error_list.hpp"
#include "case/spec/highest_frequency.hpp"
#include "case/spec/mirrors.hpp"
#include "mesh/map_element.hpp"
#include "mesh/neighbour_values.hpp"
#include "mesh/tetrahedron.hpp"
#include "results/far_field/faces_beyond.hpp"
#include "results/history/find_element.hpp"
#include "sources/expression.hpp"
#include "terms/sources/incident.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::modes {

namespace {

using march::Problem;
using march::SourceTerm;

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

const Medium& medium_of(const Problem& problem, LocalIndex e) {
  return problem.media[static_cast<std::size_t>(problem.mesh->region[static_cast<std::size_t>(e)])];
}

std::vector<std::int32_t> find_regions(const Problem& problem, const SourceDescription& spec) {
  const auto& names = problem.mesh->region_names;
  std::vector<std::int32_t> regions;
  for (const std::string& name : spec.regions) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      fail(ExitCode::bad_case, "{}: error: the mesh has no region '{}'{}; its regions: {}", spec.region_place.text,
           name, did_you_mean(name, names), list_names(names));
    regions.push_back(static_cast<std::int32_t>(found - names.begin()));
  }
  return regions;
}

/// The point current density j [A/m^2 times a volume] at points of an element, as moments: E: -eta0 int N . j; in
/// DFDD-ELD also eta0 int curl N . j/eps in the equation of H.
class CurrentTerm {
 public:
  CurrentTerm(const Problem& problem, LocalIndex e, std::int32_t wave)
      : element_(map_element(problem.space, *problem.mesh, e)),
        with_curl_(has_rates(problem.scheme)),
        eps_(medium_of(problem, e).eps_r) {
    const std::size_t n = basis::reference_element(problem.space).dofs;
    term_.element = e;
    term_.wave = wave;
    term_.electric.assign(n, 0);
    if (with_curl_) term_.curl.assign(n, 0);
  }

  void add(const std::array<double, 4>& barycentric, const Vec3& current) {
    const auto values = element_.values(barycentric);
    for (std::size_t i = 0; i < values.size(); ++i) term_.electric[i] -= eta0_ohm * dot(values[i], current);
    if (!with_curl_) return;
    const auto curls = element_.curls(barycentric);
    for (std::size_t i = 0; i < curls.size(); ++i) term_.curl[i] += eta0_ohm / eps_ * dot(curls[i], current);
  }

  [[nodiscard]] const basis::MappedElement& element() const { return element_; }
  [[nodiscard]] SourceTerm take() { return std::move(term_); }

 private:
  basis::MappedElement element_;
  bool with_curl_;
  double eps_;
  SourceTerm term_;
};

/// The equation of H of DFDD-ELD needs J/eps; that of E in a Kerr medium is solved with all sources at once.
void check_medium_of_current(const Problem& problem, const SourceDescription& spec, bool wrong, bool is_kerr) {
  if (is_kerr) fail(ExitCode::bad_case, current_in_kerr.text, spec.place.text);
  if (has_rates(problem.scheme) && wrong) fail(ExitCode::bad_case, current_in_dfdd.text, spec.place.text);
}

bool is_kerr(const Medium& m) { return m.chi3 > 0; }
bool is_plain(const Medium& m) { return m.is_lossless() && m.is_isotropic() && !m.is_dispersive() && !is_kerr(m); }

void add_dipole(Problem& problem, const SourceDescription& spec, std::int32_t wave, const comm::Communicator& ranks) {
  const auto mine = results::find_elements(*problem.mesh, spec.position_m);
  const std::int64_t all = ranks.sum(static_cast<std::int64_t>(mine.size()));
  const std::string bounds = results::describe_bounds(*problem.mesh, ranks);
  if (all == 0)
    fail(ExitCode::bad_case,
         "{}: error: the dipole at ({:g}, {:g}, {:g}) m lies outside the mesh, whose bounding box is {}",
         spec.position_place.text, spec.position_m[0], spec.position_m[1], spec.position_m[2], bounds);
  std::int64_t wrong = 0;
  std::int64_t kerr = 0;
  for (const LocalIndex e : mine) {
    wrong += is_plain(medium_of(problem, e)) ? 0 : 1;
    kerr += is_kerr(medium_of(problem, e)) ? 1 : 0;
  }
  wrong = ranks.sum(wrong);
  check_medium_of_current(problem, spec, wrong > 0, ranks.sum(kerr) > 0);
  for (const LocalIndex e : mine) {
    CurrentTerm term(problem, e, wave);
    term.add(term.element().barycentric(spec.position_m).value(),
             (1 / static_cast<double>(all)) * unit(spec.direction));
    problem.sources.push_back(term.take());
  }
}

void add_current(Problem& problem, const SourceDescription& spec, std::int32_t wave) {
  const std::int32_t region = find_regions(problem, spec).front();
  const Medium& medium = problem.media[static_cast<std::size_t>(region)];
  check_medium_of_current(problem, spec, !is_plain(medium), is_kerr(medium));
  const FieldExpression density(spec.density, spec.density_places);
  const int degree = 2 * basis::reference_element(problem.space).degree;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) {
    if (problem.mesh->region[static_cast<std::size_t>(e)] != region) continue;
    CurrentTerm term(problem, e, wave);
    const basis::MappedElement& element = term.element();
    for (const auto& q : basis::tetrahedron_rule(element.degree_of_rule(degree)))
      term.add(q.barycentric, q.weight * element.volume(q.barycentric) * density(element.point(q.barycentric)));
    problem.sources.push_back(term.take());
  }
}

/// A face between the total and the scattered field, seen from an element of this rank.
struct JumpFace {
  LocalIndex element;
  std::size_t face;
  double sign;  ///< of the incident field missing in the neighbour's value
};

/// Results of the ranks about the border of a total-field region.
struct Border {
  std::vector<JumpFace> faces;
  std::vector<std::int32_t> regions;  ///< at the border, of all ranks, ascending
  bool has_wall = false;              ///< on any rank
  double first_m = 0;                 ///< least k . r of the border, k the direction of the wave
  double last_m = 0;
};

Border find_border(const Problem& problem, const std::vector<std::int32_t>& total, const Vec3& direction,
                   const comm::Communicator& ranks) {
  const LocalMesh& mesh = *problem.mesh;
  std::vector<std::int32_t> is_total;  // 1 or 0 per element
  for (const std::int32_t region : mesh.region)
    is_total.push_back(std::find(total.begin(), total.end(), region) == total.end() ? 0 : 1);
  const NeighbourValues neighbours(mesh, is_total, ranks);
  Border border;
  std::vector<std::int32_t> mine;
  std::int64_t walls = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const std::int32_t other = neighbours.behind(e, f);
      if (other < 0 || other == is_total[k]) continue;
      if (march::wall_at(problem, e, f)) ++walls;
      border.faces.push_back({e, f, is_total[k] == 1 ? 1.0 : -1.0});
      mine.push_back(mesh.region[k]);
      for (const std::size_t corner : face_corners[f]) {
        first = std::min(first, dot(direction, mesh.corners[k][corner]));
        last = std::max(last, dot(direction, mesh.corners[k][corner]));
      }
    }
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  border.regions = ranks.all_gather(std::span<const std::int32_t>(mine));
  std::sort(border.regions.begin(), border.regions.end());
  border.regions.erase(std::unique(border.regions.begin(), border.regions.end()), border.regions.end());
  border.has_wall = ranks.sum(walls) > 0;
  border.first_m = ranks.min(first);
  border.last_m = ranks.max(last);
  return border;
}

Medium incident_medium(const Problem& problem, const SourceDescription& spec, const Border& border) {
  if (border.regions.empty())
    fail(
        ExitCode::bad_case,
        "{}: error: the total field ({}) has no face towards another region: put a region of scattered field around it",
        spec.region_place.text, list_names(spec.regions));
  const auto medium = [&](std::int32_t region) { return problem.media[static_cast<std::size_t>(region)]; };
  for (const std::int32_t region : border.regions)
    if (!is_plain(medium(region)) || !(medium(region) == medium(border.regions.front())))
      fail(ExitCode::bad_case,
           "{}: error: the border of the total field ({}) touches region '{}', which is not of the "
           "single lossless isotropic medium of the incident wave; all scatterers belong to the "
           "total field",
           spec.region_place.text, list_names(spec.regions),
           problem.mesh->region_names[static_cast<std::size_t>(region)]);
  if (border.has_wall)
    fail(ExitCode::bad_case,
         "{}: error: a sheet lies in the border between the total field ({}) and the scattered field: move the border "
         "off it",
         spec.region_place.text, list_names(spec.regions));
  return medium(border.regions.front());
}

/// One term per quadrature point: each has its own delay.
void add_jump(Problem& problem, const JumpFace& at, const SourceDescription& spec, const Medium& medium, double first_m,
              std::int32_t wave) {
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(at.element)]);
  const auto& reference = basis::reference_element(problem.space);
  const double z = medium.impedance();
  const double index = std::sqrt(medium.eps_r * medium.mu_r);
  const Vec3 k = unit(spec.direction);
  const Vec3 e = at.sign * unit(spec.polarization);
  const Vec3 h = (1 / z) * cross(k, e);
  const auto c = schemes::incident_factors(problem.scheme, z);
  const Vec3 n = element.normal(at.face);
  const Vec3 to_e = c[0] * cross(n, h) + c[1] * (e - dot(n, e) * n);
  const Vec3 to_h = c[2] * cross(n, e) + c[3] * (h - dot(n, h) * n);
  for (const auto& q : basis::triangle_rule(2 * reference.degree)) {
    const auto barycentric = basis::from_face(at.face, q.barycentric);
    const auto values = element.values(barycentric);
    const double weight = q.weight * element.area(at.face);
    SourceTerm term;
    term.element = at.element;
    term.wave = wave;
    term.delay_m = std::max(0.0, index * (dot(k, element.point(barycentric)) - first_m));
    term.electric.assign(reference.dofs, 0);
    term.magnetic.assign(reference.dofs, 0);
    for (const std::size_t i : reference.on_face[at.face]) {
      term.electric[i] = weight * dot(values[i], to_e);
      term.magnetic[i] = weight * dot(values[i], to_h);
    }
    problem.sources.push_back(std::move(term));
  }
}

march::PlaneWaveBorder make_border(const Problem& problem, const std::vector<std::int32_t>& total, const Border& border,
                                   const SourceDescription& spec, const Medium& medium, std::int32_t wave) {
  march::PlaneWaveBorder result;
  result.wave = wave;
  result.direction = unit(spec.direction);
  result.electric = unit(spec.polarization);
  result.magnetic = (1 / medium.impedance()) * cross(result.direction, result.electric);
  result.index = std::sqrt(medium.eps_r * medium.mu_r);
  result.first_m = border.first_m;
  for (const std::int32_t region : problem.mesh->region)
    result.is_total.push_back(std::find(total.begin(), total.end(), region) != total.end());
  for (const JumpFace& face : border.faces)
    if (face.sign > 0) result.faces.emplace_back(face.element, static_cast<std::uint8_t>(face.face));
  return result;
}

double add_plane_wave(Problem& problem, const SourceDescription& spec, std::int32_t wave,
                      const comm::Communicator& ranks, std::vector<march::PlaneWaveBorder>* borders) {
  const std::vector<std::int32_t> total = find_regions(problem, spec);
  const Border border = find_border(problem, total, unit(spec.direction), ranks);
  const Medium medium = incident_medium(problem, spec, border);
  if (borders != nullptr)
    borders->push_back(make_border(problem, total, border, spec, medium, wave));
  else
    for (const JumpFace& face : border.faces) add_jump(problem, face, spec, medium, border.first_m, wave);
  if (problem.penalty > 0) {  // the incident field is no jump to be damped
    problem.undamped.resize(problem.mesh->corners.size());
    for (const JumpFace& face : border.faces)
      problem.undamped[static_cast<std::size_t>(face.element)] |= static_cast<std::uint8_t>(1u << face.face);
  }
  return std::sqrt(medium.eps_r * medium.mu_r) * (border.last_m - border.first_m);
}

/// Area of the outer faces that `takes` (element, face, tag) chooses. Collective.
template <class Takes>
double outer_area(const Problem& problem, const comm::Communicator& ranks, const Takes& takes) {
  const LocalMesh& mesh = *problem.mesh;
  double area = 0;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f)
      if (mesh.neighbour[e][f] == no_neighbour && takes(e, f, mesh.boundary[e][f]))
        area += face_area(mesh.corners[e], f);
  return ranks.sum(area);
}

bool is_open_wall(const Problem& problem, std::int32_t tag) {
  const auto wall = problem.wall_of(tag);
  return wall && march::is_open(*wall);
}

/// Fraction of the outer faces that is open, by area, except those in planes at which the case continues. Collective.
double open_share(const Problem& problem, const std::vector<MirrorPlane>& mirrors, const comm::Communicator& ranks) {
  const double all = outer_area(problem, ranks, [&](std::size_t e, std::size_t f, std::int32_t) {
    return !results::lies_in_mirror(problem.mesh->corners[e], f, mirrors);
  });
  return outer_area(problem, ranks,
                    [&](std::size_t, std::size_t, std::int32_t tag) { return is_open_wall(problem, tag); }) /
         all;
}

/// Periodic images have one id, so that a face with two places along the wave is periodic, and the wave comes to one of
/// them later. Collective.
void check_periodic_faces(const Problem& problem, const SourceDescription& spec, const comm::Communicator& ranks) {
  struct Vertex {
    GlobalIndex id;
    double along_m, tolerance_m;
  };
  const LocalMesh& mesh = *problem.mesh;
  const Vec3 way = unit(spec.direction);
  std::vector<Vertex> mine;  // one of each face, from both sides; those of inner faces are compared here
  std::int64_t delayed = 0;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const LocalIndex other = mesh.neighbour[e][f];
      if (other == no_neighbour) continue;
      const std::size_t corner = face_corners[f][0];
      const Vertex here{mesh.vertices[e][corner], dot(way, mesh.corners[e][corner]),
                        1e-6 * std::sqrt(face_area(mesh.corners[e], f))};
      if (other == remote_neighbour) {
        mine.push_back(here);
        continue;
      }
      const Vec3& there = mesh.corners[static_cast<std::size_t>(other)][face_corners[mesh.neighbour_face[e][f]][0]];
      if (std::abs(dot(way, there) - here.along_m) > here.tolerance_m) ++delayed;
    }
  std::vector<Vertex> all = ranks.all_gather(std::span<const Vertex>(mine));
  std::sort(all.begin(), all.end(), [](const Vertex& a, const Vertex& b) { return a.id < b.id; });
  for (std::size_t k = 1; k < all.size(); ++k)
    if (all[k].id == all[k - 1].id && std::abs(all[k].along_m - all[k - 1].along_m) > all[k].tolerance_m) ++delayed;
  if (ranks.sum(delayed) > 0)
    fail(
        ExitCode::bad_case,
        "{}: error: the plane wave along ({:g}, {:g}, {:g}) comes to faces of boundaries.periodic one after the other, "
        "where fields repeat without delay or phase: take a direction along these faces",
        spec.place.text, spec.direction[0], spec.direction[1], spec.direction[2]);
}

/// Absorbing walls of a total field take the incident wave where it passes along or enters; where it leaves nearly
/// head-on they let it out. Collective.
void warn_of_open_walls(const Problem& problem, const SourceDescription& spec, std::int32_t port_tags,
                        const comm::Communicator& ranks) {
  constexpr double head_on = 0.7;
  const std::vector<std::int32_t> total = find_regions(problem, spec);
  const LocalMesh& mesh = *problem.mesh;
  const Vec3 way = unit(spec.direction);
  const double area = outer_area(problem, ranks, [&](std::size_t e, std::size_t f, std::int32_t tag) {
    if (tag < port_tags || !is_open_wall(problem, tag)) return false;
    if (std::find(total.begin(), total.end(), mesh.region[e]) == total.end()) return false;
    const Vec3 outwards = face_centroid(mesh.corners[e], f) - mesh.corners[e][f];
    const auto& [a, b, c] = face_corners[f];
    const Vec3 normal = unit(cross(mesh.corners[e][b] - mesh.corners[e][a], mesh.corners[e][c] - mesh.corners[e][a]));
    return dot(normal, way) * (dot(normal, outwards) < 0 ? -1 : 1) < head_on;
  });
  if (area > 0)
    log::warning(
        "{}: the total field ({}) reaches absorbing walls, {:.3g} m^2, that take the incident wave as it passes, so "
        "that "
        "it is no plane wave there: put a region of scattered field along them, or make them pmc, pec or periodic",
        spec.region_place.text, list_names(spec.regions), area);
}

/// Whether a medium has a loss tangent above 0.1, electric or magnetic, throughout the upper half of the band; if that
/// is unknown, whether it conducts.
bool damps(const Medium& medium, double highest_hz) {
  if (!(highest_hz > 0)) return !medium.is_lossless();
  constexpr double least = 0.1;
  const auto is_lossy = [](const std::complex<double>& constant) {
    return -constant.imag() > least * std::abs(constant.real());
  };
  const std::array shares{0.5, 0.625, 0.75, 0.875, 1.0};
  return std::all_of(shares.begin(), shares.end(), [&](double share) {
    const ComplexConstants at = constants_at(medium, share * highest_hz);
    return is_lossy(at.eps) || is_lossy(at.mu);
  });
}

/// Fraction of the volume with media that damp ringing fields.
double damped_share(const Problem& problem, const std::vector<double>& region_volume_m3, double highest_hz) {
  double all = 0, damped = 0;
  for (std::size_t r = 0; r < region_volume_m3.size(); ++r) {
    all += region_volume_m3[r];
    if (damps(problem.media[r], highest_hz)) damped += region_volume_m3[r];
  }
  return damped / all;
}

}  // namespace

void warn_of_spurious_modes(const Problem& problem, const std::vector<double>& region_volume_m3, const Case& given,
                            const comm::Communicator& ranks) {
  const auto scheme = given.method.scheme;
  const bool is_central = has_central_fluxes(scheme), is_dfdd = has_rates(scheme);
  const bool rings = (is_central && problem.penalty == 0) ||
                     (is_dfdd && (problem.space == Space::mixed_1 || problem.space == Space::full_2));
  if (!rings || given.pml) return;
  const Place* driven = nullptr;
  for (const PortDescription& port : given.ports) {
    if (port.type != PortType::lumped) return;
    if (port.excite) driven = &port.place;
  }
  for (const SourceDescription& source : given.sources)
    if (source.type != SourceType::plane_wave) driven = &source.place;
  if (driven == nullptr || open_share(problem, mirrors_of(given), ranks) >= 0.5) return;
  if (damped_share(problem, region_volume_m3, find_highest_frequency(given).hz) >= 0.5) return;
  log::warning(
      "{}: a source drives a structure that is closed, or nearly so, in {}: spurious modes of "
      "{} ring in it, and their peaks in a spectrum can exceed those of the structure; use "
      "{}method.scheme: dgtd-upwind, mode fetd or mode frequency-domain",
      driven->text, name_of(scheme), is_central ? "central flux" : name_of(problem.space),
      is_central ? "method.penalty: 0.1, " : "");
}

double add_sources(Problem& problem, const Case& given, const comm::Communicator& ranks,
                   std::vector<march::PlaneWaveBorder>* borders) {
  ErrorList errors;
  double delay_m = 0;
  for (std::size_t s = 0; s < given.sources.size(); ++s) {
    const SourceDescription& spec = given.sources[s];
    const auto wave = static_cast<std::int32_t>(s);
    errors.collect([&] {
      switch (spec.type) {
        case SourceType::dipole:
          return add_dipole(problem, spec, wave, ranks);
        case SourceType::plane_wave:
          if (!given.periodic.empty()) check_periodic_faces(problem, spec, ranks);
          delay_m = std::max(delay_m, add_plane_wave(problem, spec, wave, ranks, borders));
          return warn_of_open_walls(problem, spec, static_cast<std::int32_t>(given.port_tag_count()), ranks);
        case SourceType::current:
          return ranks.agree([&] { add_current(problem, spec, wave); });
      }
    });
  }
  errors.throw_if_any();
  return delay_m;
}

}  // namespace tetrawave::modes
