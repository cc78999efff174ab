// Lossy and dispersive media in DFDD-ELD by the passive dual: what is done before and after the update of a rate
// (THEORY.md 18).
#pragma once

#include "march/pole_lists.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  DfddPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), dofs_(system.dofs()), electric_(field == Field::electric) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media)
      chosen.push_back(medium.dispersion == Dispersion::passive &&
                       (schemes::law_of(problem.scheme, medium, true).any() ||
                        schemes::law_of(problem.scheme, medium, false).any()));
    any_ = std::find(chosen.begin(), chosen.end(), true) != chosen.end();
    for (auto& elements : elements_by_region(problem, chosen))
      lists_.emplace_back(backend, system.layout(), std::move(elements), dofs_);
  }

  /// Tables for the step, and polarisations of zero for the present value and rate.
  void begin(Buffer<S>& value, Buffer<S>& rate, double march_dt_m) {
    dt_m_ = march_dt_m;
    for (List& list : lists_) {
      const double dt_m = step_of(list);
      list.own.emplace(backend_, list.poles, dofs_, constants_of(law(list, electric_), dt_m, schemes::trapezoidal));
      list.other.emplace(backend_, list.poles, dofs_, constants_of(law(list, !electric_), dt_m, schemes::trapezoidal));
      run(list, value, rate, 2);
    }
  }
  void before_update(Buffer<S>& value, Buffer<S>& rate, const Part& part) { run_all(value, rate, part, 0); }
  void after_update(Buffer<S>& value, Buffer<S>& rate, const Part& part) { run_all(value, rate, part, 1); }

  void register_state(StateRegistry& registry, const std::string& name) {
    if (!any_) return;
    add_state(registry, name + "_poles", 2 * most_terms(problem_, electric_) * dofs_,
              [this](List& list) { return state_part(list.poles, list.own->memory, 2 * list.own->terms * dofs_); });
    add_state(registry, name + "_other_poles", 2 * most_terms(problem_, !electric_) * dofs_,
              [this](List& list) { return state_part(list.poles, list.other->memory, 2 * list.other->terms * dofs_); });
    add_state(registry, name + "_laws", 5 * dofs_,
              [this](List& list) { return state_part(list.poles, list.vectors, 5 * dofs_); });
  }

 private:
  struct List {
    PolesOnDevice<Backend, S> poles;
    Buffer<S> vectors;
    std::optional<LawOnDevice<Backend, S>> own;
    std::optional<LawOnDevice<Backend, S>> other;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements, int dofs)
        : poles(backend, layout, std::move(elements)), vectors(backend, poles.numbers(5 * dofs)) {}
  };

  [[nodiscard]] schemes::Law law(const List& list, bool electric) const {
    return schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], electric);
  }

  void run_all(Buffer<S>& value, Buffer<S>& rate, const Part& part, int phase) {
    for (List& list : lists_)
      if (list.poles.of.part == part) run(list, value, rate, phase);
  }

  [[nodiscard]] double step_of(const List& list) const {
    return problem_.classes.step_of(list.poles.of.part.step_class, dt_m_);
  }

  void run(List& list, Buffer<S>& value, Buffer<S>& rate, int phase) {
    const double dt_m = step_of(list);
    const auto own = law(list, electric_);
    const auto other = law(list, !electric_);
    const double share = schemes::present_part(own, dt_m);
    kernels::RatePoles<S> kernel;
    kernel.own = list.own->view(list.poles);
    kernel.other = list.other->view(list.poles);
    kernel.vectors = list.vectors.data();
    kernel.value = value.data();
    kernel.rate = rate.data();
    kernel.own_sum = static_cast<S>(own.constant + share);
    kernel.own_share = static_cast<S>(share);
    kernel.other_sum = static_cast<S>(other.constant + schemes::present_part(other, dt_m));
    kernel.other_constant = static_cast<S>(other.constant);
    kernel.dt = static_cast<S>(dt_m);
    kernel.phase = phase;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }

  template <class Part>
  void add_state(StateRegistry& registry, const std::string& name, int width, const Part& part) {
    add_list_state<S>(registry, name, problem_.mesh->element_count(), width, lists_, part);
  }

  Backend& backend_;
  const Problem& problem_;
  int dofs_;
  bool electric_;
  bool any_ = false;
  double dt_m_ = 0;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
