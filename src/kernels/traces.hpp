// Traces of a field at the neighbours of an element.
#pragma once

#include "base/target.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// On CPUs all are read at once, into the stack, while data of blocks to come are fetched (decision 113); on GPUs each
/// where it is used, what is fetched before.
template <class Basis, class Lane, class S>
class Traces {
 public:
  using R = typename Lane::Number;

  /// `also`: other fields that the kernel reads, of which it needs no traces.
  template <class... Also>
  TW_FN Traces(const Lane& lane, const Elements<S>& elements, const S* field, const Also*... also)
      : lane_(lane), field_(field) {
    if constexpr (at_once) {
      lane.template fetch_traces<Basis>(field, elements.neighbour, elements.word);
      lane.template gather_traces<Basis>(elements.neighbour, elements.word, numbers_, field, also...);
    } else {
      lane.fetch(field, Basis::dofs);
      (lane.fetch(also, Basis::dofs), ...);
    }
  }
  /// Of trace function k beyond face f, which has this number in the neighbour.
  template <int f, class Integer, class Word>
  TW_FN R beyond(const Integer& neighbour, const Word& face, int k) const {
    if constexpr (at_once)
      return numbers_[f * Basis::face_dofs + k];
    else
      return lane_.gather(field_, Basis::dofs, neighbour, lane_.byte(Basis::rows_of(k), face));
  }

 private:
  // With the 30 traces a face of full-4 in single precision a step took a fifth longer than with gathers.
  static constexpr bool at_once = Lane::holds_jumps && (sizeof(S) == 8 || Basis::face_dofs < 30);
  const Lane& lane_;
  const S* field_;
  R numbers_[at_once ? 4 * Basis::face_dofs : 1];
};

}  // namespace tetrawave::kernels
