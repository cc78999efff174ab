// The global matrix of edge elements on CPU threads or a device, by three ways of distributing the work among them
// (numbers of Meng's dissertation, chapter 3: thread per element with atomic additions, thread per unknown, thread per
// row).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly/assembly_device.hpp"
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
  /// With a device the pattern is copied from there, and matrices stay there.
  EdgeAssembly(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
               AssemblyMethod method, int threads, const AssemblyDevice* device = nullptr);
  ~EdgeAssembly();
  EdgeAssembly(EdgeAssembly&&) noexcept;
  EdgeAssembly& operator=(EdgeAssembly&&) noexcept;

  [[nodiscard]] const CsrPattern& pattern() const;

  /// `kind`: per element, the index of its coefficients; `factors`: one per wall [1/m]. by_dof and by_row give the same
  /// bits on any number of threads; atomic adds in the order in which threads arrive. Not for several callers at once.
  template <class T>
  void assemble(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind, Span<T> factors,
                CsrMatrix<T>& matrix) const;

  /// The last real matrix of a device, which otherwise gives way to the next one; nullptr without a device.
  [[nodiscard]] std::unique_ptr<DeviceMatrix<double>> take_real() const;
  /// Takes a device's memory of complex matrices before the first of them.
  void reserve_complex() const;
  [[nodiscard]] bool is_on_device() const;

  /// Row i of the matrix of element e with its walls, for which `element` has been set.
  template <class T>
  void row_of(const EdgeElement<T>& element, std::size_t e, std::size_t i, Span<T> factors, T* out) const;

  [[nodiscard]] const AssemblyFigures& figures() const;

  /// Adds the moments of an element's functions to a right-hand side.
  template <class T>
  static void scatter(const EdgeSpace& space, LocalIndex element, std::span<const double> moments, const T& factor,
                      std::vector<T>& right_hand_side);
  template <class T>
  static void scatter(const EdgeSpace& space, LocalIndex element, Span<T> moments, std::vector<T>& right_hand_side);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tetrawave::fem
