#include "sources/initial_fields.hpp"

#include <algorithm>
#include <span>

#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave {

namespace {

/// The basis at the points of a rule, evaluated once for all elements.
class RuleValues {
 public:
  RuleValues(Space space, int degree) : rule_(basis::tetrahedron_rule(degree)) {
    for (const auto& q : rule_) covariant_.push_back(basis::reference_element(space).evaluate(q.barycentric));
  }
  [[nodiscard]] const std::vector<basis::TetrahedronPoint>& rule() const { return rule_; }
  /// N_i . v at point q for all i: covariant components of N_i times the gradients dotted with v.
  void project(std::size_t q, const Vec3& gradient_dot_v, double weight, std::span<double> sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * dot(covariant_[q][i], gradient_dot_v);
  }

 private:
  std::vector<basis::TetrahedronPoint> rule_;
  std::vector<std::vector<Vec3>> covariant_;
};

/// Dofs of the L2 projection on one element.
void project_element(const basis::PhysicalElement& element, const RuleValues& values, const VectorField& field,
                     std::span<double> dofs) {
  for (std::size_t q = 0; q < values.rule().size(); ++q) {
    const Vec3 v = field(element.point(values.rule()[q].barycentric));
    const Vec3 along{dot(element.gradient(1), v), dot(element.gradient(2), v), dot(element.gradient(3), v)};
    values.project(q, along, values.rule()[q].weight * element.volume(), dofs);
  }
  basis::SymmetricMatrix mass = element.mass();
  mass.factor();
  mass.solve(dofs.data());
}

}  // namespace

std::vector<double> project_field(const LocalMesh& mesh, Space space, const VectorField& field, int threads) {
  const std::size_t n = basis::reference_element(space).dofs;
  const RuleValues values(space, 2 * basis::reference_element(space).degree + 1);
  std::vector<double> dofs(n * mesh.corners.size());
  for_ranges(mesh.corners.size(), static_cast<std::size_t>(std::max(1, threads)),
             [&](std::size_t, std::size_t first, std::size_t last) {
               const VectorField own = field;
               for (std::size_t e = first; e < last; ++e)
                 project_element(basis::PhysicalElement(space, mesh.corners[e]), values, own,
                                 std::span<double>(dofs).subspan(e * n, n));
             });
  return dofs;
}

}  // namespace tetrawave
