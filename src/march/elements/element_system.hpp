// The elements of a rank on a device: their arrays, the exchange of traces with other ranks, and exact inner products.
//
// A Backend gives
//   Buffer<T>(backend, count)     device memory, zeroed, or (backend, values) with these; data(), size(),
//                                 upload(vector, at), clear(), download() or download(at, count) -> vector
//   Staging<T>(backend, count)    host memory that messages leave from and arrive in (page-locked beside a GPU)
//   lanes<S>                      lanes of a block
//   for_blocks(space, kernel, first, count, sweep), for_teams(kernel, teams)
//   copy(from, to), to_staging(buffer, staging), from_staging(staging, buffer, at), move(to, from, count)
//                                 in order with the kernels; pointers into either kind of memory
//   fork(), in_front(work), join()    `work` is queued beside what follows, and before it where the device is full:
//                                 after what was queued at the fork, before what is queued after the join
//   SharedMemory, MappedMemory    memory that peers can map, and a peer's (march/exchange/peer_carrier.hpp)
//   transport()                   how traces shall travel between ranks (march/exchange/make_carrier.hpp)
//   mark(), wait_for_mark()       the host waits for all that was queued before the mark, not for what came after
//   synchronize()                 the host waits for all that was queued
//   record(work) -> Program, replay(program)
//   allocated_bytes(), free_bytes(ranks of this node), device(), threads()
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "basis/reference_element.hpp"
#include "comm/communicator.hpp"
#include "kernels/energy.hpp"
#include "kernels/sample.hpp"
#include "march/elements/layout.hpp"
#include "march/exchange/make_carrier.hpp"

namespace tetrawave::march {

/// Elements of one LTS level and faces whose traces go to one other rank, and where the traces of that rank are stored.
template <class Backend>
struct HaloChannel {
  int rank = 0;
  int step_class = 0;
  BlockRange ghosts;
  std::int64_t sent = 0;  ///< blocks of own traces
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<std::int32_t> face;
};

/// Whether a backend has sizes alone: no numbers are worth computing for it, nothing travels between ranks
/// (host/host_backend.hpp).
template <class Backend>
bool only_counts(const Backend& backend) {
  if constexpr (Backend::is_host) return backend.only_counts();
  return false;
}
/// Lanes of a block.
template <class S, class Backend>
int lanes_of(const Backend& backend) {
  if constexpr (Backend::is_host) return backend.template lanes_of_block<S>();
  return Backend::template lanes<S>;
}

/// Rows of a field on each face of an element.
inline std::vector<std::int32_t> rows_of_faces(Space space) {
  std::vector<std::int32_t> rows;
  for (const auto& numbers : basis::reference_element(space).on_face)
    rows.insert(rows.end(), numbers.begin(), numbers.end());
  return rows;
}

/// `S`: the number type of the fields.
template <class Backend, class S>
class ElementSystem {
 public:
  using FieldBuffer = typename Backend::template Buffer<S>;

  /// `exchanged`: number of fields exchanged between ranks at once.
  ElementSystem(Backend& backend, const Problem& problem, const comm::Communicator& ranks, int exchanged)
      : backend_(backend),
        ranks_(ranks),
        space_(problem.space),
        dofs_(static_cast<int>(basis::reference_element(problem.space).dofs)),
        layout_(lay_out_elements<S>(problem, lanes_of<S>(backend), backend.threads(), only_counts(backend))),
        metric_(backend, layout_.metric),
        electric_metric_(backend, layout_.electric_metric),
        magnetic_metric_(backend, layout_.magnetic_metric),
        metric_block_(backend, layout_.shared.number),
        neighbour_(backend, layout_.neighbour),
        word_(backend, layout_.word),
        value_(backend, static_cast<std::size_t>(layout_.blocks * layout_.lanes)),
        teams_(backend, team_count),
        team_words_(backend, 2 * team_count) {
    for (const HaloLayout& halo : layout_.halo) open_channel(halo);
    if (!channels_.empty()) on_face_.emplace(backend_, rows_of_faces(space_));
    if (ranks.size() > 1) carrier_ = make_carrier<Backend, S>(backend_, ranks, list_routes(exchanged));
    release_host_copies();
  }

