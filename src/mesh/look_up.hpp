// Access to entries of a list distributed in slabs over the ranks.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

/// Entries of a distributed list of `count` items, of which this rank has the slab `mine`. Collective.
///
/// After construction at(id) returns any id of the own slab and of `wanted`. Only ids outside the own slab are
/// communicated, each once.
template <class T>
class LookUp {
 public:
  LookUp(std::vector<GlobalIndex> wanted, std::vector<T> mine, GlobalIndex count, const comm::Communicator& ranks)
      : first_(slab_begin(ranks.rank(), ranks.size(), count)),
        own_(mine.size()),
        values_(std::move(mine)),
        ids_(std::move(wanted)) {
    std::erase_if(ids_, [this](GlobalIndex id) { return is_mine(id); });
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    std::vector<std::vector<GlobalIndex>> asked(static_cast<std::size_t>(ranks.size()));
    for (const GlobalIndex id : ids_) {
      asked[static_cast<std::size_t>(slab_owner(id, ranks.size(), count))].push_back(id);
    }
    std::vector<std::vector<T>> answers;
    for (const auto& ids : ranks.exchange(std::move(asked))) {
      std::vector<T>& answer = answers.emplace_back();
      for (const GlobalIndex id : ids) answer.push_back(values_[static_cast<std::size_t>(id - first_)]);
    }
    // Owners ascend with ids, so the answers in rank order are in the order of the ids.
    for (const auto& answer : ranks.exchange(std::move(answers)))
      values_.insert(values_.end(), answer.begin(), answer.end());
  }

  /// Whether the id is in this rank's slab, so that it need not be in `wanted`.
  [[nodiscard]] bool is_mine(GlobalIndex id) const {
    return id >= first_ && id - first_ < static_cast<GlobalIndex>(own_);
  }
  /// Index in values() of the entry of an id.
  [[nodiscard]] std::size_t place_of(GlobalIndex id) const {
    if (is_mine(id)) return static_cast<std::size_t>(id - first_);
    return own_ + static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }
  [[nodiscard]] const T& at(GlobalIndex id) const { return values_[place_of(id)]; }
  /// The own slab, then the entries that were fetched.
  [[nodiscard]] const std::vector<T>& values() const { return values_; }
  [[nodiscard]] std::vector<T> take_values() { return std::move(values_); }

 private:
  GlobalIndex first_;
  std::size_t own_;
  std::vector<T> values_;
  std::vector<GlobalIndex> ids_;  ///< fetched, ascending
};

}  // namespace tetrawave
