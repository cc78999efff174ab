// Dispersive media in DGTD-Central: polarisations of one field, advanced before its update (theory/dispersion).
#pragma once

#include <optional>
#include <vector>

#include "march/elements/element_system.hpp"
#include "march/interface/fourth_order.hpp"
#include "schemes/leap_frog/initial_memory.hpp"
#include "terms/dispersion/device/term_lists.hpp"
#include "terms/dispersion/flow_kernel.hpp"
#include "terms/dispersion/flow_step.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::march {

/// Additions of DGTD-Central to a list for its step.
template <class Backend, class S>
struct CentralTerms {
  schemes::MassConstant mass;
  S loss = 0;
  std::optional<typename Backend::template Buffer<S>> flow{};     ///< fourth order: numbers of PolesOfFlow
  std::optional<typename Backend::template Buffer<S>> between{};  ///< and the states after the first half of a step
};

template <class Backend, class S>
class CentralPoles : public TermLists<Backend, S, CentralTerms<Backend, S>> {
  using Base = TermLists<Backend, S, CentralTerms<Backend, S>>;
  using Base::backend_, Base::dofs_, Base::electric_, Base::energies_, Base::layout_, Base::lists_, Base::problem_;
  using Base::is_in_matrices, Base::law_of;
  using typename Base::List;

 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Base::Base;

  /// Start: adds the effect of losses in projected media on `field` from t = 0 back to -dt/2
  /// (terms/dispersion/update_coefficients.hpp).
  void go_back(Buffer<S>& field, const StepSize& dt) {
    for (List& list : lists_) {
      if (!list.axes) continue;
      const auto law = law_of(list);
      const double dt_m = dt.of(list.poles.of.part);
      kernels::PolesBeforeUpdate<S> kernel;
      kernel.list.element = list.poles.element.data();
      kernel.old = field.data();
      kernel.field = field.data();
      kernel.sums = list.axes->sums();
      kernel.loss = static_cast<S>(-dt_m / 2 * law.loss);
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      list.axes->subtract({law.constant, law.axes}, field.data());
    }
  }

  /// Sets tables for the step, and polarisations of zero for the present values of a field.
  void begin(const HalfStep<Backend, S>& at, const StepSize& dt) {
    for (List& list : lists_) {
      const auto law = law_of(list);
      const double dt_m = dt.of(list.poles.of.part);
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law, dt_m, schemes::trapezoidal));
      list.mass = schemes::mass_of(law, dt_m);
      list.loss = static_cast<S>(dt_m * law.loss);
      if (law.exact) begin_flow(list, law, dt_m);
      list.energy.begin(backend_, law, !electric_ && problem_.energy_every > 0 ? list.law->memory.size() : 0);
      run(list, at.value, at.value, true);
    }
    if (at.taken_back) begin_before(at.value, dt);
  }

  /// Keeps the states before the first half of a step whose energy is recorded.
  void keep() {
    for (List& list : lists_)
      if (list.energy.kept) backend_.copy(list.law->memory, *list.energy.kept);
  }
  /// Energy over eps0/2: that stored by terms or, with `of_axes`, the part missing in products with the mass of a step
  /// in projected media.
  double energy(ElementSystem<Backend, S>& system, const Buffer<S>& now, const Buffer<S>* earlier, bool of_axes) {
    if (of_axes && !any_projected(problem_, electric_ ? Field::electric : Field::magnetic)) return 0;
    for (List& list : lists_) {
      const auto law = law_of(list);
      Vec3 lacking;
      for (std::size_t i = 0; i < 3; ++i) lacking[i] = law.constant * (law.axes[i] - list.mass.axes[i]);
      if (of_axes)
        energies_.add(list.poles, *list.shape, lacking, {now, earlier});
      else
        energies_.add(list.poles, *list.shape, *list.law, list.energy, {now, earlier});
    }
    return energies_.sum(system);
  }

  void act(const Action& action, const HalfStep<Backend, S>& at) {
    for (List& list : lists_) {
      if (list.poles.of.part != action.part || is_in_matrices(list)) continue;
      if (list.flow)
        run_flow(list, at.value, action.substep == fourth::second_half);
      else
        run(list, at.old, at.value, false);
    }
  }

 private:
  /// x = h + share u, where the trapezoidal rule has x = h + g u.
  void begin_flow(List& list, const schemes::Law& law, double dt_m) {
    const auto step = schemes::flow_step(law, dt_m);
    auto constants = constants_of(law, dt_m, schemes::trapezoidal);
    for (std::size_t t = 0; t < constants.size(); ++t) {
      constants[t][4] = step.share[2 * t];
      constants[t][5] = step.share[2 * t + 1];
    }
    list.law.emplace(backend_, list.poles, dofs_, constants);
    const auto numbers = schemes::stored_flow(step);
    list.flow.emplace(backend_, std::vector<S>(numbers.begin(), numbers.end()));
    list.between.emplace(backend_, list.law->memory.size());
  }
  void run_flow(List& list, Buffer<S>& field, bool second) {
    kernels::PolesOfFlow<S> kernel;
    kernel.list = list.law->view(list.poles);
    kernel.list.constants = list.flow->data();
    kernel.before = second ? list.between->data() : list.law->memory.data();
    kernel.list.memory = second ? list.law->memory.data() : list.between->data();
    kernel.field = field.data();
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }
  /// H at -dt/2: its terms are 0 at t = 0, and their effect on the way there is subtracted.
  void begin_before(Buffer<S>& field, const StepSize& dt) {
    if (lists_.empty()) return;
    std::vector<S> values = field.download();
    for (List& list : lists_) {
      const auto law = law_of(list);
      if (law.terms.empty()) continue;
      const double dt_m = dt.of(list.poles.of.part);
      std::vector<S> memory = list.law->memory.download();
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        const LocalIndex e = list.poles.of.elements[k];
        const auto index = [&](int i) { return layout_.at(layout_.slot(e), dofs_, i); };
        std::vector<double> u;
        for (int i = 0; i < dofs_; ++i) u.push_back(values[index(i)]);
        const auto found = memory_of_law(problem_, e, law, std::vector<double>(u.size(), 0.0), u, -dt_m / 2);
        for (int i = 0; i < dofs_; ++i) {
          const auto at = static_cast<std::size_t>(i);
          u[at] += found.change[at];
          values[index(i)] = static_cast<S>(u[at]);
        }
        set_memory(list.poles, k, law, dt_m, found, u, memory);
      });
      list.law->memory.upload(memory);
    }
    field.upload(values);
  }

  void run(List& list, const Buffer<S>& old, Buffer<S>& field, bool begin) {
    kernels::PolesBeforeUpdate<S> kernel;
    kernel.list = list.law->view(list.poles);
    kernel.old = old.data();
    kernel.field = field.data();
    kernel.share = static_cast<S>(1 / list.mass.mean);
    kernel.loss = list.loss;
    kernel.begin = begin;
    if (list.axes) kernel.sums = list.axes->sums();
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
    if (list.axes && !begin) list.axes->subtract(list.mass, field.data());
  }
};

}  // namespace tetrawave::march
