#include "march/elements/layout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/physical_element.hpp"
#include "kernels/element_block.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/regions.hpp"
#include "terms/pml/layers.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using kernels::ElementWord;
using kernels::FaceMirror;

/// Per element: 0 next to a finer level, 1 next to a finer and a coarser one, 2 next to a coarser one, 3 neither.
std::vector<std::uint8_t> find_neighbourhoods(const Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  std::vector<bool> finer(mesh.global_id.size(), false), coarser(mesh.global_id.size(), false);
  const auto see = [&](LocalIndex e, int other) {
    if (other < problem.classes.of(e)) finer[static_cast<std::size_t>(e)] = true;
    if (other > problem.classes.of(e)) coarser[static_cast<std::size_t>(e)] = true;
  };
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (const LocalIndex other : mesh.neighbour[static_cast<std::size_t>(e)])
      if (other >= 0) see(e, problem.classes.of(other));
  for (std::size_t p = 0; p < mesh.peers.size() && problem.classes.count > 1; ++p)
    for (std::size_t i = 0; i < mesh.peers[p].faces.size(); ++i)
      see(mesh.peers[p].faces[i].element, problem.classes.behind[p][i]);
  std::vector<std::uint8_t> kinds;
  for (std::size_t e = 0; e < finer.size(); ++e) kinds.push_back(coarser[e] ? (finer[e] ? 1 : 2) : (finer[e] ? 0 : 3));
  return kinds;
}

/// Elements of a part by their neighbourhoods, so that those next to a finer level are contiguous, and those next to a
/// coarser one.
template <class S, class PlaceOf>
void sort_parts(ElementLayout<S>& layout, const Problem& problem, const PlaceOf& place_of) {
  const auto kinds = find_neighbourhoods(problem);
  std::vector<std::array<std::int64_t, 4>> counts(layout.parts.size());
  for (std::size_t e = 0; e < kinds.size(); ++e) ++counts[place_of(static_cast<LocalIndex>(e))][kinds[e]];
  std::vector<std::array<std::int32_t, 4>> free(layout.parts.size());
  for (std::size_t p = 0; p < layout.parts.size(); ++p) {
    const std::int64_t first = layout.parts[p].first;
    std::int64_t slot = first * layout.lanes;
    for (std::size_t kind = 0; kind < 4; ++kind) {
      free[p][kind] = static_cast<std::int32_t>(slot);
      slot += counts[p][kind];
    }
    const std::int64_t up = (counts[p][0] / layout.lanes);
    layout.beside_finer.push_back({first, blocks_for(counts[p][0] + counts[p][1], layout.lanes)});
    const bool any = counts[p][1] + counts[p][2] > 0;
    const std::int64_t end = blocks_for(counts[p][0] + counts[p][1] + counts[p][2], layout.lanes);
    layout.beside_coarser.push_back({first + up, any ? end - up : 0});
  }
  layout.slots.reserve(kinds.size());
  for (std::size_t e = 0; e < kinds.size(); ++e)
    layout.slots.push_back(free[place_of(static_cast<LocalIndex>(e))][kinds[e]]++);
}

/// Blocks of each part, and the slots of elements in them: in the order of the mesh.
template <class S>
void lay_out_parts(ElementLayout<S>& layout, const Problem& problem) {
  layout.step_classes = problem.classes.count;
  const auto place_of = [&](LocalIndex e) {
    const Part part = problem.part_of(e);
    return static_cast<std::size_t>((part.border ? 0 : layout.step_classes) + part.step_class);
  };
  const LocalIndex elements = problem.mesh->element_count();
  const BlockGroups groups(problem);
  const bool ordered = problem.classes.of_element.empty() && groups.count == 1;  // the mesh is, border elements first
  const auto group_of = [&](LocalIndex e) { return place_of(e) * groups.count + groups.of(problem, e); };
  std::vector<std::int64_t> counts(2 * static_cast<std::size_t>(layout.step_classes) * groups.count, 0);
  if (ordered) {
    counts[0] = problem.mesh->border_count;
    counts[static_cast<std::size_t>(layout.step_classes)] = elements - problem.mesh->border_count;
  } else {
    for (LocalIndex e = 0; e < elements; ++e) ++counts[group_of(e)];
  }
  std::int64_t next = 0;
  std::vector<std::int32_t> free;  // per group, its next slot
  for (std::size_t group = 0; group < counts.size(); ++group) {
    if (group % groups.count == 0) layout.parts.push_back({next, 0});
    free.push_back(static_cast<std::int32_t>(next * layout.lanes));
    next += blocks_for(counts[group], layout.lanes);
    layout.parts.back().count = next - layout.parts.back().first;
  }
  layout.border = {0, layout.parts[static_cast<std::size_t>(layout.step_classes)].first};
  layout.inner = {layout.border.count, next - layout.border.count};
  layout.border_elements = problem.mesh->border_count;
  layout.elements = elements;
  if (ordered) return;
  if (has_upwind_fluxes(problem.scheme)) return sort_parts(layout, problem, place_of);
  layout.slots.reserve(static_cast<std::size_t>(elements));
  for (LocalIndex e = 0; e < elements; ++e) layout.slots.push_back(free[group_of(e)]++);
}

