#include "mesh/connect/redistribute.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "mesh/look_up.hpp"

namespace tetrawave {

namespace {

LookUp<std::int32_t> look_up_owners(const MeshSlab& slab, const FaceMatches& matches, std::vector<std::int32_t> owner,
                                    const comm::Communicator& ranks) {
  const GlobalIndex first = slab.first_element, last = first + static_cast<GlobalIndex>(owner.size());
  std::vector<GlobalIndex> wanted;
  for (const auto& faces : matches.of_element)
    for (const FaceMatch& face : faces)
      if (face.neighbour >= 0 && (face.neighbour < first || face.neighbour >= last)) wanted.push_back(face.neighbour);
  return {std::move(wanted), std::move(owner), slab.element_count, ranks};
}

}  // namespace

std::vector<ElementRecord> redistribute(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches,
                                        std::vector<std::int32_t> owner, int threads, const comm::Communicator& ranks) {
  const LookUp<std::int32_t> owners = look_up_owners(slab, matches, std::move(owner), ranks);
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks.size()), 0);
  std::vector<LocalIndex> place(elements.size());  // in the message to the owner
  for (std::size_t e = 0; e < elements.size(); ++e)
    place[e] = static_cast<LocalIndex>(counts[static_cast<std::size_t>(owners.values()[e])]++);
  std::vector<std::vector<ElementRecord>> out(counts.size());
  for (std::size_t r = 0; r < counts.size(); ++r) out[r].resize(counts[r]);
  for_each_index(elements.size(), threads, [&](std::size_t e) {
    ElementRecord& record = out[static_cast<std::size_t>(owners.values()[e])][static_cast<std::size_t>(place[e])];
    record.id = slab.first_element + static_cast<GlobalIndex>(e);
    record.vertices = elements.vertices[e];
    record.corners = elements.corners(e);
    record.region = slab.region[e];
    for (std::size_t f = 0; f < 4; ++f) {
      const FaceMatch& face = matches.of_element[e][f];
      record.neighbour[f] = face.neighbour;
      record.neighbour_owner[f] = face.neighbour < 0 ? -1 : owners.at(face.neighbour);
      record.neighbour_face[f] = face.neighbour_face;
      record.boundary[f] = face.tag;
    }
  });
  // Slabs ascend with ranks, so items received in rank order ascend in their ids.
  std::vector<std::vector<ElementRecord>> in = ranks.exchange(std::move(out));
  out.clear();
  if (in.size() == 1) return std::move(in[0]);
  std::size_t total = 0;
  for (const auto& message : in) total += message.size();
  std::vector<ElementRecord> mine;
  mine.reserve(total);
  for (auto& message : in) {
    mine.insert(mine.end(), message.begin(), message.end());
    std::vector<ElementRecord>().swap(message);
  }
  return mine;
}

}  // namespace tetrawave
