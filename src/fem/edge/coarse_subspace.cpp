#include "fem/edge/coarse_subspace.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "basis/functions.hpp"

namespace tetrawave::fem {

namespace {

constexpr std::size_t whitney_functions = 6;  // of an element, the first ones of every space

/// Vertices numbered from 0.
class VertexNumbers {
 public:
  explicit VertexNumbers(std::span<const std::array<GlobalIndex, 4>> vertices) {
    for (const auto& element : vertices)
      for (const GlobalIndex vertex : element) known_.try_emplace(vertex, static_cast<std::int32_t>(known_.size()));
  }
  [[nodiscard]] std::int32_t of(GlobalIndex vertex) const { return known_.at(vertex); }
  [[nodiscard]] std::size_t count() const { return known_.size(); }

 private:
  std::unordered_map<GlobalIndex, std::int32_t> known_;
};

/// Sets that are joined; each has the smallest of its numbers as its name.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t size) : up_(size) { std::iota(up_.begin(), up_.end(), 0); }
  std::int32_t name(std::int32_t x) {
    while (up_[static_cast<std::size_t>(x)] != x) {
      auto& up = up_[static_cast<std::size_t>(x)];
      x = up = up_[static_cast<std::size_t>(up)];
    }
    return x;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = name(a);
    b = name(b);
    up_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> up_;
};

/// Calls use(element, unknown or fixed, ends a and b of the function) for the edges of all elements.
template <class Use>
void for_edges(const EdgeSpace& space, const Use& use) {
  const auto functions = basis::functions_of(Space::mixed_1);
  for (std::size_t e = 0; e < space.element_count(); ++e)
    for (std::size_t i = 0; i < whitney_functions; ++i)
      use(e, space.of(e)[i], static_cast<std::size_t>(functions[i].vertices[0]),
          static_cast<std::size_t>(functions[i].vertices[1]));
}

/// Two entries per row, or none (column -1).
using RowOfTwo = std::array<std::pair<std::int32_t, double>, 2>;
constexpr RowOfTwo empty_row{{{-1, 0.}, {-1, 0.}}};

/// Columns are numbered in the order of the rows, those without entries left out.
Subspace pack(const std::vector<RowOfTwo>& rows, std::size_t names) {
  Subspace result;
  std::vector<std::int32_t> number(names, -1);
  for (const RowOfTwo& row : rows) {
    for (const auto& [name, value] : row) {
      if (name < 0) continue;
      std::int32_t& column = number[static_cast<std::size_t>(name)];
      if (column < 0) column = result.columns++;
      result.column.push_back(column);
      result.value.push_back(value);
    }
    result.first.push_back(static_cast<std::int64_t>(result.column.size()));
  }
  return result;
}

}  // namespace

Subspace lowest_order_subspace(const EdgeSpace& space) {
  ensure(space.space != Space::full_3, "the functions of a space of finite elements include those of mixed-1");
  std::vector<RowOfTwo> rows(static_cast<std::size_t>(space.unknowns), empty_row);
  for_edges(space, [&](std::size_t, std::int32_t unknown, std::size_t, std::size_t) {
    if (unknown != EdgeSpace::fixed) rows[static_cast<std::size_t>(unknown)][0] = {unknown, 1};
  });
  return pack(rows, rows.size());
}

Subspace gradient_subspace(const EdgeSpace& space, std::span<const std::array<GlobalIndex, 4>> vertices) {
  const VertexNumbers numbers(vertices);
  JoinedSets metal(numbers.count()), parts(numbers.count());
  const auto end = [&](std::size_t e, std::size_t vertex) { return numbers.of(vertices[e][vertex]); };
  for_edges(space, [&](std::size_t e, std::int32_t unknown, std::size_t a, std::size_t b) {
    if (unknown == EdgeSpace::fixed) metal.join(end(e, a), end(e, b));
    parts.join(end(e, a), end(e, b));
  });
  // The potential of a part's first vertex, and of all metal with it, is 0.
  const auto potential = [&](std::int32_t vertex) {
    const bool is_zero = metal.name(vertex) == metal.name(parts.name(vertex));
    return is_zero ? -1 : metal.name(vertex);
  };
  std::vector<RowOfTwo> rows(static_cast<std::size_t>(space.unknowns), empty_row);
  for_edges(space, [&](std::size_t e, std::int32_t unknown, std::size_t a, std::size_t b) {
    if (unknown == EdgeSpace::fixed) return;
    const std::int32_t from = potential(end(e, a)), to = potential(end(e, b));
    if (from != to) rows[static_cast<std::size_t>(unknown)] = {{{from, -1.}, {to, 1.}}};
  });
  return pack(rows, numbers.count());
}

Subspace coarse_subspace(const EdgeSpace& space, std::span<const std::array<GlobalIndex, 4>> vertices) {
  return space.space > Space::mixed_1 ? lowest_order_subspace(space) : gradient_subspace(space, vertices);
}

}  // namespace tetrawave::fem