/// The level of the element behind face i of a peer.
int class_behind(const Problem& problem, std::size_t peer, std::size_t i) {
  return problem.classes.count == 1 ? 0 : problem.classes.behind[peer][i];
}

/// Slots of ghost traces: among the faces of a peer whose elements there are on one level, number i is trace i mod 2 of
/// ghost element i / 2.
template <class S>
void lay_out_halo(ElementLayout<S>& layout, const Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  std::int64_t next = layout.inner.first + layout.inner.count;
  for (std::size_t p = 0; p < mesh.peers.size(); ++p)
    for (int c = 0; c < problem.classes.count; ++c) {
      const auto& faces = mesh.peers[p].faces;
      std::int64_t sent = 0;
      std::int64_t received = 0;
      for (std::size_t i = 0; i < faces.size(); ++i) {
        sent += problem.classes.of(faces[i].element) == c ? 1 : 0;
        received += class_behind(problem, p, i) == c ? 1 : 0;
      }
      HaloLayout halo;
      halo.rank = mesh.peers[p].rank;
      halo.step_class = c;
      halo.ghosts = {next, blocks_for((received + 1) / 2, layout.lanes)};
      halo.sent = blocks_for((sent + 1) / 2, layout.lanes);
      next += halo.ghosts.count;
      layout.halo.push_back(halo);
    }
  layout.spare = static_cast<std::int32_t>(next * layout.lanes);
  layout.blocks = next + 1;
}

FaceMirror mirror_of(const schemes::WallSpec& wall) {
  using Kind = schemes::WallSpec::Kind;
  switch (wall.kind) {
    case Kind::electric:
      return FaceMirror::electric;
    case Kind::magnetic:
    case Kind::one_mode:
      return FaceMirror::magnetic;
    case Kind::open:
      return wall.is_shunt ? FaceMirror::magnetic : FaceMirror::open;
    case Kind::sheet:
      break;
  }
  return FaceMirror::none;
}

/// The wall at this face of the element; none if it is coupled to another element.
std::optional<schemes::WallSpec> closed_at(const Problem& problem, LocalIndex element, std::size_t face) {
  const auto wall = wall_at(problem, element, face);
  return wall && wall->kind == schemes::WallSpec::Kind::sheet ? std::nullopt : wall;
}

// Combinations that a case can specify and no kernel supports.
void refuse_unavailable(const Problem& problem) {
  const auto refuse = [](const char* what) {
    fail(ExitCode::bad_case, "{} are not available yet in this version", what);
  };
  const bool has_conductors = std::any_of(problem.wall_branches.begin(), problem.wall_branches.end(),
                                          [](const auto& branches) { return !branches.empty(); });
  if (problem.layout == Layout::stored && is_leap_frog(problem.scheme)) {
    if (problem.layers) refuse("stored matrices of leap-frog schemes with absorbing layers");
    if (has_conductors) refuse("stored matrices of leap-frog schemes with conductors");
  }
  if (problem.classes.count > 1 && has_upwind_fluxes(problem.scheme) && problem.layout == Layout::stored)
    refuse("stored matrices with classes of time steps in DGTD-Upwind");
  for (const Medium& m : problem.media)
    for (const bool electric : {true, false}) {
      const auto law = schemes::law_of(problem.scheme, m, electric);
      if (law.published && law.any() && !m.is_isotropic())
        refuse("published recursive convolutions in anisotropic media (use method.dispersion: passive)");
    }
}

template <class S>
void put_metric(const ElementLayout<S>& layout, std::int32_t slot, const std::array<double, 6>& q, std::vector<S>& to) {
  if (to.empty()) return;
  for (int a = 0; a < 6; ++a) to[layout.at_metric(slot, 6, a)] = static_cast<S>(q[static_cast<std::size_t>(a)]);
}

template <class S>
void fill_element(ElementLayout<S>& layout, const Problem& problem, LocalIndex e) {
  const LocalMesh& mesh = *problem.mesh;
  const auto k = static_cast<std::size_t>(e);
  const std::int32_t own = layout.slot(e);
  const basis::PhysicalElement element(problem.space, mesh.corners_of_shape(e));
  const Medium& medium = problem.medium_of(e);
  const bool first = layout.is_first(own / layout.lanes);
  if (first) put_metric(layout, own, element.metric(), layout.metric);
  if (first && !layout.electric_metric.empty()) {
    put_metric(layout, own, element.metric(medium.eps_axes), layout.electric_metric);
    put_metric(layout, own, element.metric(medium.mu_axes), layout.magnetic_metric);
  }
  std::uint32_t word = static_cast<std::uint32_t>(problem.material_of(e)) << ElementWord::class_shift;
  if (element.sign() < 0) word |= 1u << ElementWord::sign_shift;
  for (std::size_t f = 0; f < 4; ++f) {
    const auto wall = closed_at(problem, e, f);
    const LocalIndex other = mesh.neighbour[k][f];
    if (!wall && other == remote_neighbour) continue;  // fill_messages
    const bool inner = !wall && other >= 0;
    ensure(wall || inner, "an outer face has no boundary condition");
    layout.neighbour[layout.at(own, 4, static_cast<int>(f))] = inner ? layout.slot(other) : own;
    const auto face = inner ? mesh.neighbour_face[k][f] : static_cast<std::uint8_t>(f);
    word |= static_cast<std::uint32_t>(face) << (3 * f);
    if (wall)
      word |= static_cast<std::uint32_t>(mirror_of(*wall))
              << (static_cast<std::size_t>(ElementWord::mirror_shift) + 2 * f);
  }
  layout.word[layout.at(own, 1, 0)] = word;
}

