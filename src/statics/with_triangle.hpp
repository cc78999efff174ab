// From the numbers of a problem to the type of its elements.
#pragma once

#include "statics/kernels/triangle.hpp"
#include "statics/problem.hpp"

namespace tetrawave::fem {

/// work.template operator()<Triangle<...>>().
template <class Work>
auto with_triangle(const StaticProblem& problem, const Work& work) {
  using kernels::Triangle;
  if (problem.order == 1)
    return problem.axisymmetric ? work.template operator()<Triangle<1, true>>()
                                : work.template operator()<Triangle<1, false>>();
  return problem.axisymmetric ? work.template operator()<Triangle<2, true>>()
                              : work.template operator()<Triangle<2, false>>();
}

/// The problem's own arrays in the form used by kernels: an element's nodes are contiguous, so one element at a time.
template <class T>
typename T::Corners corners_of(const StaticProblem& problem, std::size_t element) {
  kernels::TriangleView view;
  view.node = problem.elements.data() + element * T::nodes;
  view.coordinates = problem.nodes.data()->data();
  view.stride = 1;
  return typename T::Corners(view, 0);
}

}  // namespace tetrawave::fem
