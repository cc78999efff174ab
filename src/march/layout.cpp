#include "march/layout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "basis/physical_element.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::march {

namespace {

using kernels::ElementWord;
using kernels::FaceMirror;

std::int64_t blocks_for(std::int64_t items, int lanes) { return (items + lanes - 1) / lanes; }

/// Slots of ghost traces: face i of a peer is trace i mod 2 of ghost element i / 2.
template <class S>
void lay_out_halo(ElementLayout<S>& layout, const LocalMesh& mesh) {
  std::int64_t next = layout.inner.first + layout.inner.count;
  for (const HaloPeer& peer : mesh.peers) {
    const auto faces = static_cast<std::int64_t>(peer.faces.size());
    HaloLayout halo;
    halo.rank = peer.rank;
    halo.ghosts = {next, blocks_for((faces + 1) / 2, layout.lanes)};
    next += halo.ghosts.count;
    layout.halo.push_back(halo);
  }
  layout.spare = static_cast<std::int32_t>(next * layout.lanes);
  layout.blocks = next + 1;
}

template <class S>
void fill_messages(ElementLayout<S>& layout, const LocalMesh& mesh) {
  for (std::size_t p = 0; p < layout.halo.size(); ++p) {
    HaloLayout& halo = layout.halo[p];
    const auto entries = static_cast<std::size_t>(2 * halo.ghosts.count * layout.lanes);
    halo.element.assign(entries, layout.spare);
    halo.face.assign(entries, 0);
    const auto first = static_cast<std::int32_t>(halo.ghosts.first * layout.lanes);
    const auto& faces = mesh.peers[p].faces;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const auto ghost = static_cast<std::int32_t>(i / 2);
      const auto half = static_cast<int>(i % 2);
      const std::int32_t own = layout.slot(faces[i].element);
      halo.element[layout.at(ghost, 2, half)] = own;
      halo.face[layout.at(ghost, 2, half)] = faces[i].face;
      const int f = faces[i].face;
      const auto k = static_cast<std::size_t>(faces[i].element);
      if (mesh.boundary[k][static_cast<std::size_t>(f)] >= 0) continue;  // a sheet between two ranks
      layout.neighbour[layout.at(own, 4, f)] = first + ghost;
      layout.word[layout.at(own, 1, 0)] |= static_cast<std::uint32_t>(4 + half) << (3 * f);
    }
  }
}

FaceMirror mirror_of(Wall wall) {
  switch (wall) {
    case Wall::electric:
      return FaceMirror::electric;
    case Wall::magnetic:
      return FaceMirror::magnetic;
    case Wall::open:
      return FaceMirror::open;
    case Wall::impedance:
      break;  // refuse_unavailable
  }
  return FaceMirror::none;
}

// What a case can say and no kernel marches.
void refuse_unavailable(const Problem& problem) {
  const auto refuse = [](const char* what) {
    fail(ExitCode::bad_case, "{} are not available yet in this version", what);
  };
  const auto any = [](const auto& list, const auto& has) { return std::any_of(list.begin(), list.end(), has); };
  if (any(problem.walls, [](Wall wall) { return wall == Wall::impedance; })) refuse("impedance boundaries");
  if (any(problem.media, [](const Medium& m) { return !m.is_isotropic(); })) refuse("anisotropic media");
  if (any(problem.media, [](const Medium& m) { return m.is_dispersive(); })) refuse("dispersive media");
}

template <class S>
void fill_element(ElementLayout<S>& layout, const Problem& problem, LocalIndex e) {
  const LocalMesh& mesh = *problem.mesh;
  const auto k = static_cast<std::size_t>(e);
  const std::int32_t own = layout.slot(e);
  const basis::PhysicalElement element(problem.space, mesh.corners[k]);
  const auto metric = element.metric();
  for (int a = 0; a < 6; ++a) layout.metric[layout.at(own, 6, a)] = static_cast<S>(metric[static_cast<std::size_t>(a)]);
  std::uint32_t word = static_cast<std::uint32_t>(mesh.region[k]) << ElementWord::class_shift;
  if (element.sign() < 0) word |= 1u << ElementWord::sign_shift;
  for (std::size_t f = 0; f < 4; ++f) {
    const std::int32_t tag = mesh.boundary[k][f];
    const bool wall = tag >= 0;
    const LocalIndex other = mesh.neighbour[k][f];
    if (!wall && other == remote_neighbour) continue;  // fill_messages
    const bool inner = !wall && other >= 0;
    ensure(wall || inner, "an outer face has no boundary condition");
    layout.neighbour[layout.at(own, 4, static_cast<int>(f))] = inner ? layout.slot(other) : own;
    const auto face = inner ? mesh.neighbour_face[k][f] : static_cast<std::uint8_t>(f);
    word |= static_cast<std::uint32_t>(face) << (3 * f);
    if (wall)
      word |= static_cast<std::uint32_t>(mirror_of(problem.walls[static_cast<std::size_t>(tag)]))
              << (static_cast<std::size_t>(ElementWord::mirror_shift) + 2 * f);
  }
  layout.word[layout.at(own, 1, 0)] = word;
}

/// Every slot starts as padding: identity metric, its own neighbour, the class of no change.
template <class S>
void fill_padding(ElementLayout<S>& layout, std::uint32_t padding_class) {
  const auto slots = static_cast<std::size_t>(layout.blocks * layout.lanes);
  layout.metric.assign(6 * slots, S(0));
  layout.neighbour.resize(4 * slots);
  layout.word.assign(slots, padding_class << ElementWord::class_shift);
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(slots); ++s) {
    for (const int a : {0, 3, 5}) layout.metric[layout.at(s, 6, a)] = S(1);
    for (int f = 0; f < 4; ++f) layout.neighbour[layout.at(s, 4, f)] = s;
  }
}

}  // namespace

template <class S>
ElementLayout<S> lay_out_elements(const Problem& problem, int lanes) {
  refuse_unavailable(problem);
  const LocalMesh& mesh = *problem.mesh;
  const auto classes = static_cast<std::uint32_t>(problem.media.size()) + 1;
  if (classes > ElementWord::max_classes)
    fail(ExitCode::bad_case, "the mesh has {} regions, at most {} are possible", classes - 1,
         ElementWord::max_classes - 1);
  ElementLayout<S> layout;
  layout.lanes = lanes;
  layout.border_elements = mesh.border_count;
  layout.border = {0, blocks_for(mesh.border_count, lanes)};
  layout.inner = {layout.border.count, blocks_for(mesh.element_count() - mesh.border_count, lanes)};
  lay_out_halo(layout, mesh);
  fill_padding(layout, classes - 1);
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) fill_element(layout, problem, e);
  fill_messages(layout, mesh);
  return layout;
}

template ElementLayout<double> lay_out_elements<double>(const Problem&, int);
template ElementLayout<float> lay_out_elements<float>(const Problem&, int);

}  // namespace tetrawave::march
