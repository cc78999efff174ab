#include "modes/fe_iiee/integral_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "base/text/suggest.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "case/error_list.hpp"
#include "mesh/reach_elements.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave::modes {

namespace {

constexpr int degree_of_rule = 4;  // of the points on S, as the paper has it

/// Faces with the tag of iiee.outer.
std::vector<fem::ElementFace> outer_faces(const Case& given, const Model& setup) {
  const auto& names = setup.mesh.group_names;
  const auto group = std::find(names.begin(), names.end(), given.iiee.outer) - names.begin();
  const std::int32_t tag = setup.boundaries.tags.of_group.at(static_cast<std::size_t>(group));
  std::vector<fem::ElementFace> faces;
  for (LocalIndex e = 0; e < setup.mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f)
      if (setup.mesh.boundary[static_cast<std::size_t>(e)][f] == tag) faces.emplace_back(e, f);
  if (!march::is_open(setup.problem.walls[static_cast<std::size_t>(tag)]) || faces.empty())
    fail(ExitCode::bad_case, "{}: error: iiee.outer: '{}' has no outer faces that are open",
         given.iiee.outer_place.text, given.iiee.outer);
  return faces;
}

/// Faces of iiee.inner from the elements on the side of S.
std::vector<fem::ElementFace> inner_faces(const Case& given, const Model& setup,
                                          const std::vector<fem::ElementFace>& outer,
                                          std::vector<std::array<GlobalIndex, 3>> wanted) {
  const LocalMesh& mesh = setup.mesh;
  std::sort(wanted.begin(), wanted.end());
  std::set<fem::ElementFace> from_both;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      std::array<GlobalIndex, 3> vertices{};
      for (std::size_t c = 0, k = 0; c < 4; ++c)
        if (c != f) vertices[k++] = mesh.vertices[static_cast<std::size_t>(e)][c];
      if (std::binary_search(wanted.begin(), wanted.end(), vertices)) from_both.emplace(e, f);
    }
  std::vector<LocalIndex> start;
  for (const auto& [element, face] : outer) start.push_back(element);
  const std::vector<bool> outside = reach_elements(mesh, start, from_both);
  std::vector<fem::ElementFace> faces;
  for (const fem::ElementFace& face : from_both) {
    const LocalIndex behind = mesh.neighbour[static_cast<std::size_t>(face.first)][face.second];
    if (!outside[static_cast<std::size_t>(face.first)]) continue;
    if (behind >= 0 && outside[static_cast<std::size_t>(behind)])
      fail(ExitCode::bad_case,
           "{}: error: iiee.inner: {} encloses nothing: both sides of a face of it are reached from iiee.outer; it is "
           "closed, or ends at planes of symmetry",
           given.iiee.inner_place.text, given.iiee.quoted_inner());
    faces.push_back(face);
  }
  if (faces.empty())
    fail(ExitCode::bad_case, "{}: error: iiee.inner: {} has no faces that are seen from iiee.outer",
         given.iiee.inner_place.text, given.iiee.quoted_inner());
  return faces;
}

/// oint (r - r0) . n dS over the faces, n out of their elements: three times the volume that they enclose with planes
/// of symmetry, on which r0 lies. Of flat faces between the corners, which is enough for its sign.
double enclosed(const Case& given, const Model& setup, const std::vector<fem::ElementFace>& faces) {
  Vec3 origin{};
  for (const MirrorPlane& mirror : given.iiee.mirrors)
    origin[static_cast<std::size_t>(mirror.axis)] = mirror.position_m;
  double sum = 0;
  for (const auto& [element, face] : faces) {
    const basis::PhysicalElement physical(setup.problem.space, setup.mesh.corners[static_cast<std::size_t>(element)]);
    const Vec3 middle = physical.point(basis::from_face(face, {1. / 3, 1. / 3, 1. / 3}));
    sum += physical.area(face) * dot(middle - origin, physical.normal(face));
  }
  return sum;
}

