#include "mesh/match_faces.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "mesh/hash.hpp"

namespace tetrawave {

namespace {

using FaceVertices = std::array<GlobalIndex, 3>;

constexpr std::int32_t no_group = -1;

/// A face as one element or one named group sees it.
struct Sighting {
  FaceVertices vertices{};        ///< ascending
  std::int32_t group = no_group;  ///< of a named face
  std::uint8_t face = 0;          ///< its number in the element
  bool above = false;             ///< is_above_face
  GlobalIndex opposite = -1;      ///< the element's fourth vertex
  GlobalIndex element = -1;       ///< global id
};

/// Sightings of one face stand together: first elements, those with the same corners side by side, then groups.
auto order_of(const Sighting& s) { return std::tie(s.vertices, s.group, s.opposite, s.element); }

std::uint64_t hash_of(const FaceVertices& vertices) { return hash_words(vertices[0], vertices[1], vertices[2]); }

std::size_t rank_of(const FaceVertices& vertices, std::size_t ranks) { return hash_of(vertices) % ranks; }

FaceVertices vertices_of_face(const std::array<GlobalIndex, 4>& v, std::size_t face) {
  const auto& [a, b, c] = face_corners[face];
  return {v[a], v[b], v[c]};
}

/// Per rank the sightings that it matches: of elements, in the order element and face, then of named faces.
std::vector<std::vector<Sighting>> post_faces(const MeshSlab& slab, const SlabElements& elements, std::size_t ranks) {
  std::vector<std::vector<Sighting>> out(ranks);
  for (auto& message : out) message.reserve(4 * elements.vertices.size() / ranks + slab.faces.size() / ranks);
  for (std::size_t e = 0; e < elements.vertices.size(); ++e) {
    const double volume = signed_volume(elements.corners[e]);
    const GlobalIndex id = slab.first_element + static_cast<GlobalIndex>(e);
    for (std::size_t f = 0; f < 4; ++f) {
      const FaceVertices vertices = vertices_of_face(elements.vertices[e], f);
      out[rank_of(vertices, ranks)].push_back(
          {vertices, no_group, static_cast<std::uint8_t>(f), is_above_face(volume, f), elements.vertices[e][f], id});
    }
  }
  for (std::size_t n = 0; n < slab.faces.size(); ++n) {
    FaceVertices vertices = slab.faces[n];
    std::sort(vertices.begin(), vertices.end());
    out[rank_of(vertices, ranks)].push_back({vertices, slab.face_group[n], 0, false, -1, -1});
  }
  return out;
}

/// A sighting and where its answer goes. The hash makes most comparisons of the sort cheap.
struct Entry {
  std::uint64_t hash = 0;
  const Sighting* sighting = nullptr;
  FaceMatch* answer = nullptr;
};

/// The face's first tag, and the first that differs from it; -1 when there is none.
std::pair<std::int32_t, std::int32_t> find_tags(std::span<const Entry> named, const FaceTags& tags) {
  std::pair<std::int32_t, std::int32_t> found{-1, -1};
  for (const Entry& entry : named) {
    const std::int32_t tag = tags.of_group[static_cast<std::size_t>(entry.sighting->group)];
    if (tag < 0 || tag == found.first || found.second >= 0) continue;
    (found.first < 0 ? found.first : found.second) = tag;
  }
  return found;
}

FaceProblem find_problem(std::span<const Entry> seen, const FaceMatch& match, const FaceTags& tags) {
  if (seen.size() > 2) return FaceProblem::many_elements;
  if (seen.size() == 2 && seen[0].sighting->above == seen[1].sighting->above) return FaceProblem::same_side;
  if (match.other_tag >= 0) return FaceProblem::two_tags;
  if (seen.size() == 1) return match.tag < 0 ? FaceProblem::no_tag : FaceProblem::none;
  const bool allowed = match.tag < 0 || tags.allowed_inside[static_cast<std::size_t>(match.tag)];
  return allowed ? FaceProblem::none : FaceProblem::inner_tag;
}

/// Answers all sightings of one face.
void match_face(std::span<const Entry> seen, std::span<const Entry> named, const FaceTags& tags, FaceMatches& result) {
  if (seen.empty()) {
    result.strays.push_back({named[0].sighting->group, named[0].sighting->vertices});
    return;
  }
  FaceMatch match;
  std::tie(match.tag, match.other_tag) = find_tags(named, tags);
  if (seen.size() == 1 && match.tag < 0) match.tag = tags.outer_default.value_or(-1);
  match.problem = find_problem(seen, match, tags);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    FaceMatch& answer = *seen[i].answer = match;
    for (const std::size_t j : {i - 1, i + 1}) {
      if (j >= seen.size()) continue;
      const bool twins = seen[i].sighting->opposite == seen[j].sighting->opposite;
      if (answer.problem == FaceProblem::duplicate_element && !twins) continue;
      answer.neighbour = seen[j].sighting->element;
      answer.neighbour_face = seen[j].sighting->face;
      if (twins) answer.problem = FaceProblem::duplicate_element;
    }
  }
}

std::vector<Entry> sort_sightings(const std::vector<std::vector<Sighting>>& received,
                                  std::vector<std::vector<FaceMatch>>& answers) {
  std::vector<Entry> entries;
  for (std::size_t from = 0; from < received.size(); ++from) {
    answers[from].resize(received[from].size());
    for (std::size_t i = 0; i < received[from].size(); ++i) {
      entries.push_back({hash_of(received[from][i].vertices), &received[from][i], &answers[from][i]});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : order_of(*a.sighting) < order_of(*b.sighting);
  });
  return entries;
}

/// Answers all sightings that arrived here.
std::vector<std::vector<FaceMatch>> match_received(const std::vector<std::vector<Sighting>>& received,
                                                   const FaceTags& tags, FaceMatches& result) {
  std::vector<std::vector<FaceMatch>> answers(received.size());
  const std::vector<Entry> entries = sort_sightings(received, answers);
  for (auto face = entries.begin(); face != entries.end();) {
    const FaceVertices& vertices = face->sighting->vertices;
    const auto named = std::find_if(face, entries.end(), [&](const Entry& entry) {
      return entry.sighting->group != no_group || entry.sighting->vertices != vertices;
    });
    const auto end =
        std::find_if(named, entries.end(), [&](const Entry& entry) { return entry.sighting->vertices != vertices; });
    match_face({face, named}, {named, end}, tags, result);
    face = end;
  }
  return answers;
}

}  // namespace

FaceMatches match_faces(const MeshSlab& slab, const SlabElements& elements, const FaceTags& tags,
                        const comm::Communicator& ranks) {
  FaceMatches result;
  const auto count = static_cast<std::size_t>(ranks.size());
  const auto received = ranks.exchange(post_faces(slab, elements, count));
  const auto answers = ranks.exchange(match_received(received, tags, result));
  result.of_element.resize(elements.vertices.size());
  std::vector<std::size_t> next(count, 0);
  for (std::size_t e = 0; e < elements.vertices.size(); ++e) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::size_t rank = rank_of(vertices_of_face(elements.vertices[e], f), count);
      result.of_element[e][f] = answers[rank][next[rank]++];
    }
  }
  return result;
}

}  // namespace tetrawave
