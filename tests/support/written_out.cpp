#include "support/written_out.hpp"

#include <cmath>

#include "base/error.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

namespace {

constexpr std::size_t edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

}  // namespace

std::vector<Point> volume_points(const std::array<Vec3, 4>& x) {
  const double near = (5 + 3 * std::sqrt(5.0)) / 20;
  const double far = (5 - std::sqrt(5.0)) / 20;
  const double volume = std::abs(dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0]))) / 6;
  std::vector<Point> points;
  for (std::size_t a = 0; a < 4; ++a) {
    Vec3 at{};
    for (std::size_t b = 0; b < 4; ++b) at = at + (a == b ? near : far) * x[b];
    points.push_back({at, volume / 4});
  }
  return points;
}

std::vector<Point> face_points(const std::array<Vec3, 4>& x, std::size_t f) {
  const Vec3 a = x[(f + 1) % 4], b = x[(f + 2) % 4], c = x[(f + 3) % 4];
  const double area = norm(cross(b - a, c - a)) / 2;
  return {{0.5 * (a + b), area / 3}, {0.5 * (b + c), area / 3}, {0.5 * (c + a), area / 3}};
}

WrittenOutBasis::WrittenOutBasis(Space space, const std::array<Vec3, 4>& corners)
    : size_(space == Space::mixed_1 ? 6 : 12), corners_(corners) {
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3 origin = corners[(a + 1) % 4];
    const Vec3 up = cross(corners[(a + 2) % 4] - origin, corners[(a + 3) % 4] - origin);
    gradients_[a] = (1 / dot(up, corners[a] - origin)) * up;
  }
}

double WrittenOutBasis::barycentric(std::size_t vertex, const Vec3& point) const {
  return 1 + dot(gradients_[vertex], point - corners_[vertex]);
}

Vec3 WrittenOutBasis::value(std::size_t i, const Vec3& point) const {
  const auto [a, b] = edges[i % 6];
  const Vec3 first = barycentric(a, point) * gradients_[b];
  const Vec3 second = barycentric(b, point) * gradients_[a];
  return i < 6 ? first - second : first + second;
}

Vec3 WrittenOutBasis::curl(std::size_t i) const {
  if (i >= 6) return {};
  return 2.0 * cross(gradients_[edges[i][0]], gradients_[edges[i][1]]);
}

Vec3 WrittenOutBasis::normal(std::size_t f) const { return (-1 / norm(gradients_[f])) * gradients_[f]; }

void DenseMatrix::add_product(double factor, const double* x, double* y) const {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) y[i] += factor * (*this)(i, j) * x[j];
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
