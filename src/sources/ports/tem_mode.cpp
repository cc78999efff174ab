#include "sources/ports/tem_mode.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave {

namespace {

using Edge = PortEdge;
using Vector = std::vector<double>;
constexpr std::array<std::array<std::size_t, 2>, 3> triangle_edges = {{{0, 1}, {0, 2}, {1, 2}}};
constexpr std::size_t largest_size = 10;  // functions of a triangle of degree 3
using Stiffness = std::array<double, largest_size * largest_size>;

/// Exact for products of fields of degree 2.
const std::vector<basis::TrianglePoint>& field_rule() {
  static const auto rule = basis::triangle_rule(4);
  return rule;
}

/// Quadrature for triangles with curved edges, where products of fields are not polynomials.
const std::vector<basis::TrianglePoint>& curved_rule() {
  static const auto rule = basis::triangle_rule(10);
  return rule;
}

/// Edge midpoints: exact for products of fields of degree 1.
const std::vector<basis::TrianglePoint>& midpoints() {
  static const std::vector<basis::TrianglePoint> rule{
      {{0.5, 0.5, 0}, 1. / 3}, {{0.5, 0, 0.5}, 1. / 3}, {{0, 0.5, 0.5}, 1. / 3}};
  return rule;
}

template <class Item>
std::vector<Item> sorted_unique(std::vector<Item> items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

template <class Item>
std::size_t position(const std::vector<Item>& sorted, const Item& item) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), item);
  ensure(found != sorted.end() && *found == item, "a port's conductors lie on its triangles");
  return static_cast<std::size_t>(found - sorted.begin());
}

// Gradients of the functions of one triangle: the three corners, then (degree 2) the edges 01, 02, 12, then (degree 3)
// L_i L_j (L_i - L_j) of the edges and L_0 L_1 L_2.
class Triangle {
 public:
  Triangle(const PortTriangle& given, const Vec3& normal, int degree)
      : curved_(given.is_curved() ? &given : nullptr), normal_(normal), degree_(degree) {
    const auto& p = given.corners;
    const double twice_area = dot(normal, cross(p[1] - p[0], p[2] - p[0]));
    for (std::size_t i = 0; i < 3; ++i)
      straight_[i] = (1 / twice_area) * cross(normal, p[(i + 2) % 3] - p[(i + 1) % 3]);
    area_ = std::abs(twice_area) / 2;
  }

  [[nodiscard]] std::size_t size() const { return degree_ == 1 ? 3 : (degree_ == 2 ? 6 : largest_size); }
  /// Times a weight of a rule: the area of its point.
  [[nodiscard]] double area(const std::array<double, 3>& at) const {
    if (curved_ == nullptr) return area_;
    const auto t = tangents_on(*curved_, at);
    return std::abs(dot(normal_, cross(t[0], t[1]))) / 2;
  }

  // Degree 2: L_i (2 L_i - 1) at corners, 4 L_i L_j on edges.
  [[nodiscard]] Vec3 gradient(std::size_t node, const std::array<double, 3>& at) const {
    const auto slope = slopes(at);
    if (degree_ == 1) return slope[node];
    if (node < 3) return (4 * at[node] - 1) * slope[node];
    if (node == 9) return at[1] * at[2] * slope[0] + (at[0] * at[2] * slope[1] + at[0] * at[1] * slope[2]);
    const auto [i, j] = triangle_edges[node % 3];
    if (node < 6) return 4 * (at[i] * slope[j] + at[j] * slope[i]);
    return (at[j] * (2 * at[i] - at[j])) * slope[i] + (at[i] * (at[i] - 2 * at[j])) * slope[j];
  }

  /// int grad_i . grad_j, row by row, largest_size numbers in each.
  [[nodiscard]] Stiffness stiffness() const {
    Stiffness matrix{};
    for (const auto& q : curved_ != nullptr ? curved_rule() : (degree_ == 3 ? field_rule() : midpoints())) {
      std::array<Vec3, largest_size> at_point{};
      for (std::size_t i = 0; i < size(); ++i) at_point[i] = gradient(i, q.barycentric);
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < size(); ++j)
          matrix[largest_size * i + j] += area(q.barycentric) * q.weight * dot(at_point[i], at_point[j]);
    }
    return matrix;
  }

 private:
  /// grad L_i.
  [[nodiscard]] std::array<Vec3, 3> slopes(const std::array<double, 3>& at) const {
    if (curved_ == nullptr) return straight_;
    const auto t = tangents_on(*curved_, at);
    const double twice_area = dot(normal_, cross(t[0], t[1]));
    const Vec3 second = (1 / twice_area) * cross(normal_, t[0]);
    const Vec3 first = (-1 / twice_area) * cross(normal_, t[1]);
    return {-1 * (first + second), first, second};
  }

  const PortTriangle* curved_;  ///< outlives it
  Vec3 normal_;
  int degree_;
  std::array<Vec3, 3> straight_{};
  double area_ = 0;
};

