// How far a field is from a given one in the L2 norm, by quadrature.
#pragma once

#include <vector>

#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "basis/reference_element.hpp"
#include "sources/initial_fields.hpp"

namespace tetrawave_tests {

/// int |u - field|^2 and int |field|^2 over the elements of a mesh.
struct SquaredError {
  double difference = 0;
  double reference = 0;
};

/// `dofs`: n numbers an element; the rule is exact to degree 2p + 5.
inline SquaredError squared_error(const tetrawave::LocalMesh& mesh, tetrawave::Space space,
                                  const std::vector<double>& dofs, const tetrawave::VectorField& field) {
  using namespace tetrawave;
  const auto& reference = basis::reference_element(space);
  const auto rule = basis::tetrahedron_rule(2 * reference.degree + 5);
  std::vector<std::vector<Vec3>> covariant;
  for (const auto& q : rule) covariant.push_back(reference.evaluate(q.barycentric));
  SquaredError error;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    const basis::PhysicalElement element(space, mesh.corners[e]);
    for (std::size_t q = 0; q < rule.size(); ++q) {
      Vec3 c{};
      for (std::size_t i = 0; i < reference.dofs; ++i) c = c + dofs[e * reference.dofs + i] * covariant[q][i];
      const Vec3 u = c[0] * element.gradient(1) + c[1] * element.gradient(2) + c[2] * element.gradient(3);
      const Vec3 v = field(element.point(rule[q].barycentric));
      const double weight = rule[q].weight * element.volume();
      error.difference += weight * dot(u - v, u - v);
      error.reference += weight * dot(v, v);
    }
  }
  return error;
}

}  // namespace tetrawave_tests
