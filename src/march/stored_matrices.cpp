#include "march/stored_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/parallel.hpp"
#include "basis/quadrature_element.hpp"
#include "basis/reference_element.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

namespace {

using basis::DenseMatrix;

bool is_open(const Problem& problem, std::size_t element, std::size_t face) {
  const std::int32_t tag = problem.mesh->boundary[element][face];
  return tag >= 0 && problem.walls[static_cast<std::size_t>(tag)] == Wall::open;
}

/// C | 1/2 D_0 | .. | 1/2 D_3, the curl with its central fluxes.
DenseMatrix curl_and_flux(Space space, const basis::QuadratureElement& shape) {
  const auto& reference = basis::reference_element(space);
  const std::size_t n = reference.dofs;
  const std::size_t nf = reference.face_dofs;
  DenseMatrix result(n, n + 4 * nf);
  result.add_block(0, 0, 1, shape.curl());
  for (std::size_t f = 0; f < 4; ++f) {
    const DenseMatrix coupling = shape.coupling(f);
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t l = 0; l < nf; ++l) result(reference.on_face[f][k], n + f * nf + l) += coupling(k, l) / 2;
  }
  return result;
}

/// W of F = sum_f F_f = W^T W over the open walls of an element: no rows without any.
DenseMatrix open_walls_root(const Problem& problem, std::size_t element, const basis::QuadratureElement& shape) {
  const auto& reference = basis::reference_element(problem.space);
  std::vector<std::pair<std::size_t, DenseMatrix>> parts;
  std::size_t rows = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    if (!is_open(problem, element, f)) continue;
    parts.emplace_back(f, shape.face_mass_root(f));
    rows += parts.back().second.rows();
  }
  DenseMatrix root(rows, reference.dofs);
  std::size_t first = 0;
  for (const auto& [f, part] : parts) {
    for (std::size_t r = 0; r < part.rows(); ++r)
      for (std::size_t k = 0; k < part.columns(); ++k) root(first + r, reference.on_face[f][k]) = part(r, k);
    first += part.rows();
  }
  return root;
}

/// The first n columns of `to` += factor W^T W.
void add_gram(double factor, const DenseMatrix& root, DenseMatrix& to) {
  for (std::size_t r = 0; r < root.rows(); ++r)
    for (std::size_t i = 0; i < root.columns(); ++i)
      for (std::size_t j = 0; j < root.columns(); ++j) to(i, j) += factor * root(r, i) * root(r, j);
}

/// A0 = a M + b F of one field, from the roots of M and F.
basis::GramInverse invert(const schemes::OpenWallFactors& factors, const DenseMatrix& mass, const DenseMatrix& walls) {
  DenseMatrix root(mass.rows() + walls.rows(), mass.columns());
  root.add_block(0, 0, std::sqrt(factors.mass), mass);
  root.add_block(mass.rows(), 0, std::sqrt(factors.face), walls);
  return basis::GramInverse(std::move(root));
}

schemes::OpenWallFactors factors_of(const Medium& medium, Field field, double dt_m) {
  return field == Field::electric ? schemes::electric_open_wall(medium, dt_m)
                                  : schemes::magnetic_open_wall(medium, dt_m);
}

const Medium& medium_of(const Problem& problem, std::size_t element) {
  return problem.media[static_cast<std::size_t>(problem.mesh->region[element])];
}

}  // namespace

StoredShape central_shape(Space space) {
  const auto& reference = basis::reference_element(space);
  const auto n = static_cast<int>(reference.dofs);
  return {n, 2 * n + 4 * static_cast<int>(reference.face_dofs)};
}

ElementMatrices central_matrices(const Problem& problem, LocalIndex element, double dt_m) {
  const auto e = static_cast<std::size_t>(element);
  const basis::QuadratureElement shape(problem.space, problem.mesh->corners[e]);
  const DenseMatrix mass = shape.mass_root();
  const DenseMatrix walls = open_walls_root(problem, e, shape);
  DenseMatrix coupled = curl_and_flux(problem.space, shape);
  const bool closed = walls.rows() == 0;  // A0 = a M: one solution serves both fields
  if (closed) basis::GramInverse(mass).apply(coupled);
  const std::size_t n = mass.columns();
  const Medium& medium = medium_of(problem, e);
  ElementMatrices result;
  for (const Field field : {Field::electric, Field::magnetic}) {
    const bool electric = field == Field::electric;
    const auto factors = factors_of(medium, field, dt_m);
    const double lost = (electric ? medium.sigma_e : medium.sigma_m) / factors.mass;
    DenseMatrix& matrix = result[electric ? 0 : 1];
    matrix = DenseMatrix(n, n + coupled.columns());
    matrix.add_block(0, n, (electric ? 1 : -1) / (closed ? factors.mass : 1), coupled);
    if (!closed) {
      add_gram(-factors.face * (2 - lost), walls, matrix);
      invert(factors, mass, walls).apply(matrix);
    }
    for (std::size_t i = 0; i < n; ++i) matrix(i, i) += 1 - lost;
  }
  return result;
}

