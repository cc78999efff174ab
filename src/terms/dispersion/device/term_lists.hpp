// The common part of polarisations of one field in DGTD-Central and DGTD-Upwind: the lists of elements of dispersive
// media, their shapes, the energy of their terms and their part of the state (theory/dispersion).
#pragma once

#include <list>

#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "terms/dispersion/device/axes_on_device.hpp"
#include "terms/dispersion/device/law_energy.hpp"

namespace tetrawave::march {

/// The elements of one medium and part; `law`, made when the step is known, has the terms with their states, `Own` the
/// additions of a scheme.
template <class Backend, class S, class Own>
struct TermList : Own {
  ElementList<Backend, S> poles;
  std::optional<LawOnDevice<Backend, S>> law;
  std::optional<ShapeOnDevice<Backend, S>> shape;
  std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media
  EnergyOfList<Backend, S> energy;
  TermList(Backend& backend, const ElementLayout<S>& layout, RegionElements elements)
      : poles(backend, layout, std::move(elements)) {}
};

/// The lists of one field. Base class for the schemes.
template <class Backend, class S, class Own>
class TermLists {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using List = TermList<Backend, S, Own>;

  TermLists(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend),
        problem_(problem),
        layout_(system.layout()),
        dofs_(system.dofs()),
        electric_(field == Field::electric),
        energies_(backend, problem, system, any_region(regions_with_terms(problem, field))) {
    for (auto& elements : elements_by_region(problem, regions_with_terms(problem, field))) {
      List& list = lists_.emplace_back(backend, system.layout(), std::move(elements));
      list.shape.emplace(backend, problem, list.poles);
      if (law_of(list).is_projected()) list.axes.emplace(backend, problem.space, list.poles, *list.shape, dofs_);
    }
  }

  static bool acts_in(Act act) { return act == Act::dispersion; }

  /// Energy stored by terms at the present values of the field, over eps0/2.
  double energy(ElementSystem<Backend, S>& system, const Buffer<S>& now) {
    for (List& list : lists_) energies_.add(list.poles, *list.shape, *list.law, list.energy, {now, nullptr, false});
    return energies_.sum(system);
  }

  /// h1 and h2 of every term (terms/dispersion/kernel.hpp): 2 (most terms) (dofs) numbers per element.
  void register_state(StateRegistry& registry) {
    add_list_state<S>(registry, electric_ ? "E_poles" : "H_poles", problem_.mesh->element_count(),
                      2 * most_terms(problem_, electric_) * dofs_, lists_, [this](List& list) {
                        return ListPart<Backend, S>{list.poles, list.law->memory, 2 * list.law->terms * dofs_};
                      });
  }

 protected:
  [[nodiscard]] schemes::Law law_of(const List& list) const {
    return schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], electric_);
  }
  /// In the stored layout losses are in the matrices unless there are terms.
  [[nodiscard]] bool is_in_matrices(const List& list) const {
    return problem_.layout == Layout::stored && list.law->terms == 0;
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementLayout<S>& layout_;
  int dofs_;
  bool electric_;
  LawEnergies<Backend, S> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
