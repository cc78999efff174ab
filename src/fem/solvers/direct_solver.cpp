#include "fem/solvers/direct_solver.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <type_traits>

#include "base/error.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/solvers/mumps_solver.hpp"

namespace tetrawave::fem {

namespace {

/// The matrix of all ranks' elements on the first rank.
template <class T>
class JoinedMatrix {
 public:
  /// Collective. `rows` must outlive it.
  JoinedMatrix(const CsrPattern& elements, const SharedRows& rows) : rows_(rows) {
    using Place = std::array<std::int32_t, 2>;
    std::vector<Place> places;
    for (std::size_t i = 0; i < rows.number.size(); ++i)
      for (auto k = static_cast<std::size_t>(elements.first[i]); k < static_cast<std::size_t>(elements.first[i + 1]);
           ++k)
        places.push_back({rows.number[i], rows.number[static_cast<std::size_t>(elements.column[k])]});
    places = rows.ranks.gather(std::span<const Place>(places));
    if (rows.ranks.rank() != 0) return;
    std::vector<Place> sorted = places;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    pattern_.first.assign(static_cast<std::size_t>(rows.total()) + 1, 0);
    for (const auto& [row, column] : sorted) {
      pattern_.column.push_back(column);
      ++pattern_.first[static_cast<std::size_t>(row) + 1];
    }
    std::partial_sum(pattern_.first.begin(), pattern_.first.end(), pattern_.first.begin());
    for (const Place& place : places)
      target_.push_back(std::lower_bound(sorted.begin(), sorted.end(), place) - sorted.begin());
    matrix_.pattern = &pattern_;
  }

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
  const CsrMatrix<T>& join(const CsrMatrix<T>& elements) {
    const std::vector<T> values = rows_.ranks.gather(std::span<const T>(elements.values));
    matrix_.values.assign(pattern_.column.size(), T(0));
    for (std::size_t k = 0; k < values.size(); ++k) matrix_.values[static_cast<std::size_t>(target_[k])] += values[k];
    return matrix_;
  }

 private:
  const SharedRows& rows_;
  CsrPattern pattern_;
  CsrMatrix<T> matrix_;
  std::vector<std::int64_t> target_;
};

/// A device of the first rank; the others wait for it. Of shared rows it gets the whole matrix.
template <class T>
class DeviceOfFirstRank : public DirectSolver<T> {
 public:
  DeviceOfFirstRank(FactorRequest request, const FactorDevice& device, comm::Communicator ranks)
      : ranks_(std::move(ranks)), shared_(request.shared) {
    if (shared_ != nullptr) {
      joined_.emplace(*request.pattern, *shared_);
      request.pattern = &joined_->pattern();
    }
    at_first([&] {
      if constexpr (std::is_same_v<T, double>)
        own_ = device.make_real(request);
      else
        own_ = device.make_complex(request);
    });
  }

  FactorPlan analyse() override {
    FactorPlan plan;
    at_first([&] { plan = own_->analyse(); });
    return plan;
  }
  void begin_analysis() override {
    if (ranks_.size() == 1) own_->begin_analysis();
  }
  void factorise(const CsrMatrix<T>& matrix) override {
    const CsrMatrix<T>& whole = joined_ ? joined_->join(matrix) : matrix;
    at_first([&] { own_->factorise(whole); });
  }
  void solve(std::vector<T>& columns, std::int32_t count) override {
    if (shared_ == nullptr) return at_first([&] { own_->solve(columns, count); });
    std::vector<T> whole;
    const auto own = static_cast<std::ptrdiff_t>(shared_->own());
    for (std::int32_t c = 0; c < count; ++c) {
      const std::vector<T> column = ranks_.gather(
          std::span<const T>(columns).subspan(static_cast<std::size_t>(c) * shared_->own(), shared_->own()));
      whole.insert(whole.end(), column.begin(), column.end());
    }
    at_first([&] { own_->solve(whole, count); });
    ranks_.broadcast(whole);
    for (std::int32_t c = 0; c < count; ++c)
      std::copy_n(whole.begin() + std::ptrdiff_t{c} * shared_->total() + shared_->begin(), own,
                  columns.begin() + c * own);
  }
  [[nodiscard]] bool is_resident() const override { return ranks_.size() == 1 && own_->is_resident(); }
  void solve_resident(const T* sides, T* solutions, std::int32_t count) override {
    own_->solve_resident(sides, solutions, count);
  }
  [[nodiscard]] std::optional<std::int64_t> negative_pivots() const override {
    return own_ ? own_->negative_pivots() : std::nullopt;
  }
  [[nodiscard]] std::int64_t bytes() const override { return own_ ? own_->bytes() : 0; }
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds() const override {
    return own_ ? own_->seconds() : std::vector<std::pair<std::string, double>>{};
  }

 private:
  template <class Work>
  void at_first(const Work& work) {
    ranks_.agree([&] {
      if (ranks_.rank() == 0) work();
    });
  }

  comm::Communicator ranks_;
  const SharedRows* shared_;
  std::optional<JoinedMatrix<T>> joined_;
  std::unique_ptr<DirectSolver<T>> own_;
};

}  // namespace

std::string SolverMachine::direct_solver() const {
  return factor_device ? factor_device->name() : describe_direct_solver();
}

std::string SolverMachine::iterates_on() const { return iteration_device ? iteration_device->name() : ""; }

template <class T>
std::unique_ptr<DirectSolver<T>> make_direct_solver(const FactorRequest& request, const SolverMachine& machine,
                                                    const comm::Communicator& ranks) {
  if (machine.factor_device) return std::make_unique<DeviceOfFirstRank<T>>(request, *machine.factor_device, ranks);
  return make_mumps_solver<T>(request, ranks);
}

template <class T>
void check_factors(double residual, double tolerance) {
  constexpr double acceptable = 1e-6;  // far above rounding
  if (residual <= std::max(acceptable, tolerance)) return;
  fail(ExitCode::unstable, "the direct solver leaves a relative residual of {:.3g}: the matrix is nearly singular. {}",
       residual,
       std::is_same_v<T, Complex>
           ? "Either a resonance without losses lies at this frequency, or elements are so small a part of a "
             "wavelength that 16 digits do not suffice: take a higher frequency"
           : "Move eigenmode.target nearer to the resonances, or take shorter time steps");
}

template void check_factors<double>(double, double);
template void check_factors<Complex>(double, double);
template std::unique_ptr<DirectSolver<double>> make_direct_solver(const FactorRequest&, const SolverMachine&,
                                                                  const comm::Communicator&);
template std::unique_ptr<DirectSolver<Complex>> make_direct_solver(const FactorRequest&, const SolverMachine&,
                                                                   const comm::Communicator&);

}  // namespace tetrawave::fem
