// A matrix and its preconditioner on a device: products, and M^-1 of vectors of R right-hand sides.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fem/device/as_numbers.hpp"
#include "fem/device/device_multigrid.hpp"
#include "fem/device/kernel_list.hpp"
#include "fem/device/rank_traffic.hpp"
#include "fem/device/row_orders.hpp"
#include "fem/device/staged_copies.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/sparse/device_matrix.hpp"

namespace tetrawave::fem::device {

/// M^-1 of systems that are solved beside the iteration, on its device.
template <class Backend, class T>
class SystemsOnDevice {
 public:
  using N = NumberOf<T>;

  SystemsOnDevice(Backend& backend, ApproximateInverse<T>& inverse)
      : SystemsOnDevice(backend, inverse, inverse.systems()) {}

  /// y = M^-1 x
  void apply(const N* x, N* y) {
    backend_.rows(static_cast<std::int32_t>(places_.size()), TakeRows<N>{places_.data(), x, sides_.data()});
    backend_.synchronize();
    inverse_.solve_systems(reinterpret_cast<const T*>(sides_.data()), reinterpret_cast<T*>(solutions_.data()));
    backend_.rows(static_cast<std::int32_t>(from_.size()), MoveRows<N>{from_.data(), to_.data(), solutions_.data(), y});
  }

 private:
  SystemsOnDevice(Backend& backend, ApproximateInverse<T>& inverse, const SystemColumns& columns)
      : backend_(backend),
        inverse_(inverse),
        places_(backend, columns.places.size()),
        from_(backend, columns.from.size()),
        to_(backend, columns.to.size()),
        sides_(backend, columns.places.size()),
        solutions_(backend, columns.places.size()) {
    places_.upload(columns.places);
    from_.upload(columns.from);
    to_.upload(columns.to);
  }

  Backend& backend_;
  ApproximateInverse<T>& inverse_;
  typename Backend::template Buffer<std::int32_t> places_, from_, to_;
  typename Backend::template Buffer<N> sides_, solutions_;
};

/// Backend: memory, and
///   rows(count, kernel)              kernel of every index (fem/device/kernels.hpp)
///   split_rows(kernel, split)        the same in two parts (fem/device/rank_kernels.hpp)
///   levels(first, kernel, on_device) the same level by level, the bounds on the host and on the device
/// With a link to other ranks the rows are those that this rank owns, and vectors have `ghosts` more places. `inverse`:
/// of preconditioner oras, which has systems.
template <class Backend, class T>
class DeviceSystem {
 public:
  using N = NumberOf<T>;
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  DeviceSystem(Backend& backend, const IterationRequest& request, std::size_t ghosts = 0, RankLink<T>* link = nullptr,
               ApproximateInverse<T>* inverse = nullptr)
      : backend_(backend),
        request_(request),
        pattern_(*request.pattern),
        diagonal_of_host_(find_diagonal(pattern_, request.threads)),
        first_(make(pattern_.first)),
        column_(make(pattern_.column)),
        diagonal_(make(diagonal_of_host_)),
        places_(static_cast<std::size_t>(pattern_.rows()) + ghosts) {
    if (link != nullptr) {
      traffic_.emplace(backend, pattern_.rows(), ghosts, *link);
      sent_ = SentRows::of(*link, pattern_.rows());
      find_ghosts();
    }
    if (is(Preconditioner::p_multigrid)) multigrid_.emplace(backend_, request);
    if (inverse != nullptr) systems_.emplace(backend, *inverse);
    if (is(Preconditioner::ilut)) fill_in_ = request.fill_in;
    if (is(Preconditioner::ilu) || is(Preconditioner::ilut)) stages_ = find_stages(fill_in_, pattern_, request.threads);
    if (is(Preconditioner::ssor)) {
      forward_.emplace(*this, find_levels(pattern_, MatrixPart::lower));
      backward_.emplace(*this, find_levels(pattern_, MatrixPart::upper));
    }
    if (request.format != MatrixFormat::jad) {
      if (traffic_) split_.emplace(backend_, list_rows(), has_ghosts_, sent_);
      return;
    }
    whole_.emplace(*this, make_slices(pattern_, MatrixPart::whole));
    if (!is(Preconditioner::ssor_ai)) return;
    lower_.emplace(*this, make_slices(pattern_, MatrixPart::lower));
    upper_.emplace(*this, make_slices(pattern_, MatrixPart::upper));
  }

