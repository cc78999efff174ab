// What tests of the static algorithms go through, on any backend.
#pragma once

#include "catch.hpp"
#include "statics/coloring.hpp"
#include "statics/serial.hpp"
#include "support/static_problems.hpp"

namespace tetrawave_tests {

inline tetrawave::fem::Adjacency adjacency_of(const tetrawave::fem::StaticProblem& problem) {
  return tetrawave::fem::find_adjacency(
      {problem.nodes_per_element(), problem.elements, static_cast<std::int32_t>(problem.nodes.size())});
}

inline tetrawave::fem::Coloring color(const tetrawave::fem::StaticProblem& problem) {
  return tetrawave::fem::group_by_color(tetrawave::fem::color_by_table(tetrawave::fem::list_entities(
      problem.elements, problem.nodes_per_element(), 3, 1, static_cast<std::int32_t>(problem.nodes.size()))));
}

inline std::vector<double> solve_reference(const tetrawave::fem::StaticProblem& problem) {
  return tetrawave::fem::solve_serially(problem, adjacency_of(problem),
                                        {tetrawave::Algorithm2D::serial, false, true, 1e-12, 100000, 1})
      .unknowns;
}

/// work(problem) for every equation and order.
template <class Work>
void for_all_problems(std::int64_t cells, const Work& work) {
  using tetrawave::Equation2D;
  for (const auto equation :
       {Equation2D::electrostatic, Equation2D::magnetostatic, Equation2D::magnetostatic_axisymmetric})
    for (const int order : {1, 2}) {
      INFO(name_of(equation) << ", order " << order);
      work(make_mixed_problem(equation, order, cells).problem);
    }
}

/// work(coloring, options) for every parallel algorithm, with colours and with atomic operations.
template <class Work>
void for_all_algorithms(const tetrawave::fem::StaticProblem& problem, const Work& work) {
  using tetrawave::Algorithm2D;
  for (const auto algorithm : {Algorithm2D::a_fem, Algorithm2D::ebe_v1, Algorithm2D::ebe_v2})
    for (const bool shared : {true, false}) {
      INFO(name_of(algorithm) << (shared ? ", atomic" : ", coloured"));
      work(shared ? tetrawave::fem::one_group(problem.element_count()) : color(problem),
           tetrawave::fem::SolveOptions{algorithm, shared, true, 1e-12, 100000, 1});
    }
}

}  // namespace tetrawave_tests
