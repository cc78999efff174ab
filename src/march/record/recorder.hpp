// Functionals of the fields (probes, port projections) recorded on the device at every step.
#pragma once

#include <utility>
#include <vector>

#include "march/elements/element_system.hpp"

namespace tetrawave::march {

/// Rows of the ring on the device for this number of functionals.
inline std::int64_t ring_rows(std::int64_t columns) {
  constexpr std::int64_t most = 4096;
  constexpr std::int64_t bytes = 32 << 20;
  return std::clamp<std::int64_t>(bytes / (16 * std::max<std::int64_t>(columns, 1)), 16, most);
}

/// The functionals of one field on the device.
template <class Backend>
struct DeviceFunctionals {
  std::int64_t count;
  typename Backend::template Buffer<std::int64_t> first_item;
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<double> weight;

  template <class Layout>
  DeviceFunctionals(Backend& backend, const std::vector<Functional>& functionals, const Layout& layout)
      : count(static_cast<std::int64_t>(functionals.size())),
        first_item(backend, functionals.size() + 1),
        element(backend, item_count(functionals)),
        weight(backend, weight_count(functionals)) {
    std::vector<std::int64_t> first{0};
    std::vector<std::int32_t> elements;
    std::vector<double> weights;
    for (const Functional& functional : functionals) {
      for (const auto& item : functional.items) {
        elements.push_back(layout.slot(item.element));
        weights.insert(weights.end(), item.weight.begin(), item.weight.end());
      }
      first.push_back(static_cast<std::int64_t>(elements.size()));
    }
    first_item.upload(first);
    element.upload(elements);
    weight.upload(weights);
  }

 private:
  static std::size_t item_count(const std::vector<Functional>& functionals) {
    std::size_t count = 0;
    for (const auto& functional : functionals) count += functional.items.size();
    return count;
  }
  static std::size_t weight_count(const std::vector<Functional>& functionals) {
    std::size_t count = 0;
    for (const auto& functional : functionals)
      for (const auto& item : functional.items) count += item.weight.size();
    return count;
  }
};

/// The present values of functionals, as (high, low) each.
template <class S, class Backend>
void sample_functionals(Backend& backend, const DeviceFunctionals<Backend>& functionals, const S* field, int dofs,
                        double* values, const typename Backend::template Buffer<std::int64_t>& step) {
  kernels::Sample<S> kernel;
  kernel.field = field;
  kernel.dofs = dofs;
  kernel.first_item = functionals.first_item.data();
  kernel.element = functionals.element.data();
  kernel.weight = functionals.weight.data();
  kernel.history = values;
  kernel.rows = 1;
  kernel.columns = functionals.count;
  kernel.step = step.data();
  backend.for_teams(kernel, functionals.count);
}

/// Functionals of the rate of H, with items scaled by the ratio of their level's step to that of the time loop; none if
/// they are not needed (Problem::records_rates).
inline std::vector<Functional> functionals_of_rates(const Problem& problem) {
  if (!problem.records_rates()) return {};
  std::vector<Functional> functionals = problem.magnetic;
  for (Functional& functional : functionals)
    for (Functional::Item& item : functional.items)
      for (double& weight : item.weight) weight = problem.classes.step_of(problem.classes.of(item.element), weight);
  return functionals;
}

/// A ring of `rows` rows on the device, and the rows copied from it.
template <class Backend, class S>
class Recorder {
 public:
  template <class Layout>
  Recorder(Backend& backend, const Problem& problem, const Layout& layout, int dofs)
      : backend_(backend),
        dofs_(dofs),
        electric_(backend, problem.electric, layout),
        magnetic_(backend, problem.magnetic, layout),
        rates_(backend, functionals_of_rates(problem), layout),
        columns_(electric_.count + magnetic_.count),
        rows_(ring_rows(columns_)),
        history_(backend, static_cast<std::size_t>(2 * rows_ * columns_)) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }

  /// `share` of the functionals, replacing the contents of the row or adding to it (`adds`).
  void sample_electric(const S* field, const std::int64_t* step) { sample(electric_, field, 0, step, 1, false); }
  void sample_magnetic(const S* field, const std::int64_t* step, double share = 1, bool adds = false) {
    sample(magnetic_, field, electric_.count, step, share, adds);
  }
  /// Adds `share` times the functionals of the rate of H, each element with the step of its level.
  void add_rate(const S* rate, const std::int64_t* step, double share) {
    sample(rates_, rate, electric_.count, step, share, true);
  }

  /// Copies rows [first, last) from the ring (at most rows()). Rows copied earlier must have been added.
  void take(std::int64_t first, std::int64_t last) {
    const std::int64_t width = 2 * columns_;
    for (std::int64_t step = first, count = 0; columns_ > 0 && step < last; step += count) {
      count = std::min(last - step, rows_ - step % rows_);
      const auto part =
          history_.download(static_cast<std::size_t>(step % rows_ * width), static_cast<std::size_t>(count * width));
      taken_.insert(taken_.end(), part.begin(), part.end());
    }
  }

  /// Appends the copied rows to `values`: electric functionals of a row, then magnetic ones, summed over the ranks; on
  /// rank 0 only. Collective.
  void add_taken(std::vector<double>& values, const comm::Communicator& ranks) {
    if (taken_.empty()) return;
    const std::vector<double> sums = sum_over_ranks(std::exchange(taken_, {}), ranks);
    values.insert(values.end(), sums.begin(), sums.end());
  }

  /// Rows copied and not added belong to an abandoned run.
  void forget() { taken_.clear(); }

 private:
  void sample(const DeviceFunctionals<Backend>& functionals, const S* field, std::int64_t first_column,
              const std::int64_t* step, double share, bool adds) {
    if (functionals.count == 0) return;
    kernels::Sample<S> kernel;
    kernel.field = field;
    kernel.dofs = dofs_;
    kernel.first_item = functionals.first_item.data();
    kernel.element = functionals.element.data();
    kernel.weight = functionals.weight.data();
    kernel.history = history_.data();
    kernel.rows = rows_;
    kernel.columns = columns_;
    kernel.first_column = first_column;
    kernel.step = step;
    kernel.share = share;
    kernel.adds = adds;
    backend_.for_teams(kernel, functionals.count);
  }

  static std::vector<double> sum_over_ranks(const std::vector<double>& mine, const comm::Communicator& ranks) {
    const std::vector<double> all = ranks.gather(std::span<const double>(mine));
    if (ranks.rank() != 0) return {};
    std::vector<double> result(mine.size() / 2);
    for (std::size_t i = 0; i < result.size(); ++i) {
      kernels::TwoSum sum;
      for (std::size_t r = 0; r < all.size() / mine.size(); ++r)
        sum.add(kernels::TwoSum{all[r * mine.size() + 2 * i], all[r * mine.size() + 2 * i + 1]});
      result[i] = sum.high + sum.low;
    }
    return result;
  }

  Backend& backend_;
  int dofs_;
  DeviceFunctionals<Backend> electric_;
  DeviceFunctionals<Backend> magnetic_;
  DeviceFunctionals<Backend> rates_;
  std::int64_t columns_;
  std::int64_t rows_;
  typename Backend::template Buffer<double> history_;
  std::vector<double> taken_;  ///< values of this rank
};

}  // namespace tetrawave::march
