#include "fem/sparse/rank_exchange.hpp"

#include <algorithm>
#include <utility>

namespace tetrawave::fem {

namespace {

constexpr int exchange_tag = 700;

std::vector<std::size_t> order_of_others(const SharedRows& rows) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.number.size(); ++i)
    if (!rows.is_own(rows.number[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rows.number[a] < rows.number[b]; });
  return order;
}

std::vector<std::int32_t> numbers_of(const SharedRows& rows, const std::vector<std::size_t>& order) {
  std::vector<std::int32_t> numbers;
  for (const std::size_t i : order) numbers.push_back(rows.number[i]);
  return numbers;
}

}  // namespace

RankExchange::RankExchange(const SharedRows& rows, std::vector<std::int32_t> wanted)
    : ranks_(rows.ranks), wanted_(std::move(wanted)) {
  std::vector<std::vector<std::int32_t>> asked(static_cast<std::size_t>(ranks_.size()));
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    const std::size_t owner = rows.owner(wanted_[k]);
    if (asked[owner].empty()) from_.push_back({static_cast<int>(owner), k, 0});
    ++from_.back().count;
    asked[owner].push_back(wanted_[k]);
  }
  const auto mine = ranks_.exchange(asked);
  for (std::size_t rank = 0; rank < mine.size(); ++rank) {
    if (mine[rank].empty()) continue;
    to_.push_back({static_cast<int>(rank), given_.size(), mine[rank].size()});
    for (const std::int32_t row : mine[rank]) given_.push_back(row - rows.begin());
  }
}

template <class T>
void RankExchange::start(const std::vector<T>& own, Flight<T>& flight) const {
  flight.out.resize(given_.size());
  for (std::size_t k = 0; k < given_.size(); ++k) flight.out[k] = own[static_cast<std::size_t>(given_[k])];
  send(flight);
}

template <class T>
void RankExchange::send(Flight<T>& flight) const {
  flight.in.resize(wanted_.size());
  for (const Piece& piece : from_)
    ranks_.start_receive(flight.requests, flight.in.data() + piece.first, piece.count * sizeof(T), piece.rank,
                         exchange_tag);
  for (const Piece& piece : to_)
    ranks_.start_send(flight.requests, flight.out.data() + piece.first, piece.count * sizeof(T), piece.rank,
                      exchange_tag);
}

template <class T>
std::vector<T> RankExchange::fetch(const std::vector<T>& own) const {
  Flight<T> flight;
  start(own, flight);
  finish(flight);
  return std::move(flight.in);
}

template <class T>
std::vector<T> RankExchange::give(const std::vector<T>& wanted) const {
  comm::Requests requests;
  std::vector<T> in(given_.size());
  for (const Piece& piece : to_)
    ranks_.start_receive(requests, in.data() + piece.first, piece.count * sizeof(T), piece.rank, exchange_tag);
  for (const Piece& piece : from_)
    ranks_.start_send(requests, wanted.data() + piece.first, piece.count * sizeof(T), piece.rank, exchange_tag);
  requests.wait_all();
  return in;
}

ElementRows::ElementRows(const SharedRows& rows)
    : rows_(rows), order_(order_of_others(rows)), exchange_(rows, numbers_of(rows, order_)) {}

template <class T>
std::vector<T> ElementRows::sum(const std::vector<T>& contributions) const {
  std::vector<T> result = own(contributions), others;
  for (const std::size_t i : order_) others.push_back(contributions[i]);
  const std::vector<T> added = exchange_.give(others);
  for (std::size_t k = 0; k < added.size(); ++k) result[static_cast<std::size_t>(exchange_.given()[k])] += added[k];
  return result;
}

template <class T>
std::vector<T> ElementRows::own(const std::vector<T>& values) const {
  std::vector<T> result(rows_.own());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (rows_.is_own(rows_.number[i])) result[static_cast<std::size_t>(rows_.number[i] - rows_.begin())] = values[i];
  return result;
}

template <class T>
void ElementRows::spread(const std::vector<T>& own, std::vector<T>& values) const {
  const std::vector<T> others = exchange_.fetch(own);
  values.resize(rows_.number.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (rows_.is_own(rows_.number[i])) values[i] = own[static_cast<std::size_t>(rows_.number[i] - rows_.begin())];
  for (std::size_t k = 0; k < order_.size(); ++k) values[order_[k]] = others[k];
}

#define TETRAWAVE_EXCHANGES(T)                                                \
  template void RankExchange::start(const std::vector<T>&, Flight<T>&) const; \
  template void RankExchange::send(Flight<T>&) const;                         \
  template std::vector<T> RankExchange::fetch(const std::vector<T>&) const;   \
  template std::vector<T> RankExchange::give(const std::vector<T>&) const;    \
  template std::vector<T> ElementRows::sum(const std::vector<T>&) const;      \
  template std::vector<T> ElementRows::own(const std::vector<T>&) const;      \
  template void ElementRows::spread(const std::vector<T>&, std::vector<T>&) const;
TETRAWAVE_EXCHANGES(double)
TETRAWAVE_EXCHANGES(Complex)
#undef TETRAWAVE_EXCHANGES

}  // namespace tetrawave::fem
