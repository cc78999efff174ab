// Kerr media in DGTD-Central: the densities of their elements, solved for E after its plain update (theory/kerr).
#pragma once

#include <list>

#include "basis/kerr_rule.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/engine.hpp"
#include "schemes/central/kerr_averaged.hpp"
#include "schemes/central/kerr_update.hpp"
#include "terms/dispersion/device/law_on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralKerr {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  CentralKerr(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend), problem_(problem), system_(system), dofs_(system.dofs()) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media) chosen.push_back(medium.chi3 > 0);
    for (auto& elements : elements_by_region(problem, chosen))
      lists_.emplace_back(backend, system.layout(), std::move(elements), dofs_);
    if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) return;
    const basis::KerrRule rule = basis::kerr_rule(problem.space);
    points_ = static_cast<int>(rule.weight.size());
    shape_.emplace(backend, std::vector<S>(rule.shape.begin(), rule.shape.end()));
    weight_.emplace(backend, std::vector<S>(rule.weight.begin(), rule.weight.end()));
    energy_.emplace(backend, static_cast<std::size_t>(system.layout().blocks * system.layout().lanes));
  }

  [[nodiscard]] bool any() const { return energy_.has_value(); }

  /// Sets coefficients for the step, and densities of the present field.
  void begin(const HalfStep<Backend, S>& at, const StepSize& dt) {
    if (at.field == Field::magnetic) return;
    for (List& list : lists_) {
      const double dt_m = dt.of(list.poles.of.part);
      const auto law = schemes::law_of(problem_.scheme, problem_.media[list.poles.of.region], true);
      list.constant = law.constant + schemes::present_part(law, dt_m) + dt_m * law.loss / 2;
      start(list, at.value, true);
    }
  }
  static bool acts_in(Act act) { return act == Act::nonlinear; }
  void act(const Action& action, const HalfStep<Backend, S>& at) {
    for (List& list : lists_)
      if (list.poles.of.part == action.part) solve(list, at.value, at.step);
  }
  void remember(Buffer<S>& field) {
    for (List& list : lists_) start(list, field, false);
  }

  void register_state(StateRegistry& registry) {
    add_list_state<S>(registry, "E_density", problem_.mesh->element_count(), any() ? dofs_ : 0, lists_,
                      [this](List& list) {
                        return ListPart<Backend, S>{list.poles, list.density, dofs_};
                      });
  }

  /// Per slot: energy of E in addition to 1/2 eps E^2, over eps0/2.
  [[nodiscard]] const Buffer<S>& energy() const { return *energy_; }

  /// Iteration counts over this rank's elements.
  [[nodiscard]] KerrFigures figures() const {
    KerrFigures all;
    for (const List& list : lists_) {
      const std::vector<S> values = list.figures.download();
      for (std::size_t i = 0; i < list.poles.of.elements.size(); ++i) {
        const auto at = [&](int row) {
          return static_cast<double>(values[list.poles.at(i, kernels::kerr_figures, row)]);
        };
        all.updates += static_cast<double>(problem_.classes.substeps(list.poles.of.part.step_class));
        all.iterations += at(0);
        all.most = std::max(all.most, at(1));
        all.largest_eps_r = std::max(all.largest_eps_r, at(2));
        const double failed = at(3);
        if (failed < 0 || (all.failed_step >= 0 && failed >= static_cast<double>(all.failed_step))) continue;
        all.failed_step = static_cast<std::int64_t>(failed);
        all.failed_element = list.poles.of.elements[i];
        const Medium& medium = problem_.media[list.poles.of.region];
        all.failed_field = std::sqrt(std::max(0.0, at(2) - medium.eps_r) / medium.chi3);
      }
    }
    return all;
  }

 private:
  struct List {
    ElementList<Backend, S> poles;
    Buffer<S> density;
    Buffer<S> earlier;
    Buffer<S> figures;
    double constant = 1;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements, int dofs)
        : poles(backend, layout, std::move(elements)),
          density(backend, poles.numbers(dofs)),
          earlier(backend, poles.numbers(dofs)),
          figures(backend, poles.numbers(kernels::kerr_figures)) {}
  };

  void start(List& list, Buffer<S>& field, bool with_density) {
    kernels::KerrStart<S> kernel;
    fill(kernel, list, field);
    kernel.with_density = with_density;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }
  void solve(List& list, Buffer<S>& field, const std::int64_t* step) {
    if (problem_.kerr.averaged)
      solve_by<kernels::KerrAveragedUpdate<S>>(list, field, step);
    else
      solve_by<kernels::KerrUpdate<S>>(list, field, step);
  }
  template <class Kernel>
  void solve_by(List& list, Buffer<S>& field, const std::int64_t* step) {
    Kernel kernel;
    fill(kernel, list, field);
    kernel.tolerance = static_cast<S>(problem_.kerr.tolerance);
    kernel.most = problem_.kerr.max_iterations;
    kernel.newton = problem_.kerr.newton;
    kernel.step = step;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }
  void fill(kernels::KerrElements<S>& kernel, List& list, Buffer<S>& field) {
    const Medium& medium = problem_.media[list.poles.of.region];
    kernel.element = list.poles.element.data();
    kernel.metric = system_.view().metric;
    kernel.field = field.data();
    kernel.density = list.density.data();
    kernel.earlier = list.earlier.data();
    kernel.figures = list.figures.data();
    kernel.energy = energy_->data();
    kernel.shape = shape_->data();
    kernel.weight = weight_->data();
    kernel.points = points_;
    kernel.c = static_cast<S>(list.constant);
    kernel.eps_r = static_cast<S>(medium.eps_r);
    kernel.chi = static_cast<S>(medium.chi3);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementSystem<Backend, S>& system_;
  int dofs_;
  int points_ = 0;
  std::list<List> lists_;
  std::optional<Buffer<S>> shape_;
  std::optional<Buffer<S>> weight_;
  std::optional<Buffer<S>> energy_;
};

}  // namespace tetrawave::march
