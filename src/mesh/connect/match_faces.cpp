#include "mesh/connect/match_faces.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/unset_vector.hpp"
#include "mesh/hash.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave {

namespace {

using FaceVertices = std::array<GlobalIndex, 3>;

constexpr std::int32_t no_group = -1;

/// A face as listed by one element or one named group.
struct Sighting {
  FaceVertices vertices{};        ///< ascending
  std::int32_t group = no_group;  ///< of a named face
  std::uint8_t face = 0;          ///< its number in the element
  bool above = false;             ///< is_above_face
  GlobalIndex opposite = -1;      ///< the element's fourth vertex
  GlobalIndex element = -1;       ///< global id
};

static_assert(sizeof(Sighting) == posted_face_bytes);

/// Sightings of one face are grouped: first elements, those with the same corners in sequence, then groups.
auto order_of(const Sighting& s) { return std::tie(s.vertices, s.group, s.opposite, s.element); }

/// The rank that matches a face.
std::size_t rank_of(const FaceVertices& vertices, std::size_t ranks) {
  return ranks == 1 ? 0 : hash_words(vertices[0], vertices[1], vertices[2]) % ranks;
}

FaceVertices vertices_of_face(const std::array<GlobalIndex, 4>& v, std::size_t face) {
  const auto& [a, b, c] = face_corners[face];
  return {v[a], v[b], v[c]};
}

/// The result for a face, for one of its elements.
struct Answer {
  GlobalIndex element = 0;  ///< global id
  FaceMatch match;
  std::int32_t other_tag = -1;
  std::uint8_t face = 0;
  FaceProblem problem = FaceProblem::none;
};

static_assert(sizeof(Answer) == face_answer_bytes);

/// The face's first tag, and the first that differs from it; -1 if there is none.
std::pair<std::int32_t, std::int32_t> find_tags(std::span<const Sighting> named, const FaceTags& tags) {
  std::pair<std::int32_t, std::int32_t> found{-1, -1};
  for (const Sighting& sighting : named) {
    const std::int32_t tag = tags.of_group[static_cast<std::size_t>(sighting.group)];
    if (tag < 0 || tag == found.first || found.second >= 0) continue;
    (found.first < 0 ? found.first : found.second) = tag;
  }
  return found;
}

FaceProblem find_problem(std::span<const Sighting> seen, const Answer& answer, const FaceTags& tags) {
  if (seen.size() > 2) return FaceProblem::many_elements;
  if (seen.size() == 2 && seen[0].above == seen[1].above) return FaceProblem::same_side;
  if (answer.other_tag >= 0) return FaceProblem::two_tags;
  const std::int32_t tag = answer.match.tag;
  if (seen.size() == 1) return tag < 0 ? FaceProblem::no_tag : FaceProblem::none;
  const bool allowed = tag < 0 || tags.allowed_inside[static_cast<std::size_t>(tag)];
  return allowed ? FaceProblem::none : FaceProblem::inner_tag;
}

/// The result for the element of seen[i]; `common` is what holds for all elements of the face.
Answer answer_one(std::span<const Sighting> seen, std::size_t i, const Answer& common) {
  Answer answer = common;
  answer.element = seen[i].element;
  answer.face = seen[i].face;
  for (const std::size_t j : {i - 1, i + 1}) {
    if (j >= seen.size()) continue;
    // two layers between periodic faces have the same opposite vertex too, but on different sides
    const bool twins = seen[i].opposite == seen[j].opposite && seen[i].above == seen[j].above;
    if (answer.problem == FaceProblem::duplicate_element && !twins) continue;
    answer.match.neighbour = seen[j].element;
    answer.match.neighbour_face = seen[j].face;
    if (twins) answer.problem = FaceProblem::duplicate_element;
  }
  return answer;
}

/// Face f of element e of the slab as a sighting.
Sighting see_face(const SlabElements& elements, const MeshSlab& slab, std::size_t e, std::size_t f) {
  return {vertices_of_face(elements.vertices[e], f),
          no_group,
          static_cast<std::uint8_t>(f),
          is_above_face(elements.is_positive[e] != 0 ? 1 : -1, f),
          elements.vertices[e][f],
          slab.first_element + static_cast<GlobalIndex>(e)};
}

/// Stores an answer about element e of the slab.
void take_answer(const Answer& answer, std::size_t e, FaceMatches& matches, std::vector<FaceFault>& faults) {
  matches.of_element[e][answer.face] = answer.match;
  if (answer.problem != FaceProblem::none) faults.push_back({e, answer.face, answer.problem, answer.other_tag});
}

/// The faces assigned to this rank by the hash. Those of its own elements are read from the elements themselves and
/// have the numbers 4 e + f; those sent by others follow.
class Matcher {
 public:
  /// `received`: per rank, the faces it sent.
  Matcher(const SlabElements& elements, const MeshSlab& slab, const FaceTags& tags,
          std::vector<std::vector<Sighting>> received, const comm::Communicator& ranks, int threads)
      : elements_(elements),
        slab_(slab),
        tags_(tags),
        received_(std::move(received)),
        ranks_(static_cast<std::size_t>(ranks.size())),
        own_(static_cast<std::size_t>(ranks.rank())),
        threads_(threads) {
    for (const auto& message : received_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + message.size());
    const std::size_t count = 4 * elements_.size() + ends_.back();
    ensure(count <= std::numeric_limits<std::uint32_t>::max(), "a rank's faces are counted in 32 bits");
    while ((slab_.node_count >> shift_) > static_cast<GlobalIndex>(count / 8)) ++shift_;
  }

