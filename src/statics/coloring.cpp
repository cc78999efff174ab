#include "statics/coloring.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace tetrawave::fem {

namespace {

constexpr std::size_t word_bits = 64;

/// Bits per entity, `words` of 64; more are added if a colour does not fit.
class ColorTable {
 public:
  explicit ColorTable(std::int32_t entities) : entities_(static_cast<std::size_t>(entities)), bits_(entities_, 0) {}

  /// The smallest colour in use at none of the entities.
  std::int32_t smallest_free(std::span<const std::int32_t> entities) {
    for (std::size_t word = 0;; ++word) {
      if (word == words_) grow();
      std::uint64_t used = 0;
      for (const std::int32_t entity : entities) used |= bits_[static_cast<std::size_t>(entity) * words_ + word];
      if (used == ~std::uint64_t{0}) continue;
      return static_cast<std::int32_t>(word * word_bits) + std::countr_one(used);
    }
  }

  void use(std::span<const std::int32_t> entities, std::int32_t color) {
    const auto bit = static_cast<std::size_t>(color);
    for (const std::int32_t entity : entities)
      bits_[static_cast<std::size_t>(entity) * words_ + bit / word_bits] |= std::uint64_t{1} << (bit % word_bits);
  }

 private:
  void grow() {
    std::vector<std::uint64_t> wider(entities_ * 2 * words_, 0);
    for (std::size_t i = 0; i < entities_; ++i)
      std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(i * words_), words_,
                  wider.begin() + static_cast<std::ptrdiff_t>(i * 2 * words_));
    bits_ = std::move(wider);
    words_ *= 2;
  }

  std::size_t entities_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> bits_;
};

bool is_used_nearby(std::int32_t color, std::span<const std::int32_t> entities, const Adjacency& adjacency,
                    const std::vector<std::int32_t>& colors) {
  for (const std::int32_t entity : entities)
    for (const std::int32_t neighbor : adjacency.of(entity))
      if (colors[static_cast<std::size_t>(neighbor)] == color) return true;
  return false;
}

/// A set of elements of two colours, cut off from all other elements of these colours, can exchange its colours. Gives
/// `large` to the elements of such sets that have `small`, and the reverse, where that makes the two more even.
class ColorExchange {
 public:
  ColorExchange(const Incidence& incidence, std::vector<std::int32_t>& colors, std::size_t color_count)
      : incidence_(incidence),
        colors_(colors),
        color_count_(color_count),
        holder_(static_cast<std::size_t>(incidence.entity_count) * color_count, -1),
        seen_(colors.size(), 0),
        sizes_(color_count, 0) {
    for (std::size_t e = 0; e < colors.size(); ++e) paint(static_cast<std::int32_t>(e), colors[e]);
    for (const std::int32_t color : colors) ++sizes_[static_cast<std::size_t>(color)];
  }

  [[nodiscard]] const std::vector<std::int64_t>& sizes() const { return sizes_; }

  /// True if any set was exchanged.
  bool even_out(std::int32_t large, std::int32_t small) {
    ++round_;
    bool changed = false;
    std::int64_t& many = sizes_[static_cast<std::size_t>(large)];
    std::int64_t& few = sizes_[static_cast<std::size_t>(small)];
    for (std::size_t e = 0; e < colors_.size() && many - few > 1; ++e) {
      if (colors_[e] != large || seen_[e] == round_) continue;
      const std::int64_t surplus = collect(static_cast<std::int32_t>(e), large, small);
      if (surplus <= 0 || surplus >= many - few) continue;
      for (const std::int32_t member : set_) clear(member);
      for (const std::int32_t member : set_) paint(member, large + small - colors_[static_cast<std::size_t>(member)]);
      many -= surplus;
      few += surplus;
      changed = true;
    }
    return changed;
  }

 private:
  std::int32_t& holder(std::int32_t entity, std::int32_t color) {
    return holder_[static_cast<std::size_t>(entity) * color_count_ + static_cast<std::size_t>(color)];
  }

  void clear(std::int32_t element) {
    const auto e = static_cast<std::size_t>(element);
    for (const std::int32_t entity : incidence_.of(e)) holder(entity, colors_[e]) = -1;
  }

  void paint(std::int32_t element, std::int32_t color) {
    const auto e = static_cast<std::size_t>(element);
    colors_[e] = color;
    for (const std::int32_t entity : incidence_.of(e)) holder(entity, color) = element;
  }

  /// Puts the set around an element into set_; returns by how much more of its elements have `large`.
  std::int64_t collect(std::int32_t element, std::int32_t large, std::int32_t small) {
    set_.assign(1, element);
    seen_[static_cast<std::size_t>(element)] = round_;
    std::int64_t surplus = 0;
    for (std::size_t at = 0; at < set_.size(); ++at) {
      const auto e = static_cast<std::size_t>(set_[at]);
      surplus += colors_[e] == large ? 1 : -1;
      for (const std::int32_t entity : incidence_.of(e)) {
        const std::int32_t other = holder(entity, large + small - colors_[e]);
        if (other < 0 || seen_[static_cast<std::size_t>(other)] == round_) continue;
        seen_[static_cast<std::size_t>(other)] = round_;
        set_.push_back(other);
      }
    }
    return surplus;
  }

