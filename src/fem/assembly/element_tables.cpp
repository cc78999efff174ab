#include "fem/assembly/element_tables.hpp"

#include <array>

#include "base/parallel.hpp"
#include "basis/functions.hpp"
#include "basis/quadrature.hpp"
#include "basis/reference_element.hpp"
#include "fem/assembly/element_view.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave::fem::device {

namespace {

constexpr std::array<std::array<std::size_t, 2>, 6> pairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// Adds sum_m d_m table(a m, i) table(b m, j), of both orders of a and b.
void add_products(const basis::Table& table, const std::vector<double>& modes, std::size_t count, std::size_t first,
                  std::vector<double>& to) {
  const std::size_t n = table.columns;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) {
        double sum = 0;
        for (std::size_t m = 0; m < count; ++m) {
          const auto at = [&](std::size_t c, std::size_t f) { return table(c * count + m, f); };
          sum += modes[m] * (a == b ? at(a, i) * at(a, j) : at(a, i) * at(b, j) + at(b, i) * at(a, j));
        }
        for (const auto& [row, column] : {std::array{i, j}, std::array{j, i}})
          to[(row * metric_count + first + k) * n + column] = sum;
      }
  }
}

}  // namespace

ElementTables::ElementTables(Space space) {
  const auto& reference = basis::reference_element(space);
  straight.assign(reference.dofs * metric_count * reference.dofs, 0.0);
  add_products(reference.curl_components, reference.modes, reference.curl_modes, 0, straight);
  add_products(reference.components, reference.modes, reference.modes.size(), pairs.size(), straight);
  face_functions = static_cast<std::int32_t>(reference.face_dofs);
  on_face.assign(4 * reference.dofs, -1);
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t k = 0; k < reference.face_dofs; ++k)
      on_face[f * reference.dofs + reference.on_face[f][k]] = static_cast<std::int32_t>(k);
  for (const basis::Function& function : basis::functions_of(space)) {
    std::int32_t bits = 0;
    for (const int v : function.vertices) bits |= 1 << v;
    vertices.push_back(bits);
  }
}

CurvedTables::CurvedTables(Space space) {
  const auto& reference = basis::reference_element(space);
  for (const auto& q : basis::symmetric_tetrahedron_rule(2 * reference.degree + 2)) {
    weights.push_back(q.weight);
    for (std::size_t a = 1; a <= 3; ++a)  // of 4 L_v L_w
      for (const auto& [v, w] : edge_corners) {
        const auto with = [v = v, w = w, &q](std::size_t l) {
          return (l == v ? 4 * q.barycentric[w] : 0.0) + (l == w ? 4 * q.barycentric[v] : 0.0);
        };
        slopes.push_back(with(a) - with(0));
      }
    const auto values = reference.evaluate(q.barycentric);
    const auto curls = reference.evaluate_curls(q.barycentric);
    for (std::size_t i = 0; i < reference.dofs; ++i) {
      functions.insert(functions.end(), curls[i].begin(), curls[i].end());
      functions.insert(functions.end(), values[i].begin(), values[i].end());
    }
  }
}

CurvedLists::CurvedLists(const ElementShapes& shapes) {
  for (std::size_t e = 0; e < shapes.corners.size(); ++e) {
    const basis::Middles* middles = shapes.middles(e);
    if (middles == nullptr) continue;
    if (number.empty()) number.assign(shapes.corners.size(), -1);
    number[e] = static_cast<std::int32_t>(element.size());
    element.push_back(static_cast<std::int32_t>(e));
    for (std::size_t k = 0; k < edge_corners.size(); ++k) {
      const auto& [v, w] = edge_corners[k];
      const Vec3 bulge = (*middles)[k] - 0.5 * (shapes.corners[e][v] + shapes.corners[e][w]);
      bulges.insert(bulges.end(), bulge.begin(), bulge.end());
    }
  }
}

WallLists::WallLists(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
                     int threads)
    : first(shapes.corners.size() + 1, 0), number(walls.size()), face(walls.size()) {
  const auto& reference = basis::reference_element(space.space);
  const std::size_t width = reference.face_dofs * reference.face_dofs;
  entries.resize(walls.size() * width);
  for_each_task(walls.size(), threads, [&](std::size_t w) {
    const auto mass = shapes.map(space.space, static_cast<std::size_t>(walls[w].first)).face_mass(walls[w].second);
    face[w] = walls[w].second;
    auto to = entries.begin() + static_cast<std::ptrdiff_t>(w * width);
    for (const std::size_t i : reference.on_face[walls[w].second])
      for (const std::size_t j : reference.on_face[walls[w].second]) *to++ = mass(i, j);
  });
  for (const ElementFace& wall : walls) ++first[static_cast<std::size_t>(wall.first) + 1];
  for (std::size_t e = 0; e + 1 < first.size(); ++e) first[e + 1] += first[e];
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (std::size_t w = 0; w < walls.size(); ++w)
    number[static_cast<std::size_t>(next[static_cast<std::size_t>(walls[w].first)]++)] = static_cast<std::int32_t>(w);
}

MatrixLists::MatrixLists(const ElementShapes& shapes, const WallLists& walls) {
  if (shapes.copies.empty()) return;
  number.resize(shapes.corners.size());
  std::vector<std::int32_t> of_shape;  // of a first element
  for (std::size_t e = 0; e < number.size(); ++e) {
    const bool is_alone = walls.first[e] < walls.first[e + 1];
    const auto shape = is_alone ? 0 : static_cast<std::size_t>(shapes.copies[e]);
    if (!is_alone && shape >= of_shape.size()) of_shape.resize(shape + 1, -1);
    if (is_alone || of_shape[shape] < 0) {
      number[e] = static_cast<std::int32_t>(element.size());
      element.push_back(static_cast<std::int32_t>(e));
      if (!is_alone) of_shape[shape] = number[e];
    } else {
      number[e] = of_shape[shape];
    }
  }
}

}  // namespace tetrawave::fem::device
