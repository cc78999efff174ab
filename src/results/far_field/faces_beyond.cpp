#include "results/far_field/faces_beyond.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/parallel.hpp"
#include "mesh/neighbour_values.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave::results {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// To be sent.
struct WallFace {
  std::array<GlobalIndex, 3> vertices{};
  GlobalIndex element = 0;
  std::int64_t is_enclosed = 0;  ///< the element, or the neighbour at the face
  std::int64_t tag = 0;
  Vec3 centre_m{};
};

/// Wall faces of this rank, except absorbing ones and those in symmetry planes.
std::vector<WallFace> list_walls(const march::Problem& problem, const std::vector<MirrorPlane>& mirrors,
                                 const std::vector<std::int32_t>& enclosed, const std::vector<bool>& absorbing,
                                 int threads, const comm::Communicator& ranks) {
  const LocalMesh& mesh = *problem.mesh;
  const NeighbourValues neighbours(mesh, enclosed, ranks);
  return collect<WallFace>(mesh.vertices.size(), threads, [&](std::size_t e, auto& walls) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      const auto& corners = mesh.corners[e];
      if (tag < 0 || absorbing[at(tag)] || lies_in_mirror(corners, f, mirrors)) continue;
      WallFace& wall = walls.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) {
        wall.vertices[i] = mesh.vertices[e][face_corners[f][i]];
        wall.centre_m = wall.centre_m + (1. / 3) * corners[face_corners[f][i]];
      }
      wall.element = mesh.global_id[e];
      const bool is_enclosed = enclosed[e] > 0 || neighbours.behind(static_cast<LocalIndex>(e), f) > 0;
      wall.is_enclosed = is_enclosed ? 1 : 0;
      wall.tag = tag;
    }
  });
}

/// Sets of faces connected by their vertices.
class Structures {
 public:
  explicit Structures(const std::vector<WallFace>& faces) {
    for (const WallFace& face : faces) vertices_.insert(vertices_.end(), face.vertices.begin(), face.vertices.end());
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    for (std::size_t i = 0; i < vertices_.size(); ++i) up_.push_back(i);
    for (const WallFace& face : faces)
      for (const std::size_t i : {1, 2}) up_[root(face.vertices[i])] = root(face.vertices[0]);
  }

  /// A number below size().
  [[nodiscard]] std::size_t of(const WallFace& face) { return root(face.vertices[0]); }
  [[nodiscard]] std::size_t size() const { return vertices_.size(); }

  /// For each structure whether one of its vertices is in the ascending list `others`.
  [[nodiscard]] std::vector<bool> touching(const std::vector<GlobalIndex>& others) {
    std::vector<bool> found(size(), false);
    for (const GlobalIndex vertex : vertices_)
      if (std::binary_search(others.begin(), others.end(), vertex)) found[root(vertex)] = true;
    return found;
  }

 private:
  std::size_t root(GlobalIndex vertex) {
    auto i = at(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) - vertices_.begin());
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }

  std::vector<GlobalIndex> vertices_;  ///< ascending
  std::vector<std::size_t> up_;        ///< per vertex: another of its structure, finally one that refers to itself
};

}  // namespace

bool lies_in_mirror(const std::array<Vec3, 4>& corners, std::size_t face, const std::vector<MirrorPlane>& mirrors) {
  const double limit = 1e-6 * norm(corners[1] - corners[0]);
  return std::any_of(mirrors.begin(), mirrors.end(), [&](const MirrorPlane& mirror) {
    return std::all_of(face_corners[face].begin(), face_corners[face].end(), [&](std::size_t corner) {
      return std::abs(corners[corner][at(mirror.axis)] - mirror.position_m) < limit;
    });
  });
}

std::vector<GlobalIndex> absorbing_vertices(const march::Problem& problem, const std::vector<bool>& absorbing,
                                            const comm::Communicator& ranks, int threads) {
  const LocalMesh& mesh = *problem.mesh;
  auto mine = collect<GlobalIndex>(mesh.vertices.size(), threads, [&](std::size_t e, auto& list) {
    if (problem.layers && problem.layers->is_layer[at(mesh.region[e])])
      list.insert(list.end(), mesh.vertices[e].begin(), mesh.vertices[e].end());
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag < 0 || !absorbing[at(tag)]) continue;
      for (const std::size_t corner : face_corners[f]) list.push_back(mesh.vertices[e][corner]);
    }
  });
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  auto all = ranks.all_gather(std::span<const GlobalIndex>(mine));
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<FacesBeyond> find_faces_beyond(const march::Problem& problem, const FarFieldRequest& spec, bool is_named,
                                             const std::vector<std::int32_t>& enclosed,
                                             const std::vector<bool>& absorbing, const comm::Communicator& ranks,
                                             int threads) {
  const std::vector<WallFace> mine = list_walls(problem, spec.mirrors, enclosed, absorbing, threads, ranks);
  const auto is_beyond = [](const WallFace& wall) { return wall.is_enclosed == 0; };
  if (ranks.sum(static_cast<std::int64_t>(std::count_if(mine.begin(), mine.end(), is_beyond))) == 0) return {};
  const std::vector<GlobalIndex> open = absorbing_vertices(problem, absorbing, ranks, threads);
  std::vector<WallFace> walls = ranks.gather(std::span<const WallFace>(mine));
  std::sort(walls.begin(), walls.end(), [](const WallFace& a, const WallFace& b) {
    return std::pair(a.element, a.vertices) < std::pair(b.element, b.vertices);
  });
  Structures structures(walls);
  const std::vector<bool> goes_on = structures.touching(open);
  std::vector<bool> is_inside(structures.size(), !is_named);
  for (const WallFace& wall : walls)
    if (!is_beyond(wall)) is_inside[structures.of(wall)] = true;
  std::optional<FacesBeyond> found;
  for (const WallFace& wall : walls) {
    const std::size_t structure = structures.of(wall);
    if (!is_beyond(wall) || goes_on[structure] || !is_inside[structure]) continue;
    if (!found) found = {0, static_cast<std::int32_t>(wall.tag), wall.centre_m};
    ++found->count;
  }
  return found;
}

}  // namespace tetrawave::results
