#include "case/spec/frequency_spec.hpp"

#include <algorithm>

namespace tetrawave {

std::vector<double> even_frequencies(double start_hz, double stop_hz, std::int64_t points) {
  std::vector<double> frequencies;
  for (std::int64_t k = 0; k < points; ++k) {
    // Multiplied before dividing: 1.8 GHz stays an integer number of hertz. The last is `stop` itself.
    const auto intervals = static_cast<double>(std::max<std::int64_t>(points - 1, 1));
    frequencies.push_back(
        k > 0 && k == points - 1 ? stop_hz : start_hz + (stop_hz - start_hz) * static_cast<double>(k) / intervals);
  }
  return frequencies;
}

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

const char* name_of(OuterMethod method) { return method == OuterMethod::plain ? "plain" : "gmres"; }

const char* name_of(PlanarField field) {
  return field == PlanarField::e_z ? "E_z" : field == PlanarField::h_z ? "H_z" : "E_xy";
}

const char* name_of(BoundarySums sums) {
  if (sums == BoundarySums::automatic) return "auto";
  return sums == BoundarySums::pairs ? "pairs" : "compressed";
}

const char* name_of(VectorExchange exchange) { return exchange == VectorExchange::gather ? "gather" : "halo"; }

const char* name_of(MatrixFormat format) { return format == MatrixFormat::jad ? "jad" : "csr"; }

}  // namespace tetrawave
