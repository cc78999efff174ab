#include "basis/quadrature.hpp"

#include <cmath>

#include "catch.hpp"

using namespace tetrawave::basis;

namespace {

double factorial(int n) { return std::tgamma(n + 1.0); }

/// The mean of l0^i l1^j l2^k over a triangle.
double exact_mean(int i, int j, int k) {
  return 2 * factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 2);
}

double mean(const std::vector<TrianglePoint>& rule, int i, int j, int k) {
  double sum = 0;
  for (const TrianglePoint& q : rule)
    sum += q.weight * std::pow(q.barycentric[0], i) * std::pow(q.barycentric[1], j) * std::pow(q.barycentric[2], k);
  return sum;
}

}  // namespace

TEST_CASE("rules on triangles are exact up to their degree, the symmetric ones with fewer points") {
  for (int degree = 1; degree <= 9; ++degree)
    for (const auto& rule : {triangle_rule(degree), symmetric_triangle_rule(degree)}) {
      for (const TrianglePoint& q : rule) CHECK(q.weight > 0);
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; i + j <= degree; ++j)
          CHECK(std::abs(mean(rule, i, j, degree - i - j) - exact_mean(i, j, degree - i - j)) < 4e-15);
    }
  CHECK(symmetric_triangle_rule(4).size() == 6);
  CHECK(symmetric_triangle_rule(6).size() == 12);
  CHECK(std::abs(mean(symmetric_triangle_rule(6), 7, 0, 0) - exact_mean(7, 0, 0)) > 1e-6);
}

TEST_CASE("rules on tetrahedra are exact up to their degree, the symmetric ones with fewer points") {
  const auto mean_of = [](const std::vector<TetrahedronPoint>& rule, int i, int j, int k) {
    double sum = 0;
    for (const TetrahedronPoint& q : rule)
      sum += q.weight * std::pow(q.barycentric[0], i) * std::pow(q.barycentric[1], j) * std::pow(q.barycentric[2], k);
    return sum;
  };
  const auto exact = [](int i, int j, int k) {
    return 6 * factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
  };
  for (int degree = 1; degree <= 8; ++degree)
    for (const auto& rule : {tetrahedron_rule(degree), symmetric_tetrahedron_rule(degree)}) {
      for (const TetrahedronPoint& q : rule) CHECK(q.weight > 0);
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; i + j <= degree; ++j)
          for (int k = 0; i + j + k <= degree; ++k) CHECK(std::abs(mean_of(rule, i, j, k) - exact(i, j, k)) < 4e-15);
    }
  CHECK(symmetric_tetrahedron_rule(5).size() == 14);
  CHECK(symmetric_tetrahedron_rule(6).size() == 24);
  CHECK(std::abs(mean_of(symmetric_tetrahedron_rule(5), 6, 0, 0) - exact(6, 0, 0)) > 1e-6);
  CHECK(std::abs(mean_of(symmetric_tetrahedron_rule(6), 7, 0, 0) - exact(7, 0, 0)) > 1e-6);
}
