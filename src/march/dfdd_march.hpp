// The march of DFDD-ELD: e at n with its rate x at n - 1/2, h at n - 1/2 with its rate y at n - 1 (THEORY.md 16).
#pragma once

#include "march/dfdd_poles.hpp"
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
        magnetic_published_(this->backend_, this->problem_, this->system_, Field::magnetic) {
    if (problem.layout == Layout::stored) stored_.emplace(this->system_, this->problem_);
  }

  double find_stable_step() override { return find_dfdd_step(this->backend_, this->problem_, this->system_.ranks()); }

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    registry.add(this->element_state("E_rate", [this]() -> Buffer<S>& { return *this->electric_.rate; }));
    registry.add(this->element_state("H_rate", [this]() -> Buffer<S>& { return *this->magnetic_.rate; }));
    electric_poles_.register_state(registry, "E");
    magnetic_poles_.register_state(registry, "H");
    electric_published_.register_state(registry, "E_recursions");
    magnetic_published_.register_state(registry, "H_recursions");
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
  Tables marching(bool electric) {
    const auto c = schemes::rate_coefficients(this->problem_.media, electric, this->start_.dt_m);
    return tables(c, std::vector<double>(c.gain.size(), 1.0), this->start_.dt_m);
  }

  PublishedPoles<Backend, S>& published(Field field) {
    return field == Field::electric ? electric_published_ : magnetic_published_;
  }
  typename PublishedPoles<Backend, S>::Rates rates_of(Level& target) {
    Level& other = target.field == Field::electric ? this->magnetic_ : this->electric_;
    return {*target.rate, other.value, *other.rate};
  }
  DfddPoles<Backend, S>& poles(Field field) { return field == Field::electric ? electric_poles_ : magnetic_poles_; }

  void before_update(Level& target, bool border) override {
    if (stored_) stored_->keep(target.field, border, target.rate->data(), true);
    poles(target.field).before_update(target.value, *target.rate, border);
    published(target.field).before_update(rates_of(target), border);
    if (stored_) stored_->keep(target.field, border, target.rate->data(), false);
  }
  void after_update(Level& target, bool border) override {
    if (stored_)
      stored_->add_to_update(target.field, border,
                             {target.rate->data(), target.value.data(), static_cast<S>(this->start_.dt_m)},
                             target.waves->data(), this->start_.steps + 1, this->step_.data());
    poles(target.field).after_update(target.value, *target.rate, border);
  }

  [[nodiscard]] bool corrects_walls() const override { return !stored_; }

  void launch(Level& target, const Level& source, BlockRange range) override {
    if (!stored_) return launch_factored(target, source, range);
    kernels::StoredRate<S> kernel;
    kernel.elements = this->system_.view();
    kernel.matrix = stored_->matrix(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.dt = static_cast<S>(this->start_.dt_m);
    stored_->run(kernel, range);
  }

  void launch_factored(Level& target, const Level& source, BlockRange range) {
    const bool electric = target.field == Field::electric;
    const Tables& t = electric ? *on_electric_ : *on_magnetic_;
    kernels::DfddUpdate<S> kernel;
    kernel.elements = this->system_.view(target.field);
    kernel.curl_metric = this->system_.metric(source.field);
    if (!inverses_.empty()) kernel.inverse = inverses_[electric ? 0 : inverses_.size() - 1].data();
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.c = {t.decay.data(), t.gain.data(), t.pull.data(), t.stiffness.data()};
    kernel.dt = t.advance;
    kernel.sign = electric ? S(1) : S(-1);
    this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
  }

  /// K^-1 of every element where it is held; E and H share it where the media have no axes and no published terms.
  void make_inverses() {
    inverses_.clear();
    const int rows = kernels::held_rows(this->problem_.space);
    if (rows == 0) return;
    const auto stiffness_of = [&](Field field) {
      return schemes::rate_coefficients(this->problem_.media, field == Field::electric, this->start_.dt_m).stiffness;
    };
    const bool shared = this->system_.metric(Field::electric) == this->system_.metric(Field::magnetic) &&
                        stiffness_of(Field::electric) == stiffness_of(Field::magnetic);
    const BlockRange all = this->all_blocks();
    for (const Field field : {Field::electric, Field::magnetic}) {
      if (shared && field == Field::magnetic) break;
      const Field other = field == Field::electric ? Field::magnetic : Field::electric;
      const Buffer<S> stiffness = this->table(stiffness_of(field));
      auto& inverse = inverses_.emplace_back(this->backend_,
                                             static_cast<std::size_t>(all.count * this->system_.layout().lanes * rows));
      this->backend_.for_blocks(this->problem_.space,
                                kernels::DfddInverse<S>{this->system_.view(field), this->system_.metric(other),
                                                        stiffness.data(), inverse.data()},
                                all.first, all.count);
      this->backend_.synchronize();
    }
  }

  void set_coefficients() override {
    const double dt_m = this->start_.dt_m;
    on_electric_ = marching(true);
    on_magnetic_ = marching(false);
    if (stored_) stored_->set_step(dt_m);
    electric_poles_.begin(this->electric_.value, *this->electric_.rate, dt_m);
    magnetic_poles_.begin(this->magnetic_.value, *this->magnetic_.rate, dt_m);
    electric_published_.begin(rates_of(this->electric_), dt_m);
    magnetic_published_.begin(rates_of(this->magnetic_), dt_m);
  }

  /// From rest there is nothing to do. Otherwise the rates at t = 0 follow from the fields (kernels/dfdd_update.hpp),
  /// x(-dt/2) and h(-dt/2) follow by half a step back, and y(-dt) is such that the first half step gives y(0).
  void set_levels() override {
    const bool at_rest = !this->given_->electric || !this->given_->magnetic;
    if (!stored_ || !at_rest) make_inverses();
    this->upload_field(*this->electric_.rate, {});
    this->upload_field(*this->magnetic_.rate, {});
    if (at_rest) return;
    const double dt_m = this->start_.dt_m;
    auto fixed_electric =
        put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), Field::electric, 0);
    auto fixed_magnetic =
        put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), Field::magnetic, 0);
    hold(fixed_electric, this->electric_.value);
    hold(fixed_magnetic, this->magnetic_.value);
    set_rate(this->electric_, this->magnetic_);
    set_rate(this->magnetic_, this->electric_);
    hold(fixed_electric, *this->electric_.rate);
    hold(fixed_magnetic, *this->magnetic_.rate);
    step_rate_back(this->electric_, this->magnetic_, dt_m / 2);
    hold(fixed_electric, *this->electric_.rate);
    const BlockRange all = this->all_blocks();
    this->backend_.for_blocks(this->problem_.space,
                              kernels::Combine<S>{this->magnetic_.rate->data(), this->magnetic_.value.data(),
                                                  static_cast<S>(-dt_m / 2), S(1)},
                              all.first, all.count);
    step_rate_back(this->magnetic_, this->electric_, dt_m);
    hold(fixed_magnetic, *this->magnetic_.rate);
    this->backend_.synchronize();
    if (stored_) inverses_.clear();  // it has matrices of its own
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
    this->backend_.synchronize();
  }

  /// The rate of `target` back by `step_m`, its value kept.
  void step_rate_back(Level& target, Level& source, double step_m) {
    auto c = schemes::rate_coefficients(this->problem_.media, target.field == Field::electric, this->start_.dt_m);
    const bool electric = target.field == Field::electric;
    std::vector<double> decay;
    for (const Medium& m : this->problem_.media)
      decay.push_back(1 + step_m * (electric ? m.sigma_e / m.eps_r : m.sigma_m / m.mu_r));
    decay.push_back(1);
    for (double& gain : c.gain) gain *= -step_m / this->start_.dt_m;
    (electric ? on_electric_ : on_magnetic_) = tables(c, decay, 0);
    this->system_.exchange({&*source.rate});
    launch_factored(target, source, this->all_blocks());
    this->backend_.synchronize();
  }

  /// The wave enters by its rate: the increment over a step, divided by dt in the equations.
  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n) const override {
    const double middle = static_cast<double>(n) - (field == Field::electric ? 0.0 : 0.5);
    return wave(middle + 0.5) - wave(middle - 0.5);
  }

  [[nodiscard]] double source_shift(Field field) const override { return field == Field::electric ? 0.0 : -0.5; }

  /// Per half step: rate and value read and written, the other rate read, the metrics, four neighbours and the word;
  /// what is held of K^-1 is not counted.
  [[nodiscard]] std::int64_t bytes_of_element() const override {
    if (stored_) return 2 * stored_->bytes_per_update(5);
    return 2 * static_cast<std::int64_t>((5 * static_cast<std::size_t>(this->system_.dofs()) + 6) * sizeof(S) + 5 * 4);
  }

  std::optional<StoredLayout<Backend, S>> stored_;
  DfddPoles<Backend, S> electric_poles_;
  DfddPoles<Backend, S> magnetic_poles_;
  PublishedPoles<Backend, S> electric_published_;
  PublishedPoles<Backend, S> magnetic_published_;
  std::vector<Buffer<S>> inverses_;
  std::optional<Tables> on_electric_;
  std::optional<Tables> on_magnetic_;
};

}  // namespace tetrawave::march