/// Whether a wall is one that an image stands for.
bool is_mirrored(const std::array<Vec3, 4>& corners, std::uint8_t face, march::Wall wall,
                 const std::vector<MirrorPlane>& mirrors) {
  const double limit_m = 1e-6 * norm(corners[1] - corners[0]);
  return std::any_of(mirrors.begin(), mirrors.end(), [&](const MirrorPlane& mirror) {
    const bool fits = mirror.magnetic ? wall == march::Wall::magnetic : march::is_metal(wall);
    return fits && std::all_of(face_corners[face].begin(), face_corners[face].end(), [&](std::size_t corner) {
             return std::abs(corners[corner][static_cast<std::size_t>(mirror.axis)] - mirror.position_m) < limit_m;
           });
  });
}

std::string describe(const Vec3& place_m) {
  return tetrawave::format("near ({:.3g}, {:.3g}, {:.3g}) m", place_m[0], place_m[1], place_m[2]);
}

/// Where the case names what has a boundary tag: ports, boundaries, iiee.outer; the default has no name.
const std::string& place_of(const Case& given, const FaceTags& tags, std::size_t tag) {
  return tag < tags.name_places.size() ? tags.name_places[tag] : given.boundaries_place.text;
}

std::vector<BoundaryFrame> frames_of(const fem::FaceTraces& faces) {
  std::vector<BoundaryFrame> frames;
  for (const auto& point : faces.points()) frames.push_back(frame_at(point.place_m, point.normal));
  return frames;
}

/// Of the points and their images.
Vec3 middle_of(const std::vector<Vec3>& points, const std::vector<MirrorPlane>& mirrors) {
  Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  for (const Vec3& point : points)
    for (std::size_t x = 0; x < 3; ++x) {
      low[x] = std::min(low[x], point[x]);
      high[x] = std::max(high[x], point[x]);
    }
  Vec3 middle = 0.5 * (low + high);
  for (const MirrorPlane& mirror : mirrors) middle[static_cast<std::size_t>(mirror.axis)] = mirror.position_m;
  return middle;
}

double radius_around(const Vec3& middle, const std::vector<fem::FaceTraces::Point>& points) {
  double radius = 0;
  for (const auto& point : points) radius = std::max(radius, norm(point.place_m - middle));
  return radius;
}

/// Between points of two lists. Of the second, in the order of x, only those are looked at that may be nearer.
double least_distance(const std::vector<Vec3>& from, std::vector<Vec3> to, int threads) {
  const auto is_before = [](const Vec3& a, const Vec3& b) { return a[0] < b[0]; };
  std::sort(to.begin(), to.end(), is_before);
  std::vector<double> of_range(count_ranges(from.size(), threads), INFINITY);
  const auto search = [&](const Vec3& point, double& least) {
    const auto middle = std::lower_bound(to.begin(), to.end(), point, is_before);
    for (auto up = middle; up != to.end() && (*up)[0] - point[0] < least; ++up)
      least = std::min(least, norm(*up - point));
    for (auto down = middle; down != to.begin() && point[0] - (*std::prev(down))[0] < least; --down)
      least = std::min(least, norm(*std::prev(down) - point));
  };
  for_ranges(from.size(), of_range.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) search(from[k], of_range[range]);
  });
  return *std::min_element(of_range.begin(), of_range.end());
}

}  // namespace

std::vector<std::array<GlobalIndex, 3>> find_inner_faces(const IieeSpec& spec, const MeshSlab& slab) {
  std::set<std::ptrdiff_t> groups;
  for (const std::string& name : spec.inner) {
    const auto group = std::find(slab.group_names.begin(), slab.group_names.end(), name);
    if (group == slab.group_names.end())
      fail(ExitCode::bad_case, "{}: error: iiee.inner: the mesh has no face group '{}'{}; its groups: {}",
           spec.inner_place.text, name, did_you_mean(name, slab.group_names), list_names(slab.group_names));
    groups.insert(group - slab.group_names.begin());
  }
  std::vector<std::array<GlobalIndex, 3>> faces;
  for (std::size_t k = 0; k < slab.faces.size(); ++k) {
    if (groups.count(slab.face_group[k]) == 0) continue;
    faces.push_back(slab.faces[k]);
    std::sort(faces.back().begin(), faces.back().end());
  }
  return faces;
}

