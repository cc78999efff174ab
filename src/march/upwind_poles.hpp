// Dispersive media in DGTD-Upwind: polarisations of one field as unknowns of the Runge-Kutta method (THEORY.md 18).
#pragma once

#include "march/axes_on_device.hpp"
#include "march/law_energy.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  UpwindPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend),
        problem_(problem),
        dofs_(system.dofs()),
        electric_(field == Field::electric),
        energies_(backend, problem, system, any_region(regions_with_terms(problem, field))) {
    for (auto& elements : elements_by_region(problem, regions_with_terms(problem, field))) {
      List& list = lists_.emplace_back(backend, system.layout(), std::move(elements));
      list.shape.emplace(backend, problem, list.poles);
      if (law_of(list).is_projected()) list.axes.emplace(backend, problem.space, list.poles, *list.shape, dofs_);
    }
  }

  /// Tables for the step, and polarisations of zero.
  void begin(double dt_m) {
    dt_m_ = dt_m;
    for (List& list : lists_) {
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law_of(list), dt_m, schemes::rates));
      list.registers.emplace(backend_, list.law->memory.size());
      list.energy.begin(backend_, law_of(list), 0);
    }
  }

  /// What terms store, over eps0/2.
  double energy(ElementSystem<Backend, S>& system, const Buffer<S>& now) {
    for (List& list : lists_) energies_.add(list.poles, *list.shape, *list.law, list.energy, {now, nullptr, false});
    return energies_.sum(system);
  }

  /// After a stage with these coefficients.
  void after_stage(const Buffer<S>& old_values, Buffer<S>& new_values, Buffer<S>& change, S a, S b, const Part& part) {
    for (List& list : lists_) {
      const bool in_matrices = problem_.layout == Layout::stored && list.law->terms == 0;  // losses alone
      if (list.poles.of.part != part || in_matrices) continue;
      kernels::PolesAfterStage<S> kernel;
      kernel.list = list.law->view(list.poles);
      kernel.registers = list.registers->data();
      kernel.old_values = old_values.data();
      kernel.new_values = new_values.data();
      kernel.change = change.data();
      const auto law = law_of(list);
      kernel.share = static_cast<S>(1 / law.constant);
      kernel.a = a;
      kernel.b = b;
      if (list.axes) kernel.sums = list.axes->sums();
      if (list.axes && problem_.layout == Layout::factored) kernel.loss = static_cast<S>(dt_m_ * law.loss);
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      if (list.axes) list.axes->subtract({law.constant, law.axes}, change.data(), new_values.data(), b);
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
    std::optional<ShapeOnDevice<Backend, S>> shape;
    std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media
    EnergyOfList<Backend, S> energy;
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
  double dt_m_ = 0;
  LawEnergies<Backend, S> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
