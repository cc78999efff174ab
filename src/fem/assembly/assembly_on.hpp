// Pattern and values of the global matrix of edge elements on a device. A backend gives
//   Buffer<V>(backend, count)      its memory
//   Input<V>(backend, span)        what the host has, copied or where it is
//   rows(count, kernel)            kernel of every index (fem/assembly/kernels.hpp)
//   clear(values, count)           sets them to 0
//   scan(counts, starts, count)    starts[0] = 0, starts[i + 1] = starts[i] + counts[i]
//   value_at(place), synchronize(), threads(), allocated_bytes()
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "fem/assembly/assembly_device.hpp"
#include "fem/assembly/element_tables.hpp"
#include "fem/assembly/kernels.hpp"
#include "fem/edge/edge_element.hpp"
#include "fem/sparse/solver_options.hpp"

namespace tetrawave::fem::device {

template <class Backend>
class AssemblyOn {
 public:
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;
  template <class V>
  using Input = typename Backend::template Input<V>;

  /// `walls`: the faces with terms. The backend must outlive it, and on a CPU space and shapes too.
  AssemblyOn(Backend& backend, const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
             AssemblyMethod method)
      : backend_(backend),
        rows_(space.unknowns),
        elements_(static_cast<std::int32_t>(space.element_count())),
        functions_(static_cast<std::int32_t>(space.functions)),
        method_(method),
        tables_(space.space),
        curved_lists_(shapes),
        wall_lists_(space, shapes, walls, backend.threads()),
        unknown_(backend, space.unknown),
        corners_(backend, std::span(shapes.corners.empty() ? nullptr : shapes.corners.front().front().data(),
                                    shapes.corners.size() * 12)),
        table_(backend, tables_.straight),
        vertices_(backend, tables_.vertices),
        on_face_(backend, tables_.on_face),
        first_wall_(backend, wall_lists_.first),
        wall_number_(backend, wall_lists_.number),
        wall_face_(backend, wall_lists_.face),
        wall_entries_(backend, wall_lists_.entries) {
    if (!curved_lists_.element.empty()) curved_.emplace(backend, space.space, curved_lists_);
    if (method == AssemblyMethod::by_dof && !shapes.copies.empty())
      shared_.emplace(backend, MatrixLists(shapes, wall_lists_));
    backend_.synchronize();
    figures_.seconds_input = watch_.lap();
    make_pattern();
    backend_.synchronize();
    figures_.seconds_pattern = watch_.lap();
  }

  [[nodiscard]] std::int32_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }
  [[nodiscard]] const Buffer<std::int64_t>& first() const { return *first_; }
  /// It may be moved away, but must outlive this.
  [[nodiscard]] Buffer<std::int32_t>& column() { return *column_; }
  [[nodiscard]] const WallLists& walls() const { return wall_lists_; }
  [[nodiscard]] const ElementTables& tables() const { return tables_; }
  /// Positions at the centroids of the edges, faces or elements of unknowns [m]; [row][3].
  void place_unknowns(double* positions) {
    backend_.rows(rows_, PlaceUnknowns{corners_.data(), first_contribution_->data(), contributions_->data(),
                                       vertices_.data(), positions});
  }
  [[nodiscard]] const AssemblyFigures& figures() const { return figures_; }

  /// `kind`: per element, the index of its coefficients.
  void set_kinds(std::span<const std::int32_t> kind) {
    ensure(kind.size() == static_cast<std::size_t>(elements_), "an element has coefficients");
    kind_.emplace(backend_, kind);
  }

  /// `factors`: one per wall [1/m]. by_dof and by_row give the same bits on any number of threads;
  /// atomic adds in the order in which threads arrive.
  template <class T>
  void assemble(std::span<const EdgeCoefficients<T>> coefficients, std::span<const T> factors, NumberOf<T>* values) {
    using N = NumberOf<T>;
    ensure(factors.size() == wall_face_.size() && kind_, "a wall has a factor, an element a kind");
    static_assert(sizeof(EdgeCoefficients<T>) == 6 * sizeof(N));
    const Input<N> on_device(backend_,
                             std::span(reinterpret_cast<const N*>(coefficients.data()), 6 * coefficients.size()));
    const Input<N> of_walls(backend_, std::span(reinterpret_cast<const N*>(factors.data()), factors.size()));
    ElementView<N> view = this->template view<N>(on_device.data(), of_walls.data());
    std::optional<Buffer<Metric<N>>> metrics;
    if (curved_) {
      metrics.emplace(backend_, curved_->element.size() * curved_->weights.size());
      view.curved.metrics = metrics->data();
      backend_.rows(static_cast<std::int32_t>(curved_->element.size()), CurvedMetrics<N>{view});
    }
    const MatrixView<N> matrix{first_->data(), columns_, values};
    if (functions_ <= few_functions)
      run<N, narrow>(view, matrix);
    else
      run<N, wide>(view, matrix);
    note_memory();
    backend_.synchronize();  // it reads what goes now
  }
  /// Gives back the memory of element matrices, which by_dof keeps for its next assembly.
  void release() { matrices_.reset(); }

