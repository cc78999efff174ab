// Some of the vertices of a mesh, for many questions whether a vertex is one of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// A bit per global id between the lowest and the highest of the vertices.
class VertexMarks {
 public:
  VertexMarks() = default;
  /// Of any range of global ids.
  template <std::ranges::forward_range Ids>
  explicit VertexMarks(const Ids& ids) {
    if (std::ranges::empty(ids)) return;
    const auto [least, most] = std::ranges::minmax(ids);
    first_ = least;
    marks_.resize(static_cast<std::size_t>(most - least) + 1, false);
    for (const GlobalIndex id : ids) marks_[static_cast<std::size_t>(id - first_)] = true;
  }

  [[nodiscard]] bool has(GlobalIndex id) const {
    return id >= first_ && static_cast<std::size_t>(id - first_) < marks_.size() &&
           marks_[static_cast<std::size_t>(id - first_)];
  }

 private:
  GlobalIndex first_ = 0;
  std::vector<bool> marks_;
};

}  // namespace tetrawave
