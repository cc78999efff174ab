// p-multigrid on a device (theory/preconditioners, theory/iterations-on-gpus): sweeps colour by colour, and the
// subspace by the direct solver of that device, or of the host.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fem/device/as_numbers.hpp"
#include "fem/device/direct_on_device.hpp"
#include "fem/device/kernel_list.hpp"
#include "fem/device/row_orders.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/sparse/galerkin_product.hpp"

namespace tetrawave::fem::device {

/// Of one right-hand side at a time.
template <class Backend, class T>
class DeviceMultigrid {
 public:
  using N = NumberOf<T>;
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;
  using State = IterationState<N>;

  /// What the request names outlives it.
  DeviceMultigrid(Backend& backend, const IterationRequest& request)
      : backend_(backend),
        rows_(request.pattern->rows()),
        columns_(request.coarse->columns),
        relaxation_(request.relaxation),
        galerkin_(*request.pattern, *request.coarse),
        diagonal_(find_diagonal(*request.pattern)),
        swept_(find_swept(galerkin_.transposed())),
        colours_(find_colours(*request.pattern, swept_)),
        order_(backend, colours_.order),
        first_(backend, colours_.first),
        forward_(backend, split_by_colour(*request.pattern, colours_, true)),
        backward_(backend, split_by_colour(*request.pattern, colours_, false)),
        to_fine_(backend, *request.coarse),
        to_coarse_(backend, galerkin_.transposed()),
        inverse_(backend, diagonal_.size()),
        mask_(backend, as_numbers<T>(std::vector<T>(swept_.begin(), swept_.end()))),
        side_(backend, static_cast<std::size_t>(columns_)),
        solution_(backend, static_cast<std::size_t>(columns_)) {
    for (std::size_t colour = colours_.first.size() - 1; colour-- > 0;)
      for (std::int32_t k = colours_.first[colour]; k < colours_.first[colour + 1]; ++k)
        reversed_.order.push_back(colours_.order[static_cast<std::size_t>(k)]);
    for (const std::int32_t first : colours_.first) reversed_.first.push_back(colours_.first.back() - first);
    std::reverse(reversed_.first.begin(), reversed_.first.end());
    order_reversed_.emplace(backend, reversed_.order);
    first_reversed_.emplace(backend, reversed_.first);
    if (columns_ == 0) return;
    solver_.emplace(backend, galerkin_.pattern(), request.factors);
  }

  void set_matrix(const CsrMatrix<T>& matrix) {
    inverse_.upload(as_numbers<T>(invert_diagonal(matrix, diagonal_)));
    // Of the second sweep: what a relaxed unknown keeps of itself is on the diagonal.
    forward_.set_values(matrix.values, diagonal_, 1 - 1 / relaxation_);
    backward_.set_values(matrix.values, diagonal_, 0);
    if (solver_) solver_->factorise(galerkin_.multiply(matrix));
  }

  /// y = M^-1 x, with a vector for work. `matrix`: rows of the whole matrix.
  template <class Matrix>
  void apply(const Matrix& matrix, N* x, N* y, N* work, const State* state) {
    const double w = relaxation_;
    backend_.rows(rows_, ScaleRows<N, 1>{mask_.data(), x, y, state});
    sweep(colours_, order_, first_,
          {forward_.without_last(), nullptr, y, x, y, inverse_.data(), w, w, true, false, state});
    if (solver_) {
      backend_.rows(rows_, SweepRows<N, 1, Matrix>{matrix, nullptr, y, x, work, nullptr, 1, 1, false, false, state});
      backend_.rows(columns_,
                    Product{to_coarse_.rows(), nullptr, work, work, side_.data(), nullptr, 0, -1, false, false, state});
      solver_->solve(side_, solution_, 1);
      backend_.rows(rows_,
                    Product{to_fine_.rows(), nullptr, solution_.data(), y, y, nullptr, 1, -1, false, false, state});
    }
    backend_.rows(rows_, Part{forward_.all(), nullptr, y, x, work, nullptr, 1, 1, false, false, state});
    sweep(reversed_, *order_reversed_, *first_reversed_,
          {backward_.without_last(), nullptr, y, work, y, inverse_.data(), w, w, true, false, state});
  }

  [[nodiscard]] std::int64_t bytes() const { return galerkin_.bytes() + (solver_ ? solver_->bytes() : 0); }

 private:
  using Part = SweepRows<N, 1, PartOfRows<N>>;
  using Product = SweepRows<N, 1, WholeRows<N>>;

  /// Entries of the swept rows on one side of the diagonal, in the order of colours, and the diagonal's as the last.
  class Triangle {
   public:
    Triangle(Backend& backend, ColourPart part)
        : first_(backend, part.first),
          last_(backend, part.last),
          column_(backend, part.column),
          values_(backend, part.source.size()),
          source_(std::move(part.source)) {}
    void set_values(std::span<const T> values, const std::vector<std::int64_t>& diagonal, double of_diagonal) {
      std::vector<T> own(source_.size());
      for (std::size_t k = 0; k < own.size(); ++k)
        own[k] =
            source_[k] >= 0
                ? values[static_cast<std::size_t>(source_[k])]
                : of_diagonal * values[static_cast<std::size_t>(diagonal[static_cast<std::size_t>(-1 - source_[k])])];
      values_.upload(as_numbers<T>(own));
    }
    [[nodiscard]] PartOfRows<N> without_last() const {
      return {first_.data(), last_.data(), column_.data(), values_.data(), 0};
    }
    [[nodiscard]] PartOfRows<N> all() const {
      return {first_.data(), first_.data() + 1, column_.data(), values_.data(), 0};
    }

   private:
    Buffer<std::int64_t> first_, last_;
    Buffer<std::int32_t> column_;
    Buffer<N> values_;
    std::vector<std::int64_t> source_;
  };

  class Transfer {
   public:
    Transfer(Backend& backend, const Subspace& subspace)
        : first_(backend, subspace.first),
          column_(backend, subspace.column),
          values_(backend, as_numbers<T>(std::vector<T>(subspace.value.begin(), subspace.value.end()))) {}
    [[nodiscard]] WholeRows<N> rows() const {
      return {first_.data(), first_.data() + 1, column_.data(), values_.data(), 0};
    }

   private:
    Buffer<std::int64_t> first_;
    Buffer<std::int32_t> column_;
    Buffer<N> values_;
  };

  void sweep(const Levels& colours, const Buffer<std::int32_t>& order, const Buffer<std::int32_t>& first, Part kernel) {
    kernel.order = order.data();
    backend_.levels(colours.first, kernel, first.data());
  }

  Backend& backend_;
  std::int32_t rows_, columns_;
  double relaxation_;
  GalerkinProduct galerkin_;
  std::vector<std::int64_t> diagonal_;
  std::vector<bool> swept_;
  Levels colours_, reversed_;
  Buffer<std::int32_t> order_, first_;
  std::optional<Buffer<std::int32_t>> order_reversed_, first_reversed_;
  Triangle forward_, backward_;
  Transfer to_fine_, to_coarse_;
  Buffer<N> inverse_, mask_, side_, solution_;
  std::optional<DirectOnDevice<Backend, T>> solver_;
};

}  // namespace tetrawave::fem::device