  [[nodiscard]] std::int32_t rows() const { return pattern_.rows(); }
  /// Of a vector.
  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] std::optional<RankTraffic<Backend, T>>& traffic() { return traffic_; }
  [[nodiscard]] bool has_systems() const { return systems_.has_value(); }
  /// Whether the host takes part in iterations.
  [[nodiscard]] bool needs_host() const { return multigrid_ || systems_ || (traffic_ && traffic_->needs_host()); }
  [[nodiscard]] const std::vector<std::int64_t>& diagonal() const { return diagonal_of_host_; }

  /// What is solved is this matrix, or S A S of it. One of a device outlives its use.
  void set_matrix(const CsrMatrix<T>& matrix, bool scales = false) {
    if (matrix.on_device != nullptr) {
      solved_ = reinterpret_cast<const N*>(matrix.on_device->values());
    } else {
      reserve(values_, pattern_.column.size());
      values_->upload(as_numbers<T>(matrix.values));
      solved_ = values_->data();
    }
    if (scales) scale();
    if (whole_) whole_->set_values(all());
    if (lower_) lower_->set_values(part(MatrixPart::lower));
    if (upper_) upper_->set_values(part(MatrixPart::upper));
    if (is(Preconditioner::none) || systems_) return;
    if (!multigrid_ && !stages_) return invert();
    CsrMatrix<T> copy{&pattern_, {}};
    if (scales || matrix.on_device != nullptr) {  // preconditioners of the host
      copy.values.resize(pattern_.column.size());
      StagedCopies(backend_).get(reinterpret_cast<const T*>(solved_), copy.values.size(), copy.values.data());
    }
    const CsrMatrix<T>& solved = copy.values.empty() ? matrix : copy;
    multigrid_ ? multigrid_->set_matrix(solved) : set_factors(solved);
  }
  /// S, its inverse and 1 / |S|^2 of a matrix that is scaled, else null.
  [[nodiscard]] const N* scaling() const { return data_of(factor_); }
  [[nodiscard]] const N* inverse_scaling() const { return data_of(inverse_factor_); }
  [[nodiscard]] const double* weights() const { return data_of(weights_); }

  /// Calls use(rows of the whole matrix), CsrRows or SlicedRows.
  template <class Use>
  void with_matrix(const Use& use) const {
    if (whole_)
      use(whole_->rows());
    else
      use(all());
  }
  /// Their places, of rows that ranks share out.
  [[nodiscard]] const SplitRows<Backend>& split() const { return whole_ ? whole_->split() : *split_; }

  /// y = M^-1 x, with traffic sent to the product that follows; `work`: two vectors.
  template <int R>
  void apply(N* x, N* y, N* const (&work)[2], const IterationState<N>* state) {
    const double w = request_.relaxation, scale = w * (2 - w);
    switch (request_.preconditioner) {
      case Preconditioner::none:
        return scale_rows<R>(nullptr, x, y, state);
      case Preconditioner::p_multigrid:
        ensure(R == 1, "p-multigrid takes one right-hand side at a time");
        if constexpr (R == 1) with_matrix([&](const auto& matrix) { multigrid_->apply(matrix, x, y, work[0], state); });
        return;
      case Preconditioner::oras:
        ensure(R == 1 && systems_, "systems take one right-hand side after the other");
        return systems_->apply(x, y);
      case Preconditioner::jacobi:
        return scale_rows<R>(inverse_->data(), x, y, state);
      case Preconditioner::ssor:
        sweep<R>(*forward_,
                 {part(MatrixPart::lower), nullptr, y, x, y, inverse_->data(), scale, w, true, false, state});
        return sweep<R>(*backward_,
                        {part(MatrixPart::upper), nullptr, y, y, y, inverse_->data(), 1, w, false, true, state});
      case Preconditioner::ilu:
      case Preconditioner::ilut:
        sweep<R>(*forward_, {lower_factor_->rows(), nullptr, y, x, y, nullptr, 1, 1, false, false, state});
        return sweep<R>(*backward_,
                        {upper_factor_->rows(), nullptr, y, y, y, inverse_->data(), 1, 1, true, false, state});
      case Preconditioner::ssor_ai:
        if (lower_)
          approximate<R>(*lower_, lower_->rows(), *upper_, upper_->rows(), x, y, work, state);
        else
          approximate<R>(*this, part(MatrixPart::lower), *this, part(MatrixPart::upper), x, y, work, state);
    }
  }

  /// Whether the host takes part in applications, of one right-hand side at a time.
  [[nodiscard]] bool has_multigrid() const { return multigrid_.has_value(); }
  /// Beside what the backend has allocated.
  [[nodiscard]] std::int64_t bytes() const { return multigrid_ ? multigrid_->bytes() : 0; }
  /// Launches of an application.
  [[nodiscard]] std::size_t launches() const {
    return forward_ ? forward_->bounds.size() + backward_->bounds.size() : 3;
  }

