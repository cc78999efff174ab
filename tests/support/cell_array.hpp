// An array of unit cells as a system of edge elements, preconditioned cell by cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fem/assembly/edge_assembly.hpp"
#include "fem/parts/part_inverse.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "mesh/array/array_elements.hpp"
#include "mesh_slabs.hpp"
#include "unit_cell_meshes.hpp"

namespace tetrawave_tests {

/// A lossy array with absorbing outer faces.
struct CellArray {
  tetrawave::UnitCells cells = tetrawave::make_unit_cells(make_cell_mesh());
  tetrawave::ArrayGrid grid;
  tetrawave::LocalMesh mesh;
  tetrawave::fem::EdgeSpace space;
  tetrawave::fem::CellLabels labels;
  std::vector<tetrawave::fem::ElementFace> walls;
  std::vector<tetrawave::fem::Complex> factors;
  std::vector<std::int32_t> media;
  std::vector<tetrawave::fem::EdgeCoefficients<tetrawave::fem::Complex>> coefficients;

  explicit CellArray(std::array<std::int64_t, 2> size, tetrawave::Space of = tetrawave::Space::mixed_1)
      : grid(tetrawave::make_grid(cells, size)),
        mesh(tetrawave::build_array_mesh(cells, grid, make_tags({3, 1, 2}), tetrawave::Ordering::blocks, 2,
                                         tetrawave::comm::Communicator::self())),
        space(tetrawave::fem::number_unknowns(of, mesh.vertices, {})),
        labels(tetrawave::fem::label_cells(mesh, grid, tetrawave::number_elements(cells, grid), 2)) {
    for (tetrawave::LocalIndex e = 0; e < mesh.element_count(); ++e)
      for (std::uint8_t f = 0; f < 4; ++f)
        if (mesh.neighbour[static_cast<std::size_t>(e)][f] == tetrawave::no_neighbour) walls.emplace_back(e, f);
    factors.assign(walls.size(), tetrawave::fem::Complex(0, 0.9));
    for (const std::int32_t region : mesh.region) media.push_back(region);
    for (const double eps : {1., 1.2, 2.})
      coefficients.push_back({{1, 1, 1},
                              {tetrawave::fem::Complex(-eps, 0.05), tetrawave::fem::Complex(-eps, 0.05),
                               tetrawave::fem::Complex(-eps, 0.05)}});
  }

  [[nodiscard]] tetrawave::fem::MeshParts parts() const {
    return tetrawave::fem::find_parts(mesh, space, labels, {media, walls, factors}, 2);
  }

  /// One cell is all of it.
  void join_cells() {
    std::fill(labels.cell.begin(), labels.cell.end(), 0);
    std::iota(labels.place.begin(), labels.place.end(), 0);
    labels.at.resize(1);
    labels.kind.resize(1);
  }

  /// BiCGStab with the parts; returns the iterations.
  std::int64_t solve(const tetrawave::fem::CsrMatrix<tetrawave::fem::Complex>& matrix,
                     const tetrawave::fem::SolverMachine& machine, const std::vector<tetrawave::fem::Complex>& b,
                     std::vector<tetrawave::fem::Complex>& x) const {
    const auto terms = [this] {
      return tetrawave::fem::PartTerms{
          coefficients, std::vector<tetrawave::fem::Complex>(coefficients.size(), tetrawave::fem::Complex(0, 1)),
          factors};
    };
    tetrawave::SolverOptions spec;
    spec.method = tetrawave::SolverMethod::bicgstab;
    spec.preconditioner = tetrawave::Preconditioner::oras;
    spec.diagonal_scaling = false;
    spec.tolerance = 1e-10;
    spec.max_iterations = 200;
    tetrawave::fem::LinearSolver<tetrawave::fem::Complex> solver(
        spec, machine, *matrix.pattern, tetrawave::fem::MatrixKind::symmetric, tetrawave::comm::Communicator::self(),
        {}, tetrawave::fem::make_part_inverse(parts(), media, terms, machine));
    std::vector<std::vector<tetrawave::fem::Complex>> solutions{x};
    const tetrawave::fem::LinearFigures figures = solver.solve(matrix, {b}, solutions);
    x = solutions.front();
    return figures.iterations.front();
  }
};

/// A known solution of an array with its right-hand side.
struct ArraySystem {
  explicit ArraySystem(const CellArray& array)
      : assembly(array.space, array.mesh, array.walls, tetrawave::AssemblyMethod::by_dof, 2),
        b(static_cast<std::size_t>(array.space.unknowns)) {
    for (std::int32_t u = 0; u < array.space.unknowns; ++u) wanted.emplace_back(std::sin(u), std::cos(3. * u));
    assembly.assemble<tetrawave::fem::Complex>(array.coefficients, array.media, array.factors, matrix);
    for (std::size_t i = 0; i < b.size(); ++i)
      for (auto k = static_cast<std::size_t>(matrix.pattern->first[i]);
           k < static_cast<std::size_t>(matrix.pattern->first[i + 1]); ++k)
        b[i] += matrix.values[k] * wanted[static_cast<std::size_t>(matrix.pattern->column[k])];
  }

  /// Returns the largest error of the iteration by parts, from 0.
  double solve(const CellArray& array, const tetrawave::fem::SolverMachine& machine, std::int64_t& iterations) const {
    std::vector<tetrawave::fem::Complex> x(b.size());
    iterations = array.solve(matrix, machine, b, x);
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - wanted[i]));
    return error;
  }

  tetrawave::fem::EdgeAssembly assembly;
  tetrawave::fem::CsrMatrix<tetrawave::fem::Complex> matrix;
  std::vector<tetrawave::fem::Complex> wanted, b;
};

}  // namespace tetrawave_tests
