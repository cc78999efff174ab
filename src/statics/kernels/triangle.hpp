// Matrices of straight and curved triangles for statics in a plane and about an axis (x = 0, r = x, z = y).
//
// Planar:        K_ij = k int grad N_i . grad N_j,         F_i = J int N_i
// axisymmetric:  K_ij = 2 pi k int r B_i . B_j,            F_i = 2 pi J int r^2 N_i
// with the unknown a = A_phi/r, of which B_r = -r da/dz and B_z = 2 a + r da/dr are regular at the axis: there B_z = 2
// a, and no condition is needed. k is eps or 1/mu, J the current density. Nodes as Gmsh orders them.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Elements and nodes in the form used by kernels. Nodes with ids below free_count are unknown, the others have fixed
/// values.
struct TriangleView {
  const std::int32_t* node = nullptr;    ///< [nodes of an element][stride]
  const std::int32_t* region = nullptr;  ///< [elements]
  const double* coordinates = nullptr;   ///< [nodes][2], metres
  const double* coefficient = nullptr;   ///< [regions] k
  const double* source = nullptr;        ///< [regions] J
  const double* fixed = nullptr;         ///< [nodes - free_count]
  std::int32_t stride = 0;               ///< elements
  std::int32_t free_count = 0;
};

/// One point of a quadrature on the reference triangle; weights sum to 1/2.
struct TrianglePoint {
  double l1, l2;  ///< second and third barycentric coordinate
  double weight;
};

/// Six points, exact to degree 4; seven points, exact to degree 5 (Dunavant 1985).
template <int points>
TW_FN TrianglePoint triangle_point(int index) {
  static_assert(points == 6 || points == 7, "these rules are known");
  if (points == 7 && index == 6) return {1. / 3, 1. / 3, 9. / 80};
  const bool first = index < 3;
  const double a = points == 6 ? (first ? 0.445948490915964886 : 0.091576213509770743)
                               : (first ? 0.470142064105115090 : 0.101286507323456339);
  const double weight = points == 6 ? (first ? 0.223381589678011466 : 0.109951743655321868)
                                    : (first ? 0.132394152788506181 : 0.125939180544827153);
  const int corner = first ? index : index - 3;
  return {corner == 1 ? 1 - 2 * a : a, corner == 2 ? 1 - 2 * a : a, weight / 2};
}

/// Values and derivatives of the shape functions with respect to l1 and l2.
template <int order>
struct TriangleShape {
  static constexpr int nodes = order == 1 ? 3 : 6;
  double value[nodes];
  double d1[nodes];
  double d2[nodes];

  TW_FN explicit TriangleShape(double l1, double l2) {
    const double l[3] = {1 - l1 - l2, l1, l2};
    constexpr double g1[3] = {-1, 1, 0}, g2[3] = {-1, 0, 1};
    TW_UNROLL
    for (int i = 0; i < 3; ++i) {
      const double slope = order == 1 ? 1 : 4 * l[i] - 1;
      value[i] = order == 1 ? l[i] : l[i] * (2 * l[i] - 1);
      d1[i] = slope * g1[i];
      d2[i] = slope * g2[i];
    }
    TW_UNROLL
    for (int i = 3; i < nodes; ++i) {  // 4 l_a l_b on the edge from a to b
      const int a = i - 3, b = (i - 2) % 3;
      value[i] = 4 * l[a] * l[b];
      d1[i] = 4 * (g1[a] * l[b] + l[a] * g1[b]);
      d2[i] = 4 * (g2[a] * l[b] + l[a] * g2[b]);
    }
  }
};

/// The element's nodes, read once.
template <int order>
struct TriangleCorners {
  static constexpr int nodes = order == 1 ? 3 : 6;
  std::int32_t node[nodes];
  double x[nodes], y[nodes];

  TW_FN TriangleCorners(const TriangleView& view, std::int32_t element) {
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      node[i] = view.node[static_cast<std::int64_t>(i) * view.stride + element];
      x[i] = view.coordinates[2 * static_cast<std::int64_t>(node[i])];
      y[i] = view.coordinates[2 * static_cast<std::int64_t>(node[i]) + 1];
    }
  }
};

/// The field of each shape function at one point (of length 1 in the potential), and the measure: dA or 2 pi r dA times
/// the weight. `load` is the weight of J N_i: dA, or 2 pi r^2 dA.
template <int order, bool axisymmetric>
struct TriangleFields {
  static constexpr int nodes = order == 1 ? 3 : 6;
  double first[nodes], second[nodes];  ///< planar: d/dx, d/dy; axisymmetric: B_r, B_z
  double value[nodes];
  double measure, load;

