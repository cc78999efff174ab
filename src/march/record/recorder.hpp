// Functionals of the fields (probes, port projections) recorded on the device at every step.
#pragma once

#include <array>
#include <optional>
#include <span>
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

/// Which of the functionals have elements on this rank.
inline std::vector<std::int32_t> find_own(const std::vector<Functional>& functionals) {
  std::vector<std::int32_t> own;
  for (std::size_t f = 0; f < functionals.size(); ++f)
    if (!functionals[f].items.empty()) own.push_back(static_cast<std::int32_t>(f));
  return own;
}

/// The functionals of one field on the device; with `only_own` those of `find_own`.
template <class Backend>
struct DeviceFunctionals {
  std::int64_t count;
  typename Backend::template Buffer<std::int64_t> first_item;
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<double> weight;

  template <class Layout>
  DeviceFunctionals(Backend& backend, const std::vector<Functional>& functionals, const Layout& layout,
                    bool only_own = false)
      : DeviceFunctionals(backend, Lists(functionals, layout, only_own)) {}

 private:
  struct Lists {
    std::vector<std::int64_t> first{0};
    std::vector<std::int32_t> element;
    std::vector<double> weight;
    template <class Layout>
    Lists(const std::vector<Functional>& functionals, const Layout& layout, bool only_own) {
      for (const Functional& functional : functionals) {
        if (only_own && functional.items.empty()) continue;
        for (const auto& item : functional.items) {
          element.push_back(layout.slot(item.element));
          weight.insert(weight.end(), item.weight.begin(), item.weight.end());
        }
        first.push_back(static_cast<std::int64_t>(element.size()));
      }
    }
  };
  DeviceFunctionals(Backend& backend, const Lists& lists)
      : count(static_cast<std::int64_t>(lists.first.size()) - 1),
        first_item(backend, lists.first),
        element(backend, lists.element),
        weight(backend, lists.weight) {}
};

