#include "results/fields/field_grids.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "basis/mapped_element.hpp"

namespace tetrawave::results {

namespace {

constexpr double tolerance = 1e-9;  ///< of the mesh's diagonal

constexpr std::array<std::array<double, 4>, 4> vertices{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

/// The vertices of an element, ordered to give a positive volume.
std::array<std::size_t, 4> right_handed(const std::array<Vec3, 4>& x) {
  const bool positive = dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) > 0;
  return positive ? std::array<std::size_t, 4>{0, 1, 2, 3} : std::array<std::size_t, 4>{0, 1, 3, 2};
}

Vec3 point_of(const std::array<Vec3, 4>& x, const std::array<double, 4>& l) {
  return l[0] * x[0] + l[1] * x[1] + l[2] * x[2] + l[3] * x[3];
}

/// The nodes of a second-order cell in VTK's order: corners, then the nodes on the edges 01 12 02 03 13 23.
std::array<std::array<double, 4>, 10> nodes_of(const std::array<Vec3, 4>& x) {
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  const auto order = right_handed(x);
  std::array<std::array<double, 4>, 10> nodes{};
  for (std::size_t v = 0; v < 4; ++v) nodes[v] = vertices[order[v]];
  for (std::size_t k = 0; k < edges.size(); ++k)
    for (const std::size_t end : edges[k]) nodes[4 + k][order[end]] = 0.5;
  return nodes;
}

/// Mapped by a curved element.
Vec3 point_in(const LocalMesh& mesh, LocalIndex element, const std::array<double, 4>& l) {
  const auto e = static_cast<std::size_t>(element);
  const basis::Middles* middles = mesh.curved.of(e);
  return middles == nullptr ? point_of(mesh.corners[e], l) : basis::CurvedMap(mesh.corners[e], *middles).point(l);
}

/// Orients triangles around the normal.
void turn(std::vector<std::array<double, 4>>& l, const std::array<Vec3, 4>& x, const Vec3& normal) {
  for (std::size_t k = 0; k < l.size(); k += 3) {
    const Vec3 a = point_of(x, l[k]);
    if (dot(cross(point_of(x, l[k + 1]) - a, point_of(x, l[k + 2]) - a), normal) < 0) std::swap(l[k + 1], l[k + 2]);
  }
}

/// The point on the edge between two vertices where the distance is zero.
std::array<double, 4> crossing(const std::array<double, 4>& distance, std::size_t a, std::size_t b) {
  const double t = std::clamp(distance[a] / (distance[a] - distance[b]), 0.0, 1.0);
  std::array<double, 4> l{};
  l[a] = 1 - t;
  l[b] = t;
  return l;
}

double diagonal_of(const LocalMesh& mesh, const comm::Communicator& ranks) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const auto& corners : mesh.corners)
      for (const Vec3& corner : corners) {
        low = std::min(low, corner[axis]);
        high = std::max(high, corner[axis]);
      }
    const double length = ranks.max(high) - ranks.min(low);
    sum += length * length;
  }
  return std::sqrt(sum);
}

/// Elements by ascending global id.
std::vector<LocalIndex> in_order(const LocalMesh& mesh) {
  std::vector<LocalIndex> order(mesh.global_id.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](LocalIndex a, LocalIndex b) {
    return mesh.global_id[static_cast<std::size_t>(a)] < mesh.global_id[static_cast<std::size_t>(b)];
  });
  return order;
}

/// A grid whose items are still local elements.
FieldGrid grid_of_regions(const LocalMesh& mesh, const std::vector<LocalIndex>& order, const FieldsRequest& spec) {
  FieldGrid grid{"regions", mesh.curved.empty() ? 4 : 10, {}, {}, {}};
  for (const LocalIndex e : order) {
    const std::string& region = mesh.region_names[static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(e)])];
    if (!spec.regions.empty() && std::find(spec.regions.begin(), spec.regions.end(), region) == spec.regions.end())
      continue;
    grid.item.push_back(e);
    grid.cells.push_back(1);
  }
  return grid;
}

