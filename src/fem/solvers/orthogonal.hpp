// Orthonormal bases that grow column by column.
#pragma once

#include <Eigen/Dense>
#include <algorithm>

#include "fem/sparse/rank_rows.hpp"

namespace tetrawave::fem {

/// What is left of x without its components along the first `count` columns of an orthonormal basis; twice, as once
/// leaves rounding errors of the size of what was taken off. `rows`: ranks that share out x and the basis.
template <class Basis, class Values>
void orthogonalise(const Basis& basis, Eigen::Index count, Values& x, Values& components, const RankRows& rows = {}) {
  components = Values::Zero(count);
  for (int pass = 0; pass < 2 && count > 0; ++pass) {
    Values part = rows.is_shared() ? Values(basis.leftCols(count).adjoint() * rows.own(x))
                                   : Values(basis.leftCols(count).adjoint() * x);
    rows.add(part);
    x -= basis.leftCols(count) * part;
    components += part;
  }
}

/// Columns beyond those in use are room for more.
template <class Table>
void make_room(Table& table, Eigen::Index rows, Eigen::Index columns) {
  if (table.cols() < columns) table.conservativeResize(rows, std::max(columns, 2 * table.cols()));
}

}  // namespace tetrawave::fem