  /// Answers every sighting: for own elements in `result`, for others in the messages that are returned.
  std::vector<std::vector<Answer>> run(FaceMatches& result) {
    sort_into_buckets();
    resize_on_threads(result.of_element, elements_.size(), threads_);
    const std::size_t buckets = starts_.size() - 1;
    std::vector<Part> parts(count_ranges(buckets, threads_), Part(ranks_));
    for_ranges(buckets, parts.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
      std::vector<Sighting> bucket;
      for (std::size_t b = first; b < last; ++b) match_bucket(b, bucket, parts[range], result);
    });
    received_.clear();
    numbers_ = {};
    std::vector<std::vector<Answer>> answers(ranks_);
    for (Part& part : parts) {
      result.faults.insert(result.faults.end(), part.faults.begin(), part.faults.end());
      result.strays.insert(result.strays.end(), part.strays.begin(), part.strays.end());
      for (std::size_t r = 0; r < ranks_; ++r)
        answers[r].insert(answers[r].end(), part.answers[r].begin(), part.answers[r].end());
    }
    return answers;
  }

 private:
  /// Results of one thread.
  struct Part {
    std::vector<FaceFault> faults;
    std::vector<StrayFace> strays;
    std::vector<std::vector<Answer>> answers;
    explicit Part(std::size_t ranks) : answers(ranks) {}
  };

  /// Calls visit(number, bucket) for every face matched here, on several threads.
  template <class Visit>
  void visit_all(const Visit& visit) const {
    for_each_index(elements_.size(), threads_, [&](std::size_t e) {
      for (std::size_t f = 0; f < 4; ++f) {
        const FaceVertices vertices = vertices_of_face(elements_.vertices[e], f);
        if (rank_of(vertices, ranks_) == own_) visit(4 * e + f, bucket_of(vertices));
      }
    });
    for_each_index(ends_.back(), threads_,
                   [&](std::size_t i) { visit(4 * elements_.size() + i, bucket_of(received_face(i).vertices)); });
  }

  /// Counting sort by the lowest vertex, as neighbours in a mesh have close numbers. The order within a bucket is
  /// arbitrary, and does not matter.
  void sort_into_buckets() {
    starts_.assign(static_cast<std::size_t>(slab_.node_count >> shift_) + 2, 0);
    visit_all([this](std::size_t, std::size_t bucket) {
      std::atomic_ref(starts_[bucket + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
    numbers_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    visit_all([&](std::size_t number, std::size_t bucket) {
      const auto place = std::atomic_ref(next[bucket]).fetch_add(1, std::memory_order_relaxed);
      numbers_[place] = static_cast<std::uint32_t>(number);
    });
  }

  [[nodiscard]] std::size_t bucket_of(const FaceVertices& vertices) const {
    return static_cast<std::size_t>(vertices[0] >> shift_);
  }

  [[nodiscard]] std::size_t sender_of(std::size_t received) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), received) - ends_.begin());
  }
  [[nodiscard]] const Sighting& received_face(std::size_t i) const {
    const std::size_t sender = sender_of(i);
    return received_[sender][i - (sender == 0 ? 0 : ends_[sender - 1])];
  }