  [[nodiscard]] const ElementLayout<S>& layout() const { return layout_; }
  [[nodiscard]] Backend& backend() const { return backend_; }
  [[nodiscard]] const comm::Communicator& ranks() const { return ranks_; }
  [[nodiscard]] int dofs() const { return dofs_; }  ///< of a field, per element
  [[nodiscard]] bool alone() const { return channels_.empty(); }
  /// With the metric of the shape alone, or including the material of a field.
  [[nodiscard]] kernels::Elements<S> view() const {
    return {shared(shape_ ? *shape_ : metric_), neighbour_.data(), word_.data()};
  }
  [[nodiscard]] kernels::Elements<S> view(Field field) const {
    return {metric(field), neighbour_.data(), word_.data()};
  }
  [[nodiscard]] kernels::Metric<S> metric(Field field) const {
    if (electric_metric_.size() == 0) return shared(metric_);
    return shared(field == Field::electric ? electric_metric_ : magnetic_metric_);
  }
  /// Neighbours of all slots (kernels/element_block.hpp).
  [[nodiscard]] std::vector<std::int32_t> neighbours() const { return neighbour_.download(); }
  [[nodiscard]] std::vector<std::uint32_t> words() const { return word_.download(); }
  /// Whether E and H have the same weights.
  [[nodiscard]] bool has_one_metric() const { return electric_metric_.size() == 0; }
  /// Bytes of metric per element read in a pass over all elements; shared metrics stay in the cache.
  [[nodiscard]] std::size_t metric_bytes() const { return layout_.shared.number.empty() ? 6 * sizeof(S) : 0; }
  /// Before masses are weighted: keeps the metric of the shape alone.
  void keep_shape() {
    if (!has_one_metric()) return;
    shape_.emplace(backend_, metric_.size());
    backend_.copy(metric_, *shape_);
  }
  /// Bytes that a kernel reads of one element besides fields: the metric, so many neighbours and words.
  [[nodiscard]] std::int64_t bytes_beside_fields(int integers) const {
    return static_cast<std::int64_t>(metric_bytes()) + integers * 4;
  }
  /// Makes the metric of a field that of masses with the weights `weights_of(list)(e)` on the elements of every list
  /// (list.elements); called on several threads.
  template <class List, class WeightsOf>
  void weigh(const Problem& problem, Field field, const std::vector<List>& lists, const WeightsOf& weights_of) {
    if (lists.empty()) return;
    auto& metric =
        electric_metric_.size() == 0 ? metric_ : (field == Field::electric ? electric_metric_ : magnetic_metric_);
    std::vector<S> all = metric.download();
    for (const List& list : lists) {
      const auto weights = weights_of(list);
      for_each_index(list.elements.size(), backend_.threads(), [&](std::size_t k) {
        const LocalIndex e = list.elements[k];
        if (!layout_.is_first(layout_.slot(e) / layout_.lanes)) return;
        const auto q = basis::PhysicalElement(space_, problem.mesh->corners_of_shape(e)).metric(weights(e));
        for (int a = 0; a < 6; ++a)
          all[layout_.at_metric(layout_.slot(e), 6, a)] = static_cast<S>(q[static_cast<std::size_t>(a)]);
      });
    }
    metric.upload(all);
  }
  [[nodiscard]] std::size_t field_size() const {
    return static_cast<std::size_t>(layout_.blocks * layout_.lanes) * static_cast<std::size_t>(dofs_);
  }
  [[nodiscard]] FieldBuffer make_field() const { return FieldBuffer(backend_, field_size()); }

