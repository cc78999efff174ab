// Dispersive media in DGTD-Central: polarisations of one field, advanced before its update (THEORY.md 18).
#pragma once

#include "march/pole_lists.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  CentralPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), dofs_(system.dofs()), electric_(field == Field::electric) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media)
      chosen.push_back(!(electric_ ? medium.electric_poles : medium.magnetic_poles).empty() &&
                       medium.dispersion == Dispersion::passive);
    for (auto& elements : elements_by_region(problem, chosen))
      lists_.emplace_back(backend, system.layout(), std::move(elements));
  }

  /// Tables for the step, and polarisations of zero for the present values of `field`.
  void begin(Buffer<S>& field, double march_dt_m) {
    for (List& list : lists_) {
      const auto law = law_of(list);
      const double dt_m = problem_.classes.step_of(list.poles.of.part.step_class, march_dt_m);
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law, dt_m, schemes::trapezoidal));
      list.share = static_cast<S>(1 / (law.constant + schemes::present_part(law, dt_m) + dt_m * law.loss / 2));
      list.loss = static_cast<S>(dt_m * law.loss);
      run(list, field, true);
    }
  }

  void before_update(Buffer<S>& field, const Part& part) {
    for (List& list : lists_)
      if (list.poles.of.part == part) run(list, field, false);
  }

  void register_state(StateRegistry& registry, const std::string& name) {
    add_list_state<S>(
        registry, name, problem_.mesh->element_count(), 2 * most_terms(problem_, electric_) * dofs_, lists_,
        [this](List& list) { return state_part(list.poles, list.law->memory, 2 * list.law->terms * dofs_); });
  }

 private:
  struct List {
    PolesOnDevice<Backend, S> poles;
    std::optional<LawOnDevice<Backend, S>> law;
    S share = 0;
    S loss = 0;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements)
        : poles(backend, layout, std::move(elements)) {}
  };

  [[nodiscard]] schemes::Law law_of(const List& list) const {
    return schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], electric_);
  }

  void run(List& list, Buffer<S>& field, bool begin) {
    kernels::PolesBeforeUpdate<S> kernel;
    kernel.list = list.law->view(list.poles);
    kernel.field = field.data();
    kernel.share = list.share;
    kernel.loss = list.loss;
    kernel.begin = begin;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }

  Backend& backend_;
  const Problem& problem_;
  int dofs_;
  bool electric_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