/// -grad phi of the functions' potentials.
Vec3 field_at(const Triangle& triangle, const std::vector<double>& potential, const std::array<double, 3>& at) {
  Vec3 field{};
  for (std::size_t i = 0; i < triangle.size(); ++i) field = field - potential[i] * triangle.gradient(i, at);
  return field;
}

// -div(eps grad phi) = 0 with phi given on the conductors.
class LaplaceProblem {
 public:
  LaplaceProblem(const std::vector<PortTriangle>& triangles, const Vec3& normal, const TemConductors& conductors,
                 int degree, const std::vector<double>& eps)
      : degree_(degree) {
    number_nodes(triangles);
    for (std::size_t t = 0; t < triangles.size(); ++t)
      add_element(triangles[t], Triangle(triangles[t], normal, degree), eps.empty() ? 1 : eps[t]);
    potential_.assign(vertices_.size() + (degree > 2 ? 2 : 1) * edges_.size() + (degree > 2 ? triangles.size() : 0),
                      0.0);
    free_.assign(potential_.size(), true);
    fix(conductors.others, 0);
    fix(conductors.signal, 1);
  }

  [[nodiscard]] std::size_t node(std::size_t triangle, std::size_t local) const {
    return elements_[triangle].node[local];
  }

  // Conjugate gradients with the diagonal as preconditioner, on the free nodes.
  const Vector& solve() {
    Vector residual = times_matrix(potential_);
    for (double& r : residual) r = -r;
    const Vector diagonal = find_diagonal();
    Vector direction(residual.size(), 0.0);
    Vector scaled(residual.size());
    const auto precondition = [&] {
      for (std::size_t i = 0; i < residual.size(); ++i) scaled[i] = residual[i] / diagonal[i];
      return product(residual, scaled);
    };
    double now = precondition();
    const double goal = 1e-26 * now;
    double before = 0;
    for (std::size_t iteration = 0; now > goal; ++iteration) {
      ensure(iteration <= 20 * residual.size() + 100, "the potential of a port converges");
      const double keep = before == 0 ? 0 : now / before;
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = scaled[i] + keep * direction[i];
      const Vector image = times_matrix(direction);
      const double step = now / product(direction, image);
      for (std::size_t i = 0; i < direction.size(); ++i) {
        potential_[i] += step * direction[i];
        residual[i] -= step * image[i];
      }
      before = now;
      now = precondition();
    }
    return potential_;
  }

 private:
  struct Element {
    std::array<std::size_t, largest_size> node{};
    Stiffness matrix{};
  };

  void number_nodes(const std::vector<PortTriangle>& triangles) {
    for (const PortTriangle& triangle : triangles) {
      vertices_.insert(vertices_.end(), triangle.vertices.begin(), triangle.vertices.end());
      if (degree_ == 1) continue;
      for (const auto& [a, b] : triangle_edges) edges_.push_back({triangle.vertices[a], triangle.vertices[b]});
    }
    vertices_ = sorted_unique(std::move(vertices_));
    edges_ = sorted_unique(std::move(edges_));
  }

  void add_element(const PortTriangle& given, const Triangle& triangle, double eps) {
    Element element;
    size_ = triangle.size();
    for (std::size_t i = 0; i < 3; ++i) element.node[i] = position(vertices_, given.vertices[i]);
    for (std::size_t i = 3; i < std::min<std::size_t>(size_, 9); ++i) {
      const auto [a, b] = triangle_edges[i % 3];
      const std::size_t first = vertices_.size() + (i < 6 ? 0 : edges_.size());
      element.node[i] = first + position(edges_, Edge{given.vertices[a], given.vertices[b]});
    }
    if (degree_ > 2) element.node[9] = vertices_.size() + 2 * edges_.size() + elements_.size();
    element.matrix = triangle.stiffness();
    for (double& entry : element.matrix) entry *= eps;
    elements_.push_back(element);
  }

  void fix(const std::vector<Edge>& conductor, double value) {
    const auto set = [&](std::size_t at, double to) {
      potential_[at] = to;
      free_[at] = false;
    };
    for (const Edge& edge : conductor) {
      for (const GlobalIndex vertex : edge) set(position(vertices_, vertex), value);
      if (degree_ > 1) set(vertices_.size() + position(edges_, edge), value);
      if (degree_ > 2) set(vertices_.size() + edges_.size() + position(edges_, edge), 0);
    }
  }

