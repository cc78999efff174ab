// The terms of DGTD-Central besides ports and sources, which schemes/leap_frog/leap_frog.hpp has: a line each.
#pragma once

#include "march/loop/scheme_terms.hpp"
#include "schemes/central/dispersion.hpp"
#include "schemes/central/kerr.hpp"
#include "schemes/leap_frog/recursive_convolution.hpp"
#include "terms/pml/device/on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
using TermsOfCentral = SchemeTerms<Backend, S,                  //
                                   CentralPoles<Backend, S>,    //
                                   PublishedPoles<Backend, S>,  //
                                   LayersOnDevice<Backend, S>,  //
                                   CentralKerr<Backend, S>>;

}  // namespace tetrawave::march
