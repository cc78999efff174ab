// Dispersive media in DGTD-Central: polarisations of one field, advanced before its update (THEORY.md 18).
#pragma once

#include "march/axes_on_device.hpp"
#include "march/law_energy.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  CentralPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
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

  /// Of the start: what the losses of projected media add to `field` from t = 0 back to -dt/2
  /// (schemes/dgtd_central.hpp).
  void go_back(Buffer<S>& field, double march_dt_m) {
    for (List& list : lists_) {
      if (!list.axes) continue;
      const auto law = law_of(list);
      const double dt_m = problem_.classes.step_of(list.poles.of.part.step_class, march_dt_m);
      kernels::PolesBeforeUpdate<S> kernel;
      kernel.list.element = list.poles.element.data();
      kernel.field = field.data();
      kernel.sums = list.axes->sums();
      kernel.loss = static_cast<S>(-dt_m / 2 * law.loss);
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      list.axes->subtract({law.constant, law.axes}, field.data());
    }
  }

  /// Tables for the step, and polarisations of zero for the present values of `field`.
  void begin(Buffer<S>& field, double march_dt_m) {
    for (List& list : lists_) {
      const auto law = law_of(list);
      const double dt_m = problem_.classes.step_of(list.poles.of.part.step_class, march_dt_m);
      list.law.emplace(backend_, list.poles, dofs_, constants_of(law, dt_m, schemes::trapezoidal));
      list.mass = schemes::mass_of(law, dt_m);
      list.loss = static_cast<S>(dt_m * law.loss);
      list.energy.begin(backend_, law, !electric_ && problem_.energy_every > 0 ? list.law->memory.size() : 0);
      run(list, field, true);
    }
  }

  /// Before the first half of a step whose energy is recorded.
  void keep() {
    for (List& list : lists_)
      if (list.energy.kept) backend_.copy(list.law->memory, *list.energy.kept);
  }
  /// Over eps0/2: stored by terms, or, `of_axes`, what the products with the mass of a step lack in projected media.
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

  void before_update(Buffer<S>& field, const Part& part) {
    for (List& list : lists_)
      if (list.poles.of.part == part && !is_in_matrices(list)) run(list, field, false);
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
    S loss = 0;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements)
        : poles(backend, layout, std::move(elements)) {}
  };

  [[nodiscard]] schemes::Law law_of(const List& list) const {
    return schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], electric_);
  }

  /// The stored layout takes losses by its matrices unless there are terms.
  [[nodiscard]] bool is_in_matrices(const List& list) const {
    return problem_.layout == Layout::stored && list.law->terms == 0;
  }

  void run(List& list, Buffer<S>& field, bool begin) {
    kernels::PolesBeforeUpdate<S> kernel;
    kernel.list = list.law->view(list.poles);
    kernel.field = field.data();
    kernel.share = static_cast<S>(1 / list.mass.mean);
    kernel.loss = list.loss;
    kernel.begin = begin;
    if (list.axes) kernel.sums = list.axes->sums();
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
    if (list.axes && !begin) list.axes->subtract(list.mass, field.data());
  }

  Backend& backend_;
  const Problem& problem_;
  int dofs_;
  bool electric_;
  LawEnergies<Backend, S> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
