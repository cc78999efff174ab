// Elements of the stored layout whose half step of a leap-frog scheme needs more than their matrix: driven faces, and
// walls of dispersive media.
#pragma once

#include <cstdint>
#include <vector>

#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Elements of one part with the same number of driven faces, in list blocks of lanes (schemes/stored/additions.hpp).
template <class S>
struct DrivenList {
  int faces = 0;  ///< driven faces of each of its elements, 1..4
  Part part{};
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<std::int32_t> wave;     ///< `faces` rows
  std::vector<S> moment;              ///< faces * dofs rows: A0^-1 g_f
};
template <class S>
std::vector<DrivenList<S>> make_driven_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m);

/// Elements of one part with lossy walls in a dispersive medium (schemes/stored/additions.hpp).
template <class S>
struct KeptList {
  Part part{};
  std::int64_t blocks = 0;
  std::vector<std::int32_t> element;  ///< 1 row: slot
  std::vector<S> matrix;              ///< dofs^2 rows: A0^-1 F, entry `column * n + row`
};
template <class S>
std::vector<KeptList<S>> make_kept_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                         double dt_m);

extern template std::vector<DrivenList<double>> make_driven_lists(const Problem&, const ElementLayout<double>&, Field,
                                                                  double);
extern template std::vector<DrivenList<float>> make_driven_lists(const Problem&, const ElementLayout<float>&, Field,
                                                                 double);
extern template std::vector<KeptList<double>> make_kept_lists(const Problem&, const ElementLayout<double>&, Field,
                                                              double);
extern template std::vector<KeptList<float>> make_kept_lists(const Problem&, const ElementLayout<float>&, Field,
                                                             double);

}  // namespace tetrawave::march