/// The values of functionals times `share`, as (high, low) each, in a ring of rows.
template <class S, class Backend>
kernels::Sample<S> sample_of(const DeviceFunctionals<Backend>& functionals, const S* field, int dofs, double* history,
                             const std::int64_t* step, double share) {
  kernels::Sample<S> kernel;
  kernel.field = field;
  kernel.dofs = dofs;
  kernel.first_item = functionals.first_item.data();
  kernel.element = functionals.element.data();
  kernel.weight = functionals.weight.data();
  kernel.history = history;
  kernel.rows = 1;
  kernel.columns = functionals.count;
  kernel.step = step;
  kernel.share = share;
  return kernel;
}
/// The present ones.
template <class S, class Backend>
void sample_functionals(Backend& backend, const DeviceFunctionals<Backend>& functionals, const S* field, int dofs,
                        double* values, const std::int64_t* step, double share = 1) {
  backend.for_teams(sample_of(functionals, field, dofs, values, step, share), functionals.count);
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

/// A ring of `rows` rows on the device, and the rows copied from it. A rank records the functionals that have elements
/// there.
template <class Backend, class S>
class Recorder {
 public:
  template <class Layout>
  Recorder(Backend& backend, const Problem& problem, const Layout& layout, int dofs)
      : backend_(backend),
        dofs_(dofs),
        electric_(backend, problem.electric, layout, true),
        magnetic_(backend, problem.magnetic, layout, true),
        rates_(backend, functionals_of_rates(problem), layout, true),
        columns_(static_cast<std::int64_t>(problem.electric.size() + problem.magnetic.size())),
        own_columns_(find_own(problem.electric)),
        rows_(ring_rows(columns_)) {
    for (const std::int32_t f : find_own(problem.magnetic))
      own_columns_.push_back(static_cast<std::int32_t>(problem.electric.size()) + f);
    history_.emplace(backend, 2 * static_cast<std::size_t>(rows_) * own_columns_.size());
  }

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
    const std::int64_t width = 2 * static_cast<std::int64_t>(own_columns_.size());
    taken_rows_ += last - first;
    for (std::int64_t step = first, count = 0; width > 0 && step < last; step += count) {
      count = std::min(last - step, rows_ - step % rows_);
      const auto part =
          history_->download(static_cast<std::size_t>(step % rows_ * width), static_cast<std::size_t>(count * width));
      taken_.insert(taken_.end(), part.begin(), part.end());
    }
  }

  /// Appends the copied rows to `values`: electric functionals of a row, then magnetic ones, summed over the ranks; on
  /// rank 0 only. Collective.
  void add_taken(std::vector<double>& values, const comm::Communicator& ranks) {
    const auto rows = static_cast<std::size_t>(std::exchange(taken_rows_, 0));
    if (rows == 0 || columns_ == 0) return;
    if (!columns_of_ranks_) {
      columns_of_ranks_ = ranks.gather(std::span<const std::int32_t>(own_columns_));
      columns_per_rank_ = ranks.gather(std::span<const std::size_t>(std::array{own_columns_.size()}));
    }
    const std::vector<double> mine = std::exchange(taken_, {});
    if (ranks.size() == 1) return sum_ranks(mine, rows, values);
    const std::vector<double> all = ranks.gather(std::span<const double>(mine));
    if (ranks.rank() == 0) sum_ranks(all, rows, values);
  }

  /// Rows copied and not added belong to an abandoned run.
  void forget() {
    taken_.clear();
    taken_rows_ = 0;
  }

 private:
  void sample(const DeviceFunctionals<Backend>& functionals, const S* field, std::int64_t first_column,
              const std::int64_t* step, double share, bool adds) {
    if (functionals.count == 0) return;
    auto kernel = sample_of(functionals, field, dofs_, history_->data(), step, share);
    kernel.rows = rows_;
    kernel.columns = static_cast<std::int64_t>(own_columns_.size());
    kernel.first_column = first_column;
    kernel.adds = adds;
    backend_.for_teams(kernel, functionals.count);
  }

  /// Appends `rows` rows: of each functional, the sum over the ranks that have elements of it, in their order. `all`:
  /// the rows of one rank after those of the other.
  void sum_ranks(const std::vector<double>& all, std::size_t rows, std::vector<double>& values) const {
    const auto columns = static_cast<std::size_t>(columns_);
    std::vector<kernels::TwoSum> sums(columns);
    const std::size_t begin = values.size();
    values.resize(begin + rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
      std::fill(sums.begin(), sums.end(), kernels::TwoSum{});
      const double* of_rank = all.data();
      const std::int32_t* column = columns_of_ranks_->data();
      for (const std::size_t count : columns_per_rank_) {
        const double* value = of_rank + 2 * row * count;
        for (std::size_t k = 0; k < count; ++k, ++column)
          sums[static_cast<std::size_t>(*column)].add(kernels::TwoSum{value[2 * k], value[2 * k + 1]});
        of_rank += 2 * rows * count;
      }
      for (std::size_t f = 0; f < columns; ++f) values[begin + row * columns + f] = sums[f].high + sums[f].low;
    }
  }

  Backend& backend_;
  int dofs_;
  DeviceFunctionals<Backend> electric_;
  DeviceFunctionals<Backend> magnetic_;
  DeviceFunctionals<Backend> rates_;
  std::int64_t columns_;                   ///< functionals of both fields
  std::vector<std::int32_t> own_columns_;  ///< those recorded on this rank
  std::int64_t rows_;
  std::optional<typename Backend::template Buffer<double>> history_;
  std::vector<double> taken_;  ///< values of this rank, of `taken_rows_` rows
  std::int64_t taken_rows_ = 0;
  std::optional<std::vector<std::int32_t>> columns_of_ranks_;  ///< own columns of all ranks, on rank 0
  std::vector<std::size_t> columns_per_rank_;                  ///< on rank 0
};

}  // namespace tetrawave::march
