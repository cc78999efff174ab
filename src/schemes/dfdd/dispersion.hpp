// Lossy and dispersive media in DFDD-ELD by the passive dual: work before and after the update of a rate
// (theory/dispersion).
#pragma once

#include <list>

#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "schemes/dfdd/dispersion_axes.hpp"
#include "schemes/dfdd/given_fields.hpp"
#include "schemes/dfdd/rate_list.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/elements/rate_matrices.hpp"
#include "schemes/stored/additions.hpp"
#include "terms/dispersion/device/axes_on_device.hpp"
#include "terms/dispersion/device/law_energy.hpp"
#include "terms/dispersion/device/law_on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddPoles {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  DfddPoles(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), system_(system), dofs_(system.dofs()), field_(field) {
    std::vector<bool> chosen;
    for (const Medium& medium : problem.media)
      chosen.push_back(medium.dispersion == Dispersion::passive &&
                       (schemes::law_of(problem.scheme, medium, true).any() ||
                        schemes::law_of(problem.scheme, medium, false).any()));
    any_ = std::find(chosen.begin(), chosen.end(), true) != chosen.end();
    const std::vector<bool> in_blocks = regions_in_blocks(problem);
    for (auto& elements : elements_by_region(problem, chosen)) {
      const Medium& medium = problem.media[elements.region];
      auto own = schemes::law_of(problem.scheme, medium, field == Field::electric);
      auto other = schemes::law_of(problem.scheme, medium, field != Field::electric);
      const bool projected = own.is_projected() || other.is_projected();
      int rows = in_blocks[elements.region] ? Poles::rows_of_update : int(Poles::rows);
      if (projected) rows = Laws::rows;
      const std::int32_t first = in_blocks[elements.region] ? system.layout().slot(elements.elements.front()) : -1;
      List& list = lists_.emplace_back(backend, system.layout(), std::move(elements), std::move(own), std::move(other),
                                       rows * dofs_);
      if (first >= 0) list.first_block = first / list.poles.lanes;
      list.shape.emplace(backend, problem, list.poles);
      if (projected) list.axes.emplace(backend, problem.space, list.poles, *list.shape, dofs_);
    }
    energies_.emplace(backend, problem, system, any_);
  }

  /// Tables for the step, and polarisations of zero for the present value and rate.
  void begin(Buffer<S>& value, Buffer<S>& rate, const StepSize& dt) {
    dt_ = dt;
    for (List& list : lists_) {
      const double dt_m = step_of(list);
      list.own.emplace(backend_, list.poles, dofs_, constants_of(list.own_law, dt_m, schemes::trapezoidal));
      list.other.emplace(backend_, list.poles, dofs_, constants_of(list.other_law, dt_m, schemes::trapezoidal));
      list.energy.begin(backend_, list.own_law, 0);
      if (!list.axes) {
        run(list, value, rate, 2);
        continue;
      }
      list.right.emplace(backend_, list.poles.numbers(2 * dofs_));
      list.matrix.emplace(backend_, list.poles.numbers(2 * dofs_ * dofs_));
      list.matrix->upload(make_rate_matrices<S>(problem_, list.poles.of.elements, field_, dt_m, list.poles.lanes, false,
                                                backend_.threads()));
      begin_projected(list, value, rate);
    }
  }

  /// A field's arrays at the start of a run.
  struct FieldAtStart {
    Buffer<S>& value;
    Buffer<S>& rate;
    double level;           ///< of the value, in steps of the element's level from t = 0
    std::vector<S> change;  ///< or empty: steps by which the rate reaches t = 0 without losses and terms
  };
  /// After `begin`: initial states for given fields (initial_memory.hpp). `begin` has left all terms out: only the
  /// current of the conductivity is subtracted from the rates, and terms at rest are those of t = 0.
  void remember(const FieldAtStart& own, const FieldAtStart& source) {
    if (lists_.empty()) return;
    const Given given(backend_, problem_, system_, field_, dt_);
    typename Given::Numbers own_value{own.value.download(), own.rate.download()};
    typename Given::Numbers plain;
    if (!own.change.empty()) plain = {own_value.value, own.change};
    const typename Given::Numbers source_value{source.value.download(), source.rate.download()};
    for (List& list : lists_) {
      typename Given::ListAtStart start{list.vectors.download(), list.own->memory.download()};
      for_each_task(list.poles.of.elements.size(), list.poles.threads,
                    [&](std::size_t k) { given.remember_own(list, k, own_value, own.level, own.change, start); });
      list.vectors.upload(start.vectors);
      list.own->memory.upload(start.memory);
    }
    own.value.upload(own_value.value);
    own.rate.upload(own_value.rate);
    for (List& list : lists_) {
      if (list.axes) find_laws_again(list, own.value, own.rate);
      if (list.other->terms == 0) continue;
      typename Given::ListAtStart start{list.vectors.download(), list.other->memory.download()};
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        const LocalIndex e = list.poles.of.elements[k];
        const double to_start = -source.level * step_of(list);
        given.remember_other(list, k, own_value, given.values_of(e, source_value, to_start), own.level, start);
      });
      if (!own.change.empty())
        given.reach_rate(list, own_value, plain, start,
                         [&](const auto& of, double advance, bool with_past, double dt_m) {
                           return find_law(list, of, advance, with_past, dt_m);
                         });
      list.vectors.upload(start.vectors);
      list.other->memory.upload(start.memory);
    }
  }

  /// Calls update(kernel, blocks) for a range of blocks of a part, with the kernel that includes the terms there.
  template <class Update>
  void visit(const Part& part, BlockRange range, const Update& update) {
    for (List& list : lists_) {
      if (!list.first_block || list.poles.of.part != part) continue;
      update(kernels::DfddUpdate<S>{}, BlockRange{range.first, *list.first_block - range.first});
      kernels::DfddUpdateWithTerms<S> with_terms;
      with_terms.terms = terms_of_update(list);
      update(with_terms, BlockRange{*list.first_block, list.poles.blocks});
      const std::int64_t next = *list.first_block + list.poles.blocks;
      range = {next, range.first + range.count - next};
    }
    update(kernels::DfddUpdate<S>{}, range);
  }

  /// For media whose terms are not part of the update, like all functions below.
  static bool acts_in(Act act) { return act == Act::dispersion || act == Act::dispersion_after; }
  void act(const Action& action, const RateStep<Backend, S>& at) {
    const bool after = action.act == Act::dispersion_after;
    for (List& list : lists_) {
      if (list.first_block || list.poles.of.part != action.part) continue;
      if (!list.axes)
        run(list, at.value, at.rate, after ? 1 : 0);
      else
        after ? project_after(list, at.value, at.rate) : project_before(list, at.value, at.rate);
    }
  }

  /// Over eps0/2: stored by terms, or, `of_axes`, the part missing in products with the mass of a step in projected
  /// media.
  double energy(ElementSystem<Backend, S>& system, const Buffer<S>& now, const Buffer<S>* earlier, bool of_axes) {
    if (of_axes && !any_projected(problem_, field_)) return 0;
    for (List& list : lists_) {
      const auto law = list.own_law;
      const auto mass = schemes::mass_of(law, step_of(list));
      Vec3 lacking{};
      for (std::size_t i = 0; i < 3; ++i)
        if (law.is_projected()) lacking[i] = law.constant * (law.axes[i] - mass.axes[i]);
      if (of_axes)
        energies_->add(list.poles, *list.shape, lacking, {now, earlier});
      else
        energies_->add(list.poles, *list.shape, *list.own, list.energy, {now});
    }
    return energies_->sum(system);
  }

  /// Start, `field` at t = 0: subtracts the rates of its terms (P = 0) from those of the field.
  void take_rates(const Buffer<S>& field, Buffer<S>& rate, const StepSize& dt) {
    dt_ = dt;
    if (lists_.empty()) return;
    const Given given(backend_, problem_, system_, field_, dt_);
    typename Given::Numbers numbers{field.download(), rate.download()};
    for (const List& list : lists_) given.take_rates(list, numbers);
    rate.upload(numbers.rate);
  }

  /// Start, projected media: to <- to - M_eps^-1 M sigma from, by share_of_losses.
  void lose(Buffer<S>& from, Buffer<S>& to, const Part& part, double dt_m) {
    for (List& list : lists_) {
      if (!list.axes || list.poles.of.part != part) continue;
      const Medium& medium = problem_.media[list.poles.of.region];
      kernels::PolesBeforeUpdate<S> kernel;
      kernel.list.element = list.poles.element.data();
      kernel.old = from.data();
      kernel.field = from.data();
      kernel.sums = list.axes->sums();
      const bool electric = field_ == Field::electric;
      kernel.loss =
          static_cast<S>((electric ? medium.sigma_e : medium.sigma_m) * share_of_losses(medium, electric, dt_m));
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      const auto law = list.own_law;
      list.axes->subtract({law.constant, law.axes}, to.data());
    }
  }

  void register_state(StateRegistry& registry) {
    if (!any_) return;
    const bool electric = field_ == Field::electric;
    const std::string name = electric ? "E" : "H";
    using Own = ListPart<Backend, S>;
    const auto add = [&](const char* array, int width, const auto& part) {
      add_list_state<S>(registry, name + array, problem_.mesh->element_count(), width, lists_, part);
    };
    add("_poles", 2 * most_terms(problem_, electric) * dofs_, [this](List& list) {
      return Own{list.poles, list.own->memory, 2 * list.own->terms * dofs_};
    });
    add("_other_poles", 2 * most_terms(problem_, !electric) * dofs_, [this](List& list) {
      return Own{list.poles, list.other->memory, 2 * list.other->terms * dofs_};
    });
    add("_laws", Laws::rows * dofs_, [](List& list) { return Own{list.poles, list.vectors, list.rows}; });
  }

 private:
  using Laws = kernels::LawsOfRates<S>;
  using Poles = kernels::RatePoles<S>;
  using List = RateList<Backend, S>;
  using Given = GivenRates<Backend, S>;

  [[nodiscard]] double step_of(const List& list) const { return dt_.of(list.poles.of.part); }

  Poles kernel_of(List& list) {
    const double dt_m = step_of(list);
    const auto own = list.own_law;
    const auto other = list.other_law;
    Poles kernel;
    kernel.own = list.own->view(list.poles);
    kernel.other = list.other->view(list.poles);
    kernel.vectors = list.vectors.data();
    kernel.width = list.rows / dofs_;
    kernel.own_sum = static_cast<S>(schemes::mass_of(own, dt_m).mean);
    kernel.own_share = static_cast<S>(schemes::present_part(own, dt_m));
    kernel.other_sum = static_cast<S>(schemes::mass_of(other, dt_m).mean);
    kernel.other_constant = static_cast<S>(other.constant);
    kernel.dt = static_cast<S>(dt_m);
    return kernel;
  }
  void run(List& list, Buffer<S>& value, Buffer<S>& rate, int phase) {
    Poles kernel = kernel_of(list);
    kernel.value = value.data();
    kernel.rate = rate.data();
    kernel.phase = phase;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }
  /// With arrays that start where those of all elements do.
  Poles terms_of_update(List& list) {
    Poles terms = kernel_of(list);
    const auto back = [&](S* array, int rows) {
      return array - *list.first_block * list.poles.lanes * std::int64_t{rows};
    };
    terms.vectors = back(terms.vectors, list.rows);
    terms.own.memory = back(terms.own.memory, 2 * terms.own.terms * dofs_);
    terms.other.memory = back(terms.other.memory, 2 * terms.other.terms * dofs_);
    return terms;
  }

  void run_laws(List& list, Buffer<S>& value, Buffer<S>& rate, typename Laws::Phase phase) {
    const double dt_m = step_of(list);
    Laws kernel;
    kernel.own = list.own->view(list.poles);
    kernel.other = list.other->view(list.poles);
    kernel.vectors = list.vectors.data();
    kernel.sums = list.axes->sums();
    kernel.right = list.right->data();
    kernel.value = value.data();
    kernel.rate = rate.data();
    kernel.own_share = static_cast<S>(schemes::present_part(list.own_law, dt_m));
    kernel.dt = static_cast<S>(dt_m);
    kernel.phase = phase;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
  }
  /// sums <- B^-1 (curl(value + advance rate) - h), or without h.
  void find_curl(List& list, Buffer<S>& value, Buffer<S>& rate, double advance, bool with_past, double dt_m) {
    kernels::CurlOfField<S> kernel;
    kernel.element = list.poles.element.data();
    kernel.frame = list.shape->frame.data();
    kernel.metric = system_.view().metric;
    kernel.value = value.data();
    kernel.rate = rate.data();
    kernel.advance = static_cast<S>(advance);
    if (with_past) kernel.minus = list.vectors.data();
    kernel.minus_rows = Laws::rows * dofs_;
    kernel.minus_first = Laws::history * dofs_;
    kernel.to = list.axes->sums();
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
    list.axes->project(schemes::mass_of(list.other_law, dt_m), list.axes->sums(), list.axes->sums());
  }

  void begin_projected(List& list, Buffer<S>& value, Buffer<S>& rate) {
    find_curl(list, value, rate, 0, false, 0);
    run_laws(list, value, rate, Laws::begin);
    find_curl(list, value, rate, -step_of(list), false, 0);
    run_laws(list, value, rate, Laws::begin_earlier);
  }
  /// The other law's field of value + advance rate, n rows of the list; `with_past`: less its known part.
  std::vector<S> find_law(List& list, const typename Given::Numbers& of, double advance, bool with_past, double dt_m) {
    Buffer<S> value(backend_, of.value);
    Buffer<S> rate(backend_, of.rate);
    find_curl(list, value, rate, advance, with_past, dt_m);
    Buffer<S> found(backend_, list.poles.numbers(dofs_));
    backend_.move(found.data(), list.axes->sums(), found.size());
    return found.download();
  }
  /// The other law of the present and the previous field, after both have changed.
  void find_laws_again(List& list, Buffer<S>& value, Buffer<S>& rate) {
    for (const double steps : {-1.0, 0.0}) {
      find_curl(list, value, rate, steps * step_of(list), false, 0);
      run_laws(list, value, rate, Laws::advance);
    }
  }
  void project_before(List& list, Buffer<S>& value, Buffer<S>& rate) {
    const double dt_m = step_of(list);
    run_laws(list, value, rate, Laws::before);
    find_curl(list, value, rate, dt_m, true, dt_m);
    run_laws(list, value, rate, Laws::ready);
    kernels::AddProduct<S> product;
    product.columns_in_dofs = 2;
    product.target.field = rate.data();
    product.target.element = list.poles.element.data();
    product.vector = list.right->data();
    product.matrix = list.matrix->data();
    backend_.for_blocks(problem_.space, product, 0, list.poles.blocks);
  }
  void project_after(List& list, Buffer<S>& value, Buffer<S>& rate) {
    run_laws(list, value, rate, Laws::after);
    find_curl(list, value, rate, 0, true, step_of(list));
    run_laws(list, value, rate, Laws::advance);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementSystem<Backend, S>& system_;
  int dofs_;
  Field field_;
  bool any_ = false;
  StepSize dt_;
  std::optional<LawEnergies<Backend, S>> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
