// Dispersive media in DGTD-Upwind with LTS: half a step of the polarisations of one field and their effect on it,
// before and after each update of the fields (theory/lts).
#pragma once

#include "schemes/upwind/taylor.hpp"
#include "terms/dispersion/device/term_lists.hpp"

namespace tetrawave::march {

/// Coefficients of half a step.
struct HalfTerms {
  schemes::MassConstant mass;
  double share = 0;  ///< isotropic: 1/(constant + instantaneous part)
  double loss = 0;   ///< anisotropic: sigma times half a step
};

template <class Backend, class S>
class UpwindPoleHalves final : public TermLists<Backend, S, HalfTerms> {
  using Base = TermLists<Backend, S, HalfTerms>;

 public:
  using Base::Base;

  /// Tables for the step, and polarisations of zero.
  void begin(const LevelStep<Backend, S>& /*at*/, const StepSize& dt) {
    for (auto& list : this->lists_) {
      const double half_m = dt.of(list.poles.of.part) / 2;
      const schemes::Law law = this->law_of(list);
      list.law.emplace(this->backend_, list.poles, this->dofs_, constants_of(law, half_m, schemes::trapezoidal));
      list.mass = schemes::mass_of(law, half_m);
      list.share = 1 / (law.constant + schemes::present_part(law, half_m));
      list.loss = half_m * law.loss;
      list.energy.begin(this->backend_, law, 0);
    }
  }

  /// By half a step of their level.
  void act(const Action& action, const LevelStep<Backend, S>& at) {
    for (auto& list : this->lists_) {
      if (list.poles.of.part != action.part) continue;
      kernels::PolesAlone<S> kernel;
      kernel.list = list.law->view(list.poles);
      kernel.field = at.fields[at.field].value.data();
      kernel.share = static_cast<S>(list.share);
      if (list.axes) {
        kernel.loss = static_cast<S>(list.loss);
        kernel.sums = list.axes->sums();
        this->backend_.for_blocks(this->problem_.space, kernel, 0, list.poles.blocks);
        list.axes->project(list.mass, kernel.sums, kernel.sums);
        kernel.given = true;
      }
      this->backend_.for_blocks(this->problem_.space, kernel, 0, list.poles.blocks);
    }
  }
};

}  // namespace tetrawave::march
