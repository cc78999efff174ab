// The fields that a term acts on in a step, by the kind of scheme.
#pragma once

#include <cstdint>

#include "kernels/element_block.hpp"
#include "march/interface/per_field.hpp"

namespace tetrawave::march {

/// The table of waves at ports, [wave][step][number of a step], and the present step.
template <class Backend, class S>
struct WavesNow {
  S* table;
  std::int64_t length;  ///< numbers of a wave
  const std::int64_t* step;
};

/// Leap-frog schemes: a field that advances by half a step, and what acts on it besides its equation.
template <class Backend, class S>
struct LeapStep {
  using Values = typename Backend::template Buffer<S>;
  Field field;
  Values& coupled;      ///< the field, or in DFDD-ELD its rate
  Values* value;        ///< then the field itself, or null
  const Values& other;  ///< of the other field
  double dt_m;          ///< of the elements' level
  double middle;        ///< time of sources in steps of the level, from the beginning of number `substep`
  std::int64_t substep;
  WavesNow<Backend, S> waves;
  bool of_change = false;  ///< fourth order: its second change
};

/// DGTD-Central: a field that advances by half a step.
template <class Backend, class S>
struct HalfStep {
  Field field;
  const typename Backend::template Buffer<S>& old;  ///< before the update; `value` itself if that comes after the terms
  typename Backend::template Buffer<S>& value;
  kernels::Metric<S> metric;
  const std::int64_t* step;
  bool taken_back = false;  ///< at the start of a run: H, given at t = 0, has been taken back to -dt/2
};

/// DFDD-ELD: a rate that advances by half a step, and the arrays of its update.
template <class Backend, class S>
struct RateStep {
  Field field;
  typename Backend::template Buffer<S>& value;
  typename Backend::template Buffer<S>& rate;
  const typename Backend::template Buffer<S>& other_value;
  const typename Backend::template Buffer<S>& other_rate;
  kernels::Metric<S> metric;
  kernels::Metric<S> curl_metric;
  const S* inverse;
};

/// DGTD-Upwind: a stage of the Runge-Kutta method, number `stage` of five, with its coefficients.
template <class Backend, class S>
struct Stage {
  using Values = typename Backend::template Buffer<S>;
  struct Fields {
    const Values& old;
    Values& value;  ///< of the stage before, then the new ones
  };
  Field field;
  PerField<Fields> fields;
  std::int64_t stage;
  double a, b, c;
  WavesNow<Backend, S> waves;
};

/// DGTD-Upwind with LTS: step number `substep` of a level, of `substeps` in a step of the time loop. Terms that act
/// apart from the update do so by half of it.
template <class Backend, class S>
struct LevelStep {
  using Values = typename Backend::template Buffer<S>;
  struct Fields {
    Values& value;
    Values& seen;  ///< its integral over the step, in smallest steps
  };
  Field field;
  PerField<Fields> fields;
  std::int64_t substep;
  std::int64_t substeps;
  double length;  ///< in smallest steps
  WavesNow<Backend, S> waves;
};

}  // namespace tetrawave::march
