// Lossy and dispersive media in DFDD-ELD by the passive dual: what is done before and after the update of a rate
// (THEORY.md 18, with axes 29).
#pragma once

#include "march/axes_on_device.hpp"
#include "march/law_energy.hpp"
#include "march/pole_lists.hpp"
#include "march/rate_matrices.hpp"

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
    for (auto& elements : elements_by_region(problem, chosen)) {
      const bool projected = is_projected(elements.region);
      int rows = kernels::RatePoles<S>::rows;
      if (projected) rows = Laws::rows;
      List& list = lists_.emplace_back(backend, system.layout(), std::move(elements), rows * dofs_);
      list.shape.emplace(backend, problem, list.poles);
      if (projected) list.axes.emplace(backend, problem.space, list.poles, *list.shape, dofs_);
    }
    energies_.emplace(backend, problem, system, any_);
  }

  /// Tables for the step, and polarisations of zero for the present value and rate.
  void begin(Buffer<S>& value, Buffer<S>& rate, double march_dt_m) {
    dt_m_ = march_dt_m;
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
  void before_update(Buffer<S>& value, Buffer<S>& rate, const Part& part) {
    for (List& list : lists_) {
      if (list.poles.of.part != part) continue;
      if (list.axes)
        project_before(list, value, rate);
      else
        run(list, value, rate, 0);
    }
  }
  void after_update(Buffer<S>& value, Buffer<S>& rate, const Part& part) {
    for (List& list : lists_) {
      if (list.poles.of.part != part) continue;
      if (list.axes)
        project_after(list, value, rate);
      else
        run(list, value, rate, 1);
    }
  }

  /// Over eps0/2: stored by terms, or, `of_axes`, what the products with the mass of a step lack in projected media.
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

  /// Of the start, on projected media: to <- to - amount M_eps^-1 M sigma from.
  void lose(Buffer<S>& from, Buffer<S>& to, const Part& part, double amount) {
    for (List& list : lists_) {
      if (!list.axes || list.poles.of.part != part) continue;
      const Medium& medium = problem_.media[list.poles.of.region];
      kernels::PolesBeforeUpdate<S> kernel;
      kernel.list.element = list.poles.element.data();
      kernel.field = from.data();
      kernel.sums = list.axes->sums();
      kernel.loss = static_cast<S>(amount * (field_ == Field::electric ? medium.sigma_e : medium.sigma_m));
      backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
      const auto law = own_law(list);
      list.axes->subtract({law.constant, law.axes}, to.data());
    }
  }

  void register_state(StateRegistry& registry, const std::string& name) {
    if (!any_) return;
    const bool electric = field_ == Field::electric;
    add_state(registry, name + "_poles", 2 * most_terms(problem_, electric) * dofs_,
              [this](List& list) { return state_part(list.poles, list.own->memory, 2 * list.own->terms * dofs_); });
    add_state(registry, name + "_other_poles", 2 * most_terms(problem_, !electric) * dofs_,
              [this](List& list) { return state_part(list.poles, list.other->memory, 2 * list.other->terms * dofs_); });
    add_state(registry, name + "_laws", Laws::rows * dofs_,
              [this](List& list) { return state_part(list.poles, list.vectors, list.rows); });
  }

 private:
  using Laws = kernels::LawsOfRates<S>;
  struct List {
    PolesOnDevice<Backend, S> poles;
    int rows;  ///< of `vectors`, the most of any list those of laws with axes
    Buffer<S> vectors;
    std::optional<LawOnDevice<Backend, S>> own;
    std::optional<LawOnDevice<Backend, S>> other;
    std::optional<ShapeOnDevice<Backend, S>> shape;
    EnergyOfList<Backend, S> energy;
    std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media, as the rest
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

  [[nodiscard]] double step_of(const List& list) const {
    return problem_.classes.step_of(list.poles.of.part.step_class, dt_m_);
  }

  void run(List& list, Buffer<S>& value, Buffer<S>& rate, int phase) {
    const double dt_m = step_of(list);
    const auto own = own_law(list);
    const auto other = other_law(list);
    kernels::RatePoles<S> kernel;
    kernel.own = list.own->view(list.poles);
    kernel.other = list.other->view(list.poles);
    kernel.vectors = list.vectors.data();
    kernel.value = value.data();
    kernel.rate = rate.data();
    kernel.own_sum = static_cast<S>(schemes::mass_of(own, dt_m).mean);
    kernel.own_share = static_cast<S>(schemes::present_part(own, dt_m));
    kernel.other_sum = static_cast<S>(schemes::mass_of(other, dt_m).mean);
    kernel.other_constant = static_cast<S>(other.constant);
    kernel.dt = static_cast<S>(dt_m);
    kernel.phase = phase;
    backend_.for_blocks(problem_.space, kernel, 0, list.poles.blocks);
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
  void project_before(List& list, Buffer<S>& value, Buffer<S>& rate) {
    const double dt_m = step_of(list);
    run_laws(list, value, rate, Laws::before);
    find_curl(list, value, rate, dt_m, true, dt_m);
    run_laws(list, value, rate, Laws::ready);
    kernels::AddProduct<S> product;
    product.columns_in_dofs = 2;
    product.field = rate.data();
    product.element = list.poles.element.data();
    product.vector = list.right->data();
    product.matrix = list.matrix->data();
    backend_.for_blocks(problem_.space, product, 0, list.poles.blocks);
  }
  void project_after(List& list, Buffer<S>& value, Buffer<S>& rate) {
    run_laws(list, value, rate, Laws::after);
    find_curl(list, value, rate, 0, true, step_of(list));
    run_laws(list, value, rate, Laws::advance);
  }

  template <class Part>
  void add_state(StateRegistry& registry, const std::string& name, int width, const Part& part) {
    add_list_state<S>(registry, name, problem_.mesh->element_count(), width, lists_, part);
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementSystem<Backend, S>& system_;
  int dofs_;
  Field field_;
  bool any_ = false;
  double dt_m_ = 0;
  std::optional<LawEnergies<Backend, S>> energies_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
