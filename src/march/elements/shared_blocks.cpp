#include "march/elements/shared_blocks.hpp"

#include <algorithm>
#include <unordered_map>

namespace tetrawave::march {

namespace {

constexpr std::int32_t no_element = -1;
constexpr std::int32_t no_copy = -2;

/// Numbers blocks by the shapes in their lanes.
class BlockNumbers {
 public:
  explicit BlockNumbers(int lanes) : lanes_(static_cast<std::size_t>(lanes)) {}

  [[nodiscard]] const SharedBlocks& found() const { return found_; }

  void add(const std::vector<std::int32_t>& shapes) {
    const auto block = static_cast<std::int32_t>(found_.number.size());
    found_.number.push_back(number_of(shapes));
    if (static_cast<std::size_t>(found_.number.back()) < found_.first.size()) return;
    found_.first.push_back(block);
    shapes_.insert(shapes_.end(), shapes.begin(), shapes.end());
  }

 private:
  std::int32_t number_of(const std::vector<std::int32_t>& shapes) {
    const auto next = static_cast<std::int32_t>(found_.first.size());
    if (std::find(shapes.begin(), shapes.end(), no_copy) != shapes.end()) return next;
    std::uint64_t hash = 0;
    for (const std::int32_t shape : shapes)
      hash = (hash ^ static_cast<std::uint32_t>(shape)) * 0x9e3779b97f4a7c15U + (hash >> 29);
    for (;; ++hash) {
      const auto [place, is_new] = by_hash_.try_emplace(hash, next);
      if (is_new || has(place->second, shapes)) return place->second;
    }
  }
  [[nodiscard]] bool has(std::int32_t number, const std::vector<std::int32_t>& shapes) const {
    return std::equal(shapes.begin(), shapes.end(),
                      shapes_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(number) * lanes_));
  }

  std::size_t lanes_;
  SharedBlocks found_;
  std::vector<std::int32_t> shapes_;  ///< [number][lane]
  std::unordered_map<std::uint64_t, std::int32_t> by_hash_;
};

/// The shape in a lane, as far as it distinguishes elements.
std::int32_t shape_of(const Problem& problem, std::int64_t element) {
  const auto e = static_cast<std::size_t>(element);
  const bool in_layer = problem.layers && problem.layers->is_layer[static_cast<std::size_t>(problem.mesh->region[e])];
  return in_layer ? no_copy : problem.mesh->shape[e];
}

}  // namespace

SharedBlocks share_blocks(const Problem& problem, int lanes, std::int64_t border, std::int64_t inner,
                          std::int64_t others) {
  const LocalMesh& mesh = *problem.mesh;
  if (mesh.shape.empty() || problem.classes.count > 1) return {};
  const std::int64_t most = (border + inner + others) / 2;
  BlockNumbers numbers(lanes);
  std::vector<std::int32_t> shapes(static_cast<std::size_t>(lanes));
  const auto add_blocks = [&](std::int64_t blocks, std::int64_t element, std::int64_t end) {
    for (std::int64_t b = 0; b < blocks && static_cast<std::int64_t>(numbers.found().first.size()) <= most; ++b) {
      for (auto& shape : shapes) {
        shape = element < end ? shape_of(problem, element) : no_element;
        ++element;
      }
      numbers.add(shapes);
    }
  };
  add_blocks(border, 0, mesh.border_count);
  add_blocks(inner, mesh.border_count, mesh.element_count());
  add_blocks(others, 0, 0);
  if (static_cast<std::int64_t>(numbers.found().first.size()) > most) return {};
  return numbers.found();
}

}  // namespace tetrawave::march
