#include "sources/annulus.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"

namespace tetrawave {

namespace {

using Edge = std::array<GlobalIndex, 2>;

std::array<Edge, 3> edges_of(const PortTriangle& triangle) {
  const auto& v = triangle.vertices;
  return {{{v[0], v[1]}, {v[0], v[2]}, {v[1], v[2]}}};
}

struct Rim {
  std::vector<Edge> edges;
  std::vector<Vec3> points;
  double radius = 0;
};

// Sets that grow together; used for triangles joined by edges and for rim edges joined by vertices.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(b)] = root(a); }
  std::size_t count() {
    std::size_t roots = 0;
    for (std::size_t i = 0; i < parent_.size(); ++i) roots += root(i) == i ? 1 : 0;
    return roots;
  }

 private:
  std::vector<std::size_t> parent_;
};

class AnnulusFinder {
 public:
  AnnulusFinder(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& subject)
      : triangles_(triangles), normal_(normal), subject_(subject) {
    for (const PortTriangle& triangle : triangles) {
      const auto& v = triangle.vertices;
      ensure(v[0] < v[1] && v[1] < v[2], "the vertices of a port's triangle ascend");
      for (std::size_t i = 0; i < 3; ++i) points_[v[i]] = triangle.corners[i];
    }
  }

  Annulus find() {
    if (triangles_.empty()) refuse("it has no triangles");
    check_flat();
    std::vector<Rim> rims = find_rims(find_rim_edges());
    if (rims.size() != 2)
      refuse(tetrawave::format("it has {} closed rim{}, and a ring has two", rims.size(), rims.size() == 1 ? "" : "s"));
    const Vec3 centre = common_centre(rims);
    for (Rim& rim : rims) measure(rim, centre);
    std::sort(rims.begin(), rims.end(), [](const Rim& a, const Rim& b) { return a.radius < b.radius; });
    check_round(rims[0], centre, "inner");
    check_round(rims[1], centre, "outer");
    return {centre, normal_, rims[0].radius, rims[1].radius, rims[0].edges, rims[1].edges};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    fail(ExitCode::bad_case, "{} is not an annulus: {}", subject_, what);
  }

  void check_flat() const {
    const Vec3 origin = points_.begin()->second;
    double size = 0;
    double height = 0;
    for (const auto& [id, point] : points_) {
      size = std::max(size, norm(point - origin));
      height = std::max(height, std::abs(dot(point - origin, normal_)));
    }
    constexpr double tolerance = 1e-6;  // of its size; the mesher's rounding is far below
    if (height > tolerance * size)
      refuse(tetrawave::format("it is not flat (its vertices are up to {:.3g} m off a plane, its size is {:.3g} m)",
                               height, size));
  }

  // The edges of one triangle only; checks that the triangles hang together.
  std::vector<Edge> find_rim_edges() {
    std::map<Edge, std::vector<std::size_t>> users;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (const Edge& edge : edges_of(triangles_[t])) users[edge].push_back(t);
    DisjointSets pieces(triangles_.size());
    std::vector<Edge> rim;
    for (const auto& [edge, sides] : users) {
      if (sides.size() == 1) rim.push_back(edge);
      for (const std::size_t side : sides) pieces.join(sides.front(), side);
      if (sides.size() > 2) refuse(tetrawave::format("{} of its triangles meet in one edge", sides.size()));
    }
    if (pieces.count() > 1) refuse(tetrawave::format("it is in {} pieces", pieces.count()));
    return rim;
  }

  // The closed polygons of the rim edges: each of their vertices has two.
  [[nodiscard]] std::vector<Rim> find_rims(const std::vector<Edge>& edges) const {
    std::map<GlobalIndex, std::vector<std::size_t>> at_vertex;
    DisjointSets loops(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (const GlobalIndex vertex : edges[i]) at_vertex[vertex].push_back(i);
    for (const auto& [vertex, ends] : at_vertex) {
      if (ends.size() != 2) refuse("its rims touch");
      loops.join(ends[0], ends[1]);
    }
    std::map<std::size_t, Rim> rims;
    for (std::size_t i = 0; i < edges.size(); ++i) rims[loops.root(i)].edges.push_back(edges[i]);
    for (const auto& [vertex, ends] : at_vertex) rims[loops.root(ends[0])].points.push_back(points_.at(vertex));
    std::vector<Rim> result;
    for (auto& [root, rim] : rims) result.push_back(std::move(rim));
    return result;
  }

  // The centre c of concentric circles nearest to the vertices: |p|^2 = 2 c.p + d_k for each p of rim k, least squares.
  [[nodiscard]] Vec3 common_centre(const std::vector<Rim>& rims) const {
    const Vec3 origin = rims[0].points[0];
    const Vec3 chord = rims[0].points[1] - origin;
    const Vec3 u = (1 / norm(chord)) * chord;
    const Vec3 v = cross(normal_, u);
    double uu = 0, uv = 0, vv = 0, ur = 0, vr = 0;
    for (const Rim& rim : rims) {
      std::array<double, 3> mean{};
      const auto row = [&](const Vec3& p) {
        const Vec3 d = p - origin;
        return std::array<double, 3>{dot(d, u), dot(d, v), dot(d, d) / 2};
      };
      for (const Vec3& p : rim.points)
        for (std::size_t i = 0; i < 3; ++i) mean[i] += row(p)[i] / static_cast<double>(rim.points.size());
      for (const Vec3& p : rim.points) {
        const double a = row(p)[0] - mean[0], b = row(p)[1] - mean[1], r = row(p)[2] - mean[2];
        uu += a * a, uv += a * b, vv += b * b, ur += a * r, vr += b * r;
      }
    }
    const double determinant = uu * vv - uv * uv;
    return origin + ((ur * vv - vr * uv) / determinant) * u + ((vr * uu - ur * uv) / determinant) * v;
  }

  static void measure(Rim& rim, const Vec3& centre) {
    for (const Vec3& p : rim.points) rim.radius += norm(p - centre) / static_cast<double>(rim.points.size());
  }

  void check_round(const Rim& rim, const Vec3& centre, const char* which) const {
    constexpr double tolerance = 0.02;
    constexpr std::size_t fewest = 6;
    if (rim.points.size() < fewest)
      refuse(tetrawave::format("its {} rim is a polygon of {} edges, and a round rim has {} or more", which,
                               rim.points.size(), fewest));
    const auto nearer = [&](const Vec3& a, const Vec3& b) { return norm(a - centre) < norm(b - centre); };
    const auto [least, most] = std::minmax_element(rim.points.begin(), rim.points.end(), nearer);
    const double low = norm(*least - centre), high = norm(*most - centre);
    if (high - rim.radius <= tolerance * rim.radius && rim.radius - low <= tolerance * rim.radius) return;
    refuse(tetrawave::format(
        "its {} rim is not round about the common centre ({:.6g}, {:.6g}, {:.6g}) m: its vertices are {:.4g} to "
        "{:.4g} m from it",
        which, centre[0], centre[1], centre[2], low, high));
  }

  const std::vector<PortTriangle>& triangles_;
  Vec3 normal_;
  const std::string& subject_;
  std::map<GlobalIndex, Vec3> points_;
};

}  // namespace

Annulus find_annulus(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& subject) {
  return AnnulusFinder(triangles, normal, subject).find();
}

}  // namespace tetrawave