  /// value(element, dof) on the elements of this rank and 0 elsewhere, in parts, so that the host never has a whole
  /// field. `value` is called on several threads.
  template <class Value>
  void set_field(FieldBuffer& field, const Value& value) const {
    const std::vector<LocalIndex> elements = layout_.elements_by_slot();
    std::vector<S> part;
    visit_parts([&](std::int64_t first, std::int64_t count) {
      part.resize(numbers_of(count));
      if (!only_counts(backend_))
        visit_rows(elements, first, count,
                   [&](LocalIndex e, int i, std::size_t at) { part[at] = e < 0 ? S(0) : static_cast<S>(value(e, i)); });
      field.upload(part, numbers_of(first));
    });
  }
  /// Calls take(element, dof, value) for every dof of this rank's elements, on several threads.
  template <class Take>
  void read_field(const FieldBuffer& field, const Take& take) const {
    const std::vector<LocalIndex> elements = layout_.elements_by_slot();
    visit_parts([&](std::int64_t first, std::int64_t count) {
      const std::vector<S> part = field.download(numbers_of(first), numbers_of(count));
      visit_rows(elements, first, count, [&](LocalIndex e, int i, std::size_t at) {
        if (e >= 0) take(e, i, part[at]);
      });
    });
  }

  using Fields = std::vector<FieldBuffer*>;

  /// Packs the traces of `fields` on elements of the levels from `first` on and below `classes` and sends them; the
  /// border elements of these must be final. Several fields: of all levels.
  void start_exchange(const Fields& fields, int classes, int first = 0) {
    if (only_counts(backend_)) return;
    const RouteRange routes = routes_of(fields, classes, first);
    MessageQueue<kernels::SendTraces<S>> queue;
    for (std::size_t r = 0; r < routes.count; ++r) {
      const auto& channel = channels_[(routes.first + r) % channels_.size()];
      const TraceList<S> list{fields[r / channels_.size()]->data(),
                              channel.element.data(),
                              channel.face.data(),
                              on_face_->data(),
                              dofs_,
                              static_cast<int>(on_face_->size() / 4),
                              channel.sent};
      queue.add(carrier_->message(routes.first + r, list, teams_for(2 * channel.sent * layout_.lanes)));
    }
    for (const auto& messages : queue.launches()) backend_.for_teams(messages, messages.teams());
    carrier_->dispatch(routes);
  }

  /// The host's part of the messages, while the work queued since `start_exchange` runs.
  void carry(const Fields& fields, int classes, int first = 0) {
    if (!only_counts(backend_)) carrier_->carry(routes_of(fields, classes, first), ghosts_of(fields, classes, first));
  }

  /// Work queued from now on finds the ghosts of `fields` in place.
  void finish_exchange(const Fields& fields, int classes, int first = 0) {
    if (!only_counts(backend_)) carrier_->deliver(routes_of(fields, classes, first), ghosts_of(fields, classes, first));
  }

  /// A complete exchange, of the elements of all levels; the first one on all ranks together sets up the transport of
  /// traces.
  void exchange(const Fields& fields) {
    if (carrier_ && !is_open_ && !only_counts(backend_)) carrier_->open();
    is_open_ = true;
    if (alone()) return;
    start_exchange(fields, layout_.step_classes);
    carry(fields, layout_.step_classes);
    finish_exchange(fields, layout_.step_classes);
  }
  /// Whether an exchange needs the host, so that steps cannot be recorded.
  [[nodiscard]] bool exchange_needs_host() const { return !alone() && carrier_->needs_host(); }
  /// See Carrier::turn.
  [[nodiscard]] std::size_t exchange_turn() const { return alone() ? 0 : carrier_->turn(); }

