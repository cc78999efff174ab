// Own rows of vectors over the rows of a rank's elements, on a device: what other ranks have of them, and they of this
// rank's, goes by way of the host, as it is little.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "fem/device/kernel_list.hpp"
#include "fem/sparse/rank_exchange.hpp"

namespace tetrawave::fem::device {

template <class Backend>
class ElementsOnDevice {
 public:
  template <class V>
  using Buffer = typename Backend::template Buffer<V>;

  /// `factors`: of the scaling, by own row, or none. `rows` must outlive it.
  ElementsOnDevice(Backend& backend, const ElementRows& rows, const std::vector<double>& factors)
      : ElementsOnDevice(backend, rows, factors, Lists(rows)) {}

  // Of own rows.
  [[nodiscard]] const double* side() const { return side_.data(); }
  [[nodiscard]] double* solution() const { return solution_.data(); }
  /// Null: 1.
  [[nodiscard]] const double* factors() const { return factors_ ? factors_->data() : nullptr; }
  [[nodiscard]] const double* inverse_factors() const { return inverse_ ? inverse_->data() : nullptr; }

  /// The sum of all ranks' contributions b, and values x. Collective.
  void take(const double* b, const double* x) {
    backend_.rows(count(places_), MoveRows<double>{places_.data(), own_.data(), b, side_.data()});
    backend_.rows(count(places_), MoveRows<double>{places_.data(), own_.data(), x, solution_.data()});
    const std::vector<double> added = rows_.exchange().give(read(others_, b, of_others_));
    if (added.empty()) return;
    of_given_.upload(added);
    for (const RankExchange::Piece& piece : rows_.exchange().to())  // a rank names each row once
      backend_.rows(static_cast<std::int32_t>(piece.count),
                    AddNumbers{given_.data() + piece.first, of_given_.data() + piece.first, side_.data()});
  }
  /// The solution, to all ranks. Collective.
  void spread(double* x) {
    backend_.rows(count(places_), MoveRows<double>{own_.data(), places_.data(), solution_.data(), x});
    RankExchange::Flight<double> flight;
    flight.out = read(given_, solution_.data(), of_given_);
    rows_.exchange().send(flight);
    rows_.exchange().finish(flight);
    if (!flight.in.empty()) {
      of_others_.upload(flight.in);
      backend_.rows(count(others_), MoveRows<double>{ascending_.data(), others_.data(), of_others_.data(), x});
    }
    backend_.synchronize();
  }

 private:
  struct Lists {
    explicit Lists(const ElementRows& of) : others(of.others().begin(), of.others().end()), ascending(others.size()) {
      const SharedRows& rows = of.rows();
      for (std::size_t i = 0; i < rows.number.size(); ++i) {
        if (!rows.is_own(rows.number[i])) continue;
        places.push_back(static_cast<std::int32_t>(i));
        own.push_back(rows.number[i] - rows.begin());
      }
      ensure(own.size() == rows.own(), "a rank's elements have all rows that it owns");
      std::iota(ascending.begin(), ascending.end(), 0);
    }
    std::vector<std::int32_t> places, own, others, ascending;
  };

  ElementsOnDevice(Backend& backend, const ElementRows& rows, const std::vector<double>& factors, const Lists& lists)
      : backend_(backend),
        rows_(rows),
        places_(backend, lists.places),
        own_(backend, lists.own),
        others_(backend, lists.others),
        ascending_(backend, lists.ascending),
        given_(backend, rows.exchange().given()),
        of_others_(backend, lists.others.size()),
        of_given_(backend, rows.exchange().given().size()),
        side_(backend, lists.own.size()),
        solution_(backend, lists.own.size()) {
    if (factors.empty()) return;
    factors_.emplace(backend, factors);
    std::vector<double> inverse;
    for (const double factor : factors) inverse.push_back(1 / factor);
    inverse_.emplace(backend, inverse);
  }

  template <class List>
  [[nodiscard]] static std::int32_t count(const List& list) {
    return static_cast<std::int32_t>(list.size());
  }
  [[nodiscard]] std::vector<double> read(const Buffer<std::int32_t>& places, const double* from, Buffer<double>& room) {
    if (places.size() == 0) return {};
    backend_.rows(count(places), TakeRows<double>{places.data(), from, room.data()});
    return room.download();
  }

  Backend& backend_;
  const ElementRows& rows_;
  Buffer<std::int32_t> places_, own_;  ///< of own rows: places of the vectors, rows
  Buffer<std::int32_t> others_, ascending_, given_;
  Buffer<double> of_others_, of_given_, side_, solution_;
  std::optional<Buffer<double>> factors_, inverse_;
};

}  // namespace tetrawave::fem::device
