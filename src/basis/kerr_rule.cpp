#include "basis/kerr_rule.hpp"

#include <algorithm>
#include <array>

#include "basis/reference_element.hpp"

namespace tetrawave::basis {

namespace {

struct Orbit {
  double weight;                      ///< per point; all points of the rule sum to 1
  std::array<double, 4> barycentric;  ///< and all its different permutations
};

// Walkington: degree 5; Keast: degree 6.
const std::array<Orbit, 3> degree_5{
    Orbit{0.11268792571801585080,
          {0.31088591926330060980, 0.31088591926330060980, 0.31088591926330060980, 0.06734224221009817060}},
    Orbit{0.07349304311636194954,
          {0.09273525031089122640, 0.09273525031089122640, 0.09273525031089122640, 0.72179424906732632080}},
    Orbit{0.04254602077708146644,
          {0.04550370412564964949, 0.04550370412564964949, 0.45449629587435035051, 0.45449629587435035051}}};
const std::array<Orbit, 4> degree_6{
    Orbit{0.0399227502581674920, {0.2146028712591517, 0.2146028712591517, 0.2146028712591517, 0.3561913862225449}},
    Orbit{0.0100772110553206600, {0.0406739585346113, 0.0406739585346113, 0.0406739585346113, 0.8779781243961661}},
    Orbit{0.0553571815436547200, {0.3223378901422757, 0.3223378901422757, 0.3223378901422757, 0.0329863295731729}},
    Orbit{0.0482142857142857100, {0.0636610018750175, 0.0636610018750175, 0.2696723314583159, 0.6030056647916491}}};

template <std::size_t orbits>
void add_points(const std::array<Orbit, orbits>& rule, const ReferenceElement& element, KerrRule& to) {
  for (const Orbit& orbit : rule) {
    std::array<double, 4> point = orbit.barycentric;
    std::sort(point.begin(), point.end());
    do {
      to.weight.push_back(orbit.weight / 6);
      to.barycentric.push_back(point);
      for (const Vec3& components : element.evaluate(point))
        to.shape.insert(to.shape.end(), components.begin(), components.end());
    } while (std::next_permutation(point.begin(), point.end()));
  }
}

}  // namespace

KerrRule kerr_rule(Space space) {
  const ReferenceElement& element = reference_element(space);
  KerrRule rule;
  if (element.degree <= 1)
    add_points(degree_5, element, rule);
  else
    add_points(degree_6, element, rule);
  return rule;
}

}  // namespace tetrawave::basis
