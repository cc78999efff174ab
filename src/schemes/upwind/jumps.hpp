// The energy that the flux of DGTD-Upwind takes from jumps between elements (theory/upwind#the-energy-of-jumps).
#pragma once

#include <vector>

#include "base/constants.hpp"
#include "march/elements/element_system.hpp"
#include "march/interface/state.hpp"
#include "schemes/upwind/faces_on_device.hpp"
#include "schemes/upwind/jumps_kernel.hpp"

namespace tetrawave::march {

/// Sums it per element over a run, from samples every few steps.
template <class Backend, class S>
class JumpEnergy {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// `kinds`: of the faces of all slots; `faces`: their factors. Both fields of `system` are in the problem's numbers.
  JumpEnergy(Backend& backend, ElementSystem<Backend, S>& system, const Buffer<std::int32_t>& kinds,
             const UpwindFaces& faces)
      : system_(system), kinds_(kinds), factors_(backend, 4 * faces.coefficients.size()), taken_(backend, slots()) {
    std::vector<S> numbers;
    for (const auto& face : faces.coefficients)
      for (const double c : schemes::jump_factors(face)) numbers.push_back(static_cast<S>(c));
    factors_.upload(numbers);
  }

  void begin(double dt_m, std::int64_t every) {
    dt_m_ = dt_m;
    every_ = every;
    taken_.clear();
  }
  /// A sample stands for the steps around it.
  [[nodiscard]] bool is_due(std::int64_t step) const { return every_ > 0 && step % every_ == every_ / 2; }

  /// Queues a sample of some blocks, whose neighbours are up to date.
  void add(const Buffer<S>& electric, const Buffer<S>& magnetic, BlockRange range, Space space) {
    const kernels::UpwindJumps<S> kernel{system_.view(),
                                         electric.data(),
                                         magnetic.data(),
                                         kinds_.data(),
                                         factors_.data(),
                                         taken_.data(),
                                         static_cast<S>(static_cast<double>(every_) * dt_m_)};
    system_.backend().for_blocks(space, kernel, range.first, range.count);
  }

  /// So far, on all ranks [J]. Collective.
  [[nodiscard]] double joules() { return eps0_f_per_m * system_.sum(taken_); }

  void register_state(StateRegistry& registry) {
    const auto place = [this](LocalIndex e) { return system_.layout().at(system_.layout().slot(e), 1, 0); };
    registry.add(ElementState{"jumps", 1, sizeof(S) == sizeof(float),
                              [this, place] {
                                const std::vector<S> all = taken_.download();
                                std::vector<S> rows;
                                for (LocalIndex e = 0; e < system_.layout().elements; ++e)
                                  rows.push_back(all[place(e)]);
                                return ElementValues(rows);
                              },
                              [this, place](const ElementValues& values) {
                                const auto& rows = std::get<std::vector<S>>(values);
                                std::vector<S> all(slots(), S(0));
                                for (std::size_t e = 0; e < rows.size(); ++e)
                                  all[place(static_cast<LocalIndex>(e))] = rows[e];
                                taken_.upload(all);
                              }});
  }

 private:
  [[nodiscard]] std::size_t slots() const {
    return static_cast<std::size_t>(system_.layout().blocks * system_.layout().lanes);
  }

  ElementSystem<Backend, S>& system_;
  const Buffer<std::int32_t>& kinds_;
  Buffer<S> factors_;  ///< 4 per kind
  Buffer<S> taken_;    ///< per slot
  double dt_m_ = 0;
  std::int64_t every_ = 0;
};

}  // namespace tetrawave::march
