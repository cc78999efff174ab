// Lossy and dispersive media in DFDD-ELD by the passive dual: work before and after the update of a rate
// (theory/dispersion).
#pragma once

#include <list>

#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "schemes/dfdd/dispersion_axes.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/elements/rate_matrices.hpp"
#include "schemes/leap_frog/initial_memory.hpp"
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
      const bool projected = is_projected(elements.region);
      int rows = in_blocks[elements.region] ? Poles::rows_of_update : int(Poles::rows);
      if (projected) rows = Laws::rows;
      const std::int32_t first = in_blocks[elements.region] ? system.layout().slot(elements.elements.front()) : -1;
      List& list = lists_.emplace_back(backend, system.layout(), std::move(elements), rows * dofs_);
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
      list.own.emplace(backend_, list.poles, dofs_, constants_of(own_law(list), dt_m, schemes::trapezoidal));
      list.other.emplace(backend_, list.poles, dofs_, constants_of(other_law(list), dt_m, schemes::trapezoidal));
      list.energy.begin(backend_, own_law(list), 0);
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
    Numbers own_value{own.value.download(), own.rate.download()};
    const Numbers source_value{source.value.download(), source.rate.download()};
    for (List& list : lists_) {
      ListAtStart start{list.vectors.download(), list.own->memory.download()};
      for_each_task(list.poles.of.elements.size(), list.poles.threads,
                    [&](std::size_t k) { remember_own(list, k, own_value, own.level, own.change, start); });
      list.vectors.upload(start.vectors);
      list.own->memory.upload(start.memory);
    }
    own.value.upload(own_value.value);
    own.rate.upload(own_value.rate);
    for (List& list : lists_) {
      if (list.axes) find_laws_again(list, own.value, own.rate);
      if (list.other->terms == 0) continue;
      ListAtStart start{list.vectors.download(), list.other->memory.download()};
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        const LocalIndex e = list.poles.of.elements[k];
        remember_other(list, k, own_value, values_of(e, source_value, -source.level * step_of(list)), own.level, start);
        if (!own.change.empty() && !list.axes && list.own->terms == 0)
          reach_rate(list, k, own_value, own.change, start);
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
      const auto law = own_law(list);
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
    Numbers numbers{field.download(), rate.download()};
    for (List& list : lists_)
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        const LocalIndex e = list.poles.of.elements[k];
        std::vector<double> u = values_of(e, numbers, 0);
        bound_for_terms(without_conductivity(list), step_of(list), u);
        const auto found =
            memory_of_law(problem_, e, without_conductivity(list), std::vector<double>(u.size(), 0.0), u, 1);
        for (int i = 0; i < dofs_; ++i) {
          S& number = numbers.rate[index_of(e, i)];
          number = static_cast<S>(number + found.change[static_cast<std::size_t>(i)]);
        }
      });
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
      const auto law = own_law(list);
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
  struct List {
    ElementList<Backend, S> poles;
    std::optional<std::int64_t> first_block;  ///< of all blocks, unless these contain the list's elements only
    int rows;                                 ///< of `vectors`, the maximum over lists with anisotropic laws
    Buffer<S> vectors;
    std::optional<LawOnDevice<Backend, S>> own;
    std::optional<LawOnDevice<Backend, S>> other;
    std::optional<ShapeOnDevice<Backend, S>> shape;
    EnergyOfList<Backend, S> energy;
    std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media, like the following
    std::optional<Buffer<S>> right;
    std::optional<Buffer<S>> matrix;
    List(Backend& backend, const ElementLayout<S>& layout, RegionElements elements, int vector_rows)
        : poles(backend, layout, std::move(elements)), rows(vector_rows), vectors(backend, poles.numbers(rows)) {}
  };

  [[nodiscard]] schemes::Law law_of(std::size_t region, bool electric) const {
    return schemes::law_of(problem_.scheme, problem_.media[region], electric);
  }
  [[nodiscard]] schemes::Law own_law(const List& list) const {
    return law_of(list.poles.of.region, field_ == Field::electric);
  }
  [[nodiscard]] schemes::Law other_law(const List& list) const {
    return law_of(list.poles.of.region, field_ != Field::electric);
  }
  [[nodiscard]] bool is_projected(std::size_t region) const {
    return law_of(region, true).is_projected() || law_of(region, false).is_projected();
  }

  [[nodiscard]] double step_of(const List& list) const { return dt_.of(list.poles.of.part); }

  /// On the host, during the start of a run.
  struct Numbers {
    std::vector<S> value;
    std::vector<S> rate;
  };
  struct ListAtStart {
    std::vector<S> vectors;
    std::vector<S> memory;  ///< of one of the laws
  };
  [[nodiscard]] std::size_t index_of(LocalIndex e, int i) const {
    return system_.layout().at(system_.layout().slot(e), dofs_, i);
  }
  /// value + advance rate of an element.
  [[nodiscard]] std::vector<double> values_of(LocalIndex e, const Numbers& of, double advance_m) const {
    std::vector<double> u;
    for (int i = 0; i < dofs_; ++i) u.push_back(of.value[index_of(e, i)] + advance_m * of.rate[index_of(e, i)]);
    return u;
  }
  S& vector_of(const List& list, std::size_t k, int row, int i, ListAtStart& start) const {
    return start.vectors[list.poles.at(k, list.rows, row * dofs_ + i)];
  }
  /// The field's own law without the term of the conductivity, the last: its P may start anywhere.
  [[nodiscard]] schemes::Law without_conductivity(const List& list) const {
    const Medium& medium = problem_.media[list.poles.of.region];
    schemes::Law law = own_law(list);
    if ((field_ == Field::electric ? medium.sigma_e : medium.sigma_m) != 0) law.terms.pop_back();
    return law;
  }

  /// The field's own terms: P = 0 at t = 0 and not at the level of the value, from which their effect is subtracted.
  /// Before a step the rate has all of it (P is as if it had not changed), after half a step the remainder; the current
  /// of a conductivity is subtracted in both cases.
  void remember_own(const List& list, std::size_t k, Numbers& own, double level, const std::vector<S>& change,
                    ListAtStart& start) const {
    const LocalIndex e = list.poles.of.elements[k];
    const Medium& medium = problem_.media[list.poles.of.region];
    const double dt_m = step_of(list);
    const bool electric = field_ == Field::electric;
    const double sigma = (electric ? medium.sigma_e : medium.sigma_m) * share_of_losses(medium, electric, dt_m);
    const schemes::Law law = own_law(list);
    const std::vector<double> u = values_of(e, own, 0);
    const std::vector<double> half_before = values_of(e, own, -dt_m / 2);
    const schemes::Law terms = without_conductivity(list);
    std::vector<double> at_start = values_of(e, own, -level * dt_m);
    if (!change.empty())
      for (int i = 0; i < dofs_; ++i) at_start[static_cast<std::size_t>(i)] -= level * dt_m * change[index_of(e, i)];
    bound_for_terms(terms, dt_m, at_start);
    auto found = memory_of_law(problem_, e, terms, std::vector<double>(u.size(), 0.0), at_start, level * dt_m);
    found.states.resize(2 * law.terms.size() * u.size(), 0.0);
    hold_change(u, half_before, found.change);
    std::vector<double> corrected = u;
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      double now = 0;
      for (std::size_t t = 0; t < terms.terms.size(); ++t) now += found.states[2 * t * u.size() + at];
      double current = sigma * (level > 0 ? half_before : u)[at];
      if (level != 0) {
        corrected[at] += found.change[at];
        own.value[index_of(e, i)] = static_cast<S>(corrected[at]);
      }
      if (level > 0) {
        S& rate = own.rate[index_of(e, i)];
        rate = static_cast<S>(rate + found.change[at] / (level * dt_m));
        current += now / (level * dt_m);
      }
      const int row = list.axes ? int(Laws::polarisation) : int(kernels::RatePoles<S>::polarisation);
      vector_of(list, k, row, i, start) = static_cast<S>(now - dt_m * current);
    }
    set_memory(list.poles, k, law, dt_m, found, corrected, start.memory);
  }

  /// Dofs held at zero by walls stay zero: in anisotropic media a change affects all dofs. They are identified by their
  /// values at two levels, as copies of the walls' arrays on the device would be memory outside of any plan.
  static void hold_change(const std::vector<double>& now, const std::vector<double>& before,
                          std::vector<double>& change) {
    const auto largest = [](const std::vector<double>& v) {
      double most = 0;
      for (const double x : v) most = std::max(most, std::abs(x));
      return most;
    };
    const double least = 1e-6 * (sizeof(S) == sizeof(float) ? 1.0 : 1e-7) * std::max(largest(now), largest(before));
    for (std::size_t i = 0; i < change.size(); ++i)
      if (std::abs(now[i]) <= least && std::abs(before[i]) <= least) change[i] = 0;
  }

  /// `source`: the other field at t = 0. The rate uses the fields of the law at three levels, with weights of a
  /// quarter, a half and a quarter; the earliest is chosen as if the law had acted since t = 0.
  void remember_other(const List& list, std::size_t k, const Numbers& own, std::vector<double> source, double level,
                      ListAtStart& start) const {
    const LocalIndex e = list.poles.of.elements[k];
    const schemes::Law law = other_law(list);
    if (field_ == Field::electric)
      for (double& v : source) v = -v;
    if (!list.axes) source = find_potential(problem_, e, source);
    std::vector<double> seen = values_of(e, own, 0);
    const std::vector<double> earlier = values_of(e, own, -step_of(list));
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (list.axes) {
        seen[at] = vector_of(list, k, Laws::z_now, i, start);
      } else {
        seen[at] /= law.constant;
        vector_of(list, k, kernels::RatePoles<S>::zeta_before, i, start) = static_cast<S>(earlier[at] / law.constant);
      }
    }
    const auto found = memory_of_law(problem_, e, law, source, seen, level * step_of(list));
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      seen[at] += found.change[at];
      if (list.axes) vector_of(list, k, Laws::z_now, i, start) = static_cast<S>(seen[at]);
      S& before =
          vector_of(list, k, list.axes ? int(Laws::z_before) : int(kernels::RatePoles<S>::zeta_before), i, start);
      before = static_cast<S>(before + (4 * level - 1) * found.change[at]);
    }
    set_memory(list.poles, k, law, step_of(list), found, seen, start.memory);
  }

  /// Chooses the earliest field of the law such that the first step, with b unchanged, gives the rate at t = 0: the
  /// update then uses b v/c' + dt/4 (b/c' - 1) `change` of the field v (theory/dispersion).
  void reach_rate(const List& list, std::size_t k, const Numbers& own, const std::vector<S>& change,
                  ListAtStart& start) const {
    const schemes::Law law = other_law(list);
    const double dt_m = step_of(list);
    const double b = schemes::mass_of(law, dt_m).mean;
    const auto constants = constants_of(law, dt_m, schemes::trapezoidal);
    const auto terms = static_cast<int>(constants.size());
    for (int i = 0; i < dofs_; ++i) {
      const std::size_t at = index_of(list.poles.of.elements[k], i);
      double past = 0;
      for (int t = 0; t < terms; ++t) past += start.memory[list.poles.at(k, 2 * terms * dofs_, 2 * t * dofs_ + i)];
      const double now = (own.value[at] - past) / b;
      double history = 0;
      for (int t = 0; t < terms; ++t) {
        const auto& c = constants[static_cast<std::size_t>(t)];
        const double x1 = start.memory[list.poles.at(k, 2 * terms * dofs_, 2 * t * dofs_ + i)] + c[4] * now;
        const double x2 = start.memory[list.poles.at(k, 2 * terms * dofs_, (2 * t + 1) * dofs_ + i)] + c[5] * now;
        history += c[0] * x1 + c[1] * x2 + c[4] * now;
      }
      const double ratio = b / law.constant;
      const double sees = ratio * own.value[at] + dt_m / 4 * (ratio - 1) * change[at];
      vector_of(list, k, Poles::zeta_before, i, start) =
          static_cast<S>(4 / b * (sees - (own.value[at] - history + dt_m * own.rate[at]) / 4) - 2 * now);
    }
  }

  Poles kernel_of(List& list) {
    const double dt_m = step_of(list);
    const auto own = own_law(list);
    const auto other = other_law(list);
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
    kernel.own_share = static_cast<S>(schemes::present_part(own_law(list), dt_m));
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
    list.axes->project(schemes::mass_of(other_law(list), dt_m), list.axes->sums(), list.axes->sums());
  }

  void begin_projected(List& list, Buffer<S>& value, Buffer<S>& rate) {
    find_curl(list, value, rate, 0, false, 0);
    run_laws(list, value, rate, Laws::begin);
    find_curl(list, value, rate, -step_of(list), false, 0);
    run_laws(list, value, rate, Laws::begin_earlier);
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
