#include "results/fields/ordered_rows.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"

namespace tetrawave::results {

OrderedRows::OrderedRows(std::vector<GlobalIndex> ids, std::vector<std::int32_t> rows, GlobalIndex id_count,
                         const comm::Communicator& ranks)
    : ids_(std::move(ids)), ranks_(ranks) {
  std::vector<std::int64_t> in_page(static_cast<std::size_t>((id_count + page - 1) / page), 0);
  for (std::size_t k = 0; k < ids_.size(); ++k) in_page[static_cast<std::size_t>(ids_[k] / page)] += rows[k];
  ranks_.sum_in_place(std::span<std::int64_t>(in_page));
  first_row_.push_back(0);
  for (const std::int64_t count : in_page) first_row_.push_back(first_row_.back() + count);
  if (ranks_.size() > 1) find_sources(rows);
}

std::pair<std::size_t, std::size_t> OrderedRows::own(std::size_t page_index) const {
  const auto first = static_cast<GlobalIndex>(page_index) * page;
  const auto at = [&](GlobalIndex id) {
    return static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  };
  return {at(first), at(first + page)};
}

void OrderedRows::find_sources(const std::vector<std::int32_t>& rows) {
  struct Known {
    GlobalIndex id;
    Source source;
  };
  sources_.resize(pages());
  for (std::size_t p = 0; p < pages(); ++p) {
    if (first_row_[p] == first_row_[p + 1]) continue;
    std::vector<Known> mine;
    const auto [first, last] = own(p);
    for (std::size_t k = first; k < last; ++k) mine.push_back({ids_[k], {ranks_.rank(), rows[k]}});
    std::vector<Known> all = ranks_.gather(std::span<const Known>(mine));
    std::sort(all.begin(), all.end(), [](const Known& a, const Known& b) { return a.id < b.id; });
    for (const Known& known : all) sources_[p].push_back(known.source);
  }
}

template <class T>
std::vector<T> OrderedRows::gather(std::size_t page_index, const std::vector<T>& mine, std::size_t width) const {
  if (ranks_.size() == 1) return mine;
  if (first_row_[page_index] == first_row_[page_index + 1]) return {};
  const std::vector<T> all = ranks_.gather(std::span<const T>(mine));
  if (ranks_.rank() != 0) return {};
  const auto& sources = sources_[page_index];
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks_.size()) + 1, 0);  // of each rank's rows in `all`
  for (const Source& source : sources)
    next[static_cast<std::size_t>(source.rank) + 1] += static_cast<std::size_t>(source.rows) * width;
  for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
  ensure(next.back() == all.size(), "every rank gives the rows of its elements");
  std::vector<T> ordered;
  ordered.reserve(all.size());
  for (const Source& source : sources) {
    std::size_t& at = next[static_cast<std::size_t>(source.rank)];
    const std::size_t count = static_cast<std::size_t>(source.rows) * width;
    ordered.insert(ordered.end(), all.begin() + static_cast<std::ptrdiff_t>(at),
                   all.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  return ordered;
}

template std::vector<float> OrderedRows::gather(std::size_t, const std::vector<float>&, std::size_t) const;
template std::vector<std::int32_t> OrderedRows::gather(std::size_t, const std::vector<std::int32_t>&,
                                                       std::size_t) const;
template std::vector<std::int64_t> OrderedRows::gather(std::size_t, const std::vector<std::int64_t>&,
                                                       std::size_t) const;

}  // namespace tetrawave::results
