#include "mesh/connect/check_faces.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave {

namespace {

/// Priority of a problem: its kind, then its location, in global numbers only.
using Severity = std::array<GlobalIndex, 5>;

Severity severity_of(FaceProblem problem, GlobalIndex element, std::size_t face) {
  return {static_cast<GlobalIndex>(problem), element, static_cast<GlobalIndex>(face)};
}

Severity severity_of(const StrayFace& stray) {
  return {static_cast<GlobalIndex>(FaceProblem::stray_name), stray.group, stray.vertices[0], stray.vertices[1],
          stray.vertices[2]};
}

class Report {
 public:
  Report(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches, const FaceTags& tags)
      : slab_(slab), elements_(elements), matches_(matches), tags_(tags) {
    for (const FaceFault& fault : matches.faults) note(fault);
    for (const StrayFace& stray : matches.strays) {
      if (severity_of(stray) >= worst_) continue;
      worst_ = severity_of(stray);
      stray_ = &stray;
    }
  }

  [[nodiscard]] const Severity& worst() const { return worst_; }
  [[nodiscard]] std::int64_t untagged_count() const { return untagged_count_; }

  /// Throws this rank's worst problem. `untagged` counts the outer faces without a tag on all ranks.
  [[noreturn]] void raise(std::int64_t untagged) const {
    if (stray_ != nullptr) raise_stray();
    const FaceMatch& match = matches_.of_element[fault_.element][fault_.face];
    const Corners corners = elements_.corners(fault_.element);
    const Vec3 face_place = face_centroid(corners, fault_.face);
    if (fault_.problem >= FaceProblem::two_tags) raise_tag_problem(match, describe_place(face_place), untagged);
    raise_element_problem(match, describe_place(centroid(corners)), describe_place(face_place));
  }

 private:
  void note(const FaceFault& fault) {
    if (fault.problem == FaceProblem::no_tag) ++untagged_count_;
    const Severity severity =
        severity_of(fault.problem, slab_.first_element + static_cast<GlobalIndex>(fault.element), fault.face);
    if (severity >= worst_) return;
    worst_ = severity;
    fault_ = fault;
  }

  [[noreturn]] void raise_stray() const {
    const auto& [a, b, c] = stray_->vertices;
    fail(ExitCode::bad_mesh, "{}: a face of '{}' (nodes {}, {}, {}) is not a face of any element: regenerate the mesh",
         slab_.source, slab_.group_names[static_cast<std::size_t>(stray_->group)], a, b, c);
  }

  [[noreturn]] void raise_element_problem(const FaceMatch& match, const std::string& element_place,
                                          const std::string& face_place) const {
    const GlobalIndex id = slab_.first_element + static_cast<GlobalIndex>(fault_.element);
    if (fault_.problem == FaceProblem::duplicate_element) {
      fail(ExitCode::bad_mesh, "{}: elements {} and {} near {} have the same four corners: remove one", slab_.source,
           id, match.neighbour, element_place);
    }
    if (fault_.problem == FaceProblem::many_elements) {
      fail(ExitCode::bad_mesh, "{}: more than two elements share a face of element {} near {}: regenerate the mesh{}",
           slab_.source, id, face_place,
           tags_.periodic.empty() ? ""
                                  : ", with three layers of elements or more between the surfaces of a periodic pair");
    }
    fail(ExitCode::bad_mesh,
         "{}: elements {} and {} lie on the same side of their common face near {}: regenerate the mesh{}",
         slab_.source, id, match.neighbour, face_place, slab_.source == "box" ? " with less jitter" : "");
  }

  [[noreturn]] void raise_tag_problem(const FaceMatch& match, const std::string& place, std::int64_t untagged) const {
    if (fault_.problem == FaceProblem::two_tags) {
      fail(ExitCode::bad_case, "{}the face near {} is in {} and in {}: a face has one boundary condition",
           place_of(match.tag), place, name_of(match.tag), name_of(fault_.other_tag));
    }
    if (fault_.problem == FaceProblem::inner_tag) {
      fail(ExitCode::bad_case,
           "{}{} has faces between two elements, the first near {}: it must lie on the mesh's outside",
           place_of(match.tag), name_of(match.tag), place);
    }
    fail(ExitCode::bad_case,
         "{}{} outer {} no boundary condition, the first near {}: name them in boundaries or set boundaries.default{}",
         in_front(tags_.place), untagged, untagged == 1 ? "face carries" : "faces carry", place, free_groups());
  }

  static std::string in_front(const std::string& place) { return place.empty() ? "" : place + ": error: "; }

  [[nodiscard]] std::string place_of(std::int32_t tag) const {
    const auto index = static_cast<std::size_t>(tag);
    return index < tags_.name_places.size() ? in_front(tags_.name_places[index]) : "";
  }

  /// The groups of the mesh without a condition, one of which may have been forgotten.
  [[nodiscard]] std::string free_groups() const {
    std::vector<std::string> names;
    for (std::size_t g = 0; g < slab_.group_names.size(); ++g) {
      const bool repeats = std::any_of(tags_.periodic.begin(), tags_.periodic.end(), [&](const auto& pair) {
        return static_cast<std::size_t>(pair.first) == g || static_cast<std::size_t>(pair.second) == g;
      });
      if (tags_.of_group[g] < 0 && !repeats) names.push_back(slab_.group_names[g]);
    }
    return names.empty() ? "" : "; groups without one: " + list_names(names);
  }

  [[nodiscard]] const std::string& name_of(std::int32_t tag) const {
    return tags_.names[static_cast<std::size_t>(tag)];
  }

  const MeshSlab& slab_;
  const SlabElements& elements_;
  const FaceMatches& matches_;
  const FaceTags& tags_;
  Severity worst_{static_cast<GlobalIndex>(FaceProblem::none)};
  FaceFault fault_;
  const StrayFace* stray_ = nullptr;
  std::int64_t untagged_count_ = 0;
};

}  // namespace

void check_faces(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches, const FaceTags& tags,
                 const comm::Communicator& ranks) {
  const Report report(slab, elements, matches, tags);
  const std::int64_t untagged = ranks.sum(report.untagged_count());
  const std::vector<Severity> all = ranks.all_gather(std::span<const Severity>(&report.worst(), 1));
  const Severity worst = *std::min_element(all.begin(), all.end());
  if (worst[0] == static_cast<GlobalIndex>(FaceProblem::none)) return;
  ranks.agree([&] {
    if (report.worst() == worst) report.raise(untagged);
  });
}

}  // namespace tetrawave
