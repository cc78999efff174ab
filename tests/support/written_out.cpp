#include "support/written_out.hpp"

#include <cmath>

#include "base/error.hpp"
#include "basis/quadrature.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

namespace {

constexpr std::size_t edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr std::size_t faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/// Degree of the products of two functions.
int product_degree(const WrittenOutBasis& basis) { return basis.size() > 60 ? 8 : basis.size() > 30 ? 6 : 4; }

}  // namespace

std::size_t dofs_of(Space space) {
  switch (space) {
    case Space::mixed_1:
      return 6;
    case Space::full_1:
      return 12;
    case Space::mixed_2:
      return 20;
    case Space::full_2:
      return 30;
    case Space::mixed_3:
      return 45;
    case Space::full_3:
    case Space::nested_full_3:
      return 60;
    case Space::full_4:
      return 105;
  }
  throw InternalError("this space is not written out");
}

std::vector<Point> volume_points(const WrittenOutBasis& basis) {
  const auto& x = basis.corners();
  const double volume = std::abs(dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0]))) / 6;
  std::vector<Point> points;
  for (const auto& q : tetrawave::basis::tetrahedron_rule(product_degree(basis))) {
    const auto& [a, b, c, d] = q.barycentric;
    points.push_back({a * x[0] + b * x[1] + (c * x[2] + d * x[3]), volume * q.weight});
  }
  return points;
}

std::vector<Point> face_points(const WrittenOutBasis& basis, std::size_t f) {
  const auto& x = basis.corners();
  const auto [i, j, k] = faces[f];
  const double area = norm(cross(x[j] - x[i], x[k] - x[i])) / 2;
  std::vector<Point> points;
  for (const auto& q : tetrawave::basis::triangle_rule(product_degree(basis))) {
    const auto& [a, b, c] = q.barycentric;
    points.push_back({a * x[i] + b * x[j] + c * x[k], area * q.weight});
  }
  return points;
}

WrittenOutBasis::WrittenOutBasis(Space space, const std::array<Vec3, 4>& corners)
    : size_(dofs_of(space)), is_bernstein_(space == Space::full_3 || space == Space::full_4), corners_(corners) {
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3 origin = corners[(a + 1) % 4];
    const Vec3 up = cross(corners[(a + 2) % 4] - origin, corners[(a + 3) % 4] - origin);
    gradients_[a] = (1 / dot(up, corners[a] - origin)) * up;
  }
}

double WrittenOutBasis::barycentric(std::size_t vertex, const Vec3& point) const {
  return 1 + dot(gradients_[vertex], point - corners_[vertex]);
}

Vec3 WrittenOutBasis::whitney(std::size_t a, std::size_t b, const Vec3& point) const {
  return barycentric(a, point) * gradients_[b] - barycentric(b, point) * gradients_[a];
}

Vec3 WrittenOutBasis::value(std::size_t i, const Vec3& point) const {
  if (is_bernstein_) return bernstein(i, point, false);
  const auto l = [&](std::size_t vertex) { return barycentric(vertex, point); };
  const auto& g = gradients_;
  if (i < 12) {
    const auto [a, b] = edges[i % 6];
    return i < 6 ? whitney(a, b, point) : l(a) * g[b] + l(b) * g[a];
  }
  if (i < 20) {
    const auto [a, b, c] = faces[(i - 12) / 2];
    return i % 2 == 0 ? l(a) * whitney(b, c, point) : l(b) * whitney(a, c, point);
  }
  if (i < 26) {
    const auto [a, b] = edges[i - 20];
    return (2 * l(a) * l(b) - l(b) * l(b)) * g[a] + (l(a) * l(a) - 2 * l(a) * l(b)) * g[b];
  }
  if (i >= 45) return quartic_gradient(i - 45, point);
  if (i >= 30) return third_degree(i - 30, point, false);
  const auto [a, b, c] = faces[i - 26];
  return l(b) * l(c) * g[a] + l(a) * l(c) * g[b] + l(a) * l(b) * g[c];
}

const std::vector<Vec3>& WrittenOutBasis::values(const Vec3& point) const {
  std::vector<Vec3>& kept = values_[point];
  for (std::size_t i = kept.size(); i < size_; ++i) kept.push_back(value(i, point));
  return kept;
}

Vec3 WrittenOutBasis::third_degree(std::size_t i, const Vec3& point, bool curl) const {
  const auto l = [&](std::size_t vertex) { return barycentric(vertex, point); };
  const auto& g = gradients_;
  // factor L_i L_j W_bc
  const auto term = [&](double factor, std::size_t p, std::size_t q, std::size_t b, std::size_t c) {
    if (!curl) return (factor * l(p) * l(q)) * whitney(b, c, point);
    const Vec3 slope = l(p) * g[q] + l(q) * g[p];
    return factor * (cross(slope, whitney(b, c, point)) + (2 * l(p) * l(q)) * cross(g[b], g[c]));
  };
  if (i >= 12) {
    constexpr std::size_t inside[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}};
    const auto [p, q, b, c] = inside[i - 12];
    return term(1, p, q, b, c);
  }
  const auto [a, b, c] = faces[i / 3];
  if (i % 3 == 2) return term(1, a, a, b, c) + (term(-1, b, b, a, c) + term(1, c, c, a, b));
  const Vec3 second = term(1, b, a, a, c) + term(-1, b, c, a, c);
  if (i % 3 == 0) return term(1, a, b, b, c) + term(-1, a, c, b, c) - second;
  return second + (term(-1, c, a, a, b) + term(1, c, b, a, b));
}

