// Dispersive media by the published recursive convolutions, for one field: work before its update (theory/dispersion).
#pragma once

#include <list>
#include <string>

#include "base/scheme.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "schemes/leap_frog/elements/rate_matrices.hpp"
#include "schemes/leap_frog/recursions.hpp"
#include "schemes/stored/additions.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/dispersion/recursive_convolution.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class PublishedPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  PublishedPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), layout_(system.layout()), dofs_(system.dofs()), field_(field) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media) {
      const auto law = own_law(medium);
      const bool of_rate = has_rates(problem.scheme) && other_law(medium).any();
      chosen.push_back(law.published && (law.any() || of_rate));
    }
    for (auto& elements : elements_by_region(problem, chosen))
      lists_.emplace_back(backend, system.layout(), std::move(elements));
  }

  static bool acts_in(Act act) { return act == Act::dispersion; }

  /// Tables for the step, and no history for the present values of a field.
  template <class At>
  void begin(const At& at, const StepSize& dt) {
    set_step(dt);
    for (List& list : lists_) run(list, at, true);
  }
  template <class At>
  void act(const Action& action, const At& at) {
    for (List& list : lists_)
      if (list.poles.of.part == action.part) run(list, at, false);
  }

  void register_state(StateRegistry& registry) {
    int width = 0;
    for (const Medium& medium : problem_.media)
      if (own_law(medium).published) width = std::max(width, rows_of(medium));
    add_list_state<S>(registry, field_ == Field::electric ? "E_recursions" : "H_recursions",
                      problem_.mesh->element_count(), width, lists_, [this](List& list) {
                        return ListPart<Backend, S>{list.poles, *list.memory, rows_of(medium_of(list))};
                      });
  }

 private:
  /// Buffers are allocated when the step is known.
  struct List {
    ElementList<Backend, S> poles;
    std::optional<Buffer<S>> constants;  ///< of the own law, then of the other one
    std::optional<Buffer<S>> memory;
    std::optional<Buffer<S>> vectors;  ///< DFDD-ELD: 2 n rows
    std::optional<Buffer<S>> matrix;   ///< DFDD-ELD: 2 n^2 rows, see rate_matrices.hpp
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements)
        : poles(backend, layout, std::move(elements)) {}
  };

  [[nodiscard]] bool of_rates() const { return has_rates(problem_.scheme); }
  [[nodiscard]] const Medium& medium_of(const List& list) const { return problem_.media[list.poles.of.region]; }
  [[nodiscard]] schemes::Law own_law(const Medium& medium) const {
    return schemes::law_of(problem_.scheme, medium, field_ == Field::electric);
  }
  [[nodiscard]] schemes::Law other_law(const Medium& medium) const {
    return schemes::law_of(problem_.scheme, medium, field_ == Field::magnetic);
  }
  [[nodiscard]] static int count_poles(const schemes::Law& law) {
    return static_cast<int>(schemes::recursions_of(law.terms, 1).size());
  }
  /// Rows of an element's recursive-convolution state.
  [[nodiscard]] int rows_of(const Medium& medium) const {
    const int own = 2 * count_poles(own_law(medium)) + 1;
    return dofs_ * (of_rates() ? own + 2 * count_poles(other_law(medium)) + 1 : own);
  }

  void set_step(const StepSize& dt) {
    dt_ = dt;
    for (List& list : lists_) {
      const double dt_m = dt_.of(list.poles.of.part);
      const Medium& medium = medium_of(list);
      std::vector<S> constants;
      const auto add = [&](const schemes::Law& law) {
        for (const auto& pole : schemes::recursions_of(law.terms, dt_m))
          for (const double c : pole) constants.push_back(static_cast<S>(c));
      };
      add(own_law(medium));
      if (of_rates()) add(other_law(medium));
      list.constants.emplace(backend_, constants);
      list.memory.emplace(backend_, list.poles.numbers(rows_of(medium)));
      if (!of_rates()) continue;
      list.vectors.emplace(backend_, list.poles.numbers(2 * dofs_));
      list.matrix.emplace(backend_, list.poles.numbers(2 * dofs_ * dofs_));
      list.matrix->upload(make_rate_matrices<S>(problem_, list.poles.of.elements, field_, dt_m, layout_.lanes, true,
                                                backend_.threads()));
    }
  }

  kernels::Recursions<S> own_recursions(List& list) const {
    return {count_poles(own_law(medium_of(list))), list.constants->data(), list.memory->data(),
            rows_of(medium_of(list)), 0};
  }
  kernels::Recursions<S> other_recursions(List& list) const {
    const int before = count_poles(own_law(medium_of(list)));
    return {count_poles(other_law(medium_of(list))), list.constants->data() + kernels::pole_constants * before,
            list.memory->data(), rows_of(medium_of(list)), dofs_ * (2 * before + 1)};
  }

  void run(List& list, const HalfStep<Backend, S>& at, bool begin) {
    const auto law = own_law(medium_of(list));
    const double dt_m = dt_.of(list.poles.of.part);
    kernels::RecursionsBeforeUpdate<S> kernel;
    kernel.element = list.poles.element.data();
    kernel.own = own_recursions(list);
    kernel.old = at.old.data();
    kernel.field = at.value.data();
    kernel.share = static_cast<S>(1 / (law.constant + schemes::present_part(law, dt_m) + dt_m * law.loss / 2));
    kernel.loss = static_cast<S>(dt_m * law.loss);
    kernel.begin = begin;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }

  void run(List& list, const RateStep<Backend, S>& at, bool begin) {
    const double dt_m = dt_.of(list.poles.of.part);
    kernels::RecursionsOfRates<S> kernel;
    kernel.element = list.poles.element.data();
    kernel.own = own_recursions(list);
    kernel.other = other_recursions(list);
    kernel.rate = at.rate.data();
    kernel.other_rate = at.other_rate.data();
    kernel.other_value = at.other_value.data();
    kernel.vectors = list.vectors->data();
    kernel.loss = static_cast<S>(dt_m * own_law(medium_of(list)).loss);
    kernel.other_loss = static_cast<S>(other_law(medium_of(list)).loss);
    kernel.half_step = static_cast<S>(dt_m / 2);
    kernel.begin = begin;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
    if (begin) return;
    kernels::AddProduct<S> product;
    product.columns_in_dofs = 2;
    product.target.field = at.rate.data();
    product.target.element = list.poles.element.data();
    product.vector = list.vectors->data();
    product.matrix = list.matrix->data();
    backend_.for_blocks(problem_.space, product, 0, list.poles.blocks);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementLayout<S>& layout_;
  int dofs_;
  Field field_;
  StepSize dt_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