  /// sum over all elements of all ranks of weight(class) u . M v, M with the axes of the field's material; the same on
  /// any number of ranks and threads. NaN when a field is not finite.
  double product(Field field, const FieldBuffer& u, const FieldBuffer& v, const FieldBuffer& weight) {
    const std::int64_t own = layout_.border.count + layout_.inner.count;
    backend_.for_blocks(space_, kernels::MassProduct<S>{view(field), u.data(), v.data(), weight.data(), value_.data()},
                        0, own);
    return sum_of_values(value_, own * layout_.lanes);
  }

  /// The same over the elements of some blocks only: the same blocks since `clear_values`.
  double product(Field field, const FieldBuffer& u, const FieldBuffer& v, const FieldBuffer& weight,
                 std::span<const BlockRange> blocks) {
    const kernels::MassProduct<S> kernel{view(field), u.data(), v.data(), weight.data(), value_.data()};
    for (const BlockRange& range : blocks) backend_.for_blocks(space_, kernel, range.first, range.count);
    return sum(value_);
  }
  /// Sets the contribution of every element to a sum to zero.
  void clear_values() { value_.clear(); }

  /// The same for weight(class) int curl u . curl u, u = field + advance rate, with the inverse of the axes of `other`.
  double curl_product(Field other, const FieldBuffer& field, const FieldBuffer& rate, double advance,
                      const FieldBuffer& weight) {
    const std::int64_t own = layout_.border.count + layout_.inner.count;
    backend_.for_blocks(space_,
                        kernels::CurlEnergy<S>{view(other), field.data(), rate.data(), weight.data(),
                                               static_cast<S>(advance), value_.data()},
                        0, own);
    return sum_of_values(value_, own * layout_.lanes);
  }

  /// The sum of one number per slot of own elements, over all ranks.
  double sum(const FieldBuffer& values) {
    return sum_of_values(values, (layout_.border.count + layout_.inner.count) * layout_.lanes);
  }

 private:
  static constexpr std::size_t team_count = 512;
  [[nodiscard]] kernels::Metric<S> shared(const FieldBuffer& metric) const {
    return {metric.data(), metric_block_.size() == 0 ? nullptr : metric_block_.data()};
  }

  void open_channel(const HaloLayout& halo) {
    channels_.push_back(
        {halo.rank, halo.step_class, halo.ghosts, halo.sent, {backend_, halo.element}, {backend_, halo.face}});
  }

  /// A route per field and channel, field by field, and level by level where there are several: so an exchange of fewer
  /// fields, or of one field on fewer levels, uses the first routes.
  [[nodiscard]] std::vector<Route> list_routes(int exchanged) {
    ensure(exchanged == 1 || layout_.step_classes == 1, "with classes of time steps the fields travel one by one");
    std::stable_sort(channels_.begin(), channels_.end(),
                     [](const auto& a, const auto& b) { return a.step_class < b.step_class; });
    std::vector<Route> routes;
    for (int k = 0; k < exchanged; ++k)
      for (const auto& channel : channels_)
        routes.push_back({channel.rank, numbers_of(channel.sent), numbers_of(channel.ghosts.count)});
    return routes;
  }
  [[nodiscard]] std::size_t channels_of(int classes) const {
    return static_cast<std::size_t>(std::count_if(channels_.begin(), channels_.end(),
                                                  [&](const auto& channel) { return channel.step_class < classes; }));
  }
  [[nodiscard]] RouteRange routes_of(const Fields& fields, int classes, int first) const {
    return {channels_of(first), fields.size() * (channels_of(classes) - channels_of(first))};
  }
  [[nodiscard]] std::vector<S*> ghosts_of(const Fields& fields, int classes, int first) const {
    std::vector<S*> ghosts;
    for (const FieldBuffer* field : fields)
      for (std::size_t c = channels_of(first); c < channels_of(classes); ++c)
        ghosts.push_back(field->data() + numbers_of(channels_[c].ghosts.first));
    return ghosts;
  }
  [[nodiscard]] std::size_t numbers_of(std::int64_t blocks) const {
    return static_cast<std::size_t>(blocks * layout_.lanes) * static_cast<std::size_t>(dofs_);
  }