template <class S>
void fill_messages(ElementLayout<S>& layout, const Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  const auto count = static_cast<std::size_t>(problem.classes.count);
  for (std::size_t k = 0; k < layout.halo.size(); ++k) {
    HaloLayout& halo = layout.halo[k];
    const std::size_t p = k / count;
    const auto entries = static_cast<std::size_t>(2 * halo.sent * layout.lanes);
    halo.element.assign(entries, layout.spare);
    halo.face.assign(entries, 0);
    const auto first = static_cast<std::int32_t>(halo.ghosts.first * layout.lanes);
    const auto& faces = mesh.peers[p].faces;
    std::size_t sent = 0;
    std::size_t received = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const std::int32_t own = layout.slot(faces[i].element);
      const int f = faces[i].face;
      if (problem.classes.of(faces[i].element) == halo.step_class) {
        const std::size_t at = layout.at(static_cast<std::int32_t>(sent / 2), 2, static_cast<int>(sent % 2));
        ++sent;
        halo.element[at] = own;
        halo.face[at] = f;
      }
      if (class_behind(problem, p, i) != halo.step_class) continue;
      const auto ghost = static_cast<std::int32_t>(received / 2);
      const auto half = static_cast<std::uint32_t>(received % 2);
      ++received;
      if (closed_at(problem, faces[i].element, faces[i].face)) continue;  // a sheet of metal between two ranks
      layout.neighbour[layout.at(own, 4, f)] = first + ghost;
      layout.word[layout.at(own, 1, 0)] |= (4 + half) << (3 * f);
    }
  }
}

template <class S>
void resize_arrays(ElementLayout<S>& layout, const Problem& problem) {
  const auto slots = static_cast<std::size_t>(layout.blocks * layout.lanes);
  const bool apart = weighs_fields_apart(problem);
  const auto metrics = 6 * static_cast<std::size_t>(layout.metric_blocks() * layout.lanes);
  layout.metric.resize(metrics);
  if (apart) layout.electric_metric.resize(metrics);
  if (apart) layout.magnetic_metric.resize(metrics);
  layout.neighbour.resize(4 * slots);
  layout.word.resize(slots);
}

/// Every slot starts as padding: identity metric, its own neighbour, the class of no change.
template <class S>
void fill_padding(ElementLayout<S>& layout, const Problem& problem, int threads) {
  const auto padding_class = static_cast<std::uint32_t>(problem.media.size());
  for_each_index(layout.word.size(), threads, [&](std::size_t k) {
    const auto s = static_cast<std::int32_t>(k);
    if (layout.is_first(s / layout.lanes))
      for (auto* metric : {&layout.metric, &layout.electric_metric, &layout.magnetic_metric})
        put_metric(layout, s, {1, 0, 0, 1, 0, 1}, *metric);
    for (int f = 0; f < 4; ++f) layout.neighbour[layout.at(s, 4, f)] = s;
    layout.word[k] = padding_class << ElementWord::class_shift;
  });
}

}  // namespace

template <class S>
ElementLayout<S> lay_out_elements(const Problem& problem, int lanes, int threads, bool only_sizes) {
  refuse_unavailable(problem);
  const LocalMesh& mesh = *problem.mesh;
  const auto classes = static_cast<std::uint32_t>(problem.media.size()) + 1;
  if (classes > ElementWord::max_classes)
    fail(ExitCode::bad_case,
         "the mesh has {} regions (twice that with elements at edges of metal), at most {} are possible", classes - 1,
         ElementWord::max_classes - 1);
  ElementLayout<S> layout;
  layout.lanes = lanes;
  lay_out_parts(layout, problem);
  lay_out_halo(layout, problem);
  const std::int64_t own = layout.border.count + layout.inner.count;
  layout.shared = share_blocks(problem, lanes, layout.border.count, layout.inner.count, layout.blocks - own);
  resize_arrays(layout, problem);
  if (!only_sizes) {
    fill_padding(layout, problem, threads);
    for_each_index(mesh.global_id.size(), threads,
                   [&](std::size_t e) { fill_element(layout, problem, static_cast<LocalIndex>(e)); });
  }
  fill_messages(layout, problem);
  return layout;
}

template ElementLayout<double> lay_out_elements<double>(const Problem&, int, int, bool);
template ElementLayout<float> lay_out_elements<float>(const Problem&, int, int, bool);

}  // namespace tetrawave::march
