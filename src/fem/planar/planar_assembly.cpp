#include "fem/planar/planar_assembly.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave::fem {

namespace {

const std::vector<basis::TrianglePoint>& rule_of(int order) {
  static const std::vector<basis::TrianglePoint> four = basis::symmetric_triangle_rule(4);
  static const std::vector<basis::TrianglePoint> six = basis::symmetric_triangle_rule(6);
  return order == 1 ? four : six;
}

}  // namespace

std::vector<PlanarEdgePoint> points_on_edge(const TriangleMesh& mesh, const PlanarSpace& space,
                                            const PlanarEdge& edge) {
  static const basis::GaussRule rule = basis::gauss_rule(5);
  const PlanarElement element(mesh, static_cast<std::size_t>(edge.element), space.kind, space.order);
  const auto [a, b] = planar_edges[static_cast<std::size_t>(edge.edge)];
  const std::size_t opposite = 3 - a - b;
  std::vector<PlanarEdgePoint> points;
  for (std::size_t q = 0; q < rule.nodes.size(); ++q) {
    std::array<double, 3> l{};
    l[b] = (1 + rule.nodes[q]) / 2;
    l[a] = 1 - l[b];
    PlanarEdgePoint point;
    point.at = element.at(l);
    // The edge's own derivative is across the gradient of the opposite corner, which has the length 1/height.
    const Point2& inward = point.at.gradient[opposite];
    const double slope = std::hypot(inward[0], inward[1]);
    point.length_m = rule.weights[q] / 2 * 2 * point.at.area_m2 * slope;
    point.normal = {-inward[0] / slope, -inward[1] / slope};
    point.tangent = {-point.normal[1], point.normal[0]};
    const Point2& along = point.at.gradient[b];
    if (along[0] * point.tangent[0] + along[1] * point.tangent[1] < 0)
      point.tangent = {point.normal[1], -point.normal[0]};
    points.push_back(point);
  }
  return points;
}

PlanarAssembly::PlanarAssembly(const TriangleMesh& mesh, const PlanarSpace& space,
                               const std::vector<std::vector<std::int32_t>>& blocks, int threads)
    : mesh_(mesh), space_(space), threads_(threads) {
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(space.unknowns));
  const auto couple = [&rows](const std::vector<std::int32_t>& unknowns) {
    for (const std::int32_t i : unknowns)
      if (i != PlanarSpace::fixed) {
        auto& row = rows[static_cast<std::size_t>(i)];
        for (const std::int32_t k : unknowns)
          if (k != PlanarSpace::fixed) row.push_back(k);
      }
  };
  std::vector<std::int32_t> own;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    own.clear();
    for (const std::int32_t id : space.shared_of(e)) own.push_back(space.unknown[static_cast<std::size_t>(id)]);
    couple(own);
  }
  for (const auto& block : blocks) couple(block);
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern_.column.insert(pattern_.column.end(), row.begin(), row.end());
    pattern_.first.push_back(static_cast<std::int64_t>(pattern_.column.size()));
  }
}

void PlanarAssembly::add(std::int32_t row, std::int32_t column, const Complex& value,
                         CsrMatrix<Complex>& matrix) const {
  const auto begin = pattern_.column.begin() + pattern_.first[static_cast<std::size_t>(row)];
  const auto end = pattern_.column.begin() + pattern_.first[static_cast<std::size_t>(row) + 1];
  matrix.values[static_cast<std::size_t>(std::lower_bound(begin, end, column) - pattern_.column.begin())] += value;
}

std::vector<Complex> PlanarAssembly::element_matrix(std::size_t element, const Medium& medium) const {
  const PlanarElement functions(mesh_, element, space_.kind, space_.order);
  const std::size_t n = space_.functions;
  std::vector<Complex> matrix(n * n);
  for (const basis::TrianglePoint& q : rule_of(space_.order)) {
    const PlanarPoint at = functions.at(q.barycentric);
    const PlanarCoefficients factor = medium(element, at.place_m);
    const double weight = q.weight * at.area_m2;
    for (std::size_t i = 0; i < n; ++i) {
      const PlanarFunction& v = at.functions[i];
      const Complex x = weight * factor.vector[0] * v.vector[0], y = weight * factor.vector[1] * v.vector[1];
      const Complex s = weight * factor.scalar * v.scalar;
      for (std::size_t k = i; k < n; ++k) {
        const PlanarFunction& u = at.functions[k];
        matrix[i * n + k] += x * u.vector[0] + y * u.vector[1] + s * u.scalar;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) matrix[i * n + k] = matrix[k * n + i];
  return matrix;
}

void PlanarAssembly::assemble(const Medium& medium, CsrMatrix<Complex>& matrix) const {
  matrix.pattern = &pattern_;
  matrix.values.assign(pattern_.column.size(), Complex(0));
  const std::size_t n = space_.functions;
  constexpr std::size_t piece = 1 << 16;  // of element matrices, made on all threads
  std::vector<std::vector<Complex>> matrices(std::min(piece, mesh_.element_count()));
  for (std::size_t from = 0; from < mesh_.element_count(); from += piece) {
    const std::size_t length = std::min(piece, mesh_.element_count() - from);
    for_each_index(length, threads_, [&](std::size_t k) { matrices[k] = element_matrix(from + k, medium); });
    for (std::size_t e = from; e < from + length; ++e) {
      const auto shared = space_.shared_of(e);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) {
          const std::int32_t row = space_.unknown[static_cast<std::size_t>(shared[i])];
          const std::int32_t column = space_.unknown[static_cast<std::size_t>(shared[k])];
          if (row != PlanarSpace::fixed && column != PlanarSpace::fixed)
            add(row, column, matrices[e - from][i * n + k], matrix);
        }
    }
  }
}

void PlanarAssembly::add_wall(const PlanarEdge& edge, const Complex& factor, CsrMatrix<Complex>& matrix) const {
  const auto shared = space_.shared_of(static_cast<std::size_t>(edge.element));
  const std::vector<std::size_t> places = space_.on_edge(static_cast<std::size_t>(edge.edge));
  for (const PlanarEdgePoint& point : points_on_edge(mesh_, space_, edge))
    for (const std::size_t i : places)
      for (const std::size_t k : places) {
        const std::int32_t row = space_.unknown[static_cast<std::size_t>(shared[i])];
        const std::int32_t column = space_.unknown[static_cast<std::size_t>(shared[k])];
        if (row == PlanarSpace::fixed || column == PlanarSpace::fixed) continue;
        const double product = trace_of(space_.kind, point.at.functions[i], point.tangent) *
                               trace_of(space_.kind, point.at.functions[k], point.tangent);
        add(row, column, factor * point.length_m * product, matrix);
      }
}

void PlanarAssembly::add_product(const std::vector<std::int32_t>& unknowns, const std::vector<double>& p,
                                 const Complex& factor, CsrMatrix<Complex>& matrix) const {
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    for (std::size_t k = 0; k < unknowns.size(); ++k) add(unknowns[i], unknowns[k], factor * p[i] * p[k], matrix);
}

}  // namespace tetrawave::fem
