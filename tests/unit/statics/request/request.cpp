#include "statics/request/request.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("every choice of a static problem has a name of its own") {
  std::set<std::string> names;
  for (const auto equation :
       {Equation2D::electrostatic, Equation2D::magnetostatic, Equation2D::magnetostatic_axisymmetric})
    names.insert(name_of(equation));
  for (const auto algorithm : {Algorithm2D::serial, Algorithm2D::a_fem, Algorithm2D::ebe_v1, Algorithm2D::ebe_v2})
    names.insert(name_of(algorithm));
  for (const auto coloring : {ColoringMethod::none, ColoringMethod::ccm, ColoringMethod::fcm, ColoringMethod::ofcm})
    names.insert(name_of(coloring));
  CHECK(names == std::set<std::string>{"electrostatic", "magnetostatic", "magnetostatic-axisymmetric", "serial",
                                       "a-fem", "ebe-v1", "ebe-v2", "none", "ccm", "fcm", "ofcm"});
}
