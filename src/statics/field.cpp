#include "statics/field.hpp"

#include <cmath>

#include "statics/with_triangle.hpp"

namespace tetrawave::fem {

namespace {

/// work.template operator()<T>(element, corners, values at its nodes) for every element.
template <class Work>
void for_elements(const StaticProblem& problem, const std::vector<double>& values, const Work& work) {
  with_triangle(problem, [&]<class T>() {
    std::array<double, T::nodes> local{};
    for (std::size_t e = 0; e < problem.element_count(); ++e) {
      const auto corners = corners_of<T>(problem, e);
      for (std::size_t i = 0; i < T::nodes; ++i) local[i] = values[static_cast<std::size_t>(corners.node[i])];
      work.template operator()<T>(e, corners, local);
    }
  });
}

}  // namespace

std::vector<std::array<double, 2>> element_fields(const StaticProblem& problem, Equation2D equation,
                                                  const std::vector<double>& values) {
  std::vector<std::array<double, 2>> fields(problem.element_count());
  for_elements(problem, values, [&]<class T>(std::size_t e, const typename T::Corners& corners, const auto& local) {
    const typename T::Fields at(corners, {1. / 3, 1. / 3, 0.5});
    double first = 0, second = 0;
    for (std::size_t i = 0; i < T::nodes; ++i) {
      first += local[i] * at.first[i];
      second += local[i] * at.second[i];
    }
    switch (equation) {
      case Equation2D::electrostatic:
        fields[e] = {-first, -second};
        break;
      case Equation2D::magnetostatic:
        fields[e] = {second, -first};
        break;
      case Equation2D::magnetostatic_axisymmetric:
        fields[e] = {first, second};
        break;
    }
  });
  return fields;
}

double stored_energy(const StaticProblem& problem, const std::vector<double>& values) {
  double energy = 0;
  for_elements(problem, values, [&]<class T>(std::size_t e, const typename T::Corners& corners, const auto& local) {
    std::array<double, T::entries> matrix{};
    T::matrix(corners, problem.coefficient[static_cast<std::size_t>(problem.region[e])], matrix.data());
    for (std::size_t i = 0; i < T::nodes; ++i)
      for (std::size_t j = 0; j < T::nodes; ++j) energy += local[i] * matrix[i * T::nodes + j] * local[j] / 2;
  });
  return energy;
}

std::vector<double> reactions(const StaticProblem& problem, const std::vector<double>& values) {
  std::vector<double> result(problem.fixed.size(), 0);
  for_elements(problem, values, [&]<class T>(std::size_t e, const typename T::Corners& corners, const auto& local) {
    const auto region = static_cast<std::size_t>(problem.region[e]);
    std::array<double, T::entries> matrix{};
    std::array<double, T::nodes> load{};
    T::matrix(corners, problem.coefficient[region], matrix.data());
    if (problem.has_sources) T::load(corners, problem.source[region], load.data());
    for (std::size_t i = 0; i < T::nodes; ++i) {
      if (corners.node[i] < problem.free_count) continue;
      double& reaction = result[static_cast<std::size_t>(corners.node[i] - problem.free_count)];
      reaction -= load[i];
      for (std::size_t j = 0; j < T::nodes; ++j) reaction += matrix[i * T::nodes + j] * local[j];
    }
  });
  return result;
}

std::vector<double> region_areas(const StaticProblem& problem) {
  std::vector<double> areas(problem.coefficient.size(), 0);
  const auto add = [&]<class T>() {
    std::array<double, T::nodes> load{};
    for (std::size_t e = 0; e < problem.element_count(); ++e) {
      T::load(corners_of<T>(problem, e), 1, load.data());
      for (const double part : load) areas[static_cast<std::size_t>(problem.region[e])] += part;
    }
  };
  if (problem.order == 1)
    add.template operator()<kernels::Triangle<1, false>>();
  else
    add.template operator()<kernels::Triangle<2, false>>();
  return areas;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(size > 0 ? difference / size : difference);
}

}  // namespace tetrawave::fem
