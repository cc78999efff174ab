#include "sources/expression.hpp"

#include <algorithm>

namespace tetrawave {

namespace {

Formula in_space(const std::string& text, const Place& place) { return {text, {"x", "y", "z"}, place}; }

bool is_constant_zero(const Formula& formula) { return formula.is_constant() && formula({0, 0, 0}) == 0; }

}  // namespace

FieldExpression::FieldExpression(const std::array<std::string, 3>& components, const std::array<Place, 3>& places)
    : components_{in_space(components[0], places[0]), in_space(components[1], places[1]),
                  in_space(components[2], places[2])},
      zero_(std::all_of(components_.begin(), components_.end(), is_constant_zero)) {}

Vec3 FieldExpression::operator()(const Vec3& point_m) const {
  const auto [x, y, z] = point_m;
  return {components_[0]({x, y, z}), components_[1]({x, y, z}), components_[2]({x, y, z})};
}

}  // namespace tetrawave
