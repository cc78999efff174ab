#include "fem/edge/edge_space.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/unset_vector.hpp"
#include "basis/functions.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::fem {

namespace {

/// The functions of an element that belong to one edge, one face or its inside.
struct FunctionGroup {
  std::vector<int> vertices;
  std::vector<std::size_t> functions;
};

std::vector<FunctionGroup> group_functions(Space space) {
  std::vector<FunctionGroup> groups;
  const auto functions = basis::functions_of(space);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::size_t g = 0;
    while (g < groups.size() && groups[g].vertices != functions[i].vertices) ++g;
    if (g == groups.size()) groups.push_back({functions[i].vertices, {}});
    groups[g].functions.push_back(i);
  }
  return groups;
}

/// The vertices of elements as numbers from 0, in the order of their global ids.
class VertexNumbers {
 public:
  explicit VertexNumbers(std::span<const std::array<GlobalIndex, 4>> vertices) {
    GlobalIndex last = -1;
    first_ = std::numeric_limits<GlobalIndex>::max();
    for (const auto& element : vertices) {
      first_ = std::min(first_, element[0]);
      last = std::max(last, element[3]);
    }
    const auto width = static_cast<std::size_t>(std::max<GlobalIndex>(last - first_ + 1, 0));
    count_ = width;
    if (width <= 8 * vertices.size()) return;  // dense: a number is the distance from the first
    for (const auto& element : vertices) ids_.insert(ids_.end(), element.begin(), element.end());
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    count_ = ids_.size();
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(GlobalIndex id) const {
    if (ids_.empty()) return static_cast<std::size_t>(id - first_);
    return static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

 private:
  GlobalIndex first_ = 0;
  std::size_t count_ = 0;
  std::vector<GlobalIndex> ids_;  ///< ascending, where they are far apart
};

/// Numbers groups of functions in the order of their first elements. Groups are compared around their lowest vertices,
/// each of which a thread can do by itself.
class Numbering {
 public:
  Numbering(Space space, std::span<const std::array<GlobalIndex, 4>> vertices, int threads)
      : groups_(group_functions(space)), vertices_(vertices), threads_(threads), numbers_(vertices) {
    if (vertices.size() * groups_.size() > std::numeric_limits<std::uint32_t>::max()) refuse();
    list_elements();
    first_.resize(vertices.size() * groups_.size());
    for_each_index(numbers_.count(), threads_, [this](std::size_t v) { compare_around(v); });
  }

  void number(EdgeSpace& space) {
    const std::size_t groups = groups_.size(), elements = vertices_.size();
    const std::size_t ranges = count_ranges(elements, threads_);
    std::vector<std::int64_t> begin(ranges + 1, 0);
    for_ranges(elements, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
      for (std::size_t k = first * groups; k < last * groups; ++k)
        if (first_[k] == k) begin[range + 1] += width(k);
    });
    for (std::size_t range = 0; range < ranges; ++range) begin[range + 1] += begin[range];
    if (begin.back() > std::numeric_limits<std::int32_t>::max()) refuse();
    space.unknowns = static_cast<std::int32_t>(begin.back());
    space.vertex.resize(static_cast<std::size_t>(space.unknowns));
    UnsetVector<std::int32_t> number(first_.size());
    for_ranges(elements, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
      auto next = static_cast<std::int32_t>(begin[range]);
      for (std::size_t k = first * groups; k < last * groups; ++k) {
        if (first_[k] != k) continue;
        number[k] = next;
        next += width(k);
        const auto lowest = static_cast<std::size_t>(groups_[k % groups].vertices.front());
        std::fill(space.vertex.begin() + number[k], space.vertex.begin() + next,
                  static_cast<std::int32_t>(numbers_.of(vertices_[k / groups][lowest])));
      }
    });
    for_each_index(elements, threads_, [&](std::size_t e) {
      for (std::size_t g = 0; g < groups; ++g) {
        std::int32_t unknown = number[first_[e * groups + g]];
        for (const std::size_t i : groups_[g].functions) space.unknown[e * space.functions + i] = unknown++;
      }
    });
  }

 private:
  [[noreturn]] static void refuse() {
    fail(ExitCode::bad_case, "the finite elements have more than 2^31 unknowns: use a coarser mesh");
  }
  [[nodiscard]] std::int32_t width(std::size_t k) const {
    return static_cast<std::int32_t>(groups_[k % groups_.size()].functions.size());
  }

