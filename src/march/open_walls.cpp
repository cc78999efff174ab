#include "march/open_walls.hpp"

#include <map>
#include <tuple>

#include "basis/physical_element.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

namespace {

struct OpenElement {
  LocalIndex element = 0;
  std::vector<std::size_t> faces;
};

std::vector<std::size_t> open_faces(const Problem& problem, LocalIndex e) {
  std::vector<std::size_t> faces;
  for (std::size_t f = 0; f < 4; ++f) {
    const std::int32_t tag = problem.mesh->boundary[static_cast<std::size_t>(e)][f];
    if (tag >= 0 && problem.walls[static_cast<std::size_t>(tag)] == Wall::open) faces.push_back(f);
  }
  return faces;
}

using DrivenFaces = std::map<std::pair<LocalIndex, std::size_t>, const DrivenFace*>;

/// A0^-1 [R_f^T S_f | g_f] of every open face f of an element: columns face by face, each of length n.
class ElementWalls {
 public:
  ElementWalls(const Problem& problem, const OpenElement& open, Field field, double dt_m)
      : reference_(basis::reference_element(problem.space)),
        element_(problem.space, problem.mesh->corners[static_cast<std::size_t>(open.element)]),
        inverse_(element_.mass()),
        field_(field) {
    const auto region = static_cast<std::size_t>(problem.mesh->region[static_cast<std::size_t>(open.element)]);
    const Medium& medium = problem.media[region];
    factors_ = field == Field::electric ? schemes::electric_open_wall(medium, dt_m)
                                        : schemes::magnetic_open_wall(medium, dt_m);
    const std::size_t n = reference_.dofs;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) inverse_(i, j) *= factors_.mass;
    for (const std::size_t f : open.faces) {
      face_mass_.push_back(element_.face_mass(f));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) inverse_(i, j) += factors_.face * face_mass_.back()(i, j);
    }
    inverse_.factor();
  }

  /// Column k of open face number j; k = face_dofs is the incident wave.
  [[nodiscard]] std::vector<double> column(std::size_t j, std::size_t face, std::size_t k,
                                           const DrivenFace* driven) const {
    std::vector<double> x(reference_.dofs, 0.0);
    if (k < reference_.face_dofs) {
      const std::size_t dof = reference_.on_face[face][k];
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = factors_.face * face_mass_[j](i, dof);
    } else if (driven != nullptr) {
      const auto& moment = field_ == Field::electric ? driven->direct : driven->rotated;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = factors_.incident * moment[i];
    }
    inverse_.solve(x.data());
    return x;
  }

 private:
  const basis::ReferenceElement& reference_;
  basis::PhysicalElement element_;
  basis::SymmetricMatrix inverse_;
  Field field_;
  schemes::OpenWallFactors factors_;
  std::vector<basis::SymmetricMatrix> face_mass_;
};

template <class S>
void fill_list(OpenWallList<S>& list, const std::vector<OpenElement>& elements, const Problem& problem,
               const ElementLayout<S>& layout, const DrivenFaces& driven, Field field, double dt_m) {
  const auto& reference = basis::reference_element(problem.space);
  const auto n = static_cast<int>(reference.dofs);
  const auto columns = static_cast<int>(reference.face_dofs) + 1;
  const int rows = list.faces * columns * n;
  list.blocks = (static_cast<std::int64_t>(elements.size()) + layout.lanes - 1) / layout.lanes;
  const auto lanes = static_cast<std::size_t>(list.blocks * layout.lanes);
  list.element.assign(lanes, layout.spare);
  list.face.assign(lanes * static_cast<std::size_t>(list.faces), 0);
  list.wave.assign(lanes * static_cast<std::size_t>(list.faces), 0);
  list.matrix.assign(lanes * static_cast<std::size_t>(rows), S(0));
  for (std::size_t item = 0; item < elements.size(); ++item) {
    const OpenElement& open = elements[item];
    const auto place = static_cast<std::int32_t>(item);
    const ElementWalls walls(problem, open, field, dt_m);
    list.element[layout.at(place, 1, 0)] = layout.slot(open.element);
    for (int j = 0; j < list.faces; ++j) {
      const std::size_t f = open.faces[static_cast<std::size_t>(j)];
      const auto found = driven.find({open.element, f});
      const DrivenFace* drive = found == driven.end() ? nullptr : found->second;
      list.face[layout.at(place, list.faces, j)] = static_cast<std::int32_t>(f);
      list.wave[layout.at(place, list.faces, j)] = drive == nullptr ? 0 : drive->wave;
      for (int k = 0; k < columns; ++k) {
        const auto x = walls.column(static_cast<std::size_t>(j), f, static_cast<std::size_t>(k), drive);
        for (int i = 0; i < n; ++i)
          list.matrix[layout.at(place, rows, (j * columns + k) * n + i)] =
              static_cast<S>(x[static_cast<std::size_t>(i)]);
      }
    }
  }
}

}  // namespace

template <class S>
std::vector<OpenWallList<S>> make_open_walls(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m) {
  DrivenFaces driven;
  for (const DrivenFace& face : problem.driven) driven[{face.element, face.face}] = &face;
  std::map<std::pair<bool, int>, std::vector<OpenElement>> groups;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) {
    auto faces = open_faces(problem, e);
    if (faces.empty()) continue;
    const bool border = e < problem.mesh->border_count;
    const auto count = static_cast<int>(faces.size());
    groups[{border, count}].push_back({e, std::move(faces)});
  }
  std::vector<OpenWallList<S>> lists;
  for (const auto& [key, elements] : groups) {
    OpenWallList<S> list;
    list.border = key.first;
    list.faces = key.second;
    fill_list(list, elements, problem, layout, driven, field, dt_m);
    lists.push_back(std::move(list));
  }
  return lists;
}

template std::vector<OpenWallList<double>> make_open_walls(const Problem&, const ElementLayout<double>&, Field, double);
template std::vector<OpenWallList<float>> make_open_walls(const Problem&, const ElementLayout<float>&, Field, double);

}  // namespace tetrawave::march
