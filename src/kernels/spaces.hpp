// The spaces that kernels are compiled for: a new one is one line here.
#pragma once

#include <utility>

#include "kernel_terms.hpp"

/// X(terms of a space)
#define TW_SPACES(X) \
  X(Mixed1)          \
  X(Full1)           \
  X(Mixed2)          \
  X(Full2)

namespace tetrawave::kernels {

/// work.template operator()<Basis>() with the kernel terms of the space.
template <class Work>
void with_basis(Space space, Work&& work) {
  switch (space) {
#define TW_CASE(Basis) \
  case Basis::space:   \
    return std::forward<Work>(work).template operator()<Basis>();
    TW_SPACES(TW_CASE)
#undef TW_CASE
  }
}

}  // namespace tetrawave::kernels
