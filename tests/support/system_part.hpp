// A system of which every rank has the entries of its own elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "fem/solvers/linear_solver.hpp"
#include "fem/sparse/shared_rows.hpp"
#include "unit/fem/edge/helmholtz.hpp"

namespace tetrawave_tests {

/// The entries of the whole matrix, in both directions of a coupling, that a rank has as its own contributions: those
/// of the slabs of points that it owns, and a half of the couplings between two ranks each.
template <class T>
struct SystemPart {
  Grid box;
  tetrawave::fem::SharedRows rows;
  CsrPattern pattern;
  CsrMatrix<T> matrix;
  std::vector<T> whole_b;
  std::vector<T> b;  ///< contributions

  SystemPart(const Grid& grid, double kh) : box(grid) {
    const CsrPattern all = make_pattern(box);
    const CsrMatrix<T> whole = make_helmholtz<T>(box, all, kh);
    whole_b = make_vector<T>(static_cast<std::size_t>(box.points()), 5);
    rows.ranks = tetrawave::comm::Communicator::world();
    for (int rank = 0; rank <= rows.ranks.size(); ++rank)
      rows.first.push_back(rank * box.nz / rows.ranks.size() * box.nx * box.ny);
    std::map<std::int32_t, std::map<std::int32_t, T>> entries;
    for (std::int32_t i = 0; i < box.points(); ++i)
      for (auto k = static_cast<std::size_t>(all.first[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(all.first[static_cast<std::size_t>(i) + 1]); ++k) {
        const std::int32_t j = all.column[k];
        const int sides = (rows.is_own(i) ? 1 : 0) + (rows.is_own(j) ? 1 : 0);
        if (sides == 0) continue;
        entries[i][j] += 0.5 * sides * whole.values[k];
        entries[i].try_emplace(i, T(0));
        entries[j].try_emplace(j, T(0));
      }
    std::map<std::int32_t, std::int32_t> place;
    for (const auto& [row, columns] : entries) {
      place.emplace(row, static_cast<std::int32_t>(rows.number.size()));
      rows.number.push_back(row);
    }
    for (const auto& [row, columns] : entries) {
      for (const auto& [column, value] : columns) {
        pattern.column.push_back(place.at(column));
        matrix.values.push_back(value);
      }
      pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
      const bool is_own = rows.is_own(row);
      b.push_back(is_own ? whole_b[static_cast<std::size_t>(row)] : T(0));
    }
    matrix.pattern = &pattern;
  }

  /// By one rank with the whole matrix.
  [[nodiscard]] std::vector<T> solution(double kh) const {
    const CsrPattern all = make_pattern(box);
    const CsrMatrix<T> whole = make_helmholtz<T>(box, all, kh);
    tetrawave::SolverOptions spec;
    spec.method = tetrawave::SolverMethod::direct;
    std::vector<std::vector<T>> x{std::vector<T>(whole_b.size())};
    tetrawave::fem::LinearSolver<T>(spec, tetrawave::fem::SolverMachine(1), all).solve(whole, {whole_b}, x);
    return x.front();
  }
  [[nodiscard]] double distance_to(const std::vector<T>& wanted, const std::vector<T>& found) const {
    double worst = 0, largest = 0;
    for (const T& value : wanted) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i)
      worst = std::max(worst, std::abs(found[i] - wanted[static_cast<std::size_t>(rows.number[i])]));
    return rows.ranks.max(worst / largest);
  }
};

}  // namespace tetrawave_tests
