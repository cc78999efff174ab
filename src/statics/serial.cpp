#include "statics/serial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "statics/with_triangle.hpp"

namespace tetrawave::fem {

namespace {

/// Row starts and ascending columns: unknown nodes that share an element.
CsrSystem make_pattern(const StaticProblem& problem, const Adjacency& adjacency) {
  CsrSystem system;
  system.starts.push_back(0);
  const std::size_t stride = problem.nodes_per_element();
  std::vector<std::int32_t> row;
  for (std::int32_t i = 0; i < problem.free_count; ++i) {
    row.clear();
    for (const std::int32_t element : adjacency.of(i)) {
      const auto begin =
          problem.elements.begin() + static_cast<std::ptrdiff_t>(element) * static_cast<std::ptrdiff_t>(stride);
      std::copy_if(begin, begin + static_cast<std::ptrdiff_t>(stride), std::back_inserter(row),
                   [&problem](std::int32_t node) { return node < problem.free_count; });
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    system.columns.insert(system.columns.end(), row.begin(), row.end());
    if (system.columns.size() > std::numeric_limits<std::int32_t>::max())
      fail(ExitCode::bad_case,
           "a mesh of {} triangles of order {} is too large for algorithm serial: its matrix has more than 2^31 - 1 "
           "entries; use ebe-v1 or ebe-v2 without compare_to_serial",
           problem.element_count(), problem.order);
    system.starts.push_back(static_cast<std::int32_t>(system.columns.size()));
  }
  return system;
}

double& entry(CsrSystem& system, std::int32_t row, std::int32_t column) {
  const auto begin = system.columns.begin() + system.starts[static_cast<std::size_t>(row)];
  const auto end = system.columns.begin() + system.starts[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, column);
  return system.values[static_cast<std::size_t>(found - system.columns.begin())];
}

template <class T>
void add_elements(const StaticProblem& problem, CsrSystem& system) {
  std::array<double, T::entries> matrix{};
  std::array<double, T::nodes> load{};
  for (std::size_t e = 0; e < problem.element_count(); ++e) {
    const auto corners = corners_of<T>(problem, e);
    const auto region = static_cast<std::size_t>(problem.region[e]);
    T::matrix(corners, problem.coefficient[region], matrix.data());
    if (problem.has_sources) T::load(corners, problem.source[region], load.data());
    for (std::size_t i = 0; i < T::nodes; ++i) {
      const std::int32_t row = corners.node[i];
      if (row >= problem.free_count) continue;
      double& rhs = system.rhs[static_cast<std::size_t>(row)];
      rhs += load[i];
      for (std::size_t j = 0; j < T::nodes; ++j) {
        const std::int32_t fixed = corners.node[j] - problem.free_count;
        if (fixed >= 0)
          rhs -= matrix[i * T::nodes + j] * problem.fixed[static_cast<std::size_t>(fixed)];
        else
          entry(system, row, corners.node[j]) += matrix[i * T::nodes + j];
      }
    }
  }
}

void fill_values(const StaticProblem& problem, CsrSystem& system) {
  system.values.assign(system.columns.size(), 0);
  system.rhs.assign(static_cast<std::size_t>(problem.free_count), 0);
  with_triangle(problem, [&]<class T>() { add_elements<T>(problem, system); });
}

std::vector<double> multiply(const CsrSystem& system, const std::vector<double>& p) {
  std::vector<double> q(p.size(), 0);
  for (std::size_t i = 0; i < q.size(); ++i)
    for (auto at = system.starts[i]; at < system.starts[i + 1]; ++at)
      q[i] += system.values[static_cast<std::size_t>(at)] *
              p[static_cast<std::size_t>(system.columns[static_cast<std::size_t>(at)])];
  return q;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> precondition(const std::vector<double>& inverse_diagonal, const std::vector<double>& r) {
  std::vector<double> z(r.size());
  for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_diagonal[i] * r[i];
  return z;
}

std::vector<double> invert_diagonal(const CsrSystem& system, bool jacobi) {
  std::vector<double> inverse(system.rhs.size(), 1);
  for (std::size_t row = 0; jacobi && row < inverse.size(); ++row)
    for (auto at = system.starts[row]; at < system.starts[row + 1]; ++at)
      if (system.columns[static_cast<std::size_t>(at)] == static_cast<std::int32_t>(row))
        inverse[row] = 1 / system.values[static_cast<std::size_t>(at)];
  return inverse;
}

/// Hestenes and Stiefel (1952), as in statics/kernels/iteration.hpp but written independently.
void iterate(const CsrSystem& system, const SolveOptions& options, Solution& solution) {
  const std::vector<double> inverse_diagonal = invert_diagonal(system, options.jacobi);
  std::vector<double>& x = solution.unknowns;
  x.assign(system.rhs.size(), 0);
  std::vector<double> r = system.rhs, p = precondition(inverse_diagonal, r);
  const double first = dot(r, p);
  double rho = first;
  bool broken = !(first >= 0);
  while (!broken && rho > options.tolerance * options.tolerance * first &&
         solution.figures.iterations < options.max_iterations) {
    const std::vector<double> q = multiply(system, p);
    const double curvature = dot(p, q), alpha = rho / curvature;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const std::vector<double> z = precondition(inverse_diagonal, r);
    const double next = dot(r, z), beta = next / rho;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
    rho = next;
    broken = !(curvature > 0);
    ++solution.figures.iterations;
  }
  solution.figures.residual = first > 0 ? std::sqrt(rho / first) : 0;
  check_convergence(solution.figures, broken, options);
}

template <class T>
std::int64_t bytes_of(const std::vector<T>& values) {
  return static_cast<std::int64_t>(values.size() * sizeof(T));
}

}  // namespace

CsrSystem assemble_serially(const StaticProblem& problem, const Adjacency& adjacency) {
  CsrSystem system = make_pattern(problem, adjacency);
  fill_values(problem, system);
  return system;
}

Solution solve_serially(const StaticProblem& problem, const Adjacency& adjacency, const SolveOptions& options) {
  Solution solution;
  SolveFigures& figures = solution.figures;
  figures.device = "cpu, one core";
  Stopwatch watch;
  CsrSystem system = make_pattern(problem, adjacency);
  figures.seconds_convert = watch.lap();
  fill_values(problem, system);
  figures.seconds_element = watch.lap();
  iterate(system, options, solution);
  figures.seconds_solve = watch.lap();
  figures.nonzeros = static_cast<std::int64_t>(system.columns.size());
  constexpr std::int64_t vectors = 6;  // x, r, p, q, z, M^-1 beside the right-hand side
  figures.solve_bytes = bytes_of(problem.nodes) + bytes_of(problem.elements) + bytes_of(problem.region) +
                        bytes_of(system.starts) + bytes_of(system.columns) + bytes_of(system.values) +
                        (vectors + 1) * bytes_of(system.rhs);
  figures.peak_bytes = figures.solve_bytes + bytes_of(adjacency.first) + bytes_of(adjacency.elements);
  return solution;
}

}  // namespace tetrawave::fem