IntegralBoundary::IntegralBoundary(const Model& setup, const FrequencySystem& system,
                                   std::vector<std::array<GlobalIndex, 3>> inner_faces_of_slab, int threads,
                                   kernels::PairSums& sums)
    : given_(setup.given),
      setup_(setup),
      threads_(threads),
      medium_(system.outer_medium(given_.iiee.outer_place, "iiee.outer")),
      outer_(outer_faces(given_, setup)),
      points_(system.space(), setup.mesh, outer_, basis::symmetric_triangle_rule(degree_of_rule), threads),
      inner_(setup, system, inner_faces(given_, setup, outer_, std::move(inner_faces_of_slab)), -1, {threads}),
      sums_(sums),
      radiator_(
          frames_of(points_),
          {static_cast<std::int64_t>(points_.points_of_face()), static_cast<std::int64_t>(inner_.points_of_face())},
          sums, threads) {
  check_places();
  check_touch();
  check_between();
  list_moments();
}

/// oint n dS over S, or S', and its images is 0: an image has the opposite normal along its axis. It is that of flat
/// faces between the corners where edges are curved, too.
void IntegralBoundary::check_closed(const std::vector<fem::ElementFace>& faces, const char* key,
                                    const std::string& name, const Place& place) const {
  Vec3 sum{};
  double area = 0;
  for (const auto& [element, face] : faces) {
    const basis::PhysicalElement physical(setup_.problem.space, setup_.mesh.corners[static_cast<std::size_t>(element)]);
    sum = sum + physical.area(face) * physical.normal(face);
    area += physical.area(face);
  }
  for (const MirrorPlane& mirror : given_.iiee.mirrors) sum[static_cast<std::size_t>(mirror.axis)] = 0;
  if (tetrawave::norm(sum) > 1e-6 * area)
    fail(ExitCode::bad_case,
         "{}: error: {}: {} is not closed: the sum of its normals is {:.2g} of its area; where it ends at planes of "
         "symmetry or a ground, name them in iiee.symmetry and iiee.ground",
         place.text, key, name, tetrawave::norm(sum) / area);
}

/// S' lies inside of S, on one side of its images' planes.
void IntegralBoundary::check_places() const {
  const IieeSpec& spec = given_.iiee;
  for (const MirrorPlane& mirror : given_.iiee.mirrors) {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    double low = INFINITY, high = -INFINITY;
    for (const auto& point : points_.points()) {
      low = std::min(low, point.place_m[axis] - mirror.position_m);
      high = std::max(high, point.place_m[axis] - mirror.position_m);
    }
    if (std::min(-low, high) > 1e-6 * (high - low))
      fail(ExitCode::bad_case,
           "{}: error: {} of iiee: the mesh lies on both sides of the plane {} = {:g} m; its image would lie "
           "on itself",
           given_.iiee.place.text, mirror.is_ground ? "ground" : "symmetry", "xyz"[axis], mirror.position_m);
  }
  check_closed(inner_.faces(), "iiee.inner", spec.quoted_inner(), spec.inner_place);
  check_closed(outer_, "iiee.outer", "'" + spec.outer + "'", spec.outer_place);
  if (enclosed(given_, setup_, outer_) <= 0)
    fail(ExitCode::bad_case, "{}: error: iiee.outer: '{}' does not enclose the mesh: is it iiee.inner?",
         spec.outer_place.text, spec.outer);
  if (enclosed(given_, setup_, inner_.faces()) >= 0)  // from the side of S
    fail(ExitCode::bad_case, "{}: error: iiee.inner: {} is not inside of iiee.outer", spec.inner_place.text,
         spec.quoted_inner());
}