Vec3 WrittenOutBasis::quartic_gradient(std::size_t i, const Vec3& point) const {
  const auto& g = gradients_;
  const auto l = [&](std::size_t vertex) { return barycentric(vertex, point); };
  if (i < 6) {
    const double a = l(edges[i][0]), b = l(edges[i][1]);
    return (b * (3 * a * a - 6 * a * b + b * b)) * g[edges[i][0]] +
           (a * (a * a - 6 * a * b + 3 * b * b)) * g[edges[i][1]];
  }
  if (i == 14)
    return (l(1) * l(2) * l(3)) * g[0] + (l(0) * l(2) * l(3)) * g[1] + (l(0) * l(1) * l(3)) * g[2] +
           (l(0) * l(1) * l(2)) * g[3];
  const auto& face = faces[(i - 6) / 2];
  const double a = l(face[0]), b = l(face[1]), c = l(face[2]);
  if (i % 2 == 0)
    return (b * c * (2 * a - b)) * g[face[0]] + (a * c * (a - 2 * b)) * g[face[1]] + (a * b * (a - b)) * g[face[2]];
  return (b * c * (2 * a + b - 2 * c)) * g[face[0]] + (a * c * (a + 2 * b - 2 * c)) * g[face[1]] +
         (a * b * (a + b - 4 * c)) * g[face[2]];
}

Vec3 WrittenOutBasis::bernstein(std::size_t i, const Vec3& point, bool curl) const {
  // Vertices of the factors in L, ascending; the orders in which they can stand are one polynomial.
  const std::size_t degree = size_ == 60 ? 3 : 4;
  std::vector<std::size_t> vertex(degree, 0);
  for (std::size_t k = 0; k < i / 3; ++k) {  // the next ascending list
    std::size_t last = degree - 1;
    while (vertex[last] == 3) --last;
    const std::size_t next = vertex[last] + 1;
    for (std::size_t p = last; p < degree; ++p) vertex[p] = next;
  }
  double orders = 1;
  for (std::size_t p = 0, equal = 0; p < degree; ++p) {
    equal = p > 0 && vertex[p] == vertex[p - 1] ? equal + 1 : 1;
    orders *= static_cast<double>(p + 1) / static_cast<double>(equal);
  }
  double value = orders;
  Vec3 slope{};
  for (std::size_t p = 0; p < degree; ++p) {
    value *= barycentric(vertex[p], point);
    double others = orders;
    for (std::size_t q = 0; q < degree; ++q)
      if (q != p) others *= barycentric(vertex[q], point);
    slope = slope + others * gradients_[vertex[p]];
  }
  const Vec3 along = gradients_[i % 3 < vertex[0] ? i % 3 : i % 3 + 1];
  return curl ? cross(slope, along) : value * along;
}

Vec3 WrittenOutBasis::curl(std::size_t i, const Vec3& point) const {
  if (is_bernstein_) return bernstein(i, point, true);
  const auto& g = gradients_;
  if (i < 6) return 2.0 * cross(g[edges[i][0]], g[edges[i][1]]);
  if (i >= 30 && i < 45) return third_degree(i - 30, point, true);
  if (i < 12 || i >= 20) return {};
  const auto [a, b, c] = faces[(i - 12) / 2];
  if (i % 2 == 0) return cross(g[a], whitney(b, c, point)) + 2 * barycentric(a, point) * cross(g[b], g[c]);
  return cross(g[b], whitney(a, c, point)) + 2 * barycentric(b, point) * cross(g[a], g[c]);
}

Vec3 WrittenOutBasis::normal(std::size_t f) const { return (-1 / norm(gradients_[f])) * gradients_[f]; }

void DenseMatrix::add_product(double factor, const double* x, double* y) const {
  for (std::size_t j = 0; j < rows; ++j) {
    if (x[j] == 0) continue;
    for (std::size_t i = 0; i < rows; ++i) y[i] += factor * (*this)(i, j) * x[j];
  }
}

void DenseMatrix::add(double factor, const DenseMatrix& other) {
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] += factor * other.entries[k];
}

bool DenseMatrix::factor() {
  DenseMatrix& a = *this;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i == j && !(sum > 0)) return false;
      a(i, j) = i == j ? std::sqrt(sum) : sum / a(j, j);
    }
  return true;
}

std::vector<double> DenseMatrix::solve(std::vector<double> b) const {
  DenseMatrix l = *this;
  ensure(l.factor(), "a matrix of the dense reference is not positive definite");
  return l.solve_by_factor(std::move(b));
}

std::vector<double> DenseMatrix::solve_by_factor(std::vector<double> b) const {
  const DenseMatrix& l = *this;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < rows; ++k) b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

}  // namespace tetrawave_tests