std::vector<double> central_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m) {
  const auto e = static_cast<std::size_t>(face.element);
  const basis::QuadratureElement shape(problem.space, problem.mesh->corners[e]);
  const auto factors = factors_of(medium_of(problem, e), field, dt_m);
  const auto& moment = field == Field::electric ? face.direct : face.rotated;
  DenseMatrix x(moment.size(), 1);
  for (std::size_t i = 0; i < moment.size(); ++i) x(i, 0) = factors.incident * moment[i];
  invert(factors, shape.mass_root(), open_walls_root(problem, e, shape)).apply(x);
  return {x.row(0), x.row(0) + moment.size()};
}

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
      const auto x = central_wave(problem, face, field, dt_m);
      for (int i = 0; i < n; ++i)
        list.moment[layout.at(place, list.faces * n, j * n + i)] = static_cast<S>(x[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

template <class S>
std::vector<DrivenList<S>> make_driven_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m) {
  std::map<std::pair<bool, int>, std::vector<DrivenFaces>> groups;
  for (auto& [element, faces] : driven_faces(problem))
    groups[{element < problem.mesh->border_count, static_cast<int>(faces.size())}].push_back(faces);
  std::vector<DrivenList<S>> lists;
  for (const auto& [key, elements] : groups) {
    DrivenList<S> list;
    list.border = key.first;
    list.faces = key.second;
    fill_list(list, elements, problem, layout, field, dt_m);
    lists.push_back(std::move(list));
  }
  return lists;
}

template std::vector<DrivenList<double>> make_driven_lists(const Problem&, const ElementLayout<double>&, Field, double);
template std::vector<DrivenList<float>> make_driven_lists(const Problem&, const ElementLayout<float>&, Field, double);

namespace {

/// The element that stands in a slot of the border or inner blocks; none in padding.
template <class S>
std::optional<LocalIndex> element_in(const ElementLayout<S>& layout, LocalIndex elements, std::int64_t slot) {
  const std::int64_t inner = layout.inner.first * layout.lanes;
  if (slot < inner) return slot < layout.border_elements ? std::optional(static_cast<LocalIndex>(slot)) : std::nullopt;
  const std::int64_t element = layout.border_elements + (slot - inner);
  return element < elements ? std::optional(static_cast<LocalIndex>(element)) : std::nullopt;
}

}  // namespace

template <class S>
StoredBlocks<S> make_stored_blocks(const StoredShape& shape, const ElementLayout<S>& layout, LocalIndex elements,
                                   BlockRange range, const std::function<ElementMatrices(LocalIndex)>& make,
                                   int threads) {
  const auto lanes = static_cast<std::int64_t>(layout.lanes);
  const std::int64_t slots = range.count * lanes;
  StoredBlocks<S> blocks;
  for (auto& entries : blocks) entries.assign(static_cast<std::size_t>(slots * shape.entries()), S(0));
  const auto fill = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t place = first; place < last; ++place) {
      const auto element = element_in(layout, elements, range.first * lanes + place);
      if (!element) continue;
      const ElementMatrices matrices = make(*element);
      for (std::size_t field = 0; field < 2; ++field)
        for (int column = 0; column < shape.columns; ++column)
          for (int row = 0; row < shape.dofs; ++row)
            blocks[field][layout.at(static_cast<std::int32_t>(place), shape.entries(), column * shape.dofs + row)] =
                static_cast<S>(matrices[field](static_cast<std::size_t>(row), static_cast<std::size_t>(column)));
    }
  };
  for_ranges(static_cast<std::size_t>(slots), static_cast<std::size_t>(std::max(1, threads)),
             [&](std::size_t, std::size_t first, std::size_t last) {
               fill(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last));
             });
  return blocks;
}

template StoredBlocks<double> make_stored_blocks(const StoredShape&, const ElementLayout<double>&, LocalIndex,
                                                 BlockRange, const std::function<ElementMatrices(LocalIndex)>&, int);
template StoredBlocks<float> make_stored_blocks(const StoredShape&, const ElementLayout<float>&, LocalIndex, BlockRange,
                                                const std::function<ElementMatrices(LocalIndex)>&, int);

}  // namespace tetrawave::march