/// Where they meet the sum over pairs has no limit.
void IntegralBoundary::check_touch() const {
  const LocalMesh& mesh = setup_.mesh;
  const auto vertices_of = [&](const std::vector<fem::ElementFace>& faces) {
    std::map<GlobalIndex, Vec3> vertices;
    for (const auto& [element, face] : faces)
      for (const std::size_t corner : face_corners[face]) {
        const auto e = static_cast<std::size_t>(element);
        vertices.emplace(mesh.vertices[e][corner], mesh.corners[e][corner]);
      }
    return vertices;
  };
  const auto outer = vertices_of(outer_);
  for (const auto& [vertex, place_m] : vertices_of(inner_.faces()))
    if (outer.count(vertex) > 0)
      fail(ExitCode::bad_case,
           "{}: error: iiee.inner: {} touches iiee.outer {}; leave a twentieth of a wavelength between them",
           given_.iiee.inner_place.text, given_.iiee.quoted_inner(), describe(place_m));
}

/// From S' to S waves go through one medium: what else is there would be left out of the integral equation.
void IntegralBoundary::check_between() const {
  const LocalMesh& mesh = setup_.mesh;
  std::vector<LocalIndex> start;
  for (const auto& [element, face] : outer_) start.push_back(element);
  const std::set<fem::ElementFace> surface(inner_.faces().begin(), inner_.faces().end());
  const std::vector<bool> between = reach_elements(mesh, start, surface);
  const std::vector<MirrorPlane>& images = given_.iiee.mirrors;
  std::map<std::size_t, Vec3> regions, walls;  // with the place of the first element or face
  for (std::size_t e = 0; e < between.size(); ++e) {
    if (!between[e]) continue;
    const auto region = static_cast<std::size_t>(mesh.region[e]);
    if (!(setup_.problem.media[region] == medium_)) regions.try_emplace(region, centroid(mesh.corners[e]));
    for (std::uint8_t f = 0; f < 4; ++f) {
      const fem::ElementFace face(static_cast<LocalIndex>(e), f);
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag < 0 || surface.count(face) > 0 || std::binary_search(outer_.begin(), outer_.end(), face)) continue;
      const auto number = static_cast<std::size_t>(tag);
      if (is_mirrored(mesh.corners[e], f, setup_.problem.walls[number], images)) continue;
      walls.try_emplace(number, face_centroid(mesh.corners[e], f));
    }
  }
  ErrorList errors;
  const auto complain = [&](const std::string& place, const std::string& what, const std::string& allowed) {
    errors.collect([&] {
      fail(ExitCode::bad_case,
           "{}: error: {} between iiee.inner and iiee.outer, whose field the integral equation would leave out; "
           "allowed: {}inside of iiee.inner, {}",
           place, what, allowed, given_.iiee.quoted_inner());
    });
  };
  for (const auto& [tag, place_m] : walls)
    complain(place_of(given_, setup_.boundaries.tags, tag),
             tetrawave::format("{} has faces, the first {},", setup_.boundaries.tags.names[tag], describe(place_m)),
             "planes of symmetry and a ground that iiee names, and what lies ");
  for (const auto& [region, place_m] : regions) {
    const std::string& name = mesh.region_names[region];
    const auto spec = std::find_if(given_.regions.begin(), given_.regions.end(),
                                   [&](const RegionSpec& one) { return one.volume == name; });
    complain(spec == given_.regions.end() ? given_.iiee.inner_place.text : spec->place.text,
             tetrawave::format("regions.{} has elements, the first {},", name, describe(place_m)),
             "the medium at iiee.outer, and others ");
  }
  std::set<std::int32_t> sources;
  for (const march::SourceTerm& term : setup_.problem.sources)
    if (between[static_cast<std::size_t>(term.element)] && sources.insert(term.wave).second)
      complain(given_.sources[static_cast<std::size_t>(term.wave)].place.text,
               tetrawave::format("sources.{}: a current flows", term.wave), "currents ");
  errors.throw_if_any();
}

