#include "schemes/stored/lists.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "basis/reference_element.hpp"
#include "schemes/stored/equation.hpp"

namespace tetrawave::march {

namespace {

using DrivenFaces = std::vector<const DrivenFace*>;

/// Driven faces of each driven element, in the order of the faces.
std::map<LocalIndex, DrivenFaces> driven_faces(const Problem& problem) {
  std::map<LocalIndex, DrivenFaces> elements;
  for (const DrivenFace& face : problem.driven) elements[face.element].push_back(&face);
  for (auto& [element, faces] : elements)
    std::sort(faces.begin(), faces.end(), [](const DrivenFace* a, const DrivenFace* b) { return a->face < b->face; });
  return elements;
}

template <class S>
void fill_list(DrivenList<S>& list, const std::vector<DrivenFaces>& elements, const Problem& problem,
               const ElementLayout<S>& layout, Field field, double dt_m) {
  const auto n = static_cast<int>(basis::reference_element(problem.space).dofs);
  list.blocks = (static_cast<std::int64_t>(elements.size()) + layout.lanes - 1) / layout.lanes;
  const auto lanes = static_cast<std::size_t>(list.blocks * layout.lanes);
  list.element.assign(lanes, layout.spare);
  list.wave.assign(lanes * static_cast<std::size_t>(list.faces), 0);
  list.moment.assign(lanes * static_cast<std::size_t>(list.faces * n), S(0));
  for (std::size_t item = 0; item < elements.size(); ++item) {
    const auto place = static_cast<std::int32_t>(item);
    list.element[layout.at(place, 1, 0)] = layout.slot(elements[item].front()->element);
    for (int j = 0; j < list.faces; ++j) {
      const DrivenFace& face = *elements[item][static_cast<std::size_t>(j)];
      list.wave[layout.at(place, list.faces, j)] = face.wave;
      const auto x = stored_wave(problem, face, field, dt_m);
      for (int i = 0; i < n; ++i)
        list.moment[layout.at(place, list.faces * n, j * n + i)] = static_cast<S>(x[static_cast<std::size_t>(i)]);
    }
  }
}

template <class S>
void fill_list(KeptList<S>& list, const std::vector<LocalIndex>& elements, const Problem& problem,
               const ElementLayout<S>& layout, Field field, double dt_m) {
  const auto n = static_cast<int>(basis::reference_element(problem.space).dofs);
  list.blocks = (static_cast<std::int64_t>(elements.size()) + layout.lanes - 1) / layout.lanes;
  const auto lanes = static_cast<std::size_t>(list.blocks * layout.lanes);
  list.element.assign(lanes, layout.spare);
  list.matrix.assign(lanes * static_cast<std::size_t>(n * n), S(0));
  for (std::size_t item = 0; item < elements.size(); ++item) {
    const auto place = static_cast<std::int32_t>(item);
    list.element[layout.at(place, 1, 0)] = layout.slot(elements[item]);
    const basis::DenseMatrix matrix = stored_walls(problem, elements[item], field, dt_m);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        list.matrix[layout.at(place, n * n, j * n + i)] =
            static_cast<S>(matrix(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
  }
}

}  // namespace

template <class S>
std::vector<DrivenList<S>> make_driven_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m) {
  std::map<std::pair<Part, int>, std::vector<DrivenFaces>> groups;
  for (auto& [element, faces] : driven_faces(problem))
    groups[{problem.part_of(element), static_cast<int>(faces.size())}].push_back(faces);
  std::vector<DrivenList<S>> lists;
  for (const auto& [key, elements] : groups) {
    DrivenList<S> list;
    list.part = key.first;
    list.faces = key.second;
    fill_list(list, elements, problem, layout, field, problem.classes.step_of(list.part.step_class, dt_m));
    lists.push_back(std::move(list));
  }
  return lists;
}

template <class S>
std::vector<KeptList<S>> make_kept_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                         double dt_m) {
  std::map<Part, std::vector<LocalIndex>> parts;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    if (keeps_field(problem, e, field)) parts[problem.part_of(e)].push_back(e);
  std::vector<KeptList<S>> lists;
  for (const auto& [part, elements] : parts) {
    KeptList<S> list;
    list.part = part;
    fill_list(list, elements, problem, layout, field, problem.classes.step_of(list.part.step_class, dt_m));
    lists.push_back(std::move(list));
  }
  return lists;
}

template std::vector<DrivenList<double>> make_driven_lists(const Problem&, const ElementLayout<double>&, Field, double);
template std::vector<DrivenList<float>> make_driven_lists(const Problem&, const ElementLayout<float>&, Field, double);
template std::vector<KeptList<double>> make_kept_lists(const Problem&, const ElementLayout<double>&, Field, double);
template std::vector<KeptList<float>> make_kept_lists(const Problem&, const ElementLayout<float>&, Field, double);

}  // namespace tetrawave::march
