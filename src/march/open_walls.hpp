// The matrices of absorbing and port faces, element by element (see kernels/absorb.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "march/layout.hpp"
#include "march/problem.hpp"

namespace tetrawave::march {

/// Elements of one part (border or inner) that have the same number of open faces, in list blocks of lanes.
template <class S>
struct OpenWallList {
  int faces = 0;        ///< open faces of each of its elements, 1..4
  bool border = false;  ///< of border elements, whose traces other ranks need
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<std::int32_t> face;     ///< `faces` rows
  std::vector<std::int32_t> wave;     ///< `faces` rows
  std::vector<S> matrix;              ///< faces * (face_dofs + 1) * dofs rows
};

/// All lists of one field for a step dt_m = c0 dt [m] (THEORY.md 7).
template <class S>
std::vector<OpenWallList<S>> make_open_walls(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m);

extern template std::vector<OpenWallList<double>> make_open_walls(const Problem&, const ElementLayout<double>&, Field,
                                                                  double);
extern template std::vector<OpenWallList<float>> make_open_walls(const Problem&, const ElementLayout<float>&, Field,
                                                                 double);

}  // namespace tetrawave::march
