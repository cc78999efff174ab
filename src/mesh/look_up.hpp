// Reading entries of a list that lies in slabs over the ranks.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

/// Entries of a distributed list of `count` items of which this rank holds its slab `mine`. A collective.
///
/// After construction at(id) gives any of the `wanted` ids. Only ids outside the own slab travel, each once.
template <class T>
class LookUp {
 public:
  LookUp(std::vector<GlobalIndex> wanted, std::span<const T> mine, GlobalIndex count, const comm::Communicator& ranks)
      : mine_(mine), first_(slab_begin(ranks.rank(), ranks.size(), count)), ids_(std::move(wanted)) {
    std::erase_if(ids_, [&](GlobalIndex id) { return is_mine(id); });
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    std::vector<std::vector<GlobalIndex>> asked(static_cast<std::size_t>(ranks.size()));
    for (const GlobalIndex id : ids_) {
      asked[static_cast<std::size_t>(slab_owner(id, ranks.size(), count))].push_back(id);
    }
    std::vector<std::vector<T>> answers;
    for (const auto& ids : ranks.exchange(asked)) {
      std::vector<T>& answer = answers.emplace_back();
      for (const GlobalIndex id : ids) answer.push_back(mine_[static_cast<std::size_t>(id - first_)]);
    }
    // Owners ascend with ids, so the answers in rank order are in the order of the ids.
    for (const auto& answer : ranks.exchange(answers)) values_.insert(values_.end(), answer.begin(), answer.end());
  }

  [[nodiscard]] const T& at(GlobalIndex id) const {
    if (is_mine(id)) return mine_[static_cast<std::size_t>(id - first_)];
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return values_[static_cast<std::size_t>(found - ids_.begin())];
  }

 private:
  [[nodiscard]] bool is_mine(GlobalIndex id) const {
    return id >= first_ && id - first_ < static_cast<GlobalIndex>(mine_.size());
  }

  std::span<const T> mine_;
  GlobalIndex first_;
  std::vector<GlobalIndex> ids_;
  std::vector<T> values_;
};

}  // namespace tetrawave
