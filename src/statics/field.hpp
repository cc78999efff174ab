// Results of a solved potential: fields, energy, charges, currents. Values are in the problem's numbering.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "statics/problem.hpp"

namespace tetrawave::fem {

/// At the centroid of every element: E = -grad V (electrostatic), B = (dA/dy, -dA/dx) or (B_r, B_z).
[[nodiscard]] std::vector<std::array<double, 2>> element_fields(const StaticProblem& problem, Equation2D equation,
                                                                const std::vector<double>& values);

/// u^T K u / 2 over all nodes: J/m, or J if axisymmetric.
[[nodiscard]] double stored_energy(const StaticProblem& problem, const std::vector<double>& values);

/// (K u - F) at the fixed nodes, [nodes - free_count]: in electrostatics the charge per length there.
[[nodiscard]] std::vector<double> reactions(const StaticProblem& problem, const std::vector<double>& values);

/// Area of every region, m^2.
[[nodiscard]] std::vector<double> region_areas(const StaticProblem& problem);

/// |a - b| / |b|, Euclidean; |a| when b is 0.
[[nodiscard]] double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tetrawave::fem