/// With images.
std::vector<std::vector<results::SurfaceCurrent>> IntegralBoundary::currents_of(
    const std::vector<FieldSolution>& fields) {
  std::vector<std::vector<results::SurfaceCurrent>> currents = inner_.find(fields);
  for_each_task(currents.size(), threads_, [&](std::size_t k) {
    currents[k] = results::with_images(std::move(currents[k]), given_.iiee.mirrors);
  });
  return currents;
}

std::vector<BoundaryValues> IntegralBoundary::radiate(const std::vector<FieldSolution>& fields, Precision precision) {
  const std::vector<std::vector<results::SurfaceCurrent>> currents = currents_of(fields);
  const RadiationMedium medium = medium_at(fields.front().hz);
  for (const auto& set : currents)
    pairs_ += static_cast<double>(points_.points().size()) * static_cast<double>(set.size());
  Stopwatch watch;
  std::vector<BoundaryValues> values = radiator_.radiate(currents, medium, precision);
  seconds_sums_ += watch.lap();
  return values;
}

/// Tangential functions along the tangents at each point, and which moments each unknown of S has.
void IntegralBoundary::list_moments() {
  const std::size_t functions = points_.functions();
  traces_.reserve(2 * functions * points_.points().size());
  for (std::size_t p = 0; p < points_.points().size(); ++p)
    for (const Vec3& trace : points_.traces(p))
      for (const Vec3& tangent : {radiator_.frames()[p].first, radiator_.frames()[p].second})
        traces_.push_back(-points_.points()[p].area_m2 * dot(trace, tangent));
  for (std::size_t face = 0; face < points_.faces().size(); ++face)
    for (std::size_t i = 0; i < functions; ++i)
      if (points_.unknowns(face)[i] != fem::EdgeSpace::fixed)
        moment_.push_back(static_cast<std::int32_t>(face * functions + i));
  const auto unknown_of = [&](std::int32_t moment) {
    const auto at = static_cast<std::size_t>(moment);
    return points_.unknowns(at / functions)[at % functions];
  };
  std::stable_sort(moment_.begin(), moment_.end(),
                   [&](std::int32_t a, std::int32_t b) { return unknown_of(a) < unknown_of(b); });
  for (std::size_t k = 0; k < moment_.size(); ++k) {
    if (k > 0 && unknown_of(moment_[k]) == unknowns_.back()) continue;
    unknowns_.push_back(unknown_of(moment_[k]));
    first_moment_.push_back(static_cast<std::int64_t>(k));
  }
  first_moment_.push_back(static_cast<std::int64_t>(moment_.size()));
}

std::vector<BoundaryMoments> IntegralBoundary::moments(const std::vector<BoundaryValues>& values) const {
  const std::size_t faces = points_.faces().size(), functions = points_.functions(), points = points_.points_of_face();
  std::vector<BoundaryMoments> result(values.size());
  for_each_task(result.size(), threads_, [&](std::size_t k) {
    result[k] = {&points_, std::vector<Complex>(faces * functions)};
  });
  const std::size_t parts = faces * points * functions * values.size();
  for_ranges(faces, count_ranges(faces, parts, threads_), [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t face = first; face < last; ++face)
      for (std::size_t k = 0; k < values.size(); ++k) {
        Complex* const moments = result[k].values.data() + face * functions;
        for (std::size_t p = face * points; p < (face + 1) * points; ++p) {
          const Complex along_first = values[k][2 * p], along_second = values[k][2 * p + 1];
          const double* const own = traces_.data() + 2 * p * functions;
          for (std::size_t i = 0; i < functions; ++i)
            moments[i] += own[2 * i] * along_first + own[2 * i + 1] * along_second;
        }
      }
  });
  return result;
}