  TW_FN TriangleFields(const TriangleCorners<order>& corners, const TrianglePoint& point) {
    const TriangleShape<order> shape(point.l1, point.l2);
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0, r = 0;
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      x1 += shape.d1[i] * corners.x[i];
      x2 += shape.d2[i] * corners.x[i];
      y1 += shape.d1[i] * corners.y[i];
      y2 += shape.d2[i] * corners.y[i];
      r += shape.value[i] * corners.x[i];
    }
    const double det = x1 * y2 - x2 * y1, inverse = 1 / det;
    const double area = (det < 0 ? -det : det) * point.weight;
    constexpr double two_pi = 6.283185307179586477;
    measure = axisymmetric ? two_pi * r * area : area;
    load = axisymmetric ? two_pi * r * r * area : area;
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) {
      const double dx = (shape.d1[i] * y2 - shape.d2[i] * y1) * inverse;
      const double dy = (shape.d2[i] * x1 - shape.d1[i] * x2) * inverse;
      value[i] = shape.value[i];
      first[i] = axisymmetric ? -r * dy : dx;
      second[i] = axisymmetric ? 2 * shape.value[i] + r * dx : dy;
    }
  }
};

/// A kind of element: its order and symmetry.
template <int order_, bool axisymmetric_>
struct Triangle {
  static constexpr int order = order_;
  static constexpr bool axisymmetric = axisymmetric_;
  static constexpr int nodes = order == 1 ? 3 : 6;
  static constexpr int entries = nodes * nodes;
  /// Straight first-order planar elements have constant fields. The others are exact for straight elements.
  static constexpr bool closed_form = order == 1 && !axisymmetric;
  static constexpr int points = order == 2 && axisymmetric ? 7 : 6;
  using Corners = TriangleCorners<order>;
  using Fields = TriangleFields<order, axisymmetric>;

  /// matrix[i * nodes + j] = K_ij.
  TW_FN static void matrix(const Corners& corners, double k, double* matrix) {
    TW_UNROLL
    for (int i = 0; i < entries; ++i) matrix[i] = 0;
    for_points(corners, k, [matrix](const Fields& fields, double weight) {
      TW_UNROLL
      for (int i = 0; i < nodes; ++i) {
        TW_UNROLL
        for (int j = 0; j < nodes; ++j)
          matrix[i * nodes + j] += weight * (fields.first[i] * fields.first[j] + fields.second[i] * fields.second[j]);
      }
    });
  }

  /// sum_j K_ij p[j] for one row i.
  TW_FN static double row_product(const Corners& corners, double k, int row, const double* p) {
    double product = 0;
    for_points(corners, k, [row, p, &product](const Fields& fields, double weight) {
      double first = 0, second = 0, own_first = 0, own_second = 0;
      TW_UNROLL
      for (int j = 0; j < nodes; ++j) {
        first += fields.first[j] * p[j];
        second += fields.second[j] * p[j];
        own_first = j == row ? fields.first[j] : own_first;
        own_second = j == row ? fields.second[j] : own_second;
      }
      product += weight * (own_first * first + own_second * second);
    });
    return product;
  }

  /// load[i] = F_i.
  TW_FN static void load(const Corners& corners, double source, double* load) {
    TW_UNROLL
    for (int i = 0; i < nodes; ++i) load[i] = 0;
    for (int q = 0; q < points; ++q) {
      const Fields fields(corners, triangle_point<points>(q));
      TW_UNROLL
      for (int i = 0; i < nodes; ++i) load[i] += source * fields.load * fields.value[i];
    }
  }

 private:
  /// work(fields, k times measure) at the points of the quadrature.
  template <class Work>
  TW_FN static void for_points(const Corners& corners, double k, const Work& work) {
    if constexpr (closed_form) {
      const Fields fields(corners, {1. / 3, 1. / 3, 0.5});
      work(fields, k * fields.measure);
    } else {
      for (int q = 0; q < points; ++q) {
        const Fields fields(corners, triangle_point<points>(q));
        work(fields, k * fields.measure);
      }
    }
  }
};

/// An element of type T with its matrix, and its load if there are sources.
template <class T>
struct IntegratedElement {
  typename T::Corners corners;
  double matrix[T::entries];
  double load[T::nodes] = {};

  TW_FN IntegratedElement(const TriangleView& view, std::int32_t element, bool sources) : corners(view, element) {
    const std::int32_t region = view.region[element];
    T::matrix(corners, view.coefficient[region], matrix);
    if (sources) T::load(corners, view.source[region], load);
  }
};

}  // namespace tetrawave::kernels
