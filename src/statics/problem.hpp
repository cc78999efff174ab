// A static problem on triangles, ready for assembly: the input of every algorithm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/triangles/triangle_mesh.hpp"
#include "statics/request/request.hpp"

namespace tetrawave::fem {

/// Equations and conventions: statics/kernels/triangle.hpp. Nodes are renumbered, unknown ones first.
struct StaticProblem {
  int order = 1;
  bool axisymmetric = false;
  std::vector<Point2> nodes;            ///< metres
  std::vector<std::int32_t> elements;   ///< [ne, 3 or 6], node order of Gmsh
  std::vector<std::int32_t> region;     ///< [ne]
  std::vector<double> coefficient;      ///< per region: eps or 1/mu
  std::vector<double> source;           ///< per region: current density
  bool has_sources = false;             ///< any of them is not 0
  std::int32_t free_count = 0;          ///< unknown nodes are 0 .. free_count - 1
  std::vector<double> fixed;            ///< values of the others
  std::vector<std::int32_t> number_of;  ///< [nodes] new number of each node of the mesh

  [[nodiscard]] std::size_t nodes_per_element() const { return order == 1 ? 3 : 6; }
  [[nodiscard]] std::size_t element_count() const { return region.size(); }
  /// `unknowns` followed by the fixed values: by new number.
  [[nodiscard]] std::vector<double> complete(const std::vector<double>& unknowns) const;
};

/// Solution parameters.
struct SolveOptions {
  Algorithm2D algorithm = Algorithm2D::a_fem;
  bool shared = true;  ///< elements of one group may share nodes: add atomically
  bool jacobi = true;
  double tolerance = 1e-10;
  std::int64_t max_iterations = 100000;
  int threads = 0;  ///< of the CPU; 0: all cores
};

/// Measurements. Seconds of phases that an algorithm does not have are 0.
struct SolveFigures {
  double seconds_transfer = 0;  ///< of the problem to the device
  double seconds_element = 0;
  double seconds_convert = 0;
  double seconds_solve = 0;
  std::int64_t iterations = 0;
  double residual = 0;           ///< reached, relative
  std::int64_t peak_bytes = 0;   ///< peak memory of mesh, matrices and vectors
  std::int64_t solve_bytes = 0;  ///< while iterating
  std::int64_t nonzeros = 0;     ///< of the global matrix, if there is one
  std::string device;
  int threads = 1;  ///< of the CPU, or of the CPU that drives a GPU
};

struct Solution {
  std::vector<double> unknowns;  ///< [free_count]
  SolveFigures figures;
};

/// A global matrix in CSR over the unknowns, columns ascending, and its right-hand side.
struct CsrSystem {
  std::vector<std::int32_t> starts;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> rhs;
};

/// Throws UserError (unstable) if the iteration did not reach the tolerance or the matrix is not positive definite.
void check_convergence(const SolveFigures& figures, bool broken, const SolveOptions& options);

}  // namespace tetrawave::fem
