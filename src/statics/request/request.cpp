#include "statics/request/request.hpp"

namespace tetrawave {

const char* name_of(Equation2D equation) {
  switch (equation) {
    case Equation2D::electrostatic:
      return "electrostatic";
    case Equation2D::magnetostatic:
      return "magnetostatic";
    case Equation2D::magnetostatic_axisymmetric:
      return "magnetostatic-axisymmetric";
  }
  return "";
}

const char* name_of(Algorithm2D algorithm) {
  switch (algorithm) {
    case Algorithm2D::serial:
      return "serial";
    case Algorithm2D::a_fem:
      return "a-fem";
    case Algorithm2D::ebe_v1:
      return "ebe-v1";
    case Algorithm2D::ebe_v2:
      return "ebe-v2";
  }
  return "";
}

const char* name_of(ColoringMethod coloring) {
  switch (coloring) {
    case ColoringMethod::none:
      return "none";
    case ColoringMethod::ccm:
      return "ccm";
    case ColoringMethod::fcm:
      return "fcm";
    case ColoringMethod::ofcm:
      return "ofcm";
  }
  return "";
}

}  // namespace tetrawave
