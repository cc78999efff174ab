// The march of DFDD-ELD: e at n with its rate x at n - 1/2, h at n - 1/2 with its rate y at n - 1 (THEORY.md 16).
#pragma once

#include "march/dfdd_poles.hpp"
#include "march/layers_on_device.hpp"
#include "march/leap_frog.hpp"
#include "march/published_poles.hpp"
#include "march/stable_step.hpp"
#include "march/stored_field.hpp"
#include "schemes/dfdd_eld.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddMarch final : public LeapFrog<Backend, S> {
 public:
  using Base = LeapFrog<Backend, S>;
  using typename Base::Level;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  DfddMarch(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : Base(std::move(backend), problem, ranks, true),
        electric_poles_(this->backend_, this->problem_, this->system_, Field::electric),
        magnetic_poles_(this->backend_, this->problem_, this->system_, Field::magnetic),
        electric_published_(this->backend_, this->problem_, this->system_, Field::electric),
        magnetic_published_(this->backend_, this->problem_, this->system_, Field::magnetic),
        layers_(this->backend_, this->problem_, this->system_) {
    if (problem.layout == Layout::stored) stored_.emplace(this->system_, this->problem_);
  }

  double find_stable_step() override {
    return layers_.shorten(this->seek_step([](auto& work, auto& e, auto& h) { return find_dfdd_step(work, e, h); }));
  }

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    registry.add(this->element_state("E_rate", [this]() -> Buffer<S>& { return *this->electric_.rate; }));
    registry.add(this->element_state("H_rate", [this]() -> Buffer<S>& { return *this->magnetic_.rate; }));
    electric_poles_.register_state(registry, "E");
    magnetic_poles_.register_state(registry, "H");
    electric_published_.register_state(registry, "E_recursions");
    magnetic_published_.register_state(registry, "H_recursions");
    this->memories_.register_state(registry);
    layers_.register_state(registry);
  }

 private:
  struct Tables {
    Buffer<S> decay;
    Buffer<S> gain;
    Buffer<S> pull;
    Buffer<S> stiffness;
    S advance;  ///< of the value by its rate
  };
  Tables tables(const schemes::RateCoefficients& c, const std::vector<double>& decay, double advance) {
    return {this->table(decay), this->table(c.gain), this->table(c.pull), this->table(c.stiffness),
            static_cast<S>(advance)};
  }
  Tables marching(bool electric, int step_class) {
    const double dt_m = this->step_of(step_class);
    const auto c = schemes::rate_coefficients(this->problem_.media, electric, dt_m);
    return tables(c, std::vector<double>(c.gain.size(), 1.0), dt_m);
  }

  /// With classes of steps the values of E agree in time at the beginning of a step, and the rates of H.
  [[nodiscard]] bool electric_first() const override { return this->problem_.records_rates(); }
  [[nodiscard]] const Buffer<S>* magnetic_rate() const override {
    return electric_first() ? &*this->magnetic_.rate : nullptr;
  }
  void keep_magnetic(Buffer<S>& earlier) override {
    Base::keep_magnetic(earlier);
    if (electric_first()) add_by_class(*this->magnetic_.rate, earlier, -1);
  }
  /// to <- to + factor (step of the class) rate
  void add_by_class(const Buffer<S>& rate, Buffer<S>& to, double factor) {
    for (int c = 0; c < this->problem_.classes.count; ++c) this->add_part(c, rate, factor * this->step_of(c), to, 1);
  }

  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) override {
    return poles(which).energy(this->system_, this->values(which), earlier, of_axes);
  }
  /// x . M_e x + eb . S_e eb + y . M_h y + hb . S_h hb + dt x . D y, the bar the mean over the last step of a field,
  /// where one step has brought all elements to y (THEORY.md 16).
  double rate_energy(Buffer<S>& work) override {
    if (electric_first()) return 0;
    double sum = 0;
    for (Level* level : {&this->electric_, &this->magnetic_}) {
      const bool electric = level->field == Field::electric;
      const Field other = electric ? Field::magnetic : Field::electric;
      sum += this->system_.product(level->field, *level->rate, *level->rate, this->weight(level->field));
      const auto& media = this->problem_.media;
      const Buffer<S> inverse =
          this->table((electric ? schemes::magnetic_inverse(media) : schemes::electric_inverse(media)).gain);
      sum += this->system_.curl_product(other, level->value, *level->rate, -this->start_.dt_m / 2, inverse);
    }
    const auto c = schemes::electric_inverse(this->problem_.media);
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

  PublishedPoles<Backend, S>& published(Field field) {
    return field == Field::electric ? electric_published_ : magnetic_published_;
  }
  typename PublishedPoles<Backend, S>::Rates rates_of(Level& target) {
    Level& other = target.field == Field::electric ? this->magnetic_ : this->electric_;
    return {*target.rate, other.value, *other.rate};
  }
  DfddPoles<Backend, S>& poles(Field field) { return field == Field::electric ? electric_poles_ : magnetic_poles_; }

  [[nodiscard]] bool sees_own_field() const override { return layers_.braked(); }
  void before_event(Level& target, const Event& event) override {
    layers_.look_at_jumps(target.field, *target.rate, this->system_.metric(target.field), event.classes);
  }
  void before_update(Level& target, const Turn& turn) override {
    if (uses_matrices()) stored_->keep(target.field, turn.part, target.rate->data(), true);
    poles(target.field).before_update(target.value, *target.rate, turn.part);
    published(target.field).before_update(rates_of(target), turn.part);
    if (uses_matrices()) stored_->keep(target.field, turn.part, target.rate->data(), false);
    layers_.before_update(target.field, layer_rates(target), turn.part);
  }
  typename LayersOnDevice<Backend, S>::Rates layer_rates(Level& target) {
    const Field other = target.field == Field::electric ? Field::magnetic : Field::electric;
    return {target.value, *target.rate, this->system_.metric(target.field), this->system_.metric(other),
            inverse_of(target.field)};
  }
  const S* inverse_of(Field field) const {
    if (inverses_.empty()) return nullptr;
    return inverses_[field == Field::electric ? 0 : inverses_.size() - 1].data();
  }
  void after_update(Level& target, const Turn& turn) override {
    if (uses_matrices())
      stored_->add_to_update(
          target.field, turn.part,
          {target.rate->data(), target.value.data(), static_cast<S>(this->step_of(turn.part.step_class))},
          this->waves_at(target, turn), this->wave_length(), this->step_.data());
    poles(target.field).after_update(target.value, *target.rate, turn.part);
  }

  /// In the stored layout walls are in the matrices, but not the jump of given fields that they see: the first step
  /// from such is that of the factored layout.
  [[nodiscard]] bool uses_matrices() const { return stored_ && !starting_; }
  [[nodiscard]] bool corrects_walls() const override { return !uses_matrices(); }
  [[nodiscard]] bool is_starting() const override { return starting_; }
  void end_step() override {
    if (!starting_) return;
    starting_ = false;
    this->backend_.synchronize();
    this->electric_.walls.clear();
    this->magnetic_.walls.clear();
    inverses_.clear();
  }

  void launch(Level& target, const Level& source, BlockRange range, int step_class) override {
    if (range.count == 0) return;
    if (!uses_matrices()) {
      const auto update = [&](auto kernel, BlockRange blocks) {
        run_factored(kernel, target, source, blocks, step_class);
      };
      return poles(target.field).visit(part_of(range, step_class), range, update);
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

  /// Of a range of blocks within one part.
  [[nodiscard]] Part part_of(BlockRange range, int step_class) const {
    return {range.first < this->system_.layout().inner.first, step_class};
  }
  void launch_factored(Level& target, const Level& source, BlockRange range, int step_class) {
    kernels::DfddUpdate<S> kernel;
    run_factored(kernel, target, source, range, step_class);
  }
  template <class Kernel>
  void run_factored(Kernel& kernel, Level& target, const Level& source, BlockRange range, int step_class) {
    if (range.count == 0) return;
    const bool electric = target.field == Field::electric;
    const Tables& t = (electric ? on_electric_ : on_magnetic_)[static_cast<std::size_t>(step_class)];
    kernel.elements = this->system_.view(target.field);
    kernel.curl_metric = this->system_.metric(source.field);
    kernel.inverse = inverse_of(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.c = {t.decay.data(), t.gain.data(), t.pull.data(), t.stiffness.data()};
    kernel.dt = t.advance;
    kernel.sign = electric ? S(1) : S(-1);
    this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
  }

  /// Blocks of which K^-1 is made, of a class of time steps.
  [[nodiscard]] std::vector<BlockRange> blocks_to_invert(int step_class) const {
    const auto& layout = this->system_.layout();
    if (!layout.shared.number.empty()) return layout.first_blocks();
    return {layout.part({true, step_class}), layout.part({false, step_class})};
  }

  /// K^-1 of every element where it is held, shared as the metric is; E and H share it where the media have no axes and
  /// no published terms.
  void make_inverses() {
    inverses_.clear();
    const int rows = kernels::held_rows<S>(this->problem_.space);
    if (rows == 0) return;
    const auto stiffness_of = [&](Field field, int step_class = 0) {
      return schemes::rate_coefficients(this->problem_.media, field == Field::electric, this->step_of(step_class))
          .stiffness;
    };
    const bool one = this->system_.has_one_metric() && stiffness_of(Field::electric) == stiffness_of(Field::magnetic);
    const auto& layout = this->system_.layout();
    for (const Field field : {Field::electric, Field::magnetic}) {
      if (one && field == Field::magnetic) break;
      const Field other = field == Field::electric ? Field::magnetic : Field::electric;
      auto& inverse =
          inverses_.emplace_back(this->backend_, static_cast<std::size_t>(layout.held_blocks() * layout.lanes * rows));
      for (int c = 0; c < this->problem_.classes.count; ++c) {
        const Buffer<S> stiffness = this->table(stiffness_of(field, c));
        const kernels::DfddInverse<S> kernel{this->system_.view(field), this->system_.metric(other), stiffness.data(),
                                             inverse.data()};
        for (const BlockRange& range : blocks_to_invert(c))
          this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
        this->backend_.synchronize();
      }
    }
  }

  void set_coefficients() override {
    const double dt_m = this->start_.dt_m;
    on_electric_.clear();
    on_magnetic_.clear();
    for (int c = 0; c < this->problem_.classes.count; ++c) {
      on_electric_.push_back(marching(true, c));
      on_magnetic_.push_back(marching(false, c));
    }
    if (stored_) stored_->set_step(dt_m);
    electric_poles_.begin(this->electric_.value, *this->electric_.rate, dt_m);
    magnetic_poles_.begin(this->magnetic_.value, *this->magnetic_.rate, dt_m);
    if (this->given_->electric && this->given_->magnetic) {
      const typename DfddPoles<Backend, S>::FieldAtStart electric{this->electric_.value, *this->electric_.rate, 0};
      const typename DfddPoles<Backend, S>::FieldAtStart magnetic{this->magnetic_.value, *this->magnetic_.rate,
                                                                  electric_first() ? 0.5 : -0.5};
      electric_poles_.remember(electric, magnetic);
      magnetic_poles_.remember(magnetic, electric);
    }
    electric_published_.begin(rates_of(this->electric_), dt_m);
    magnetic_published_.begin(rates_of(this->magnetic_), dt_m);
    layers_.begin(dt_m);
    layers_.begin_rates(Field::electric, layer_rates(this->electric_));
    layers_.begin_rates(Field::magnetic, layer_rates(this->magnetic_));
  }

  /// From rest there is nothing to do. Otherwise the rates at t = 0 follow from the fields (kernels/dfdd_update.hpp),
  /// x(-dt/2) and h(-dt/2) follow by half a step back, and y(-dt) is such that the first half step gives y(0). With
  /// classes of steps h(dt/2) follows by half a step of its class, and y stays. What walls take of the given fields is
  /// in h, and is no part of the rates (LeapFrog::remember_values).
  void set_levels() override {
    starting_ = false;
    this->upload_field(*this->electric_.rate, {});
    this->upload_field(*this->magnetic_.rate, {});
    weigh_layers(this->system_, this->problem_, this->start_.dt_m);
    this->weigh_borders();
    const bool at_rest = !this->given_->electric || !this->given_->magnetic;
    if (at_rest) {
      this->weigh_media();
      if (!stored_) make_inverses();
      return;
    }
    FixedWalls fixed{put_fixed_walls(Field::electric), put_fixed_walls(Field::magnetic)};
    const std::vector<S> lost = settle_fields(fixed);
    set_rates(fixed);
    this->weigh_media();
    make_inverses();
    const std::vector<S> rate = this->magnetic_.rate->download();
    const auto set_rate_without_losses = [&](S times) {
      std::vector<S> numbers = rate;
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] -= times * lost[i];
      this->magnetic_.rate->upload(numbers);
    };
    set_rate_without_losses(electric_first() ? S(-1) : S(1));
    magnetic_poles_.take_rates(this->magnetic_.value, *this->magnetic_.rate);
    step_rate_back(this->electric_, this->magnetic_, 0.5);
    hold(fixed.electric, *this->electric_.rate);
    set_rate_without_losses(1);
    add_by_class(*this->magnetic_.rate, this->magnetic_.value, electric_first() ? 0.5 : -0.5);
    this->magnetic_.rate->upload(rate);
    if (!electric_first()) {
      step_rate_back(this->magnetic_, this->electric_, 1);
      hold(fixed.magnetic, *this->magnetic_.rate);
    }
    this->backend_.synchronize();
    starting_ = this->problem_.starts_factored();
    if (stored_ && !starting_) inverses_.clear();  // it has matrices of its own
  }

  /// Walls that hold dofs at zero, without what a step makes of the others.
  struct FixedWalls {
    WallsOnDevice<Backend, S> electric;
    WallsOnDevice<Backend, S> magnetic;
  };
  WallsOnDevice<Backend, S> put_fixed_walls(Field field) {
    return put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), field, 0);
  }

  /// Given fields as layers and walls leave them; returns the rate at which walls take those of H.
  std::vector<S> settle_fields(FixedWalls& fixed) {
    clear_layers(this->electric_.value);
    clear_layers(this->magnetic_.value);
    hold(fixed.electric, this->electric_.value);
    hold(fixed.magnetic, this->magnetic_.value);
    settle_at_walls(this->electric_);
    return settle_at_walls(this->magnetic_);
  }

  static constexpr int settlings = 4;
  /// With T = A^-1 G, G what the losses of walls add to A in A0 (THEORY.md 16), a mean of before and after a step lets
  /// swing for long what a wall takes at once, T > 1: u <- u - (T/(1 + T))^settlings u. Returns 2/dt T/(1 + T) u.
  std::vector<S> settle_at_walls(Level& level) {
    auto walls =
        put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), level.field, this->start_.dt_m);
    for (auto& list : walls) list.wave.upload(std::vector<std::int32_t>(list.wave.size(), 0));
    Buffer<S>& taken = *this->electric_.rate;  // both unused as yet
    Buffer<S>& work = *this->magnetic_.rate;
    const auto combine = [&](const Buffer<S>& from, double a, Buffer<S>& to, double b) {
      for (int c = 0; c < this->problem_.classes.count; ++c) this->add_part(c, from, a, to, b);
      this->backend_.synchronize();
    };
    const auto take = [&] {  // taken <- T/(1 + T) taken
      combine(taken, 1, work, 0);
      hold(walls, work);
      combine(work, -1, taken, 1);
    };
    combine(level.value, 1, taken, 0);
    for (int k = 0; k < settlings; ++k) take();
    combine(taken, -1, level.value, 1);
    combine(level.value, 1, taken, 0);
    take();
    for (int c = 0; c < this->problem_.classes.count; ++c) this->add_part(c, taken, 2 / this->step_of(c), work, 0);
    this->backend_.synchronize();
    return work.download();
  }

  /// The rates at t = 0.
  void set_rates(FixedWalls& fixed) {
    this->weigh_media(true);
    set_rate(this->electric_, this->magnetic_);
    set_rate(this->magnetic_, this->electric_);
    hold(fixed.electric, *this->electric_.rate);
    hold(fixed.magnetic, *this->magnetic_.rate);
  }

  /// Layers begin at rest: with fields in them and nothing in their memory the equations would not hold integrated
  /// once, and what is amiss would grow with time.
  void clear_layers(Buffer<S>& field) {
    if (!this->problem_.layers) return;
    const auto& layout = this->system_.layout();
    std::vector<S> all = field.download();
    for (const LayerElements& list : list_layers(this->problem_))
      for (const LocalIndex e : list.elements)
        for (int i = 0; i < this->system_.dofs(); ++i) all[layout.at(layout.slot(e), this->system_.dofs(), i)] = S(0);
    field.upload(all);
  }

  void hold(WallsOnDevice<Backend, S>& walls, Buffer<S>& field) {
    const Buffer<S> silence(this->backend_, 1);
    hold_at_zero(this->backend_, this->problem_.space, walls, field, silence, this->step_);
    this->backend_.synchronize();
    for (auto& list : walls) list.trace.upload(std::vector<S>(list.trace.size(), S(0)));
  }

  /// x = eps^-1 ( M^-1 (C^T h + sum_f D_f h+) - sigma e ), dually for y.
  void set_rate(Level& target, Level& source) {
    const bool electric = target.field == Field::electric;
    const auto c =
        electric ? schemes::electric_rate(this->problem_.media) : schemes::magnetic_rate(this->problem_.media);
    const Buffer<S> decay = this->table(c.decay);
    const Buffer<S> gain = this->table(c.gain);
    this->backend_.copy(target.value, *target.rate);
    this->system_.exchange({&source.value});
    const BlockRange all = this->all_blocks();
    this->backend_.for_blocks(this->problem_.space,
                              kernels::DfddCoupling<S>{this->system_.view(target.field), source.value.data(),
                                                       target.rate->data(), decay.data(), gain.data(), true},
                              all.first, all.count);
    for (int step_class = 0; step_class < this->problem_.classes.count; ++step_class)
      for (const bool border : {true, false})
        poles(target.field).lose(target.value, *target.rate, {border, step_class}, 1);
    this->backend_.synchronize();
  }

  /// The rate of `target` back by `part` of a step, its value kept.
  void step_rate_back(Level& target, Level& source, double part) {
    const bool electric = target.field == Field::electric;
    auto& all = electric ? on_electric_ : on_magnetic_;
    all.clear();
    this->system_.exchange({&*source.rate});
    for (int step_class = 0; step_class < this->problem_.classes.count; ++step_class) {
      const double dt_m = this->step_of(step_class);
      const double step_m = part * dt_m;
      auto c = schemes::rate_coefficients(this->problem_.media, electric, dt_m);
      std::vector<double> decay;
      for (const Medium& m : this->problem_.media) {
        const bool projected = schemes::law_of(this->problem_.scheme, m, electric).is_projected();
        decay.push_back(projected ? 1 : 1 + step_m * (electric ? m.sigma_e / m.eps_r : m.sigma_m / m.mu_r));
      }
      decay.push_back(1);
      for (double& gain : c.gain) gain *= -step_m / dt_m;
      all.push_back(tables(c, decay, 0));
      for (const bool border : {true, false}) {
        poles(target.field).lose(*target.rate, *target.rate, {border, step_class}, -step_m);
        launch_factored(target, source, this->system_.layout().part({border, step_class}), step_class);
      }
    }
    this->backend_.synchronize();
  }

  /// The wave enters by its rate: the increment over a step, divided by dt in the equations.
  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const override {
    const double middle = static_cast<double>(n) + source_shift(field);
    return wave((middle + 0.5) / substeps) - wave((middle - 0.5) / substeps);
  }

  [[nodiscard]] double source_shift(Field field) const override {
    if (field == Field::electric) return 0.0;
    return electric_first() ? 0.5 : -0.5;
  }

  /// Per half step: rate and value read and written, the other rate read, the metrics, four neighbours and the word;
  /// what is held of K^-1 is not counted.
  [[nodiscard]] std::int64_t bytes_of_element() const override {
    if (stored_) return 2 * stored_->bytes_per_update(5);
    return 2 * static_cast<std::int64_t>(5 * static_cast<std::size_t>(this->system_.dofs()) * sizeof(S) +
                                         this->system_.metric_bytes() + 5 * 4);
  }

  std::optional<StoredLayout<Backend, S>> stored_;
  /// The next step is the first from given fields, of the stored layout beside walls with losses.
  bool starting_ = false;
  DfddPoles<Backend, S> electric_poles_;
  DfddPoles<Backend, S> magnetic_poles_;
  PublishedPoles<Backend, S> electric_published_;
  PublishedPoles<Backend, S> magnetic_published_;
  LayersOnDevice<Backend, S> layers_;
  std::vector<Buffer<S>> inverses_;
  std::vector<Tables> on_electric_;  ///< per class of time steps
  std::vector<Tables> on_magnetic_;
};

}  // namespace tetrawave::march
