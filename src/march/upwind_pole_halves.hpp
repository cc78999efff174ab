// Dispersive media in DGTD-Upwind with classes of time steps: half a step of the polarisations of one field and what
// they do to it, before and after each update of the fields (THEORY.md 25).
#pragma once

#include "march/axes_on_device.hpp"
#include "march/law_energy.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UpwindPoleHalves {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  UpwindPoleHalves(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
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

  /// Tables for steps of dt_m of the largest class, and polarisations of zero.
  void begin(double dt_m) {
    for (List& list : lists_) {
      const double half_m = problem_.classes.step_of(list.poles.of.part.step_class, dt_m) / 2;
      const schemes::Law law = law_of(list);
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law, half_m, schemes::trapezoidal));
      list.mass = schemes::mass_of(law, half_m);
      list.share = 1 / (law.constant + schemes::present_part(law, half_m));
      list.loss = half_m * law.loss;
      list.energy.begin(backend_, law, 0);
    }
  }

  /// What terms store, over eps0/2.
  double energy(ElementSystem<Backend, S>& system, const Buffer<S>& now) {
    for (List& list : lists_) energies_.add(list.poles, *list.shape, *list.law, list.energy, {now, nullptr, false});
    return energies_.sum(system);
  }

  /// By half a step of their class.
  void advance(Buffer<S>& field, const Part& part) {
    for (List& list : lists_) {
      if (list.poles.of.part != part) continue;
      kernels::PolesAlone<S> kernel;
      kernel.list = list.law->view(list.poles);
      kernel.field = field.data();
      kernel.share = static_cast<S>(list.share);
      if (list.axes) {
        kernel.loss = static_cast<S>(list.loss);
        kernel.sums = list.axes->sums();
        backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
        list.axes->project(list.mass, kernel.sums, kernel.sums);
        kernel.given = true;
      }
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
    std::optional<ShapeOnDevice<Backend, S>> shape;
    std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media
    EnergyOfList<Backend, S> energy;
    schemes::MassConstant mass;
    double share = 0;  ///< without axes
    double loss = 0;   ///< with axes: sigma times half a step
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
  LawEnergies<Backend, S> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
