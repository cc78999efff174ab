// A device that iterates against the host's cores.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "fem/device/row_orders.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "unit/fem/edge/helmholtz.hpp"

namespace tetrawave_tests {

using DevicePointer = std::shared_ptr<const tetrawave::fem::IterationDevice>;

inline tetrawave::SolverOptions make_iteration_spec(tetrawave::Preconditioner preconditioner, bool scales,
                                                    tetrawave::MatrixFormat format) {
  tetrawave::SolverOptions spec;
  spec.preconditioner = preconditioner;
  spec.diagonal_scaling = scales;
  spec.format = format;
  spec.tolerance = 1e-11;
  spec.max_iterations = 3000;
  return spec;
}

template <class T>
struct SolvedSystem {
  std::vector<std::vector<T>> x;
  tetrawave::fem::LinearFigures figures;
};

/// `sides` right-hand sides, the third of them zero; two matrices of the pattern, one after the other.
template <class T>
SolvedSystem<T> solve_systems(const Grid& grid, const CsrPattern& pattern, const tetrawave::SolverOptions& spec,
                              int sides, const DevicePointer& device) {
  tetrawave::fem::SolverMachine machine(2);
  machine.iteration_device = device;
  tetrawave::fem::LinearSolver<T> solver(spec, machine, pattern);
  const auto rows = static_cast<std::size_t>(grid.points());
  std::vector<std::vector<T>> b;
  for (int k = 0; k < sides; ++k) b.push_back(k == 2 ? std::vector<T>(rows) : make_vector<T>(rows, k + 1));
  SolvedSystem<T> solved;
  for (const double kh : {0.3, 0.9}) {
    solved.x.assign(b.size(), std::vector<T>(rows));
    const CsrMatrix<T> matrix = make_helmholtz<T>(grid, pattern, kh);
    solved.figures = solver.solve(matrix, b, solved.x);
  }
  return solved;
}

/// Every preconditioner, scaling and format, with 1 and 3 right-hand sides; SSOR with 6, too.
template <class T>
void compare_iterations(const Grid& grid, const DevicePointer& device) {
  using tetrawave::MatrixFormat;
  using tetrawave::Preconditioner;
  const CsrPattern pattern = make_pattern(grid);
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor,
                                    Preconditioner::ssor_ai, Preconditioner::ilu, Preconditioner::ilut})
    for (const bool scales : {false, true})
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
        for (const int sides : {1, 3, 6}) {
          if (sides == 6 && (preconditioner != Preconditioner::ssor || !scales)) continue;
          INFO(name_of(preconditioner) << (scales ? ", scaled, " : ", ") << name_of(format) << ", " << sides);
          const auto spec = make_iteration_spec(preconditioner, scales, format);
          const bool is_weak = preconditioner == Preconditioner::none || preconditioner == Preconditioner::jacobi ||
                               preconditioner == Preconditioner::ssor_ai;
          const auto found = solve_systems<T>(grid, pattern, spec, sides, device);
          const auto expected = solve_systems<T>(grid, pattern, spec, sides, nullptr);
          for (std::size_t k = 0; k < found.x.size(); ++k) {
            const auto iterations = found.figures.iterations[k], wanted = expected.figures.iterations[k];
            CHECK(found.figures.residual[k] <= 1.01 * spec.tolerance);
            // Many iterations, without a preconditioner or with a weak one, make rounding errors large.
            CHECK(std::abs(iterations - wanted) <= 2 + wanted / (is_weak ? 4 : 10));
            const auto& history = found.figures.history[k];
            if (k == 2) {
              CHECK(norm(found.x[k]) == 0);
              continue;
            }
            CHECK(distance(found.x[k], expected.x[k]) < 1e-9);
            CHECK(static_cast<std::int64_t>(history.values().size()) == iterations + 1);
            CHECK(history.values().back() <= spec.tolerance);
          }
          CHECK(found.figures.bytes > 0);
        }
}

