// The elements of a rank on a device: their arrays, the exchange of traces with other ranks, and exact inner products.
//
// A Backend gives
//   Buffer<T>(backend, count)     device memory, zeroed; data(), size(), upload(vector, at), download() -> vector
//   Staging<T>(backend, count)    host memory that messages leave from and arrive in (page-locked beside a GPU)
//   lanes<S>                      lanes of a block
//   for_blocks(space, kernel, first, count), for_teams(kernel, teams)
//   copy(from, to), to_staging(buffer, staging), from_staging(staging, buffer, at)    in order with the kernels
//   mark(), wait_for_mark()       the host waits for all that was queued before the mark, not for what came after
//   synchronize()                 the host waits for all that was queued
//   record(work) -> Program, replay(program)
//   allocated_bytes(), free_bytes(ranks of this node), device(), threads()
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "basis/physical_element.hpp"
#include "basis/reference_element.hpp"
#include "comm/communicator.hpp"
#include "kernels/list.hpp"
#include "march/layout.hpp"

namespace tetrawave::march {

/// The traces of one field exchanged with one other rank, in flight.
template <class Backend, class S>
struct Message {
  typename Backend::template Buffer<S> packed;
  typename Backend::template Staging<S> outgoing;
  typename Backend::template Staging<S> incoming;

  Message(Backend& backend, std::size_t sent, std::size_t received)
      : packed(backend, sent), outgoing(backend, sent), incoming(backend, received) {}
};

/// What is exchanged with one other rank of elements of one class of time steps.
template <class Backend, class S>
struct HaloChannel {
  int rank = 0;
  int step_class = 0;
  BlockRange ghosts;
  std::int64_t sent = 0;  ///< blocks of own traces
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<std::int32_t> face;
  std::vector<Message<Backend, S>> fields;
};

/// `S`: the number type of the fields.
template <class Backend, class S>
class ElementSystem {
 public:
  using FieldBuffer = typename Backend::template Buffer<S>;

  /// `exchanged`: how many fields travel to other ranks at once.
  ElementSystem(Backend& backend, const Problem& problem, const comm::Communicator& ranks, int exchanged)
      : backend_(backend),
        ranks_(ranks),
        space_(problem.space),
        dofs_(static_cast<int>(basis::reference_element(problem.space).dofs)),
        layout_(lay_out_elements<S>(problem, Backend::template lanes<S>)),
        exchanged_(exchanged),
        metric_(backend, layout_.metric.size()),
        electric_metric_(backend, layout_.electric_metric.size()),
        magnetic_metric_(backend, layout_.magnetic_metric.size()),
        neighbour_(backend, layout_.neighbour.size()),
        word_(backend, layout_.word.size()),
        value_(backend, static_cast<std::size_t>(layout_.blocks * layout_.lanes)),
        teams_(backend, team_count),
        team_words_(backend, 2 * team_count) {
    metric_.upload(layout_.metric);
    electric_metric_.upload(layout_.electric_metric);
    magnetic_metric_.upload(layout_.magnetic_metric);
    neighbour_.upload(layout_.neighbour);
    word_.upload(layout_.word);
    for (const HaloLayout& halo : layout_.halo) open_channel(halo);
    release_host_copies();
  }

  [[nodiscard]] const ElementLayout<S>& layout() const { return layout_; }
  [[nodiscard]] Backend& backend() const { return backend_; }
  [[nodiscard]] const comm::Communicator& ranks() const { return ranks_; }
  [[nodiscard]] int dofs() const { return dofs_; }  ///< of a field, per element
  [[nodiscard]] bool alone() const { return channels_.empty(); }
  /// With the metric of the shape alone, or of the material of a field.
  [[nodiscard]] kernels::Elements<S> view() const { return {metric_.data(), neighbour_.data(), word_.data()}; }
  [[nodiscard]] kernels::Elements<S> view(Field field) const {
    return {metric(field), neighbour_.data(), word_.data()};
  }
  [[nodiscard]] const S* metric(Field field) const {
    if (electric_metric_.size() == 0) return metric_.data();
    return field == Field::electric ? electric_metric_.data() : magnetic_metric_.data();
  }
  /// Makes the metric of a field that of masses weighted along the axes by `axes(e)` on the elements of `chosen`.
  template <class Axes>
  void weigh(const Problem& problem, Field field, const std::vector<LocalIndex>& chosen, const Axes& axes) {
    auto& metric =
        electric_metric_.size() == 0 ? metric_ : (field == Field::electric ? electric_metric_ : magnetic_metric_);
    std::vector<S> all = metric.download();
    for (const LocalIndex e : chosen) {
      const auto k = static_cast<std::size_t>(e);
      const auto q = basis::PhysicalElement(space_, problem.mesh->corners[k]).metric(axes(e));
      for (int a = 0; a < 6; ++a)
        all[layout_.at(layout_.slot(e), 6, a)] = static_cast<S>(q[static_cast<std::size_t>(a)]);
    }
    metric.upload(all);
  }
  [[nodiscard]] std::size_t field_size() const {
    return static_cast<std::size_t>(layout_.blocks * layout_.lanes) * static_cast<std::size_t>(dofs_);
  }
  [[nodiscard]] FieldBuffer make_field() const { return FieldBuffer(backend_, field_size()); }