 private:
  struct LevelsOnDevice {
    LevelsOnDevice(DeviceSystem& system, Levels levels)
        : order(system.make(levels.order)), first(system.make(levels.first)), bounds(std::move(levels.first)) {}
    Buffer<std::int32_t> order, first;
    std::vector<std::int32_t> bounds;
  };
  struct TriangleOnDevice {
    TriangleOnDevice(DeviceSystem& system, const Triangle<T>& triangle)
        : begin(system.make(triangle.begin)),
          end(system.make(triangle.end)),
          column(system.make(triangle.column)),
          values(system.backend_, as_numbers<T>(triangle.value)) {}
    [[nodiscard]] PartOfRows<N> rows() const { return {begin.data(), end.data(), column.data(), values.data(), 0}; }
    Buffer<std::int64_t> begin, end;
    Buffer<std::int32_t> column;
    Buffer<N> values;
  };
  class Slices {
   public:
    Slices(DeviceSystem& system, SlicedPattern pattern)
        : backend_(system.backend_),
          rows_(system.make(pattern.rows)),
          first_(system.make(pattern.first)),
          column_(system.make(pattern.column)),
          values_(system.backend_, pattern.column.size()) {
      if (system.traffic_) split_.emplace(system.backend_, pattern.rows, system.has_ghosts_, system.sent_);
    }
    template <int width>
    void set_values(const CsrRows<N, width>& of) {
      backend_.rows(static_cast<std::int32_t>(rows_.size()),
                    FillSlices<N>{{of.begin, of.end, of.column, of.values, of.shift}, rows(), values_.data()});
    }
    [[nodiscard]] SlicedRows<N> rows() const { return {rows_.data(), first_.data(), column_.data(), values_.data()}; }
    [[nodiscard]] const SplitRows<Backend>& split() const { return *split_; }

   private:
    Backend& backend_;
    Buffer<std::int32_t> rows_;
    Buffer<std::int64_t> first_;
    Buffer<std::int32_t> column_;
    Buffer<N> values_;
    std::optional<SplitRows<Backend>> split_;
  };

  [[nodiscard]] bool is(Preconditioner preconditioner) const { return request_.preconditioner == preconditioner; }
  template <class List>
  [[nodiscard]] auto make(const List& values) {
    using V = typename List::value_type;
    return Buffer<V>(backend_, std::span<const V>(values));
  }
  template <class V>
  void reserve(std::optional<Buffer<V>>& buffer, std::size_t count) {
    if (!buffer) buffer.emplace(backend_, count);
  }
  template <class V>
  [[nodiscard]] static const V* data_of(const std::optional<Buffer<V>>& buffer) {
    return buffer ? buffer->data() : nullptr;
  }
  void scale() {
    const auto count = static_cast<std::size_t>(rows());
    for (auto* buffer : {&factor_, &inverse_factor_}) reserve(*buffer, count);
    reserve(weights_, count);
    reserve(values_, pattern_.column.size());
    backend_.rows(
        rows(), FindScaling<N>{diagonal_.data(), solved_, factor_->data(), inverse_factor_->data(), weights_->data()});
    backend_.rows(rows(), ScaleEntries<N>{{first_.data(), first_.data() + 1, column_.data(), solved_, 0},
                                          diagonal_.data(),
                                          factor_->data(),
                                          values_->data()});
    solved_ = values_->data();
  }
  void invert() {
    reserve(inverse_, static_cast<std::size_t>(rows()));
    if (!counts_) counts_.emplace(backend_, 2);
    backend_.rows(rows(), InvertDiagonal<N>{diagonal_.data(), solved_, inverse_->data(), counts_->data()});
    backend_.synchronize();
    const double zeros = counts_->data()[0], others = counts_->data()[1];
    if (zeros > 0) {  // whose place the host tells
      CsrMatrix<T> copy{&pattern_, {}};
      copy.values.resize(pattern_.column.size());
      StagedCopies(backend_).get(reinterpret_cast<const T*>(solved_), copy.values.size(), copy.values.data());
      (void)invert_diagonal(copy, diagonal_of_host_);
    }
    has_unit_diagonal_ = (traffic_ ? traffic_->ranks().max(others) : others) == 0;
  }
  /// Incomplete factors, made on the host.
  void set_factors(const CsrMatrix<T>& matrix) {
    ThreadTeam team(useful_threads(rows(), request_.threads));
    const TriangularFactors<T> factors = factorise_incompletely(fill_in_, *stages_, matrix, team);
    const auto put_triangle = [this](std::optional<TriangleOnDevice>& place, std::optional<LevelsOnDevice>& levels,
                                     const Triangle<T>& triangle, const std::vector<std::int32_t>& order) {
      place.reset();
      place.emplace(*this, triangle);
      levels.reset();
      levels.emplace(*this, find_levels(order, triangle.begin, triangle.end, triangle.column));
    };
    put_triangle(lower_factor_, forward_, factors.lower, stages_->order);
    put_triangle(upper_factor_, backward_, factors.upper, {stages_->order.rbegin(), stages_->order.rend()});
    reserve(inverse_, factors.inverse.size());
    inverse_->upload(as_numbers<T>(factors.inverse));
  }

