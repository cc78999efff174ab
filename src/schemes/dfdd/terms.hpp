// The terms of DFDD-ELD besides ports and sources, which schemes/leap_frog/leap_frog.hpp has: a line each.
#pragma once

#include "march/loop/scheme_terms.hpp"
#include "schemes/dfdd/dispersion.hpp"
#include "schemes/dfdd/pml_lists.hpp"
#include "schemes/leap_frog/recursive_convolution.hpp"

namespace tetrawave::march {

template <class Backend, class S>
using TermsOfDfdd = SchemeTerms<Backend, S,                  //
                                DfddPoles<Backend, S>,       //
                                PublishedPoles<Backend, S>,  //
                                LayersOfRatesOnDevice<Backend, S>>;

}  // namespace tetrawave::march
