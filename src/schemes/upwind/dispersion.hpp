// Dispersive media in DGTD-Upwind: polarisations of one field as unknowns of the Runge-Kutta method
// (theory/dispersion).
#pragma once

#include "terms/dispersion/device/term_lists.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::march {

/// The second register of the Runge-Kutta method for the polarisations of a list.
template <class Backend, class S>
struct UpwindTerms {
  std::optional<typename Backend::template Buffer<S>> registers;
};

template <class Backend, class S>
class UpwindPoles : public TermLists<Backend, S, UpwindTerms<Backend, S>> {
  using Base = TermLists<Backend, S, UpwindTerms<Backend, S>>;
  using Base::backend_, Base::dofs_, Base::lists_, Base::problem_;
  using Base::is_in_matrices, Base::law_of;
  using typename Base::List;

 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Base::Base;

  /// Tables for the step, and polarisations of zero.
  void begin(const Stage<Backend, S>& /*at*/, const StepSize& dt) {
    dt_m_ = dt.dt_m;
    for (List& list : lists_) {
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law_of(list), dt_m_, schemes::rates));
      list.registers.emplace(backend_, list.law->memory.size());
      list.energy.begin(backend_, law_of(list), 0);
    }
  }

  void act(const Action& action, const Stage<Backend, S>& at) {
    const auto& own = at.fields[at.field];
    for (List& list : lists_) {
      if (list.poles.of.part != action.part || is_in_matrices(list)) continue;
      kernels::PolesAfterStage<S> kernel;
      kernel.list = list.law->view(list.poles);
      kernel.registers = list.registers->data();
      kernel.old_values = own.old.data();
      kernel.new_values = own.value.data();
      const auto law = law_of(list);
      kernel.share = static_cast<S>(1 / law.constant);
      kernel.a = static_cast<S>(at.a);
      kernel.b = static_cast<S>(at.b);
      if (list.axes) kernel.sums = list.axes->sums();
      if (list.axes && problem_.layout == Layout::factored) kernel.loss = static_cast<S>(dt_m_ * law.loss);
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      if (list.axes) list.axes->subtract({law.constant, law.axes}, own.value.data(), kernel.b);
    }
  }

 private:
  double dt_m_ = 0;
};

}  // namespace tetrawave::march
