// Rows of the element matrices of edge elements on a device, in diagonally anisotropic media.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/target.hpp"
#include "fem/device/number.hpp"

namespace tetrawave::fem::device {

inline constexpr std::int32_t fixed_unknown = -1;  ///< EdgeSpace::fixed

/// Numbers of an element's map and medium that its matrix is linear in: six of the curls, t_a . stiffness t_b/(6 |det
/// J|), and six of the fields, |det J| G_a . mass G_b/6, with ab = 11 22 33 12 13 23.
inline constexpr int metric_count = 12;

template <class N>
struct Metric {
  N of[metric_count];
};

/// `t`: the tangents t_a [m] along x, y, z; `coefficients`: of the curls and of the fields along x, y, z.
template <class N>
TW_FN void find_metric(const double (&t)[3][3], double weight, const N* coefficients, Metric<N>& metric) {
  constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  double g[3][3];  // det J G_a = t_b x t_c
  TW_UNROLL
  for (int a = 0; a < 3; ++a) {
    const double *b = t[(a + 1) % 3], *c = t[(a + 2) % 3];
    g[a][0] = b[1] * c[2] - b[2] * c[1];
    g[a][1] = b[2] * c[0] - b[0] * c[2];
    g[a][2] = b[0] * c[1] - b[1] * c[0];
  }
  const double factor = weight / (6 * fabs(t[0][0] * g[0][0] + t[0][1] * g[0][1] + t[0][2] * g[0][2]));
  TW_UNROLL
  for (int k = 0; k < 6; ++k) {
    N curls{}, fields{};
    TW_UNROLL
    for (int x = 0; x < 3; ++x) {
      add_product(curls, t[first[k]][x] * t[second[k]][x], coefficients[x]);
      add_product(fields, g[first[k]][x] * g[second[k]][x], coefficients[3 + x]);
    }
    metric.of[k] = times(factor, curls);
    metric.of[6 + k] = times(factor, fields);
  }
}

/// Curved elements: their matrices are sums over the points of a rule.
template <class N>
struct CurvedElements {
  std::int32_t points = 0;
  const std::int32_t* number = nullptr;   ///< per element, -1: it is straight; null: all are
  const std::int32_t* element = nullptr;  ///< per curved element
  const double* bulges = nullptr;         ///< [curved][6][3]: of edges, off their straight midpoints [m]
  const double* slopes = nullptr;         ///< [point][3][6]: of the tangents with the bulges
  const double* weights = nullptr;        ///< [point]
  const double* functions = nullptr;      ///< [point][function][6]: curls along t_c/det J, covariant components
  Metric<N>* metrics = nullptr;           ///< [curved][point]
};

/// Faces of elements with terms factor oint_f N_it . N_jt.
template <class N>
struct ElementWalls {
  std::int32_t functions = 0;            ///< of a face
  const std::int32_t* first = nullptr;   ///< per element, into `number`, and the end
  const std::int32_t* number = nullptr;  ///< of walls
  const std::int32_t* face = nullptr;    ///< per wall
  const std::int32_t* place = nullptr;   ///< [face][function of an element]: its number on the face, or -1
  const double* entries = nullptr;       ///< [wall][functions][functions]
  const N* factors = nullptr;            ///< per wall [1/m]
};

/// A_ij = int curl N_i . stiffness curl N_j + int N_i . mass N_j [1/m] and its walls, as sums over metric numbers.
template <class N>
struct ElementView {
  std::int32_t functions = 0;             ///< n
  const std::int32_t* unknown = nullptr;  ///< [element][n], or fixed_unknown
  const double* corners = nullptr;        ///< [element][4][3] [m]
  const double* table = nullptr;          ///< [i][metric number][j]
  CurvedElements<N> curved;
  ElementWalls<N> walls;
  const std::int32_t* kind = nullptr;  ///< per element
  const N* coefficients = nullptr;     ///< [kind][6]

  [[nodiscard]] TW_FN bool is_curved(std::int32_t e) const { return curved.number != nullptr && curved.number[e] >= 0; }

  TW_FN void tangents(std::int32_t e, double (&t)[3][3]) const {
    const double* corner = corners + static_cast<std::int64_t>(e) * 12;
    TW_UNROLL
    for (int a = 0; a < 3; ++a) TW_UNROLL
    for (int x = 0; x < 3; ++x) t[a][x] = corner[3 * (a + 1) + x] - corner[x];
  }
  /// Of a straight element.
  TW_FN void set(std::int32_t e, Metric<N>& metric) const {
    if (is_curved(e)) return;
    double t[3][3];
    tangents(e, t);
    find_metric(t, 1, coefficients + static_cast<std::int64_t>(kind[e]) * 6, metric);
  }
  /// put(j, A_ij) for those of j = from .. n - 1 that are this member's.
  template <class Group, class Put>
  TW_FN void row(const Group& group, const Metric<N>& metric, std::int32_t e, std::int32_t i, std::int32_t from,
                 const Put& put) const {
    const bool bends = is_curved(e);
    for (std::int32_t j = from + group.lane(); j < functions; j += Group::size) {
      N sum{};
      if (bends) {
        sum = curved_entry(curved.number[e], i, j);
      } else {
        const double* entries = table + static_cast<std::int64_t>(i) * metric_count * functions + j;
        TW_UNROLL
        for (int k = 0; k < metric_count; ++k) add_product(sum, entries[k * functions], metric.of[k]);
      }
      add_walls(e, i, j, sum);
      put(j, sum);
    }
  }

 private:
  TW_FN N curved_entry(std::int32_t number, std::int32_t i, std::int32_t j) const {
    N sum{};
    for (std::int32_t q = 0; q < curved.points; ++q) {
      const Metric<N>& metric = curved.metrics[static_cast<std::int64_t>(number) * curved.points + q];
      const double* of_point = curved.functions + static_cast<std::int64_t>(q) * functions * 6;
      const double *u = of_point + 6 * i, *v = of_point + 6 * j;
      TW_UNROLL
      for (int part = 0; part < 2; ++part) {
        const double *a = u + 3 * part, *b = v + 3 * part;
        const N* own = metric.of + 6 * part;
        TW_UNROLL
        for (int x = 0; x < 3; ++x) add_product(sum, a[x] * b[x], own[x]);
        add_product(sum, a[0] * b[1] + a[1] * b[0], own[3]);
        add_product(sum, a[0] * b[2] + a[2] * b[0], own[4]);
        add_product(sum, a[1] * b[2] + a[2] * b[1], own[5]);
      }
    }
    return sum;
  }
  TW_FN void add_walls(std::int32_t e, std::int32_t i, std::int32_t j, N& sum) const {
    for (std::int32_t k = walls.first[e]; k < walls.first[e + 1]; ++k) {
      const std::int32_t wall = walls.number[k];
      const std::int32_t* place = walls.place + walls.face[wall] * functions;
      if (place[i] < 0 || place[j] < 0) continue;
      const std::int64_t row = static_cast<std::int64_t>(wall) * walls.functions + place[i];
      add_product(sum, walls.entries[row * walls.functions + place[j]], walls.factors[wall]);
    }
  }
};

}  // namespace tetrawave::fem::device
