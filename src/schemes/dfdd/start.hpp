// Data of DFDD-ELD in the factored layout, and its start from given fields (theory/dfdd; with LTS theory/lts).
#pragma once

#include "schemes/dfdd/coefficients.hpp"
#include "schemes/dfdd/curl_system.hpp"
#include "schemes/dfdd/dispersion.hpp"
#include "schemes/dfdd/pulse_start.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/leap_frog.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddStart : public LeapFrog<Backend, S> {
 public:
  using Base = LeapFrog<Backend, S>;
  using typename Base::Level;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

 protected:
  DfddStart(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : Base(std::move(backend), problem, ranks, true), poles_(per_field([&](Field field) {
          return DfddPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })) {}

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
  Tables marching(bool electric, int step_class, const std::vector<Medium>& media) {
    const double dt_m = this->step_of(step_class);
    const auto c = schemes::rate_coefficients(media, electric, dt_m);
    return tables(c, std::vector<double>(c.gain.size(), 1.0), dt_m);
  }

  /// With LTS the values of E are at the same time at the start of a step, and so are the rates of H.
  using Base::electric_first;

  /// to <- to + factor (step of the level) rate
  void add_by_class(const Buffer<S>& rate, Buffer<S>& to, double factor) {
    for (int c = 0; c < this->problem_.classes.count; ++c) this->add_part(c, rate, factor * this->step_of(c), to, 1);
  }

  const S* inverse_of(Field field) const {
    if (inverses_.empty()) return nullptr;
    return inverses_[field == Field::electric ? 0 : inverses_.size() - 1].data();
  }

  /// The part that contains a range of blocks.
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
    const Tables& t = tables_[target.field][static_cast<std::size_t>(step_class)];
    kernel.elements = this->system_.view(target.field);
    kernel.curl_metric = this->system_.metric(source.field);
    kernel.inverse = inverse_of(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.c = {t.decay.data(), t.gain.data(), t.pull.data(), t.stiffness.data()};
    kernel.dt = t.advance;
    kernel.sign = target.field == Field::electric ? S(1) : S(-1);
    this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
  }

  /// Blocks for which K^-1 is computed, of an LTS level.
  [[nodiscard]] std::vector<BlockRange> blocks_to_invert(int step_class) const {
    const auto& layout = this->system_.layout();
    if (!layout.shared.number.empty()) return layout.first_blocks();
    return {layout.part({true, step_class}), layout.part({false, step_class})};
  }

  /// K^-1 of every element if it is stored, shared like the metric; E and H share it if all media are isotropic and
  /// there are no published terms.
  void make_inverses(const std::vector<Medium>& media) {
    inverses_.clear();
    const int rows = kernels::held_rows<S>(this->problem_.space);
    if (rows == 0) return;
    const auto stiffness_of = [&](Field field, int step_class = 0) {
      return schemes::rate_coefficients(media, field == Field::electric, this->step_of(step_class)).stiffness;
    };
    const bool one = this->system_.has_one_metric() && stiffness_of(Field::electric) == stiffness_of(Field::magnetic);
    const auto& layout = this->system_.layout();
    for (const Field field : both_fields) {
      if (one && field == Field::magnetic) break;
      auto& inverse =
          inverses_.emplace_back(this->backend_, static_cast<std::size_t>(layout.held_blocks() * layout.lanes * rows));
      for (int c = 0; c < this->problem_.classes.count; ++c) {
        const Buffer<S> stiffness = this->table(stiffness_of(field, c));
        const kernels::DfddInverse<S> kernel{this->system_.view(field), this->system_.metric(other(field)),
                                             stiffness.data(), inverse.data()};
        for (const BlockRange& range : blocks_to_invert(c))
          this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
        this->backend_.synchronize();
      }
    }
  }

  void set_tables(const std::vector<Medium>& media) {
    for (const Field field : both_fields) {
      tables_[field].clear();
      for (int c = 0; c < this->problem_.classes.count; ++c)
        tables_[field].push_back(marching(field == Field::electric, c, media));
    }
  }

  /// From rest there is nothing to do. Otherwise the rates at t = 0 follow from the fields (schemes/dfdd/update.hpp),
  /// x(-dt/2) and h(-dt/2) follow by half a step back, and y(-dt) is such that the first half step gives y(0). With LTS
  /// fields and rates are first converted to those of a pulse (pulse_start.hpp), h(dt/2) follows by half a step of its
  /// level, and y is unchanged. The response of walls to the given fields is in h, not in the rates
  /// (LeapFrog::remember_values).
  void set_levels() override {
    starting_ = false;
    this->upload_field(*this->electric_.rate, {});
    this->upload_field(*this->magnetic_.rate, {});
    weigh_layers(this->system_, this->problem_, this->start_.dt_m);
    this->weigh_borders();
    const bool at_rest = !this->given_->electric || !this->given_->magnetic;
    if (at_rest) {
      this->weigh_media();
      if (!stores_matrices()) make_inverses(this->problem_.media);
      return;
    }
    FixedWalls fixed{per_field([&](Field field) {
                       return put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), field, 0,
                                                    this->start_.dt_m);
                     }),
                     {this->backend_, this->problem_, this->system_, Field::magnetic}};
    fixed.ports.begin_projection(this->step_of(this->problem_.classes.of_memories));
    const std::vector<S> lost = settle_fields(fixed);
    this->weigh_media(true);
    set_lossless();
    set_rates(fixed);
    if (electric_first()) start_as_pulse(fixed);
    std::vector<S> without_losses = this->magnetic_.rate->download();
    take_losses(this->magnetic_, fixed);
    const std::vector<S> rate = this->magnetic_.rate->download();
    const auto set_rate_without_losses = [&](S times) {
      std::vector<S> numbers = rate;
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] -= times * lost[i];
      this->magnetic_.rate->upload(numbers);
    };
    set_rate_without_losses(electric_first() ? S(-1) : S(1));
    poles_.magnetic.take_rates(this->magnetic_.value, *this->magnetic_.rate, this->start_.dt_m);
    step_rate_back(this->electric_, this->magnetic_, 0.5);
    hold(fixed, Field::electric, *this->electric_.rate);
    take_losses(this->electric_, fixed);
    set_rate_without_losses(1);
    add_by_class(*this->magnetic_.rate, this->magnetic_.value, electric_first() ? 0.5 : -0.5);
    this->magnetic_.rate->upload(electric_first() ? rate : without_losses);
    if (!electric_first()) {
      step_rate_back(this->magnetic_, this->electric_, 1);
      hold(fixed, Field::magnetic, *this->magnetic_.rate);
      magnetic_change_ = std::move(without_losses);
      subtract(*this->magnetic_.rate, magnetic_change_);
      take_losses(this->magnetic_, fixed);
    }
    this->weigh_media();
    make_inverses(this->problem_.media);
    this->backend_.synchronize();
    starting_ = this->problem_.starts_factored();
    if (stores_matrices() && !starting_) inverses_.clear();  // it has matrices of its own
  }

  /// Walls that hold dofs at zero, without what a step makes of the others; ports of one mode, where H is the mode's.
  struct FixedWalls {
    PerField<WallsOnDevice<Backend, S>> walls;
    ModalTerminations<Backend, S> ports;
  };

  /// Given fields as modified by layers and walls; returns the rate at which walls damp those of H.
  std::vector<S> settle_fields(FixedWalls& fixed) {
    clear_layers(this->electric_.value);
    clear_layers(this->magnetic_.value);
    hold(fixed, Field::electric, this->electric_.value);
    hold(fixed, Field::magnetic, this->magnetic_.value);
    settle_at_walls(this->electric_);
    return settle_at_walls(this->magnetic_);
  }

  static constexpr int settlings = 4;
  /// With T = A^-1 G, G the losses of walls in A0 (theory/dfdd), averaging over a step makes a field that a wall with T
  /// > 1 should absorb at once oscillate for long: u <- u - (T/(1 + T))^settlings u. Returns 2/dt T/(1 + T) u.
  std::vector<S> settle_at_walls(Level& level) {
    auto walls =
        put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), level.field, this->start_.dt_m);
    for (auto& list : walls) list.wave.upload(std::vector<std::int32_t>(list.wave.size(), 0));
    WallsOnDevice<Backend, S> none;
    ModalTerminations<Backend, S>& ports = *this->terminations_of(level.field);
    ports.begin(this->step_of(this->problem_.classes.of_memories), none);
    Buffer<S>& taken = *this->electric_.rate;  // both unused as yet
    Buffer<S>& work = *this->magnetic_.rate;
    const auto combine = [&](const Buffer<S>& from, double a, Buffer<S>& to, double b) {
      for (int c = 0; c < this->problem_.classes.count; ++c) this->add_part(c, from, a, to, b);
      this->backend_.synchronize();
    };
    const auto take = [&] {  // taken <- T/(1 + T) taken
      combine(taken, 1, work, 0);
      hold(walls, work);
      ports.settle(work, this->step_);
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

  /// The rates at t = 0, without losses.
  void set_rates(FixedWalls& fixed) {
    set_rate(this->electric_, this->magnetic_);
    set_rate(this->magnetic_, this->electric_);
    hold(fixed, Field::electric, *this->electric_.rate);
    hold(fixed, Field::magnetic, *this->magnetic_.rate);
  }

  /// The media without losses and terms, used for steps at the start.
  [[nodiscard]] std::vector<Medium> lossless_media() const {
    std::vector<Medium> media = this->problem_.media;
    for (Medium& medium : media) {
      medium.sigma_e = medium.sigma_m = 0;
      medium.electric_poles.clear();
      medium.magnetic_poles.clear();
    }
    return media;
  }
  void set_lossless() {
    set_tables(lossless_media());
    make_inverses(lossless_media());
  }

  void start_as_pulse(FixedWalls& fixed) {
    const auto update = [&](Field field, int step_class) {
      for (const bool border : {true, false})
        launch_factored(this->level(field), this->level(other(field)),
                        this->system_.layout().part({border, step_class}), step_class);
    };
    using Pulse = PulseStart<Backend, S>;
    const auto hold_both = [&](typename Pulse::Level& level) {
      hold(fixed, level.field, level.rate);
      hold(fixed, level.field, level.value);
    };
    const auto combine = [&](int step_class, const Buffer<S>& from, double a, Buffer<S>& to, double b) {
      this->add_part(step_class, from, a, to, b);
    };
    Pulse(this->system_, this->problem_.classes, this->start_.dt_m, {update, hold_both, combine})
        .run({Field::electric, this->electric_.value, *this->electric_.rate},
             {Field::magnetic, this->magnetic_.value, *this->magnetic_.rate});
    for (Level* level : {&this->electric_, &this->magnetic_}) {
      clear_layers(level->value);
      clear_layers(*level->rate);
    }
  }

  /// rate <- rate - sigma value/eps, dually of H, sigma by `share_of_losses`.
  void take_losses(Level& level, FixedWalls& fixed) {
    const auto is_lossless = [](const Medium& medium) { return medium.is_lossless(); };
    const auto& media = this->problem_.media;
    if (std::all_of(media.begin(), media.end(), is_lossless)) return;
    const bool electric = level.field == Field::electric;
    auto taken = this->system_.make_field();
    this->backend_.copy(level.value, taken);
    for (int step_class = 0; step_class < this->problem_.classes.count; ++step_class) {
      auto c = schemes::field_rates(media, electric);
      for (std::size_t r = 0; r < media.size(); ++r)
        c.decay[r] *= share_of_losses(media[r], electric, this->step_of(step_class));
      const Buffer<S> decay = this->table(c.decay);
      const Buffer<S> gain = this->table(std::vector<double>(c.gain.size(), 0.0));
      const kernels::DfddCoupling<S> kernel{
          this->system_.view(level.field), level.value.data(), taken.data(), decay.data(), gain.data(), true};
      for (const bool border : {true, false}) {
        const BlockRange range = this->system_.layout().part({border, step_class});
        this->backend_.for_blocks(this->problem_.space, kernel, range.first, range.count);
        poles_[level.field].lose(level.value, taken, {border, step_class}, this->step_of(step_class));
      }
      this->add_part(step_class, taken, 1, *level.rate, 1);
      this->backend_.synchronize();
    }
    hold(fixed, level.field, *level.rate);
  }

  static void subtract(const Buffer<S>& taken, std::vector<S>& from) {
    const std::vector<S> numbers = taken.download();
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= numbers[i];
  }

  /// Layers start at rest: with fields in them and zero states the once-integrated equations would not hold, and the
  /// error would grow with time.
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

  void hold(FixedWalls& fixed, Field which, Buffer<S>& field) {
    hold(fixed.walls[which], field);
    if (which == Field::magnetic) fixed.ports.project(field, this->step_);
  }

  /// x = eps^-1 M^-1 (C^T h + sum_f D_f h+), dually for y.
  void set_rate(Level& target, Level& source) {
    const auto c = schemes::field_rates(this->problem_.media, target.field == Field::electric);
    const Buffer<S> decay = this->table(std::vector<double>(c.decay.size(), 0.0));
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

  /// Takes the rate of `target` back by `part` of a step without losses, keeping its value.
  void step_rate_back(Level& target, Level& source, double part) {
    const bool electric = target.field == Field::electric;
    auto& all = tables_[target.field];
    all.clear();
    this->system_.exchange({&*source.rate});
    for (int step_class = 0; step_class < this->problem_.classes.count; ++step_class) {
      auto c = schemes::rate_coefficients(lossless_media(), electric, this->step_of(step_class));
      for (double& gain : c.gain) gain *= -part;
      all.push_back(tables(c, std::vector<double>(c.gain.size(), 1.0), 0));
      for (const bool border : {true, false})
        launch_factored(target, source, this->system_.layout().part({border, step_class}), step_class);
    }
    this->backend_.synchronize();
  }

  [[nodiscard]] bool stores_matrices() const { return this->problem_.layout == Layout::stored; }

  /// The next step is the first from given fields, in the stored layout with lossy walls.
  bool starting_ = false;
  std::vector<S> magnetic_change_;  ///< with one level, until terms are set: steps by which the rate of H reaches t = 0
  PerField<DfddPoles<Backend, S>> poles_;
  std::vector<Buffer<S>> inverses_;
  PerField<std::vector<Tables>> tables_;  ///< per LTS level
};

}  // namespace tetrawave::march