  // K u on the free nodes, 0 on the conductors.
  [[nodiscard]] Vector times_matrix(const Vector& u) const {
    Vector result(u.size(), 0.0);
    for (const Element& element : elements_)
      for (std::size_t i = 0; i < size_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < size_; ++j) sum += element.matrix[largest_size * i + j] * u[element.node[j]];
        result[element.node[i]] += sum;
      }
    for (std::size_t i = 0; i < u.size(); ++i)
      if (!free_[i]) result[i] = 0;
    return result;
  }

  [[nodiscard]] Vector find_diagonal() const {
    Vector diagonal(potential_.size(), 0.0);
    for (const Element& element : elements_)
      for (std::size_t i = 0; i < size_; ++i) diagonal[element.node[i]] += element.matrix[(largest_size + 1) * i];
    return diagonal;
  }

  static double product(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  int degree_;
  std::size_t size_ = 0;
  std::vector<GlobalIndex> vertices_;
  std::vector<Edge> edges_;
  std::vector<Element> elements_;
  Vector potential_;
  std::vector<bool> free_;
};

// oint e.e of a field linear on the triangle: int L_a L_b = (1 + delta_ab) area / 12.
double norm_squared(const std::array<Vec3, 3>& corners, double area) {
  const Vec3 sum = corners[0] + corners[1] + corners[2];
  double result = dot(sum, sum);
  for (const Vec3& corner : corners) result += dot(corner, corner);
  return area / 12 * result;
}

}  // namespace

Vec3 TemMode::electric(std::size_t triangle, const std::array<double, 3>& barycentric) const {
  if (const auto found = curved.find(triangle); found != curved.end())
    return field_at(Triangle(found->second.triangle, normal, degree), found->second.potential, barycentric);
  const auto& corner = corner_field.at(triangle);
  const auto& l = barycentric;
  if (middle_field.empty()) return l[0] * corner[0] + l[1] * corner[1] + l[2] * corner[2];
  Vec3 sum{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [a, b] = triangle_edges[i];
    sum = sum + (l[i] * (2 * l[i] - 1)) * corner[i] + (4 * l[a] * l[b]) * middle_field[triangle][i];
  }
  return sum;
}

std::vector<double> overlaps(const TemMode& a, const TemMode& b, const std::vector<PortTriangle>& triangles) {
  std::vector<double> sums;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    double sum = 0;
    if (!triangles[t].is_curved()) {
      for (const auto& q : field_rule())
        sum += q.weight * dot(a.electric(t, q.barycentric), b.electric(t, q.barycentric));
      sums.push_back(sum * area_of(triangles[t]));
      continue;
    }
    for (const auto& q : curved_rule()) {
      const auto tangents = tangents_on(triangles[t], q.barycentric);
      sum += q.weight * norm(cross(tangents[0], tangents[1])) / 2 *
             dot(a.electric(t, q.barycentric), b.electric(t, q.barycentric));
    }
    sums.push_back(sum);
  }
  return sums;
}

TemMode solve_tem_mode(const std::vector<PortTriangle>& triangles, const Vec3& normal, const TemConductors& conductors,
                       int degree, const std::vector<double>& eps) {
  ensure(1 <= degree && degree <= 3, "the potential of a port is of degree 1, 2 or 3");
  LaplaceProblem problem(triangles, normal, conductors, degree, eps);
  const Vector& potential = problem.solve();
  TemMode mode;
  mode.normal = normal;
  mode.degree = degree;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Triangle triangle(triangles[t], normal, degree);
    std::vector<double> own;
    for (std::size_t i = 0; i < triangle.size(); ++i) own.push_back(potential[problem.node(t, i)]);
    const auto at = [&](const std::array<double, 3>& place) { return field_at(triangle, own, place); };
    const auto add_norm = [&](const std::vector<basis::TrianglePoint>& rule) {
      for (const auto& q : rule) {
        const Vec3 field = at(q.barycentric);
        mode.norm_squared += triangle.area(q.barycentric) * q.weight * dot(field, field);
      }
    };
    mode.corner_field.push_back({at({1, 0, 0}), at({0, 1, 0}), at({0, 0, 1})});
    if (degree == 3) mode.middle_field.push_back({at({.5, .5, 0}), at({.5, 0, .5}), at({0, .5, .5})});
    if (triangles[t].is_curved()) {
      mode.curved[t] = {triangles[t], own};
      add_norm(curved_rule());
    } else if (degree < 3) {
      mode.norm_squared += norm_squared(mode.corner_field.back(), triangle.area({}));
    } else {
      add_norm(field_rule());
    }
  }
  return mode;
}

}  // namespace tetrawave
