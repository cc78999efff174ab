// MUMPS in the place of a GPU's direct solver: one that takes matrices and vectors where they are, which is on the
// host.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/solvers/linear_solver.hpp"

namespace tetrawave_tests {

template <class T>
class ResidentMumps : public tetrawave::fem::DirectSolver<T> {
 public:
  ResidentMumps(const tetrawave::fem::FactorRequest& request, int& solves)
      : own_(tetrawave::fem::make_direct_solver<T>(request, tetrawave::fem::SolverMachine(1),
                                                   tetrawave::comm::Communicator::self())),
        solves_(solves) {}
  tetrawave::fem::FactorPlan analyse() override { return own_->analyse(); }
  void factorise(const tetrawave::fem::CsrMatrix<T>& matrix) override {
    rows_ = static_cast<std::size_t>(matrix.pattern->rows());
    tetrawave::fem::CsrMatrix<T> own = matrix;
    bring_to_host(own);
    own_->factorise(own);
  }
  void solve(std::vector<T>& columns, std::int32_t count) override { own_->solve(columns, count); }
  [[nodiscard]] bool is_resident() const override { return true; }
  void solve_resident(const T* sides, T* solutions, std::int32_t count) override {
    ++solves_;
    std::vector<T> columns(sides, sides + static_cast<std::size_t>(count) * rows_);
    own_->solve(columns, count);
    std::copy(columns.begin(), columns.end(), solutions);
  }
  [[nodiscard]] std::optional<std::int64_t> negative_pivots() const override { return {}; }
  [[nodiscard]] std::int64_t bytes() const override { return own_->bytes(); }

 private:
  std::unique_ptr<tetrawave::fem::DirectSolver<T>> own_;
  int& solves_;
  std::size_t rows_ = 0;
};

/// Counts the solutions of vectors that stay.
class ResidentDevice : public tetrawave::fem::FactorDevice {
 public:
  template <class T>
  using Solver = std::unique_ptr<tetrawave::fem::DirectSolver<T>>;

  [[nodiscard]] Solver<double> make_real(const tetrawave::fem::FactorRequest& request) const override {
    return std::make_unique<ResidentMumps<double>>(request, solves);
  }
  [[nodiscard]] Solver<tetrawave::fem::Complex> make_complex(
      const tetrawave::fem::FactorRequest& request) const override {
    return std::make_unique<ResidentMumps<tetrawave::fem::Complex>>(request, solves);
  }
  [[nodiscard]] std::string name() const override { return "MUMPS"; }
  mutable int solves = 0;
};

}  // namespace tetrawave_tests
