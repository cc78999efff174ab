// The fields that a term acts on in a step, by the kind of scheme.
#pragma once

#include <cstdint>

#include "kernels/element_block.hpp"
#include "march/interface/per_field.hpp"

namespace tetrawave::march {

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

/// DGTD-Upwind: a stage of the Runge-Kutta method with the coefficients a and b.
template <class Backend, class S>
struct Stage {
  Field field;
  const typename Backend::template Buffer<S>& old;
  typename Backend::template Buffer<S>& value;
  typename Backend::template Buffer<S>& change;
  S a;
  S b;
};

/// DGTD-Upwind with LTS: half a step of a term by itself.
template <class Backend, class S>
struct AloneStep {
  Field field;
  typename Backend::template Buffer<S>& value;
};

}  // namespace tetrawave::march
