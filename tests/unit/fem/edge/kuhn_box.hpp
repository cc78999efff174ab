// Boxes of Kuhn's tetrahedra for edge elements: nodes moved and numbered at random, so that elements have any shape,
// either sign of det J, and meet their entities in any order.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "base/types.hpp"
#include "fem/edge/edge_space.hpp"

namespace tetrawave_tests {

using Vertices = std::vector<tetrawave::GlobalIndex>;  // ascending

struct KuhnBox {
  std::vector<std::array<tetrawave::GlobalIndex, 4>> vertices;  ///< ascending
  std::vector<std::array<tetrawave::Vec3, 4>> corners;          ///< in their order
  std::map<tetrawave::GlobalIndex, tetrawave::Vec3> node;

  /// Vertices of the face opposite vertex f.
  [[nodiscard]] Vertices face(std::size_t element, std::size_t f) const {
    Vertices result(vertices[element].begin(), vertices[element].end());
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(f));
    return result;
  }
  /// The elements at each face, and which face of theirs it is.
  [[nodiscard]] std::map<Vertices, std::vector<tetrawave::fem::ElementFace>> faces() const {
    std::map<Vertices, std::vector<tetrawave::fem::ElementFace>> result;
    for (std::size_t e = 0; e < vertices.size(); ++e)
      for (std::uint8_t f = 0; f < 4; ++f) result[face(e, f)].emplace_back(static_cast<tetrawave::LocalIndex>(e), f);
    return result;
  }
  [[nodiscard]] std::vector<tetrawave::fem::ElementFace> outer_faces() const {
    std::vector<tetrawave::fem::ElementFace> result;
    for (const auto& [name, at] : faces())
      if (at.size() == 1) result.push_back(at[0]);
    return result;
  }
  /// Those at x = 0.
  [[nodiscard]] std::vector<tetrawave::fem::ElementFace> faces_at_x0() const {
    std::vector<tetrawave::fem::ElementFace> result;
    for (const auto& at : outer_faces()) {
      const Vertices on_face = face(static_cast<std::size_t>(at.first), at.second);
      if (std::all_of(on_face.begin(), on_face.end(), [&](auto v) { return node.at(v)[0] == 0; })) result.push_back(at);
    }
    return result;
  }
};

inline std::set<Vertices> edges_of(const Vertices& vertices) {
  std::set<Vertices> result;
  for (std::size_t j = 0; j < vertices.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) result.insert({vertices[i], vertices[j]});
  return result;
}

/// The unit cube of cells of 6 elements; inner nodes moved by up to `jitter` of a cell.
inline KuhnBox make_kuhn_box(const std::array<int, 3>& cells, double jitter, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-jitter, jitter);
  const int ny = cells[1] + 1, nz = cells[2] + 1;
  std::vector<tetrawave::GlobalIndex> name(static_cast<std::size_t>((cells[0] + 1) * ny * nz));
  std::iota(name.begin(), name.end(), 1000000007);
  std::shuffle(name.begin(), name.end(), random);
  const auto name_of = [&](const std::array<int, 3>& at) {
    return name[static_cast<std::size_t>((at[0] * ny + at[1]) * nz + at[2])];
  };
  KuhnBox box;
  for (int x = 0; x <= cells[0]; ++x)
    for (int y = 0; y <= cells[1]; ++y)
      for (int z = 0; z <= cells[2]; ++z) {
        const std::array<int, 3> at{x, y, z};
        tetrawave::Vec3& point = box.node[name_of(at)];
        for (std::size_t a = 0; a < 3; ++a) {
          const bool is_inner = at[a] > 0 && at[a] < cells[a];
          point[a] = (at[a] + (is_inner ? shift(random) : 0)) / cells[a];
        }
      }
  for (int x = 0; x < cells[0]; ++x)
    for (int y = 0; y < cells[1]; ++y)
      for (int z = 0; z < cells[2]; ++z) {
        std::array<std::size_t, 3> order{0, 1, 2};
        do {
          std::array<int, 3> at{x, y, z};
          std::array<tetrawave::GlobalIndex, 4> element{name_of(at)};
          for (std::size_t k = 0; k < 3; ++k) {
            ++at[order[k]];
            element[k + 1] = name_of(at);
          }
          std::sort(element.begin(), element.end());
          box.vertices.push_back(element);
          auto& corners = box.corners.emplace_back();
          for (std::size_t v = 0; v < 4; ++v) corners[v] = box.node.at(element[v]);
        } while (std::next_permutation(order.begin(), order.end()));
      }
  return box;
}

}  // namespace tetrawave_tests
