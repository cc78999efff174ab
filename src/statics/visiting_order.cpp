#include "statics/visiting_order.hpp"

#include <algorithm>

namespace tetrawave::fem {

namespace {

/// Elements sorted by their number of neighbours, in bins whose borders move as neighbours are removed.
class Bins {
 public:
  explicit Bins(std::vector<std::int32_t> degree) : degree_(std::move(degree)), place_(degree_.size()) {
    const std::int32_t most = degree_.empty() ? 0 : *std::max_element(degree_.begin(), degree_.end());
    begin_.assign(static_cast<std::size_t>(most) + 2, 0);
    for (const std::int32_t d : degree_) ++begin_[static_cast<std::size_t>(d) + 1];
    for (std::size_t d = 1; d < begin_.size(); ++d) begin_[d] += begin_[d - 1];
    sorted_.resize(degree_.size());
    std::vector<std::int32_t> next(begin_);
    for (std::size_t e = 0; e < degree_.size(); ++e) {
      place_[e] = next[static_cast<std::size_t>(degree_[e])]++;
      sorted_[static_cast<std::size_t>(place_[e])] = static_cast<std::int32_t>(e);
    }
  }

  [[nodiscard]] std::int32_t at(std::size_t place) const { return sorted_[place]; }

  /// A neighbour of `element` has been removed: the element changes places with the first of its bin, which then starts
  /// one later. Those at or below the `level` of the last one removed stay.
  void lower(std::int32_t element, std::int32_t level) {
    std::int32_t& degree = degree_[static_cast<std::size_t>(element)];
    if (degree <= level) return;
    std::int32_t& front = begin_[static_cast<std::size_t>(degree)];
    const std::int32_t other = sorted_[static_cast<std::size_t>(front)];
    std::swap(sorted_[static_cast<std::size_t>(front)],
              sorted_[static_cast<std::size_t>(place_[static_cast<std::size_t>(element)])]);
    std::swap(place_[static_cast<std::size_t>(other)], place_[static_cast<std::size_t>(element)]);
    ++front;
    --degree;
  }

  [[nodiscard]] std::int32_t degree(std::int32_t element) const { return degree_[static_cast<std::size_t>(element)]; }
  [[nodiscard]] std::vector<std::int32_t> take() { return std::move(sorted_); }

 private:
  std::vector<std::int32_t> degree_;
  std::vector<std::int32_t> place_;   ///< of an element in sorted_
  std::vector<std::int32_t> sorted_;  ///< by degree
  std::vector<std::int32_t> begin_;   ///< of every degree's bin in sorted_
};

}  // namespace

std::vector<std::int32_t> order_smallest_last(const Incidence& incidence, const Adjacency& adjacency) {
  std::vector<std::int32_t> degree(incidence.element_count(), 0);
  for (std::size_t e = 0; e < degree.size(); ++e)
    for (const std::int32_t entity : incidence.of(e))
      degree[e] += static_cast<std::int32_t>(adjacency.of(entity).size()) - 1;
  Bins bins(std::move(degree));
  for (std::size_t place = 0; place < incidence.element_count(); ++place) {
    const std::int32_t element = bins.at(place);
    const std::int32_t level = bins.degree(element);
    for (const std::int32_t entity : incidence.of(static_cast<std::size_t>(element)))
      for (const std::int32_t neighbor : adjacency.of(entity)) bins.lower(neighbor, level);
  }
  std::vector<std::int32_t> order = bins.take();
  std::reverse(order.begin(), order.end());
  return order;
}

Incidence reorder(const Incidence& incidence, const std::vector<std::int32_t>& order) {
  Incidence result;
  result.stride = incidence.stride;
  result.entity_count = incidence.entity_count;
  result.entities.reserve(incidence.entities.size());
  for (const std::int32_t element : order) {
    const auto entities = incidence.of(static_cast<std::size_t>(element));
    result.entities.insert(result.entities.end(), entities.begin(), entities.end());
  }
  return result;
}

std::vector<std::int32_t> back_in_place(const std::vector<std::int32_t>& values,
                                        const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> result(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) result[static_cast<std::size_t>(order[k])] = values[k];
  return result;
}

}  // namespace tetrawave::fem
