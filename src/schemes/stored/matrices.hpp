// The dense matrices of the `stored` layout in memory: one per element, as in the dissertation.
//
// For each field one matrix of n rows. Its columns multiply, in this order,
//   DGTD-Central  n dofs u of the field | n dofs v of the other one | nf jumps of v through face 0, 1, 2, 3
//   DFDD-ELD      n dofs of the rate | n dofs of its field | nf traces of the other rate on face 0, 1, 2, 3
//   DGTD-Upwind   n dofs u | n dofs v | nf traces of the neighbours' u on face 0, 1, 2, 3 | likewise of v
// see schemes/*/stored.hpp. Storage: entry `column * n + row` of an element is a row of an array in blocks of
// lanes.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "basis/dense_matrix.hpp"
#include "march/elements/layout.hpp"

namespace tetrawave::march {

/// Rows and columns of an element's matrix.
struct StoredShape {
  int dofs = 0;
  int columns = 0;
  [[nodiscard]] int entries() const { return dofs * columns; }
};
StoredShape stored_shape(Scheme scheme, Space space);

/// Entries of matrices of one field that are computed at a time.
inline constexpr std::int64_t stored_at_once = std::int64_t{1} << 25;

/// Matrices of one element: of E, of H.
using ElementMatrices = std::array<basis::DenseMatrix, 2>;
/// Computes those of an element (schemes/*/stored.hpp).
using MakeMatrices = std::function<ElementMatrices(LocalIndex)>;

/// The entries of a range of element blocks, `[block - first][column * n + row][lane]`; zero in padding lanes.
template <class S>
using StoredBlocks = std::array<std::vector<S>, 2>;
template <class S>
StoredBlocks<S> make_stored_blocks(const StoredShape& shape, const ElementLayout<S>& layout, LocalIndex elements,
                                   BlockRange range, const MakeMatrices& make, int threads);

}  // namespace tetrawave::march
