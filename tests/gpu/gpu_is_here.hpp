// Whether this machine has a GPU for the tests of this folder.
#pragma once

#include <cstdio>

#include "cuda/cuda_backend.hpp"

namespace tetrawave_tests {

/// Says once where there is none, in the words by which ctest counts the program as skipped (tests/CMakeLists.txt).
inline bool gpu_is_here() {
  static const bool here = [] {
    const bool found = tetrawave::cuda::device_count() > 0;
    if (!found) std::puts("no CUDA GPU is available here: the GPU tests are left out");
    return found;
  }();
  return here;
}

}  // namespace tetrawave_tests