  /// Elements at each vertex, ascending.
  void list_elements() {
    begin_.assign(numbers_.count() + 1, 0);
    for_each_index(vertices_.size(), threads_, [this](std::size_t e) {
      for (const GlobalIndex v : vertices_[e])
        std::atomic_ref(begin_[numbers_.of(v) + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    for (std::size_t v = 0; v < numbers_.count(); ++v) begin_[v + 1] += begin_[v];
    elements_.resize(4 * vertices_.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for_each_index(vertices_.size(), threads_, [&](std::size_t e) {
      for (const GlobalIndex v : vertices_[e])
        elements_[std::atomic_ref(next[numbers_.of(v)]).fetch_add(1, std::memory_order_relaxed)] =
            static_cast<std::uint32_t>(e);
    });
    for_each_index(numbers_.count(), threads_, [this](std::size_t v) {
      std::sort(elements_.begin() + begin_[v], elements_.begin() + begin_[v + 1]);
    });
  }

  /// Finds the first occurrences of the groups of which a vertex is the lowest.
  void compare_around(std::size_t v) {
    struct Seen {
      std::array<GlobalIndex, 2> others;  ///< vertices, -1 after them
      std::uint32_t first;
    };
    std::vector<Seen> seen;
    for (std::uint32_t at = begin_[v]; at < begin_[v + 1]; ++at) {
      const auto& vertices = vertices_[elements_[at]];
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const std::vector<int>& of_group = groups_[g].vertices;
        if (numbers_.of(vertices[static_cast<std::size_t>(of_group.front())]) != v) continue;
        const auto k = static_cast<std::uint32_t>(elements_[at] * groups_.size() + g);
        first_[k] = k;
        if (of_group.size() == 4) continue;
        std::array<GlobalIndex, 2> others{-1, -1};
        for (std::size_t i = 1; i < of_group.size(); ++i)
          others[i - 1] = vertices[static_cast<std::size_t>(of_group[i])];
        const auto found =
            std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.others == others; });
        if (found == seen.end())
          seen.push_back({others, k});
        else
          first_[k] = found->first;
      }
    }
  }

  std::vector<FunctionGroup> groups_;
  std::span<const std::array<GlobalIndex, 4>> vertices_;
  int threads_;
  VertexNumbers numbers_;
  std::vector<std::uint32_t> begin_;     ///< per vertex, into elements_
  UnsetVector<std::uint32_t> elements_;  ///< of a vertex ascending
  UnsetVector<std::uint32_t> first_;     ///< [element][group]: the first element and group with the same vertices
};

}  // namespace

EdgeSpace fix_unknowns(EdgeSpace space, const std::vector<bool>& fixed, int threads) {
  std::vector<std::int32_t> free(fixed.size()), begin(count_ranges(fixed.size(), threads) + 1, 0);
  const std::size_t ranges = begin.size() - 1;
  for_ranges(fixed.size(), ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t u = first; u < last; ++u) begin[range + 1] += fixed[u] ? 0 : 1;
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  space.unknowns = begin.back();
  std::vector<std::int32_t> vertex(static_cast<std::size_t>(space.unknowns));
  for_ranges(fixed.size(), ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    std::int32_t next = begin[range];
    for (std::size_t u = first; u < last; ++u) {
      free[u] = fixed[u] ? EdgeSpace::fixed : next;
      if (!fixed[u]) vertex[static_cast<std::size_t>(next++)] = space.vertex[u];
    }
  });
  space.vertex = std::move(vertex);
  for_each_index(space.unknown.size(), threads,
                 [&](std::size_t k) { space.unknown[k] = free[static_cast<std::size_t>(space.unknown[k])]; });
  return space;
}

std::vector<bool> find_fixed(const EdgeSpace& space, std::span<const ElementFace> metal) {
  std::vector<bool> fixed(static_cast<std::size_t>(space.unknowns), false);
  const auto& reference = basis::reference_element(space.space);
  for (const auto& [element, face] : metal)
    for (const std::size_t i : reference.on_face[face])
      fixed[static_cast<std::size_t>(space.of(static_cast<std::size_t>(element))[i])] = true;
  return fixed;
}

EdgeSpace number_unknowns(Space space, std::span<const std::array<GlobalIndex, 4>> vertices,
                          std::span<const ElementFace> metal, int threads) {
  EdgeSpace result;
  result.space = space;
  result.functions = basis::reference_element(space).dofs;
  resize_on_threads(result.unknown, vertices.size() * result.functions, threads);
  Numbering(space, vertices, threads).number(result);
  if (metal.empty()) return result;
  const std::vector<bool> fixed = find_fixed(result, metal);
  return fix_unknowns(std::move(result), fixed, threads);
}

}  // namespace tetrawave::fem