  void find_ghosts() {
    has_ghosts_.assign(static_cast<std::size_t>(rows()), false);
    for (std::size_t row = 0; row < has_ghosts_.size(); ++row)
      has_ghosts_[row] =
          std::any_of(pattern_.column.begin() + pattern_.first[row], pattern_.column.begin() + pattern_.first[row + 1],
                      [this](std::int32_t column) { return column >= rows(); });
  }
  [[nodiscard]] std::vector<std::int32_t> list_rows() const {
    std::vector<std::int32_t> all(has_ghosts_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  [[nodiscard]] WholeRows<N> all() const { return {first_.data(), first_.data() + 1, column_.data(), solved_, 0}; }
  [[nodiscard]] PartOfRows<N> part(MatrixPart which) const {
    if (which == MatrixPart::lower) return {first_.data(), diagonal_.data(), column_.data(), solved_, 0};
    return {diagonal_.data(), first_.data() + 1, column_.data(), solved_, 1};
  }
  template <int R>
  void sweep(const LevelsOnDevice& levels, SweepRows<N, R, PartOfRows<N>> kernel) {
    kernel.order = levels.order.data();
    backend_.levels(levels.bounds, kernel, levels.first.data());
  }
  template <int R>
  void scale_rows(const N* factor, const N* x, N* y, const IterationState<N>* state) {
    backend_.rows(rows(), ScaleRows<N, R>{factor, x, y, state});
    if (R == 1 && traffic_) traffic_->send(y, split());
  }
  /// w (2 - w) (1 - w D^-1 U) D^-1 (1 - w L D^-1) x
  /// The owners of the triangles know how their places are split.
  template <int R, class Owner, class Rows>
  void approximate(const Owner& of_lower, const Rows& lower, const Owner& of_upper, const Rows& upper, N* x, N* y,
                   N* const (&work)[2], const IterationState<N>* state) {
    const double w = request_.relaxation, scale = w * (2 - w);
    const bool divides = !has_unit_diagonal_;
    if (divides) backend_.rows(rows(), ScaleRows<N, R>{inverse_->data(), x, work[1], state});
    N* const from = divides ? work[1] : x;
    const SweepRows<N, R, Rows> first{lower, nullptr, from, x, work[0], inverse_->data(), 1, w, divides, false, state};
    const SweepRows<N, R, Rows> second{upper, nullptr,   work[0], work[0], y,    inverse_->data(),
                                       scale, scale * w, false,   divides, state};
    if constexpr (R == 1) {
      if (traffic_) {
        traffic_->send(from, split());
        traffic_->run(first, of_lower.split(), work[0]);
        return traffic_->run(second, of_upper.split(), y);
      }
    }
    backend_.rows(rows(), first);
    backend_.rows(rows(), second);
  }

  Backend& backend_;
  IterationRequest request_;
  const CsrPattern& pattern_;
  std::vector<std::int64_t> diagonal_of_host_;
  Buffer<std::int64_t> first_;
  Buffer<std::int32_t> column_;
  Buffer<std::int64_t> diagonal_;
  std::optional<Buffer<N>> values_;  ///< where they are not those of a matrix on the device
  const N* solved_ = nullptr;
  std::optional<Buffer<N>> inverse_, factor_, inverse_factor_;
  std::optional<Buffer<double>> weights_;
  std::optional<typename Backend::template Staging<double>> counts_;
  std::optional<FillIn> fill_in_;
  std::optional<EliminationStages> stages_;  ///< of ilu and ilut
  std::optional<TriangleOnDevice> lower_factor_, upper_factor_;
  bool has_unit_diagonal_ = false;
  std::optional<LevelsOnDevice> forward_, backward_;
  std::size_t places_;
  std::optional<RankTraffic<Backend, T>> traffic_;
  std::optional<SystemsOnDevice<Backend, T>> systems_;
  std::vector<bool> has_ghosts_;  ///< per row, with traffic
  SentRows sent_;
  std::optional<SplitRows<Backend>> split_;  ///< of CSR rows, with traffic
  std::optional<Slices> whole_, lower_, upper_;
  std::optional<DeviceMultigrid<Backend, T>> multigrid_;
};

}  // namespace tetrawave::fem::device