/// A matrix with its rows and columns in another order.
template <class T>
CsrMatrix<T> reorder(const CsrMatrix<T>& matrix, const std::vector<std::int32_t>& order, CsrPattern& pattern) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  CsrMatrix<T> result{&pattern, {}};
  pattern = {};
  for (const std::int32_t row : order) {
    std::vector<std::pair<std::int32_t, T>> entries;
    for (auto k = static_cast<std::size_t>(matrix.pattern->first[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(matrix.pattern->first[static_cast<std::size_t>(row) + 1]); ++k)
      entries.emplace_back(place[static_cast<std::size_t>(matrix.pattern->column[k])], matrix.values[k]);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : entries) {
      pattern.column.push_back(column);
      result.values.push_back(value);
    }
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return result;
}

/// Differences of unknowns, and every fifth unknown by itself, which is not swept, or none.
inline tetrawave::fem::Subspace make_coarse_space(std::int32_t rows, bool with_single) {
  tetrawave::fem::Subspace subspace;
  for (std::int32_t row = 0; row < rows; ++row) {
    const std::int32_t place = row % 5;
    if ((with_single && place == 0) || place == 1 || place == 2) {
      if (place != 2) ++subspace.columns;
      subspace.column.push_back(subspace.columns - 1);
      subspace.value.push_back(place == 2 ? -0.5 : 1);
    }
    subspace.first.push_back(static_cast<std::int64_t>(subspace.column.size()));
  }
  return subspace;
}

/// In the order of colours, with all unknowns swept, the host's sweeps are those of the device and histories the same;
/// else solutions.
template <class T>
void compare_multigrid(const Grid& grid, const DevicePointer& device) {
  using tetrawave::MatrixFormat;
  const CsrPattern plain = make_pattern(grid);
  const auto rows = static_cast<std::size_t>(grid.points());
  const auto colours = tetrawave::fem::device::find_colours(plain, std::vector<bool>(rows, true));
  for (const bool by_colour : {false, true})
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
      for (const double relaxation : {1.0, 0.8}) {
        INFO((by_colour ? "by colour, " : "") << name_of(format) << ", relaxation " << relaxation);
        auto spec = make_iteration_spec(tetrawave::Preconditioner::p_multigrid, false, format);
        spec.relaxation = relaxation;
        std::vector<std::int32_t> order(rows);
        std::iota(order.begin(), order.end(), 0);
        if (by_colour) order = colours.order;
        const auto subspace = make_coarse_space(grid.points(), !by_colour);
        CsrPattern pattern;
        (void)reorder(make_helmholtz<T>(grid, plain, 0.3), order, pattern);
        std::vector<std::vector<T>> x[2];
        tetrawave::fem::LinearFigures figures[2];
        for (const int which : {0, 1}) {
          tetrawave::fem::SolverMachine machine(2);
          if (which == 1) machine.iteration_device = device;
          std::optional<tetrawave::fem::LinearSolver<T>> solver;
          for (const double kh : {0.3, 0.9}) {
            if (which == 0 || !solver)  // the host's keeps the factors of another matrix
              solver.emplace(spec, machine, pattern, tetrawave::fem::MatrixKind::symmetric,
                             tetrawave::comm::Communicator::self(), subspace);
            CsrPattern same;
            CsrMatrix<T> matrix = reorder(make_helmholtz<T>(grid, plain, kh), order, same);
            matrix.pattern = &pattern;
            const std::vector<std::vector<T>> b{make_vector<T>(rows, 1), make_vector<T>(rows, 2), std::vector<T>(rows)};
            x[which].assign(b.size(), std::vector<T>(rows));
            figures[which] = solver->solve(matrix, b, x[which]);
          }
        }
        for (std::size_t k = 0; k < 2; ++k) {
          CHECK(figures[1].residual[k] <= 1.01 * spec.tolerance);
          CHECK(distance(x[1][k], x[0][k]) < 1e-9);
          const auto &wanted = figures[0].history[k].values(), &found = figures[1].history[k].values();
          CHECK(static_cast<double>(found.size()) < 1.5 * static_cast<double>(wanted.size()) + 2);
          for (std::size_t n = 0; by_colour && n < std::min<std::size_t>(5, wanted.size()); ++n)
            CHECK(std::abs(found[n] / wanted[n] - 1) < 1e-7);
        }
        CHECK(norm(x[1][2]) == 0);
        CHECK(figures[1].bytes > 0);
      }
}

/// Rows of one rank that are ghosts of it, too: the values of those before `border` for the rows behind.
template <class T>
class OwnGhosts final : public tetrawave::fem::RankLink<T> {
 public:
  explicit OwnGhosts(std::int32_t border) : taken_(static_cast<std::size_t>(border)) {
    std::iota(taken_.begin(), taken_.end(), 0);
  }
  [[nodiscard]] const tetrawave::comm::Communicator& ranks() const override { return alone_; }
  [[nodiscard]] const std::vector<std::int32_t>& taken() const override { return taken_; }
  [[nodiscard]] std::optional<std::vector<tetrawave::march::Route>> routes() const override { return std::nullopt; }
  void exchange(const T* values, T* ghosts) override { std::copy(values, values + taken_.size(), ghosts); }

 private:
  tetrawave::comm::Communicator alone_ = tetrawave::comm::Communicator::self();
  std::vector<std::int32_t> taken_;
};

/// A system in which the rows behind a plane reach those before it through ghosts has the iterates of the plain one.
template <class T>
void compare_ghosts(const Grid& grid, const DevicePointer& device) {
  using tetrawave::MatrixFormat;
  using tetrawave::Preconditioner;
  const std::int32_t rows = grid.points(), border = rows / 3;
  const CsrPattern plain = make_pattern(grid);
  CsrMatrix<T> matrix = make_helmholtz<T>(grid, plain, 0.4);
  const std::vector<T> b = make_vector<T>(static_cast<std::size_t>(rows), 5);
  CsrPattern pattern = plain;  // left of the diagonal ghosts come first, as those of a lower rank
  for (std::int32_t row = border; row < rows; ++row)
    for (auto k = static_cast<std::size_t>(plain.first[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(plain.first[static_cast<std::size_t>(row) + 1]); ++k)
      if (plain.column[k] < border) pattern.column[k] += rows;
  matrix.pattern = &pattern;
  for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor_ai})
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
      INFO(name_of(preconditioner) << ", " << name_of(format));
      const auto spec = make_iteration_spec(preconditioner, false, format);
      const auto solve = [&](const CsrPattern& of, const tetrawave::fem::IterationLimits& limits) {
        OwnGhosts<T> link(border);
        const tetrawave::fem::IterationRequest request{&of, 2, preconditioner, spec.relaxation, false, format, 0, 0};
        std::unique_ptr<tetrawave::fem::RankIteration<T>> iteration;
        if constexpr (std::is_same_v<T, double>)
          iteration = device->make_real(request, link.taken().size(), link);
        else
          iteration = device->make_complex(request, link.taken().size(), link);
        iteration->open();
        iteration->set_matrix({&of, matrix.values}, {});
        std::pair<std::vector<T>, tetrawave::fem::IterationEnd> result{std::vector<T>(b.size()), {}};
        tetrawave::fem::ResidualHistory history;
        result.second = iteration->solve(limits, b, result.first, history).end;
        return result;
      };
      for (const std::int64_t few : {1, 2, 5}) {
        const auto found = solve(pattern, {0, few}), expected = solve(plain, {0, few});
        CHECK(found.second == tetrawave::fem::IterationEnd::limit);
        CHECK(distance(found.first, expected.first) < 1e-11);
      }
      const auto found = solve(pattern, {spec.tolerance, spec.max_iterations});
      CHECK(found.second == tetrawave::fem::IterationEnd::converged);
      CHECK(distance(found.first, solve(plain, {spec.tolerance, spec.max_iterations}).first) < 1e-9);
    }
}

/// A limit of iterations ends with the message of the host's cores.
inline void compare_failures(const Grid& grid, const DevicePointer& device) {
  const CsrPattern pattern = make_pattern(grid);
  auto spec = make_iteration_spec(tetrawave::Preconditioner::jacobi, true, tetrawave::MatrixFormat::csr);
  spec.max_iterations = 5;
  const auto run = [&](const DevicePointer& on) {
    return catch_failure([&] { (void)solve_systems<Complex>(grid, pattern, spec, 1, on); });
  };
  const Failure on_host = run(nullptr), on_device = run(device);
  CHECK(on_host.code == tetrawave::ExitCode::unstable);
  CHECK(on_device.code == on_host.code);
  CHECK(on_host.text.find("has not converged in 5 iterations") != std::string::npos);
  CHECK(on_device.text == on_host.text);
}

}  // namespace tetrawave_tests
