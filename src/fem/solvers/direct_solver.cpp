#include "fem/solvers/direct_solver.hpp"

#include <type_traits>

#include "fem/solvers/iterative_solver.hpp"
#include "fem/solvers/mumps_solver.hpp"

namespace tetrawave::fem {

namespace {

/// A device of the first rank; the others wait for it.
template <class T>
class DeviceOfFirstRank : public DirectSolver<T> {
 public:
  DeviceOfFirstRank(const FactorRequest& request, const FactorDevice& device, comm::Communicator ranks)
      : ranks_(std::move(ranks)) {
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
  void factorise(const CsrMatrix<T>& matrix) override {
    at_first([&] { own_->factorise(matrix); });
  }
  void solve(std::vector<T>& columns, std::int32_t count) override {
    at_first([&] { own_->solve(columns, count); });
  }
  [[nodiscard]] bool is_resident() const override { return ranks_.size() == 1 && own_->is_resident(); }
  void solve_resident(const T* side, T* solution) override { own_->solve_resident(side, solution); }
  [[nodiscard]] std::optional<std::int64_t> negative_pivots() const override {
    return own_ ? own_->negative_pivots() : std::nullopt;
  }
  [[nodiscard]] std::int64_t bytes() const override { return own_ ? own_->bytes() : 0; }

 private:
  template <class Work>
  void at_first(const Work& work) {
    ranks_.agree([&] {
      if (ranks_.rank() == 0) work();
    });
  }

  comm::Communicator ranks_;
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

template std::unique_ptr<DirectSolver<double>> make_direct_solver(const FactorRequest&, const SolverMachine&,
                                                                  const comm::Communicator&);
template std::unique_ptr<DirectSolver<Complex>> make_direct_solver(const FactorRequest&, const SolverMachine&,
                                                                   const comm::Communicator&);

}  // namespace tetrawave::fem