  using Fields = std::vector<FieldBuffer*>;

  /// Packs the traces of `fields` on elements of the first `classes` classes and starts their messages; the border
  /// elements of these must be final.
  void start_exchange(const Fields& fields, int classes) {
    for (auto& channel : channels_) {
      if (channel.step_class >= classes) continue;
      for (std::size_t k = 0; k < fields.size(); ++k) {
        backend_.for_blocks(space_,
                            kernels::PackTraces<S>{fields[k]->data(), channel.element.data(), channel.face.data(),
                                                   channel.fields[k].packed.data()},
                            0, channel.sent);
        backend_.to_staging(channel.fields[k].packed, channel.fields[k].outgoing);
      }
    }
    if (!channels_.empty()) backend_.mark();
  }

  /// Sends what `start_exchange` packed of `count` fields, while the work queued since then goes on.
  void send(std::size_t count, int classes) {
    if (channels_.empty()) return;
    const auto tag = [&](const auto& channel, std::size_t k) {
      return channel.step_class * exchanged_ + static_cast<int>(k);
    };
    for (auto& channel : channels_)
      for (std::size_t k = 0; k < count && channel.step_class < classes; ++k) {
        auto& incoming = channel.fields[k].incoming;
        if (incoming.size() == 0) continue;
        ranks_.start_receive(requests_, incoming.data(), incoming.size() * sizeof(S), channel.rank, tag(channel, k));
      }
    backend_.wait_for_mark();
    for (auto& channel : channels_)
      for (std::size_t k = 0; k < count && channel.step_class < classes; ++k) {
        auto& outgoing = channel.fields[k].outgoing;
        if (outgoing.size() == 0) continue;
        ranks_.start_send(requests_, outgoing.data(), outgoing.size() * sizeof(S), channel.rank, tag(channel, k));
      }
  }

  /// Waits for the messages and puts them into the ghosts of `fields`.
  void finish_exchange(const Fields& fields, int classes) {
    if (channels_.empty()) return;
    requests_.wait_all();
    for (auto& channel : channels_)
      for (std::size_t k = 0; k < fields.size() && channel.step_class < classes; ++k)
        backend_.from_staging(
            channel.fields[k].incoming, *fields[k],
            static_cast<std::size_t>(channel.ghosts.first * layout_.lanes) * static_cast<std::size_t>(dofs_));
  }

  /// Of the elements of all classes.
  void exchange(const Fields& fields) {
    start_exchange(fields, layout_.step_classes);
    send(fields.size(), layout_.step_classes);
    finish_exchange(fields, layout_.step_classes);
  }

  /// sum over all elements of all ranks of weight(class) u . M v, M with the axes of the field's material; the same on
  /// any number of ranks and threads. NaN when a field is not finite.
  double product(Field field, const FieldBuffer& u, const FieldBuffer& v, const FieldBuffer& weight) {
    const std::int64_t own = layout_.border.count + layout_.inner.count;
    backend_.for_blocks(space_, kernels::MassProduct<S>{view(field), u.data(), v.data(), weight.data(), value_.data()},
                        0, own);
    return sum_of_values(value_, own * layout_.lanes);
  }

  /// Likewise of one number per slot.
  double sum(const FieldBuffer& values) {
    return sum_of_values(values, (layout_.border.count + layout_.inner.count) * layout_.lanes);
  }

 private:
  static constexpr std::size_t team_count = 512;

  void open_channel(const HaloLayout& halo) {
    const auto numbers = [&](std::int64_t blocks) {
      return static_cast<std::size_t>(blocks * layout_.lanes) * static_cast<std::size_t>(dofs_);
    };
    HaloChannel<Backend, S> channel{halo.rank,
                                    halo.step_class,
                                    halo.ghosts,
                                    halo.sent,
                                    {backend_, halo.element.size()},
                                    {backend_, halo.face.size()},
                                    {}};
    for (int k = 0; k < exchanged_; ++k)
      channel.fields.emplace_back(backend_, numbers(halo.sent), numbers(halo.ghosts.count));
    channel.element.upload(halo.element);
    channel.face.upload(halo.face);
    channels_.push_back(std::move(channel));
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
  int exchanged_;
  FieldBuffer metric_;
  FieldBuffer electric_metric_;
  FieldBuffer magnetic_metric_;
  typename Backend::template Buffer<std::int32_t> neighbour_;
  typename Backend::template Buffer<std::uint32_t> word_;
  FieldBuffer value_;
  typename Backend::template Buffer<double> teams_;
  typename Backend::template Buffer<std::int64_t> team_words_;
  std::vector<HaloChannel<Backend, S>> channels_;
  comm::Requests requests_;
};

}  // namespace tetrawave::march
