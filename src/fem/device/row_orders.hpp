// Orders of the rows of a sparse matrix for devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem::device {

/// Rows of a triangle by level: a row has entries only in the columns of lower levels (Y. Saad, Iterative Methods for
/// Sparse Linear Systems, 2nd ed., 11.6), so that the rows of a level can be swept at once.
struct Levels {
  std::vector<std::int32_t> order;  ///< rows, level by level
  std::vector<std::int32_t> first;  ///< of each level in `order`, and the end of the last
};
/// `part`: lower, whose sweep goes forward, or upper.
[[nodiscard]] Levels find_levels(const CsrPattern& pattern, MatrixPart part);
/// Of the whole pattern in another order.
[[nodiscard]] Levels find_levels(const CsrPattern& pattern, const std::vector<std::int32_t>& order);
/// Rows swept in an order; entries [begin, end) of a row in columns that come later do not count.
[[nodiscard]] Levels find_levels(const std::vector<std::int32_t>& order, std::span<const std::int64_t> begin,
                                 std::span<const std::int64_t> end, std::span<const std::int32_t> column);

/// Those of `rows` in colours: no two rows of a colour have an entry in each other's column, so that they can be
/// relaxed at once. Of a pattern that is its own transpose; greedy.
[[nodiscard]] Levels find_colours(const CsrPattern& pattern, const std::vector<bool>& rows);

/// Entries of coloured rows by colour: those in columns of earlier colours or of none, or those of later ones; then the
/// diagonal. Other rows have none.
struct ColourPart {
  std::vector<std::int64_t> first;  ///< of each row, and the end of the last
  std::vector<std::int64_t> last;   ///< the diagonal's place
  std::vector<std::int32_t> column;
  std::vector<std::int64_t> source;  ///< per entry, in the CSR matrix; of the diagonal of row i -1 - i
};
[[nodiscard]] ColourPart split_by_colour(const CsrPattern& pattern, const Levels& colours, bool earlier);

/// A part of a matrix as SlicedRows (fem/device/rows.hpp).
struct SlicedPattern {
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> column;  ///< of a zero any that is there
};
[[nodiscard]] SlicedPattern make_slices(const CsrPattern& pattern, MatrixPart part);

}  // namespace tetrawave::fem::device
