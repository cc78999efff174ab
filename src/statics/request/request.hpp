// What is asked for in a static problem on triangles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/place.hpp"

namespace tetrawave {

enum class Equation2D { electrostatic, magnetostatic, magnetostatic_axisymmetric };
enum class Algorithm2D { serial, a_fem, ebe_v1, ebe_v2 };
enum class ColoringMethod { none, ccm, fcm, ofcm };

/// A value on a physical group: a potential (V or Wb/m) or a current density (A/m^2).
struct GroupValue {
  std::string group;
  double value = 0;
  Place place;  ///< of the group's name
};

struct StaticsRequest {
  Equation2D equation = Equation2D::electrostatic;
  int order = 1;
  Algorithm2D algorithm = Algorithm2D::a_fem;
  ColoringMethod coloring = ColoringMethod::none;
  bool smallest_last = true;  ///< order in which the colouring visits the elements, else that of the mesh
  bool jacobi = true;
  double tolerance = 1e-10;
  std::int64_t max_iterations = 100000;
  std::int64_t repeats = 1;
  bool compare_to_serial = false;
  bool fields = true;
  std::vector<GroupValue> potentials;  ///< physical curves
  std::vector<GroupValue> currents;    ///< physical surfaces
  Place place;
};

/// As written in case files.
[[nodiscard]] const char* name_of(Equation2D equation);
[[nodiscard]] const char* name_of(Algorithm2D algorithm);
[[nodiscard]] const char* name_of(ColoringMethod coloring);

}  // namespace tetrawave
