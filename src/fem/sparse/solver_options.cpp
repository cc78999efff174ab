#include "fem/sparse/solver_options.hpp"

namespace tetrawave {

const char* name_of(SolverMethod method) {
  if (method == SolverMethod::gmres) return "gmres";
  return method == SolverMethod::direct ? "direct" : "bicgstab";
}

const char* name_of(Preconditioner preconditioner) {
  switch (preconditioner) {
    case Preconditioner::none:
      return "none";
    case Preconditioner::jacobi:
      return "jacobi";
    case Preconditioner::ssor:
      return "ssor";
    case Preconditioner::ssor_ai:
      return "ssor-ai";
    case Preconditioner::ilu:
      return "ilu";
    case Preconditioner::ilut:
      return "ilut";
    case Preconditioner::p_multigrid:
      return "p-multigrid";
    case Preconditioner::oras:
      return "oras";
  }
  return "";
}

const char* name_of(AssemblyMethod assembly) {
  switch (assembly) {
    case AssemblyMethod::atomic:
      return "atomic";
    case AssemblyMethod::by_dof:
      return "by-dof";
    case AssemblyMethod::by_row:
      return "by-row";
  }
  return "";
}

const char* name_of(VectorExchange exchange) { return exchange == VectorExchange::gather ? "gather" : "halo"; }

const char* name_of(MatrixFormat format) { return format == MatrixFormat::jad ? "jad" : "csr"; }

}  // namespace tetrawave
