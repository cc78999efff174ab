// The dense matrices of the `stored` layout: every element's own, as the dissertation holds them (eq. 4.40, 4.41).
//
// For each field one matrix of n rows. Its columns multiply, in this order,
//   n dofs u of the field | n dofs v of the other field | nf jumps of v through face 0, 1, 2, 3,
// so that DGTD-Central is u+ = A2 u + A1 v + sum_f P_f (v+ - v) (THEORY.md 14). Storage: entry `column * n + row` of
// an element is a row of an array in blocks of lanes. Everything is integrated by quadrature and inverted densely; the
// factored layout's tables are not used.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "basis/dense_matrix.hpp"
#include "march/layout.hpp"
#include "march/problem.hpp"

namespace tetrawave::march {

/// Rows and columns of an element's matrix.
struct StoredShape {
  int dofs = 0;
  int columns = 0;
  [[nodiscard]] int entries() const { return dofs * columns; }
};
StoredShape central_shape(Space space);

/// Entries of matrices of one field that are made at a time.
inline constexpr std::int64_t stored_at_once = std::int64_t{1} << 25;

/// Matrices of one element: of E, of H.
using ElementMatrices = std::array<basis::DenseMatrix, 2>;

/// DGTD-Central over a step dt_m = c0 dt [m]. With c = eps, s = sigma_e, y = Y (mu, sigma_m, Z for H) and the face
/// masses F_f of open walls, A0 = c/dt M + s/2 M + y/4 sum_f F_f:
///   A2 = A0^-1 (c/dt M - s/2 M - y/4 F),  A1 = +-A0^-1 C,  P_f = +-1/2 A0^-1 D_f  (+ for E, - for H).
/// With a = c/dt + s/2, b = y/4 the first is computed as (1 - s/a) I - b (2 - s/a) A0^-1 F: exact without walls.
ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m);

/// A0^-1 g of one driven face: what its wave adds to u+, per unit of w (THEORY.md 7).
std::vector<double> central_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m);

/// Elements of one part (border or inner) that have the same number of driven faces, in list blocks of lanes.
template <class S>
struct DrivenList {
  int faces = 0;        ///< driven faces of each of its elements, 1..4
  bool border = false;  ///< of border elements, whose traces other ranks need
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<std::int32_t> wave;     ///< `faces` rows
  std::vector<S> moment;              ///< faces * dofs rows: A0^-1 g_f
};
/// All lists of one field (kernels/add_waves.hpp).
template <class S>
std::vector<DrivenList<S>> make_driven_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m);
extern template std::vector<DrivenList<double>> make_driven_lists(const Problem&, const ElementLayout<double>&, Field,
                                                                  double);
extern template std::vector<DrivenList<float>> make_driven_lists(const Problem&, const ElementLayout<float>&, Field,
                                                                 double);

/// The entries of a range of element blocks, `[block - first][column * n + row][lane]`; zero in padding lanes.
template <class S>
using StoredBlocks = std::array<std::vector<S>, 2>;
template <class S>
StoredBlocks<S> make_stored_blocks(const StoredShape& shape, const ElementLayout<S>& layout, LocalIndex elements,
                                   BlockRange range, const std::function<ElementMatrices(LocalIndex)>& make,
                                   int threads);

extern template StoredBlocks<double> make_stored_blocks(const StoredShape&, const ElementLayout<double>&, LocalIndex,
                                                        BlockRange, const std::function<ElementMatrices(LocalIndex)>&,
                                                        int);
extern template StoredBlocks<float> make_stored_blocks(const StoredShape&, const ElementLayout<float>&, LocalIndex,
                                                       BlockRange, const std::function<ElementMatrices(LocalIndex)>&,
                                                       int);

}  // namespace tetrawave::march