FieldGrid grid_of_cut(const LocalMesh& mesh, const std::vector<LocalIndex>& order, const CutPlane& cut, double slack,
                      bool front) {
  FieldGrid grid{cut.name, 3, {}, {}, {}};
  const Vec3 normal = (1 / norm(cut.normal)) * cut.normal;
  for (const LocalIndex e : order) {
    std::array<double, 4> distance{};
    for (std::size_t v = 0; v < 4; ++v)
      distance[v] = dot(normal, mesh.corners[static_cast<std::size_t>(e)][v] - cut.point_m);
    auto points = cut_element(distance, slack, front);
    if (points.empty()) continue;
    turn(points, mesh.corners[static_cast<std::size_t>(e)], normal);
    grid.item.push_back(e);
    grid.cells.push_back(static_cast<std::int32_t>(points.size() / 3));
    grid.l.insert(grid.l.end(), points.begin(), points.end());
  }
  return grid;
}

/// From local elements to indices in the sorted union of all of them, which becomes the problem's list.
void number_items(march::Problem& problem, const std::vector<LocalIndex>& order, std::vector<FieldGrid>& grids) {
  std::vector<std::int64_t> place(order.size(), -1);
  for (const FieldGrid& grid : grids)
    for (const std::int64_t e : grid.item) place[static_cast<std::size_t>(e)] = 0;
  for (const LocalIndex e : order) {
    if (place[static_cast<std::size_t>(e)] < 0) continue;
    place[static_cast<std::size_t>(e)] = static_cast<std::int64_t>(problem.fields.elements.size());
    problem.fields.elements.push_back(e);
  }
  for (FieldGrid& grid : grids)
    for (std::int64_t& item : grid.item) item = place[static_cast<std::size_t>(item)];
}

}  // namespace

std::vector<std::array<double, 4>> cut_element(const std::array<double, 4>& distance, double slack, bool front) {
  std::vector<std::size_t> ahead, behind;
  std::size_t on = 0;
  for (std::size_t v = 0; v < 4; ++v) {
    const bool is_on = std::abs(distance[v]) <= slack;
    on += is_on ? 1 : 0;
    (is_on ? front : distance[v] > 0) ? ahead.push_back(v) : behind.push_back(v);
  }
  if (ahead.empty() || behind.empty()) return {};
  // Only a vertex or an edge is in the plane.
  if (on == (front ? ahead : behind).size() && on < 3) return {};
  const auto at = [&](std::size_t a, std::size_t b) { return crossing(distance, ahead[a], behind[b]); };
  if (ahead.size() == 2) return {at(0, 0), at(0, 1), at(1, 1), at(0, 0), at(1, 1), at(1, 0)};
  if (ahead.size() == 1) return {at(0, 0), at(0, 1), at(0, 2)};
  return {at(0, 0), at(1, 0), at(2, 0)};
}

std::vector<FieldGrid> add_field_grids(march::Problem& problem, const FieldsRequest& spec,
                                       const comm::Communicator& ranks) {
  const LocalMesh& mesh = *problem.mesh;
  const std::vector<LocalIndex> order = in_order(mesh);
  const double slack = tolerance * diagonal_of(mesh, ranks);
  std::vector<FieldGrid> grids;
  std::string errors;
  if (spec.volumes) grids.push_back(grid_of_regions(mesh, order, spec));
  for (const CutPlane& cut : spec.cuts) {
    // A plane through an outer face may have the mesh on either side.
    for (const bool front : {true, false}) {
      FieldGrid grid = grid_of_cut(mesh, order, cut, slack, front);
      const bool found = ranks.sum(static_cast<std::int64_t>(grid.item.size())) > 0;
      if (found) grids.push_back(std::move(grid));
      if (found) break;
      if (!front)
        errors += tetrawave::format("{}{}: error: the plane of cut '{}' meets no element of the mesh",
                                    errors.empty() ? "" : "\n", cut.place.text, cut.name);
    }
  }
  if (!errors.empty()) throw UserError(ExitCode::bad_case, errors);
  number_items(problem, order, grids);
  problem.fields.every = spec.every.value_or(0);
  problem.fields.frequencies_hz = spec.frequencies_hz;
  return grids;
}