/// Calls use(place in the list of unknowns, set, sum of its moments).
template <class Use>
void IntegralBoundary::sum_moments(const std::vector<BoundaryMoments>& moments, const Use& use) const {
  const std::size_t parts = moment_.size() * moments.size();
  for_ranges(unknowns_.size(), count_ranges(unknowns_.size(), parts, threads_),
             [&](std::size_t, std::size_t first, std::size_t last) {
               for (std::size_t u = first; u < last; ++u)
                 for (std::size_t k = 0; k < moments.size(); ++k) {
                   Complex sum = 0;
                   for (auto m = static_cast<std::size_t>(first_moment_[u]);
                        m < static_cast<std::size_t>(first_moment_[u + 1]); ++m)
                     sum += moments[k].values[static_cast<std::size_t>(moment_[m])];
                   use(u, k, sum);
                 }
             });
}

void IntegralBoundary::drive(const std::vector<BoundaryMoments>& moments, std::vector<std::vector<Complex>>& sides,
                             bool adds) const {
  sum_moments(moments, [&](std::size_t u, std::size_t k, const Complex& sum) {
    Complex& side = sides[k][static_cast<std::size_t>(unknowns_[u])];
    side = adds ? side + sum : sum;
  });
}

std::vector<std::vector<Complex>> IntegralBoundary::on_unknowns(const std::vector<BoundaryValues>& values) const {
  std::vector<std::vector<Complex>> result(values.size(), std::vector<Complex>(unknowns_.size()));
  sum_moments(moments(values), [&](std::size_t u, std::size_t k, const Complex& sum) { result[k][u] = sum; });
  return result;
}

double IntegralBoundary::wave_number(double hz) const {
  return 2 * pi * hz / c0_m_per_s * std::sqrt(medium_.eps_r * medium_.mu_r);
}

fem::PairForecast IntegralBoundary::forecast_sums(double hz) const {
  const double k = wave_number(hz);
  std::vector<Vec3> targets, sources;
  for (const auto& point : points_.points()) targets.push_back(k * point.place_m);
  std::vector<results::SurfaceCurrent> currents;
  for (const auto& point : inner_.points()) currents.push_back({point.place_m, {}, {}, 0});
  for (const auto& current : results::with_images(std::move(currents), given_.iiee.mirrors))
    sources.push_back(k * current.point_m);
  const fem::ClusterTree target_tree(targets, fem::points_of_target_leaf),
      source_tree(sources, fem::points_of_source_leaf);
  return fem::forecast(target_tree, source_tree, fem::pair_up(target_tree, source_tree),
                       given_.iiee.compression_tolerance);
}

BoundaryExtent IntegralBoundary::extent(double hz) const {
  const auto centres_of = [&](const std::vector<fem::ElementFace>& faces) {
    std::vector<Vec3> centres;
    for (const auto& [element, face] : faces)
      centres.push_back(face_centroid(setup_.mesh.corners[static_cast<std::size_t>(element)], face));
    return centres;
  };
  BoundaryExtent extent;
  extent.wave_number = wave_number(hz);
  std::vector<Vec3> inner;
  for (const auto& point : inner_.points()) inner.push_back(point.place_m);
  extent.middle_m = middle_of(inner, given_.iiee.mirrors);
  extent.radius_m = radius_around(extent.middle_m, inner_.points());
  extent.outer_radius_m = radius_around(extent.middle_m, points_.points());
  extent.gap_m = least_distance(centres_of(outer_), std::move(inner), threads_);
  return extent;
}

std::vector<double> IntegralBoundary::weights_m2() const {
  std::vector<double> weights;
  for (const auto& point : points_.points()) weights.push_back(point.area_m2);
  return weights;
}

}  // namespace tetrawave::modes