 private:
  struct OfCurved {
    OfCurved(Backend& backend, Space space, const CurvedLists& lists) : OfCurved(backend, CurvedTables(space), lists) {}
    OfCurved(Backend& backend, CurvedTables of_space, const CurvedLists& lists)
        : tables(std::move(of_space)),
          number(backend, lists.number),
          element(backend, lists.element),
          bulges(backend, lists.bulges),
          weights(backend, tables.weights),
          slopes(backend, tables.slopes),
          functions(backend, tables.functions) {}
    CurvedTables tables;
    Input<std::int32_t> number, element;
    Input<double> bulges, weights, slopes, functions;
  };
  struct Shared {
    Shared(Backend& backend, MatrixLists of_elements)
        : lists(std::move(of_elements)), number(backend, lists.number), element(backend, lists.element) {}
    MatrixLists lists;
    Input<std::int32_t> number, element;
  };

  void make_pattern() {
    const auto count = static_cast<std::size_t>(rows_);
    Buffer<std::int32_t> counts(backend_, count);
    first_contribution_.emplace(backend_, count + 1);
    backend_.clear(counts.data(), count);
    backend_.rows(elements_, CountContributions{functions_, unknown_.data(), counts.data()});
    backend_.scan(counts.data(), first_contribution_->data(), rows_);
    const auto contributions = static_cast<std::size_t>(backend_.value_at(first_contribution_->data() + rows_));
    contributions_.emplace(backend_, contributions);
    backend_.clear(counts.data(), count);
    backend_.rows(elements_, PlaceContributions{functions_, unknown_.data(), first_contribution_->data(), counts.data(),
                                                contributions_->data()});
    Buffer<std::int32_t> room(backend_, contributions * static_cast<std::size_t>(functions_));
    backend_.rows(rows_, ListColumns{functions_, unknown_.data(), first_contribution_->data(), contributions_->data(),
                                     room.data(), counts.data()});
    note_memory();
    first_.emplace(backend_, count + 1);
    backend_.scan(counts.data(), first_->data(), rows_);
    nonzeros_ = backend_.value_at(first_->data() + rows_);
    column_.emplace(backend_, static_cast<std::size_t>(nonzeros_));
    backend_.rows(rows_,
                  CopyColumns{functions_, first_contribution_->data(), room.data(), first_->data(), column_->data()});
    columns_ = column_->data();
    note_memory();
    backend_.synchronize();
  }

  void note_memory() {
    figures_.bytes = backend_.allocated_bytes();
    figures_.most_bytes = std::max(figures_.most_bytes, figures_.bytes);
  }

  template <class N>
  [[nodiscard]] ElementView<N> view(const N* coefficients, const N* factors) const {
    ElementView<N> result{functions_, unknown_.data(), corners_.data(), table_.data(), {},
                          {},         kind_->data(),   coefficients};
    result.walls = {tables_.face_functions,
                    first_wall_.data(),
                    wall_number_.data(),
                    wall_face_.data(),
                    on_face_.data(),
                    wall_entries_.data(),
                    factors};
    if (curved_)
      result.curved = {static_cast<std::int32_t>(curved_->weights.size()),
                       curved_->number.data(),
                       curved_->element.data(),
                       curved_->bulges.data(),
                       curved_->slopes.data(),
                       curved_->weights.data(),
                       curved_->functions.data(),
                       nullptr};
    return result;
  }

  template <class N, int threads>
  void run(const ElementView<N>& view, const MatrixView<N>& matrix) {
    if (method_ == AssemblyMethod::atomic) {
      backend_.clear(matrix.values, static_cast<std::size_t>(nonzeros_));
      return backend_.rows(elements_, AddElements<N, threads>{view, matrix});
    }
    StoredMatrices<N> stored;
    if (method_ == AssemblyMethod::by_dof) {
      const std::size_t count = shared_ ? shared_->element.size() : static_cast<std::size_t>(elements_);
      const std::size_t size = count * static_cast<std::size_t>(functions_ * (functions_ + 1) / 2) * parts<N>;
      if (!matrices_ || matrices_->size() < size) {
        matrices_.reset();
        matrices_.emplace(backend_, size);
      }
      stored = {shared_ ? shared_->number.data() : nullptr, shared_ ? shared_->element.data() : nullptr,
                reinterpret_cast<N*>(matrices_->data())};
      backend_.rows(static_cast<std::int32_t>(count), FindMatrices<N, threads>{view, stored});
    }
    backend_.rows(rows_,
                  AssembleRows<N, threads>{view, stored, matrix, first_contribution_->data(), contributions_->data()});
  }

  Backend& backend_;
  std::int32_t rows_, elements_, functions_;
  AssemblyMethod method_;
  Stopwatch watch_;
  ElementTables tables_;
  CurvedLists curved_lists_;
  WallLists wall_lists_;
  Input<std::int32_t> unknown_;
  Input<double> corners_, table_;
  Input<std::int32_t> vertices_, on_face_, first_wall_, wall_number_, wall_face_;
  Input<double> wall_entries_;
  std::optional<OfCurved> curved_;
  std::optional<Shared> shared_;  ///< by_dof, where copies are known
  std::optional<Input<std::int32_t>> kind_;
  std::optional<Buffer<std::int64_t>> first_contribution_;
  std::optional<Buffer<Contribution>> contributions_;  ///< of a row by ascending element
  std::optional<Buffer<std::int64_t>> first_;
  std::optional<Buffer<std::int32_t>> column_;
  const std::int32_t* columns_ = nullptr;  ///< its data
  std::int64_t nonzeros_ = 0;
  std::optional<Buffer<double>> matrices_;  ///< by_dof
  AssemblyFigures figures_;
};

}  // namespace tetrawave::fem::device
