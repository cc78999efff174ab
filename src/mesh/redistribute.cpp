#include "mesh/redistribute.hpp"

#include "mesh/look_up.hpp"

namespace tetrawave {

namespace {

LookUp<std::int32_t> look_up_owners(const MeshSlab& slab, const FaceMatches& matches,
                                    std::span<const std::int32_t> owner, const comm::Communicator& ranks) {
  std::vector<GlobalIndex> wanted;
  wanted.reserve(4 * matches.of_element.size());
  for (const auto& faces : matches.of_element) {
    for (const FaceMatch& face : faces) {
      if (face.neighbour >= 0) wanted.push_back(face.neighbour);
    }
  }
  return {std::move(wanted), owner, slab.element_count, ranks};
}

}  // namespace

std::vector<ElementRecord> redistribute(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches,
                                        std::span<const std::int32_t> owner, const comm::Communicator& ranks) {
  const LookUp<std::int32_t> owners = look_up_owners(slab, matches, owner, ranks);
  std::vector<std::vector<ElementRecord>> out(static_cast<std::size_t>(ranks.size()));
  for (std::size_t e = 0; e < elements.vertices.size(); ++e) {
    ElementRecord& record = out[static_cast<std::size_t>(owner[e])].emplace_back();
    record.id = slab.first_element + static_cast<GlobalIndex>(e);
    record.vertices = elements.vertices[e];
    record.corners = elements.corners[e];
    record.region = slab.region[e];
    for (std::size_t f = 0; f < 4; ++f) {
      const FaceMatch& face = matches.of_element[e][f];
      record.neighbour[f] = face.neighbour;
      record.neighbour_owner[f] = face.neighbour < 0 ? -1 : owners.at(face.neighbour);
      record.neighbour_face[f] = face.neighbour_face;
      record.boundary[f] = face.tag;
    }
  }
  // Slabs ascend with ranks, so arrivals in rank order ascend in their ids.
  std::vector<std::vector<ElementRecord>> in = ranks.exchange(out);
  out.clear();
  std::vector<ElementRecord> mine = std::move(in[0]);
  for (std::size_t from = 1; from < in.size(); ++from) mine.insert(mine.end(), in[from].begin(), in[from].end());
  return mine;
}

}  // namespace tetrawave
