// The sources of a problem as lists of elements: the contribution of every term to the unknowns (see
// terms/sources/kernel.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "march/elements/layout.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Terms of one field of elements of one part, element by element.
template <class S>
struct SourceList {
  Part part{};
  bool by_rate = false;             ///< times w(t + dt/2) - w(t - dt/2) instead of w(t)
  std::vector<std::int32_t> slot;   ///< per element
  std::vector<std::int64_t> first;  ///< per element, and one past the last
  std::vector<std::int32_t> wave;   ///< per term
  std::vector<std::int32_t>
      place;                 ///< per term: -delay in samples (kernels::wave_samples of the level's step), rounded down
  std::vector<double> rest;  ///< per term: the fraction
  std::vector<S> moment;     ///< per term, n: A0^-1 times its contribution to the equation
};

/// All lists of one field for a step dt_m = c0 dt [m]. A0 is the element's matrix before walls are corrected; in the
/// stored layout, which does not correct them, it includes its walls. `amount_dt_m`: the step of A0, if it is another;
/// 0: A0 = M with eps or mu.
template <class S>
std::vector<SourceList<S>> make_source_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m, int threads, std::optional<double> amount_dt_m = {});

extern template std::vector<SourceList<double>> make_source_lists(const Problem&, const ElementLayout<double>&, Field,
                                                                  double, int, std::optional<double>);
extern template std::vector<SourceList<float>> make_source_lists(const Problem&, const ElementLayout<float>&, Field,
                                                                 double, int, std::optional<double>);

}  // namespace tetrawave::march
