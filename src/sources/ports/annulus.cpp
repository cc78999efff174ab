#include "sources/ports/annulus.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"

namespace tetrawave {

namespace {

struct Rim {
  std::vector<PortEdge> edges;
  std::vector<Vec3> points;
  double radius = 0;
};

class AnnulusFinder {
 public:
  AnnulusFinder(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& subject)
      : triangles_(triangles), normal_(normal), subject_(subject), points_(points_of(triangles)) {}

  Annulus find() {
    std::vector<Rim> rims = find_rims(find_rim(triangles_, normal_, subject_ + " is not an annulus"));
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

  // The closed polygons of the rim edges: each of their vertices has two.
  [[nodiscard]] std::vector<Rim> find_rims(const std::vector<PortEdge>& edges) const {
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
        "its {} rim is not round about the common centre {} m: its vertices are {:.4g} to {:.4g} m from it", which,
        describe(centre), low, high));
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