  const Incidence& incidence_;
  std::vector<std::int32_t>& colors_;
  std::size_t color_count_;
  std::vector<std::int32_t> holder_;  ///< [entities, colours], the one element that has the colour there, or -1
  std::vector<std::int32_t> seen_;    ///< per element, the last round that met it
  std::vector<std::int64_t> sizes_;
  std::vector<std::int32_t> set_;
  std::int32_t round_ = 0;
};

}  // namespace

void balance_colors(const Incidence& incidence, std::vector<std::int32_t>& colors) {
  if (colors.empty()) return;
  const auto count = static_cast<std::size_t>(*std::max_element(colors.begin(), colors.end())) + 1;
  ColorExchange exchange(incidence, colors, count);
  const std::vector<std::int64_t>& sizes = exchange.sizes();
  const double even = balanced_within * static_cast<double>(colors.size()) / static_cast<double>(count);
  std::vector<std::int32_t> by_size(count);
  std::iota(by_size.begin(), by_size.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    std::sort(by_size.begin(), by_size.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(sizes[static_cast<std::size_t>(a)], a) < std::pair(sizes[static_cast<std::size_t>(b)], b);
    });
    const std::int32_t largest = by_size.back();
    if (static_cast<double>(sizes[static_cast<std::size_t>(largest)]) <= even) return;
    for (std::size_t k = 0; k + 1 < count && !changed; ++k) changed = exchange.even_out(largest, by_size[k]);
  }
}

std::vector<std::int32_t> color_classically(const Incidence& incidence, const Adjacency& adjacency) {
  std::vector<std::int32_t> colors(incidence.element_count(), -1);
  std::size_t left = colors.size();
  for (std::int32_t color = 0; left > 0; ++color)
    for (std::size_t e = 0; e < colors.size(); ++e) {
      if (colors[e] >= 0 || is_used_nearby(color, incidence.of(e), adjacency, colors)) continue;
      colors[e] = color;
      --left;
    }
  return colors;
}

std::vector<std::int32_t> color_fast(const Incidence& incidence, const Adjacency& adjacency) {
  std::vector<std::int32_t> colors(incidence.element_count(), -1);
  std::vector<std::size_t> seen_by;  // per colour, the last element (plus one) that met it at a neighbour
  for (std::size_t e = 0; e < colors.size(); ++e) {
    for (const std::int32_t entity : incidence.of(e))
      for (const std::int32_t neighbor : adjacency.of(entity)) {
        const std::int32_t color = colors[static_cast<std::size_t>(neighbor)];
        if (color >= 0) seen_by[static_cast<std::size_t>(color)] = e + 1;
      }
    std::size_t free = 0;
    while (free < seen_by.size() && seen_by[free] == e + 1) ++free;
    if (free == seen_by.size()) seen_by.push_back(0);
    colors[e] = static_cast<std::int32_t>(free);
  }
  return colors;
}

std::vector<std::int32_t> color_by_table(const Incidence& incidence) {
  std::vector<std::int32_t> colors(incidence.element_count());
  ColorTable table(incidence.entity_count);
  for (std::size_t e = 0; e < colors.size(); ++e) {
    const auto entities = incidence.of(e);
    colors[e] = table.smallest_free(entities);
    table.use(entities, colors[e]);
  }
  return colors;
}

std::vector<std::int64_t> Coloring::sizes() const {
  std::vector<std::int64_t> sizes;
  for (std::size_t k = 0; k < count(); ++k) sizes.push_back(first[k + 1] - first[k]);
  return sizes;
}

Coloring group_by_color(const std::vector<std::int32_t>& color) {
  Coloring coloring;
  const std::int32_t colors = color.empty() ? 0 : *std::max_element(color.begin(), color.end()) + 1;
  coloring.first.assign(static_cast<std::size_t>(colors) + 1, 0);
  for (const std::int32_t k : color) ++coloring.first[static_cast<std::size_t>(k) + 1];
  for (std::size_t k = 1; k < coloring.first.size(); ++k) coloring.first[k] += coloring.first[k - 1];
  std::vector<std::int32_t> next(coloring.first.begin(), coloring.first.end() - 1);
  coloring.order.resize(color.size());
  for (std::size_t e = 0; e < color.size(); ++e)
    coloring.order[static_cast<std::size_t>(next[static_cast<std::size_t>(color[e])]++)] = static_cast<std::int32_t>(e);
  return coloring;
}

Coloring one_group(std::size_t element_count) {
  Coloring coloring;
  coloring.order.resize(element_count);
  std::iota(coloring.order.begin(), coloring.order.end(), 0);
  coloring.first = {0, static_cast<std::int32_t>(element_count)};
  return coloring;
}

void check_coloring(const Incidence& incidence, const Coloring& coloring) {
  ensure(coloring.order.size() == incidence.element_count(), "every element has a colour");
  std::vector<bool> met(incidence.element_count(), false);
  std::vector<std::int32_t> last_color(static_cast<std::size_t>(incidence.entity_count), -1);
  for (std::size_t k = 0; k < coloring.count(); ++k)
    for (auto at = coloring.first[k]; at < coloring.first[k + 1]; ++at) {
      const auto element = static_cast<std::size_t>(coloring.order[static_cast<std::size_t>(at)]);
      ensure(!met[element], "an element has one colour");
      met[element] = true;
      for (const std::int32_t entity : incidence.of(element)) {
        std::int32_t& color = last_color[static_cast<std::size_t>(entity)];
        ensure(color != static_cast<std::int32_t>(k), "no two elements of a colour share a node");
        color = static_cast<std::int32_t>(k);
      }
    }
}

}  // namespace tetrawave::fem
