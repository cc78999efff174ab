#include "march/stored_matrices.hpp"

#include <algorithm>
#include <future>
#include <optional>

#include "base/error.hpp"
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

/// sum_f F_f over the open walls of an element, n x n.
DenseMatrix open_face_mass(const Problem& problem, std::size_t element, const basis::QuadratureElement& shape) {
  const auto& reference = basis::reference_element(problem.space);
  DenseMatrix sum(reference.dofs, reference.dofs);
  for (std::size_t f = 0; f < 4; ++f) {
    if (!is_open(problem, element, f)) continue;
    const DenseMatrix part = shape.face_mass(f);
    const auto& on_face = reference.on_face[f];
    for (std::size_t k = 0; k < part.rows(); ++k)
      for (std::size_t l = 0; l < part.columns(); ++l) sum(on_face[k], on_face[l]) += part(k, l);
  }
  return sum;
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

/// A0 and what damps, of one field on one element.
struct FieldTerms {
  basis::SymmetricMatrix inverse;  ///< A0, factored
  DenseMatrix damping;             ///< s M + y/2 sum_f F_f

  FieldTerms(const schemes::OpenWallFactors& factors, double loss, const DenseMatrix& mass, const DenseMatrix& walls)
      : inverse(mass.rows()), damping(mass.rows(), mass.columns()) {
    DenseMatrix a0(mass.rows(), mass.columns());
    a0.add(factors.mass, mass);
    a0.add(factors.face, walls);
    inverse = basis::SymmetricMatrix(a0);
    inverse.factor();
    damping.add(loss, mass);
    damping.add(2 * factors.face, walls);
  }
};

FieldTerms terms_of(const Medium& medium, Field field, double dt_m, const DenseMatrix& mass, const DenseMatrix& walls) {
  const bool electric = field == Field::electric;
  return {electric ? schemes::electric_open_wall(medium, dt_m) : schemes::magnetic_open_wall(medium, dt_m),
          electric ? medium.sigma_e : medium.sigma_m, mass, walls};
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
  const DenseMatrix mass = shape.mass();
  const DenseMatrix walls = open_face_mass(problem, e, shape);
  const DenseMatrix coupled = curl_and_flux(problem.space, shape);
  const std::size_t n = mass.rows();
  ElementMatrices result;
  for (const Field field : {Field::electric, Field::magnetic}) {
    const bool electric = field == Field::electric;
    const FieldTerms terms = terms_of(medium_of(problem, e), field, dt_m, mass, walls);
    DenseMatrix& matrix = result[electric ? 0 : 1];
    matrix = DenseMatrix(n, n + coupled.columns());
    matrix.add_block(0, 0, -1, terms.damping);
    matrix.add_block(0, n, electric ? 1 : -1, coupled);
    terms.inverse.solve(matrix);
    for (std::size_t i = 0; i < n; ++i) matrix(i, i) += 1;
  }
  return result;
}

std::vector<double> central_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m) {
  const auto e = static_cast<std::size_t>(face.element);
  const basis::QuadratureElement shape(problem.space, problem.mesh->corners[e]);
  const FieldTerms terms =
      terms_of(medium_of(problem, e), field, dt_m, shape.mass(), open_face_mass(problem, e, shape));
  const bool electric = field == Field::electric;
  const double incident = electric ? schemes::electric_open_wall(medium_of(problem, e), dt_m).incident
                                   : schemes::magnetic_open_wall(medium_of(problem, e), dt_m).incident;
  std::vector<double> x = electric ? face.direct : face.rotated;
  for (double& moment : x) moment *= incident;
  terms.inverse.solve(x.data());
  return x;
}

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
  const std::int64_t parts = std::max(1, threads);
  std::vector<std::future<void>> work;
  for (std::int64_t part = 0; part < parts; ++part)
    work.push_back(std::async(std::launch::async, fill, part * slots / parts, (part + 1) * slots / parts));
  for (auto& part : work) part.get();
  return blocks;
}

template StoredBlocks<double> make_stored_blocks(const StoredShape&, const ElementLayout<double>&, LocalIndex,
                                                 BlockRange, const std::function<ElementMatrices(LocalIndex)>&, int);
template StoredBlocks<float> make_stored_blocks(const StoredShape&, const ElementLayout<float>&, LocalIndex, BlockRange,
                                                const std::function<ElementMatrices(LocalIndex)>&, int);

}  // namespace tetrawave::march
