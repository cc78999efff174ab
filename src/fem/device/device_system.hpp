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
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/iterative_solver.hpp"

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
        values_(backend, pattern_.column.size()),
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

  /// The matrix that is solved, scaled or not.
  void set_matrix(const CsrMatrix<T>& matrix) {
    values_.upload(as_numbers<T>(matrix.values));
    for (auto* slices : {&whole_, &lower_, &upper_})
      if (*slices) (*slices)->set_values(matrix.values);
    if (is(Preconditioner::none) || systems_) return;
    if (multigrid_) return multigrid_->set_matrix(matrix);
    if (stages_) return set_factors(matrix);
    const std::vector<T> inverse = invert_diagonal(matrix, diagonal_of_host_);
    const std::int64_t others = std::count_if(inverse.begin(), inverse.end(), [](T d) { return d != T(1); });
    has_unit_diagonal_ = (traffic_ ? traffic_->ranks().max(others) : others) == 0;
    put(inverse_, inverse);
  }

  /// Calls use(rows of the whole matrix), CsrRows or SlicedRows.
  template <class Use>
  void with_matrix(const Use& use) const {
    if (whole_)
      use(whole_->rows());
    else
      use(WholeRows<N>{first_.data(), first_.data() + 1, column_.data(), values_.data(), 0});
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
                 {part(MatrixPart::lower, values_), nullptr, y, x, y, inverse_->data(), scale, w, true, false, state});
        return sweep<R>(*backward_, {part(MatrixPart::upper, values_), nullptr, y, y, y, inverse_->data(), 1, w, false,
                                     true, state});
      case Preconditioner::ilu:
      case Preconditioner::ilut:
        sweep<R>(*forward_, {lower_factor_->rows(), nullptr, y, x, y, nullptr, 1, 1, false, false, state});
        return sweep<R>(*backward_,
                        {upper_factor_->rows(), nullptr, y, y, y, inverse_->data(), 1, 1, true, false, state});
      case Preconditioner::ssor_ai:
        if (lower_)
          approximate<R>(*lower_, lower_->rows(), *upper_, upper_->rows(), x, y, work, state);
        else
          approximate<R>(*this, part(MatrixPart::lower, values_), *this, part(MatrixPart::upper, values_), x, y, work,
                         state);
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
        : rows_(system.make(pattern.rows)),
          first_(system.make(pattern.first)),
          column_(system.make(pattern.column)),
          values_(system.backend_, pattern.source.size()),
          source_(std::move(pattern.source)) {
      if (system.traffic_) split_.emplace(system.backend_, pattern.rows, system.has_ghosts_, system.sent_);
    }
    void set_values(std::span<const T> values) {
      std::vector<T> sorted(source_.size());
      for (std::size_t k = 0; k < sorted.size(); ++k)
        sorted[k] = source_[k] < 0 ? T(0) : values[static_cast<std::size_t>(source_[k])];
      values_.upload(as_numbers<T>(sorted));
    }
    [[nodiscard]] SlicedRows<N> rows() const { return {rows_.data(), first_.data(), column_.data(), values_.data()}; }
    [[nodiscard]] const SplitRows<Backend>& split() const { return *split_; }

   private:
    Buffer<std::int32_t> rows_;
    Buffer<std::int64_t> first_;
    Buffer<std::int32_t> column_;
    Buffer<N> values_;
    std::vector<std::int64_t> source_;
    std::optional<SplitRows<Backend>> split_;
  };

  [[nodiscard]] bool is(Preconditioner preconditioner) const { return request_.preconditioner == preconditioner; }
  template <class List>
  [[nodiscard]] auto make(const List& values) {
    using V = typename List::value_type;
    return Buffer<V>(backend_, std::span<const V>(values));
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
    put(inverse_, factors.inverse);
  }
  void put(std::optional<Buffer<N>>& buffer, std::span<const T> values) {
    if (!buffer) buffer.emplace(backend_, values.size());
    buffer->upload(as_numbers<T>(values));
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

  [[nodiscard]] PartOfRows<N> part(MatrixPart which, const Buffer<N>& values) const {
    if (which == MatrixPart::lower) return {first_.data(), diagonal_.data(), column_.data(), values.data(), 0};
    return {diagonal_.data(), first_.data() + 1, column_.data(), values.data(), 1};
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
  Buffer<N> values_;
  std::optional<Buffer<N>> inverse_;
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
