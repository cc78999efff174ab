// The spaces that kernels are compiled for: a new one is one line here.
#pragma once

#include <utility>

#include "kernel_terms.hpp"

/// X(terms of a space). Those of degree 3 are compiled in separate translation units.
#define TW_SPACES_OF_DEGREES_1_2(X) \
  X(Mixed1)                         \
  X(Full1)                          \
  X(Mixed2)                         \
  X(Full2)
#define TW_SPACES_OF_DEGREE_3(X) \
  X(Mixed3)                      \
  X(Full3)

namespace tetrawave::kernels {

/// The terms with which a kernel is compiled for a space: loops, straight-line code or sparse operators.
template <class Basis, class Kernel>
struct TermsOf {
  using type = Basis;
};

inline bool is_of_degree_3(Space space) { return space >= Space::mixed_3; }

#define TW_CASE(Basis) \
  case Basis::space:   \
    return std::forward<Work>(work).template operator()<Basis>();
/// work.template operator()<Basis>() with the kernel terms of the space, if it has one of these degrees.
template <class Work>
void with_basis_of_degrees_1_2(Space space, Work&& work) {
  switch (space) {
    TW_SPACES_OF_DEGREES_1_2(TW_CASE)
    default:
      break;
  }
}
template <class Work>
void with_basis_of_degree_3(Space space, Work&& work) {
  switch (space) {
    TW_SPACES_OF_DEGREE_3(TW_CASE)
    default:
      break;
  }
}
#undef TW_CASE

/// work.template operator()<Basis>() with the kernel terms of the space.
template <class Work>
void with_basis(Space space, Work&& work) {
  if (is_of_degree_3(space))
    with_basis_of_degree_3(space, std::forward<Work>(work));
  else
    with_basis_of_degrees_1_2(space, std::forward<Work>(work));
}

}  // namespace tetrawave::kernels
