// A direct solver for vectors of a device: that of the device, or that of the host.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "fem/device/as_numbers.hpp"
#include "fem/solvers/direct_solver.hpp"

namespace tetrawave::fem::device {

template <class Backend, class T>
class DirectOnDevice {
 public:
  using Buffer = typename Backend::template Buffer<NumberOf<T>>;

  /// The pattern outlives it. `factors`: nullptr: MUMPS.
  DirectOnDevice(Backend& backend, const CsrPattern& pattern, std::shared_ptr<const FactorDevice> factors)
      : backend_(backend),
        rows_(static_cast<std::size_t>(pattern.rows())),
        solver_(make_direct_solver<T>({&pattern, MatrixKind::symmetric}, SolverMachine(1, std::move(factors)),
                                      comm::Communicator::self())) {}

  void factorise(const CsrMatrix<T>& matrix) { solver_->factorise(matrix); }

  /// Of the first `count` columns.
  void solve(const Buffer& sides, Buffer& solutions, std::int32_t count) {
    backend_.synchronize();
    if (solver_->is_resident()) {
      solver_->solve_resident(reinterpret_cast<const T*>(sides.data()), reinterpret_cast<T*>(solutions.data()), count);
      return;
    }
    const auto side = sides.download(0, rows_ * static_cast<std::size_t>(count));
    columns_.resize(side.size());
    std::copy_n(reinterpret_cast<const T*>(side.data()), side.size(), columns_.begin());
    solver_->solve(columns_, count);
    solutions.upload(as_numbers<T>(columns_));
  }

  [[nodiscard]] std::int64_t bytes() const { return solver_->bytes(); }

 private:
  Backend& backend_;
  std::size_t rows_;
  std::unique_ptr<DirectSolver<T>> solver_;
  std::vector<T> columns_;  ///< on the host
};

}  // namespace tetrawave::fem::device
