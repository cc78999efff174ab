// The global matrix of edge elements, by three ways of distributing the work among threads (numbers of Meng's
// dissertation, chapter 3: thread per element with atomic additions, thread per unknown, thread per row).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/types.hpp"
#include "fem/edge/edge_element.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/edge/element_shapes.hpp"
#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/solver_options.hpp"

namespace tetrawave::fem {

/// Assembles matrices of one pattern repeatedly, of double or Complex. Space and shapes must outlive it.
class EdgeAssembly {
 public:
  /// Also accepts vectors: T is that of the matrix or of the right-hand side.
  template <class T>
  using Span = std::type_identity_t<std::span<const T>>;

  /// `walls`: the faces with terms, in the order of the factors given later. by_dof finds the matrices of copies once.
  EdgeAssembly(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
               AssemblyMethod method, int threads);

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }

  /// `kind`: per element, the index of its coefficients; `factors`: one per wall [1/m]. by_dof and by_row give the same
  /// bits on any number of threads; atomic adds in the order in which threads arrive.
  template <class T>
  void assemble(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind, Span<T> factors,
                CsrMatrix<T>& matrix) const;

  /// Row i of the matrix of element e with its walls, for which `element` has been set.
  template <class T>
  void row_of(const EdgeElement<T>& element, std::size_t e, std::size_t i, Span<T> factors, T* out) const;

  /// Adds the moments of an element's functions to a right-hand side.
  template <class T>
  static void scatter(const EdgeSpace& space, LocalIndex element, std::span<const double> moments, const T& factor,
                      std::vector<T>& right_hand_side);
  template <class T>
  static void scatter(const EdgeSpace& space, LocalIndex element, Span<T> moments, std::vector<T>& right_hand_side);

 private:
  /// An element's function, as a contribution to a row of the global matrix.
  struct Contribution {
    std::int32_t element, function;
  };
  struct WallMatrix {
    std::uint8_t face = 0;
    std::vector<double> entries;  ///< face_dofs^2 [1]
  };
  void list_contributions();
  void make_pattern();
  void place_unknowns();
  void list_walls(std::span<const ElementFace> walls);
  void find_slots();
  void list_matrices();
  template <class T>
  void add_walls(std::size_t element, std::size_t i, Span<T> factors, T* out) const;
  template <class T>
  void add_to_row(std::size_t row, const Contribution& from, const T* entries, T* values) const;
  template <class T, class EntriesOf>
  void gather_rows(CsrMatrix<T>& matrix, const EntriesOf& entries_of) const;
  template <class T>
  void assemble_atomically(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind, Span<T> factors,
                           CsrMatrix<T>& matrix) const;

  const EdgeSpace& space_;
  ElementShapes shapes_;
  AssemblyMethod method_;
  int threads_;
  std::vector<std::int64_t> first_contribution_;   ///< per row
  std::unique_ptr<Contribution[]> contributions_;  ///< of a row by ascending element; first written by threads
  std::vector<WallMatrix> walls_;
  std::vector<std::int32_t> first_wall_;  ///< per element, into wall_numbers_
  std::vector<std::int32_t> wall_numbers_;
  std::vector<std::int32_t> slots_;      ///< atomic: [element][i][j], place in the row; -1 where i or j is fixed
  std::vector<std::int32_t> matrix_of_;  ///< by_dof, per element: of those that are found once for all copies
  std::vector<LocalIndex> element_of_matrix_;
  CsrPattern pattern_;
};

}  // namespace tetrawave::fem
