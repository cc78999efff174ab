// Assembly and solution of linear systems: what can be chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/place.hpp"

namespace tetrawave {

enum class SolverMethod { bicgstab, gmres, direct };
enum class Preconditioner { none, jacobi, ssor, ssor_ai, ilu, ilut, p_multigrid, oras };
enum class VectorExchange { halo, gather };
enum class AssemblyMethod { atomic, by_dof, by_row };
enum class MatrixFormat { csr, jad };

/// What incomplete factors with fill-in keep of a row: entries of at least `drop_tolerance` times the norm of A's row,
/// and of these the `per_side` largest on either side of the diagonal.
struct FillIn {
  std::int64_t per_side = 20;
  double drop_tolerance = 1e-2;
};

/// Assembly and solution of the linear systems.
struct SolverOptions {
  SolverMethod method = SolverMethod::bicgstab;
  Preconditioner preconditioner = Preconditioner::ssor_ai;
  bool diagonal_scaling = true;
  double relaxation = 0.42;  ///< of ssor, ssor-ai and p-multigrid
  FillIn fill_in{};          ///< of ilut
  double tolerance = 1e-6;   ///< ||b - A x|| / ||b||
  std::int64_t max_iterations = 50000;
  AssemblyMethod assembly = AssemblyMethod::by_dof;
  MatrixFormat format = MatrixFormat::csr;
  bool mixed_precision = false;  ///< `direct`: factors in single precision, refined
  bool shares_system = false;    ///< ranks share out systems, else frequencies
  VectorExchange exchange = VectorExchange::halo;
  std::vector<std::string> idle_keys;  ///< given, but ignored with this method
  Place place;
};

/// As written in case files.
[[nodiscard]] const char* name_of(SolverMethod method);
[[nodiscard]] const char* name_of(Preconditioner preconditioner);
[[nodiscard]] const char* name_of(AssemblyMethod assembly);
[[nodiscard]] const char* name_of(MatrixFormat format);
[[nodiscard]] const char* name_of(VectorExchange exchange);

}  // namespace tetrawave
