// Dispersive media in DGTD-Upwind: polarisations of one field as unknowns of the Runge-Kutta method (THEORY.md 18).
#pragma once

#include "march/pole_lists.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  UpwindPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), dofs_(system.dofs()), electric_(field == Field::electric) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media)
      chosen.push_back(schemes::law_of(problem.scheme, medium, electric_).any());
    for (auto& elements : elements_by_region(problem, chosen))
      lists_.emplace_back(backend, system.layout(), std::move(elements));
  }

  /// Tables for the step, and polarisations of zero.
  void begin(double dt_m) {
    for (List& list : lists_) {
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law_of(list), dt_m, schemes::rates));
      list.registers.emplace(backend_, list.law->memory.size());
    }
  }

  /// After a stage with these coefficients.
  void after_stage(const Buffer<S>& old_values, Buffer<S>& new_values, Buffer<S>& change, S a, S b, const Part& part) {
    for (List& list : lists_) {
      if (list.poles.of.part != part) continue;
      kernels::PolesAfterStage<S> kernel;
      kernel.list = list.law->view(list.poles);
      kernel.registers = list.registers->data();
      kernel.old_values = old_values.data();
      kernel.new_values = new_values.data();
      kernel.change = change.data();
      kernel.share = static_cast<S>(1 / law_of(list).constant);
      kernel.a = a;
      kernel.b = b;
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
    }
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
    std::optional<Buffer<S>> registers;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements)
        : poles(backend, layout, std::move(elements)) {}
  };
  [[nodiscard]] schemes::Law law_of(const List& list) const {
    return schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], electric_);
  }

  Backend& backend_;
  const Problem& problem_;
  int dofs_;
  bool electric_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
