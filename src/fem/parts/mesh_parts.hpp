// Overlapping parts of a rank's mesh, of which many are copies of one another (the cells of a finite array).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fem/edge/edge_space.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "mesh/array/array_grid.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::fem {

/// Where the elements of a mesh lie in a grid of cells.
struct CellLabels {
  std::vector<std::int32_t> cell;               ///< per element
  std::vector<GlobalIndex> place;               ///< per element: copies have the same in their cells
  std::vector<std::array<std::int64_t, 2>> at;  ///< per cell: column and row
  std::vector<std::int32_t> kind;               ///< per cell: those of a kind are expected to be copies
};

/// Those of a finite array: unit cells, or pairs of them along an axis with more than six. Those of a kind are made of
/// the same unit cells and have the same around them.
[[nodiscard]] CellLabels label_cells(const LocalMesh& mesh, const ArrayGrid& grid, const ArrayNumbers& elements,
                                     int threads);

/// What the matrix of a part is made of: the elements of a cell and those outside with a vertex in it, numbered by
/// their places.
struct PartKind {
  std::vector<LocalIndex> elements;          ///< of the first part of this kind
  std::vector<std::array<Vec3, 4>> corners;  ///< [m]
  EdgeSpace space;                           ///< its unknowns in the order of their first elements
  std::vector<ElementFace> walls;            ///< by numbers in `elements`
  std::vector<std::size_t> wall_numbers;     ///< of the mesh
  std::vector<ElementFace> ends;             ///< faces to elements outside
};

struct MeshPart {
  std::size_t kind = 0;
  std::vector<std::int32_t> unknowns;  ///< of the mesh, per unknown of the kind
  std::vector<std::int32_t> own;       ///< those of the kind that no lower cell has
};

struct MeshParts {
  std::vector<PartKind> kinds;
  std::vector<MeshPart> parts;  ///< per cell

  /// Unknowns of the largest kind.
  [[nodiscard]] std::int32_t largest() const;
};

/// The terms of a mesh that copies have in common, too.
struct MeshTerms {
  std::span<const std::int32_t> media;    ///< per element
  std::span<const ElementFace> walls;     ///< faces with terms
  std::span<const Complex> wall_factors;  ///< of these
};

/// One part per cell. Cells of a kind are compared, element by element: corners but for a shift, unknowns, media and
/// factors of walls to 1e-9; one that differs gets a kind of its own. On one rank, with straight elements.
[[nodiscard]] MeshParts find_parts(const LocalMesh& mesh, const EdgeSpace& space, const CellLabels& labels,
                                   const MeshTerms& terms, int threads);

}  // namespace tetrawave::fem
