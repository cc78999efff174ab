// A vector field given by three expressions in x, y, z.
#pragma once

#include <array>
#include <string>

#include "base/place.hpp"
#include "base/types.hpp"
#include "sources/formula.hpp"

namespace tetrawave {

/// The field (fx, fy, fz)(x, y, z), x, y, z in metres; pi and c0 [m/s] are defined. Threads that evaluate concurrently
/// use a copy each.
class FieldExpression {
 public:
  /// Throws UserError (bad_case) with the place of the invalid component.
  FieldExpression(const std::array<std::string, 3>& components, const std::array<Place, 3>& places);

  /// The field at a point. Throws UserError (bad_case) that names the point if a component is not finite.
  [[nodiscard]] Vec3 operator()(const Vec3& point_m) const;

  /// True if all components are the constant 0.
  [[nodiscard]] bool is_zero() const { return zero_; }

 private:
  std::array<Formula, 3> components_;
  bool zero_;
};

}  // namespace tetrawave