  [[nodiscard]] Sighting sighting(std::size_t number) const {
    if (number >= 4 * elements_.size()) return received_face(number - 4 * elements_.size());
    return see_face(elements_, slab_, number / 4, number % 4);
  }

  void match_bucket(std::size_t b, std::vector<Sighting>& bucket, Part& part, FaceMatches& result) const {
    bucket.clear();
    for (std::uint32_t i = starts_[b]; i < starts_[b + 1]; ++i) bucket.push_back(sighting(numbers_[i]));
    std::sort(bucket.begin(), bucket.end(),
              [](const Sighting& x, const Sighting& y) { return order_of(x) < order_of(y); });
    for (auto face = bucket.begin(); face != bucket.end();) {
      const FaceVertices& vertices = face->vertices;
      const auto end =
          std::find_if(face, bucket.end(), [&](const Sighting& sighted) { return sighted.vertices != vertices; });
      // no_group is below all groups, so elements come first
      const auto named = std::find_if(face, end, [](const Sighting& sighted) { return sighted.group != no_group; });
      match_face({face, named}, {named, end}, part, result);
      face = end;
    }
  }

  /// Answers all sightings of one face.
  void match_face(std::span<const Sighting> seen, std::span<const Sighting> named, Part& part,
                  FaceMatches& result) const {
    if (seen.empty()) {
      part.strays.push_back({named[0].group, named[0].vertices});
      return;
    }
    Answer common;
    std::tie(common.match.tag, common.other_tag) = find_tags(named, tags_);
    if (seen.size() == 1 && common.match.tag < 0) common.match.tag = tags_.outer_default.value_or(-1);
    common.problem = find_problem(seen, common, tags_);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Answer answer = answer_one(seen, i, common);
      const GlobalIndex e = answer.element - slab_.first_element;
      if (e >= 0 && e < static_cast<GlobalIndex>(elements_.size()))
        take_answer(answer, static_cast<std::size_t>(e), result, part.faults);
      else
        part.answers[static_cast<std::size_t>(
                         slab_owner(answer.element, static_cast<int>(ranks_), slab_.element_count))]
            .push_back(answer);
    }
  }

  const SlabElements& elements_;
  const MeshSlab& slab_;
  const FaceTags& tags_;
  std::vector<std::vector<Sighting>> received_;
  std::vector<std::size_t> ends_;  ///< of each sender's faces among those received
  std::size_t ranks_;
  std::size_t own_;
  int threads_;
  int shift_ = 0;                       ///< buckets of 2^shift nodes
  std::vector<std::uint32_t> starts_;   ///< of each bucket, and the end
  UnsetVector<std::uint32_t> numbers_;  ///< of faces, bucket by bucket
};

/// Per rank the faces that it matches: of this rank's elements (excluding itself), and named ones.
std::vector<std::vector<Sighting>> post_faces(const MeshSlab& slab, const SlabElements& elements, std::size_t own,
                                              std::size_t ranks) {
  std::vector<std::vector<Sighting>> out(ranks);
  if (ranks > 1) {
    for (std::size_t r = 0; r < ranks; ++r)
      if (r != own) out[r].reserve(4 * elements.size() / ranks + 4 * elements.size() / ranks / 64);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      for (std::size_t f = 0; f < 4; ++f) {
        const std::size_t to = rank_of(vertices_of_face(elements.vertices[e], f), ranks);
        if (to != own) out[to].push_back(see_face(elements, slab, e, f));
      }
    }
  }
  for (std::size_t n = 0; n < slab.faces.size(); ++n) {
    FaceVertices vertices = slab.faces[n];
    std::sort(vertices.begin(), vertices.end());
    out[rank_of(vertices, ranks)].push_back({vertices, slab.face_group[n], 0, false, -1, -1});
  }
  return out;
}

}  // namespace

FaceMatches match_faces(const MeshSlab& slab, const SlabElements& elements, const FaceTags& tags, int threads,
                        const comm::Communicator& ranks) {
  FaceMatches result;
  auto received = ranks.exchange(
      post_faces(slab, elements, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size())));
  auto answers = Matcher(elements, slab, tags, std::move(received), ranks, threads).run(result);
  for (const auto& message : ranks.exchange(std::move(answers)))
    for (const Answer& answer : message)
      take_answer(answer, static_cast<std::size_t>(answer.element - slab.first_element), result, result.faults);
  return result;
}

}  // namespace tetrawave