FieldValues::FieldValues(const march::Problem& problem, const FieldGrid& grid, int threads)
    : problem_(problem), grid_(grid), threads_(static_cast<std::size_t>(std::max(threads, 1))) {
  for (std::size_t v = 0; v < 4; ++v) at_vertices_[v] = basis::reference_element(problem.space).evaluate(vertices[v]);
  if (!grid.is_cut()) return;
  std::size_t point = 0;
  for (const std::int32_t cells : grid.cells) {
    first_point_.push_back(point);
    point += 3 * static_cast<std::size_t>(cells);
  }
  first_point_.push_back(point);
}

LocalIndex FieldValues::element(std::size_t item) const {
  return problem_.fields.elements[static_cast<std::size_t>(grid_.item[item])];
}

std::vector<float> FieldValues::points(std::size_t first, std::size_t last) const {
  std::vector<float> result;
  for (std::size_t k = first; k < last; ++k) {
    const auto& corners = problem_.mesh->corners[static_cast<std::size_t>(element(k))];
    const auto add = [&](const std::array<double, 4>& l) {
      for (const double x : point_in(*problem_.mesh, element(k), l)) result.push_back(static_cast<float>(x));
    };
    if (grid_.is_cut())
      for (std::size_t p = first_point_[k]; p < first_point_[k + 1]; ++p) add(grid_.l[p]);
    else if (grid_.corners == 10)
      for (const auto& l : nodes_of(corners)) add(l);
    else
      for (const std::size_t v : right_handed(corners)) add(vertices[v]);
  }
  return result;
}

std::vector<float> FieldValues::values(std::size_t first, std::size_t last, const std::vector<double>& dofs,
                                       double scale) const {
  constexpr std::size_t least = 1000;  // elements that are worth a thread
  const std::size_t n = basis::reference_element(problem_.space).dofs;
  const std::size_t parts = std::clamp<std::size_t>((last - first) / least, 1, threads_);
  if (parts == 1) return values_of_part(first, last, dofs.data(), scale);
  std::vector<std::future<std::vector<float>>> work;
  for (std::size_t part = 0; part < parts; ++part)
    work.push_back(std::async(std::launch::async, [&, part] {
      const std::size_t begin = part * (last - first) / parts;
      const std::size_t end = (part + 1) * (last - first) / parts;
      return values_of_part(first + begin, first + end, dofs.data() + begin * n, scale);
    }));
  std::vector<float> result;
  for (auto& part : work) {
    const std::vector<float> values = part.get();
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

std::vector<float> FieldValues::values_of_part(std::size_t first, std::size_t last, const double* dofs,
                                               double scale) const {
  const basis::ReferenceElement& reference = basis::reference_element(problem_.space);
  std::vector<float> result;
  for (std::size_t k = first; k < last; ++k) {
    const auto& corners = problem_.mesh->corners[static_cast<std::size_t>(element(k))];
    const basis::PhysicalElement physical(problem_.space, corners);
    const basis::Middles* middles = problem_.mesh->curved.of(static_cast<std::size_t>(element(k)));
    const double* u = dofs + (k - first) * reference.dofs;
    const auto add = [&](const std::vector<Vec3>& functions) {
      Vec3 c{};
      for (std::size_t i = 0; i < reference.dofs; ++i) c = c + u[i] * functions[i];
      const Vec3 value = c[0] * physical.gradient(1) + c[1] * physical.gradient(2) + c[2] * physical.gradient(3);
      for (const double x : value) result.push_back(static_cast<float>(scale * x));
    };
    const basis::MappedElement mapped(problem_.space, corners, middles);
    const auto add_at = [&](const std::array<double, 4>& l) {
      if (middles == nullptr) return add(reference.evaluate(l));
      const auto functions = mapped.values(l);
      Vec3 value{};
      for (std::size_t i = 0; i < reference.dofs; ++i) value = value + u[i] * functions[i];
      for (const double x : value) result.push_back(static_cast<float>(scale * x));
    };
    if (grid_.is_cut())
      for (std::size_t p = first_point_[k]; p < first_point_[k + 1]; ++p) add_at(grid_.l[p]);
    else if (grid_.corners == 10)
      for (const auto& l : nodes_of(corners)) add_at(l);
    else
      for (const std::size_t v : right_handed(corners)) add(at_vertices_[v]);
  }
  return result;
}

}  // namespace tetrawave::results