  /// visit(first block, blocks) of every part of a field.
  template <class Visit>
  void visit_parts(const Visit& visit) const {
    for (std::int64_t first = 0; first < layout_.blocks; first += part_blocks)
      visit(first, std::min(part_blocks, layout_.blocks - first));
  }
  /// visit(element, dof, index in the part) for all slots of a part; -1 where there is no element.
  template <class Visit>
  void visit_rows(const std::vector<LocalIndex>& elements, std::int64_t first, std::int64_t count,
                  const Visit& visit) const {
    for_each_index(static_cast<std::size_t>(count), backend_.threads(), [&](std::size_t block) {
      for (int lane = 0; lane < layout_.lanes; ++lane) {
        const auto slot = (first + static_cast<std::int64_t>(block)) * layout_.lanes + lane;
        const LocalIndex e = layout_.element_in(static_cast<std::int32_t>(slot), elements);
        for (int i = 0; i < dofs_; ++i)
          visit(e, i, static_cast<std::size_t>((static_cast<std::int64_t>(block) * dofs_ + i) * layout_.lanes + lane));
      }
    });
  }

  void release_host_copies() {
    // not {}, which keeps the memory
    for (auto* metric : {&layout_.metric, &layout_.electric_metric, &layout_.magnetic_metric})
      *metric = std::vector<S>();
    layout_.neighbour = std::vector<std::int32_t>();
    layout_.word = std::vector<std::uint32_t>();
  }

  double sum_of_values(const FieldBuffer& values, std::int64_t count) {
    const std::int64_t chunk = std::max<std::int64_t>(
        1, (count + static_cast<std::int64_t>(team_count) - 1) / static_cast<std::int64_t>(team_count));
    const auto teams = static_cast<std::int64_t>(team_count);
    backend_.for_teams(kernels::ChunkMaximum<S>{values.data(), count, chunk, teams_.data()}, teams);
    const std::vector<double> maxima = teams_.download();
    const double largest = ranks_.max(*std::max_element(maxima.begin(), maxima.end()));
    if (largest == 0) return 0;
    if (largest >= kernels::ChunkMaximum<S>::not_finite) return std::nan("");
    int exponent = 0;
    std::frexp(largest, &exponent);  // largest < 2^exponent
    backend_.for_teams(
        kernels::ChunkSum<S>{values.data(), count, chunk, std::ldexp(1.0, -exponent), team_words_.data()}, teams);
    const std::vector<std::int64_t> words = team_words_.download();
    std::vector<std::int64_t> total(2, 0);
    for (std::size_t t = 0; t < words.size(); t += 2) {
      total[0] += words[t];
      total[1] += words[t + 1];
    }
    ranks_.sum_in_place(std::span<std::int64_t>(total));
    return std::ldexp(static_cast<double>(total[0]) + static_cast<double>(total[1]) * 0x1p-31, exponent - 31);
  }

  Backend& backend_;
  comm::Communicator ranks_;
  Space space_;
  int dofs_;
  ElementLayout<S> layout_;
  FieldBuffer metric_;
  FieldBuffer electric_metric_;
  FieldBuffer magnetic_metric_;
  std::optional<FieldBuffer> shape_;  ///< if `metric_` will be weighted
  typename Backend::template Buffer<std::int32_t> metric_block_;
  typename Backend::template Buffer<std::int32_t> neighbour_;
  typename Backend::template Buffer<std::uint32_t> word_;
  FieldBuffer value_;
  typename Backend::template Buffer<double> teams_;
  typename Backend::template Buffer<std::int64_t> team_words_;
  std::vector<HaloChannel<Backend>> channels_;
  std::optional<typename Backend::template Buffer<std::int32_t>> on_face_;  ///< with channels
  std::unique_ptr<Carrier<S>> carrier_;
  bool is_open_ = false;
};

}  // namespace tetrawave::march
