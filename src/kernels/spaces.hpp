// The spaces that kernels are compiled for: a new one is one line here.
#pragma once

#include <utility>

#include "kernel_terms.hpp"

/// X(terms of a space). Those from degree 3 on are compiled in separate translation units; DFDD-ELD, Kerr media and the
/// parts of kernels that `bench` times have none of degree 4.
#define TW_SPACES_OF_DEGREES_1_2(X) \
  X(Mixed1)                         \
  X(Full1)                          \
  X(Mixed2)                         \
  X(Full2)
#define TW_SPACES_OF_DEGREE_3(X) \
  X(Mixed3)                      \
  X(Full3)
#define TW_SPACES_OF_DEGREE_4(X) X(Full4)

namespace tetrawave::kernels {

/// The terms with which a kernel is compiled for a space: loops, straight-line code or sparse operators.
template <class Basis, class Kernel>
struct TermsOf {
  using type = Basis;
};

/// Likewise of a kernel that has sparse operators in Bernstein form.
template <class Basis>
struct InBernsteinForm {
  using type = Basis;
};
template <>
struct InBernsteinForm<Full3> {
  using type = SparseFull3;
};
template <>
struct InBernsteinForm<Full4> {
  using type = SparseFull4;
};

inline bool is_from_degree_3(Space space) { return space >= Space::mixed_3; }

/// An InternalError that names the space.
[[noreturn]] void refuse_space(Space space);

#define TW_CASE(Basis) \
  case Basis::space:   \
    return std::forward<Work>(work).template operator()<Basis>();
/// work.template operator()<Basis>() with the kernel terms of the space, if it has one of these degrees; others are
/// refused.
template <class Work>
void with_basis_of_degrees_1_2(Space space, Work&& work) {
  switch (space) {
    TW_SPACES_OF_DEGREES_1_2(TW_CASE)
    default:
      refuse_space(space);
  }
}
/// `most`: 4, or 3 for kernels that are not there in degree 4.
template <int most, class Work>
void with_basis_from_degree_3(Space space, Work&& work) {
  if constexpr (most > 3) {
    switch (space) {
      TW_SPACES_OF_DEGREE_4(TW_CASE)
      default:
        break;
    }
  }
  switch (space) {
    TW_SPACES_OF_DEGREE_3(TW_CASE)
    default:
      refuse_space(space);
  }
}
#undef TW_CASE

/// Likewise in all degrees up to `most`.
template <int most = 4, class Work>
void with_basis(Space space, Work&& work) {
  if (is_from_degree_3(space))
    with_basis_from_degree_3<most>(space, std::forward<Work>(work));
  else
    with_basis_of_degrees_1_2(space, std::forward<Work>(work));
}

}  // namespace tetrawave::kernels
