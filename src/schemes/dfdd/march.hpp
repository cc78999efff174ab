// The time stepping of DFDD-ELD: e at n with its rate x at n - 1/2, h at n - 1/2 with its rate y at n - 1
// (theory/dfdd).
#pragma once

#include "schemes/dfdd/pml_lists.hpp"
#include "schemes/dfdd/stable_step.hpp"
#include "schemes/dfdd/start.hpp"
#include "schemes/dfdd/stored.hpp"
#include "schemes/leap_frog/recursive_convolution.hpp"
#include "schemes/stored/stored_field.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddMarch final : public DfddStart<Backend, S> {
 public:
  using Base = DfddStart<Backend, S>;
  using typename Base::Level;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  DfddMarch(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : Base(std::move(backend), problem, ranks),
        published_(per_field([&](Field field) {
          return PublishedPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })),
        layers_(this->backend_, this->problem_, this->system_) {
    if (problem.layout == Layout::stored) stored_.emplace(this->system_, this->problem_);
    this->set_plan(layers_.braked());
  }

  double find_stable_step() override {
    return layers_.shorten(this->seek_step([](auto& work, auto& e, auto& h) { return find_dfdd_step(work, e, h); }));
  }

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    registry.add(this->element_state("E_rate", [this]() -> Buffer<S>& { return *this->electric_.rate; }));
    registry.add(this->element_state("H_rate", [this]() -> Buffer<S>& { return *this->magnetic_.rate; }));
    this->poles_.electric.register_state(registry, "E");
    this->poles_.magnetic.register_state(registry, "H");
    published_.electric.register_state(registry, "E_recursions");
    published_.magnetic.register_state(registry, "H_recursions");
    this->memories_.register_state(registry);
    layers_.register_state(registry);
  }

 private:
  [[nodiscard]] const Buffer<S>* magnetic_rate() const override {
    return this->electric_first() ? &*this->magnetic_.rate : nullptr;
  }
  void keep_magnetic(Buffer<S>& earlier) override {
    Base::keep_magnetic(earlier);
    if (this->electric_first()) this->add_by_class(*this->magnetic_.rate, earlier, -1);
  }

  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) override {
    return this->poles_[which].energy(this->system_, this->values(which), earlier, of_axes);
  }
  /// x . M_e x + eb . S_e eb + y . M_h y + hb . S_h hb + dt x . D y, the bar the mean over the last step of a field, if
  /// a single step has brought all elements to y (theory/dfdd).
  double rate_energy(Buffer<S>& work) override {
    if (this->electric_first()) return 0;
    double sum = 0;
    for (Level* level : {&this->electric_, &this->magnetic_}) {
      const Field across = other(level->field);
      sum += this->system_.product(level->field, *level->rate, *level->rate, this->weight(level->field));
      const Buffer<S> inverse =
          this->table(schemes::inverse_masses(this->problem_.media, across == Field::electric).gain);
      sum += this->system_.curl_product(across, level->value, *level->rate, -this->start_.dt_m / 2, inverse);
    }
    const auto c = schemes::inverse_masses(this->problem_.media, true);
    const Buffer<S> decay = this->table(c.decay);
    const Buffer<S> gain = this->table(c.gain);
    this->backend_.for_blocks(
        this->problem_.space,
        kernels::DfddCoupling<S>{this->system_.view(Field::electric), this->magnetic_.rate->data(), work.data(),
                                 decay.data(), gain.data(), false},
        this->all_blocks().first, this->all_blocks().count);
    return sum + this->start_.dt_m *
                     this->system_.product(Field::electric, *this->electric_.rate, work, this->weight(Field::electric));
  }

  typename PublishedPoles<Backend, S>::Rates rates_of(Level& target) {
    Level& across = this->level(other(target.field));
    return {*target.rate, across.value, *across.rate};
  }
  void act_on(const Action& action, Level& target, const Level& source, const Turn& turn) override {
    switch (action.act) {
      case Act::layer_jumps:
        return layers_.sample_jumps(target.field, *target.rate, this->system_.metric(target.field), action.levels);
      case Act::keep:
        if (uses_matrices()) stored_->keep(target.field, turn.part, target.rate->data(), !action.second);
        return;
      case Act::dispersion:
        this->poles_[target.field].before_update(target.value, *target.rate, turn.part);
        return published_[target.field].before_update(rates_of(target), turn.part);
      case Act::layers:
        return layers_.before_update(target.field, layer_rates(target), turn.part);
      case Act::update:
        return launch(target, source, this->system_.layout().part(turn.part), turn.part.step_class);
      case Act::waves:
        return add_stored(target, turn);
      case Act::dispersion_after:
        return this->poles_[target.field].after_update(target.value, *target.rate, turn.part);
      default:
        return this->act_on_all(action, {&*target.rate});
    }
  }
  typename LayersOfRatesOnDevice<Backend, S>::Rates layer_rates(Level& target) {
    return {target.value, *target.rate, this->system_.metric(target.field), this->system_.metric(other(target.field)),
            this->inverse_of(target.field)};
  }
  void add_stored(Level& target, const Turn& turn) {
    if (!uses_matrices()) return;
    stored_->add_to_update(
        target.field, turn.part,
        {target.rate->data(), target.value.data(), static_cast<S>(this->step_of(turn.part.step_class))},
        this->waves_at(target, turn), this->wave_length(), this->step_.data());
  }

  /// In the stored layout walls are in the matrices, but not the jump of given fields at them: the first step from
  /// given fields uses the factored layout.
  [[nodiscard]] bool uses_matrices() const { return stored_ && !this->starting_; }
  [[nodiscard]] bool corrects_walls() const override { return !uses_matrices(); }
  [[nodiscard]] bool is_starting() const override {
    return this->starting_ || this->terminations_.jumps() || this->magnetic_terminations_->jumps();
  }
  void end_step() override {
    if (!this->starting_) return;
    this->starting_ = false;
    this->backend_.synchronize();
    this->terminations_.forget_walls();
    this->magnetic_terminations_->forget_walls();
    this->electric_.walls.clear();
    this->magnetic_.walls.clear();
    this->inverses_.clear();
  }

  void launch(Level& target, const Level& source, BlockRange range, int step_class) {
    if (range.count == 0) return;
    if (!uses_matrices()) {
      const auto update = [&](auto kernel, BlockRange blocks) {
        this->run_factored(kernel, target, source, blocks, step_class);
      };
      return this->poles_[target.field].visit(this->part_of(range, step_class), range, update);
    }
    kernels::StoredRate<S> kernel;
    kernel.elements = this->system_.view();
    kernel.matrix = stored_->matrix(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.dt = static_cast<S>(this->step_of(step_class));
    stored_->run(kernel, range);
  }

  void set_coefficients() override {
    const double dt_m = this->start_.dt_m;
    this->set_tables(this->problem_.media);
    if (stored_) stored_->set_step(dt_m, [this](double step) { return dfdd_matrix_maker(this->problem_, step); });
    for (Level* level : {&this->electric_, &this->magnetic_})
      this->poles_[level->field].begin(level->value, *level->rate, dt_m);
    if (this->given_->electric && this->given_->magnetic) {
      const typename DfddPoles<Backend, S>::FieldAtStart electric{this->electric_.value, *this->electric_.rate, 0, {}};
      const typename DfddPoles<Backend, S>::FieldAtStart magnetic{this->magnetic_.value, *this->magnetic_.rate,
                                                                  this->electric_first() ? 0.5 : -0.5,
                                                                  std::move(this->magnetic_change_)};
      this->poles_.electric.remember(electric, magnetic);
      this->poles_.magnetic.remember(magnetic, electric);
    }
    layers_.begin(dt_m);
    for (Level* level : {&this->electric_, &this->magnetic_}) {
      published_[level->field].begin(rates_of(*level), dt_m);
      layers_.begin_rates(level->field, layer_rates(*level));
    }
  }

  /// The wave enters by its rate: the increment over a step, divided by dt in the equations.
  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const override {
    const double middle = static_cast<double>(n) + source_shift(field);
    return wave((middle + 0.5) / substeps) - wave((middle - 0.5) / substeps);
  }

  [[nodiscard]] double source_shift(Field field) const override {
    if (field == Field::electric) return 0.0;
    return this->electric_first() ? 0.5 : -0.5;
  }

  /// Per half step: rate and value read and written, the other rate read, the metrics, four neighbours and the word;
  /// the stored K^-1 is not counted.
  [[nodiscard]] std::int64_t bytes_of_element() const override {
    if (stored_) return 2 * stored_->bytes_per_update(5);
    return 2 * this->system_.bytes_moved(5, 5);
  }

  std::optional<StoredLayout<Backend, S>> stored_;
  PerField<PublishedPoles<Backend, S>> published_;
  LayersOfRatesOnDevice<Backend, S> layers_;
};

}  // namespace tetrawave::march
