// Traces for other ranks: gathered from the field into the layout of the receiver's ghost elements.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// message[ghost block][row][lane]: two traces a ghost element, rows 0.. and face_dofs.. (see rows_of). Runs on the
/// ghost blocks of a message.
template <class S>
struct PackTraces {
  using Scalar = S;
  const S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< 2 rows: the element whose trace stands first, second
  const std::int32_t* face = nullptr;     ///< 2 rows: its face
  S* message = nullptr;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    for (int half = 0; half < 2; ++half) {
      const auto from = lane.load_integer(element, 2, half);
      const auto number = lane.load_integer(face, 2, half);
      TW_UNROLL
      for (int k = 0; k < Basis::face_dofs; ++k)
        lane.store(message, Basis::dofs, half * Basis::face_dofs + k,
                   lane.gather(field, Basis::dofs, from, lane.byte(Basis::rows_of(k), number)));
    }
  }
};

}  // namespace tetrawave::kernels
