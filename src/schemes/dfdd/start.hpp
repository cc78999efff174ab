// The start of DFDD-ELD from given fields (theory/dfdd; with LTS theory/lts).
#pragma once

#include "schemes/dfdd/coupling.hpp"
#include "schemes/dfdd/factored.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

/// What sets time levels at the start of a run; it lives that long.
template <class Backend, class S>
class DfddStart {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Level = typename LeapFrog<Backend, S>::Level;

  DfddStart(Core<Backend, S>& core, LeapFrog<Backend, S>& frog, DfddFactored<Backend, S>& factored,
            PerField<DfddPoles<Backend, S>>& poles)
      : core_(core),
        frog_(frog),
        factored_(factored),
        poles_(poles),
        electric_(frog[Field::electric]),
        magnetic_(frog[Field::magnetic]) {}

  /// From rest there is nothing to do. Otherwise the rates at t = 0 follow from the fields (schemes/dfdd/update.hpp),
  /// x(-dt/2) and h(-dt/2) follow by half a step back, and y(-dt) is such that the first half step gives y(0). With LTS
  /// fields and rates are first converted to those of a pulse (start_as_pulse), h(dt/2) follows by half a step of its
  /// level, and y is unchanged. The response of walls to the given fields is in h, not in the rates
  /// (LeapFrog::jump).
  void run() {
    core_.upload_field(*electric_.rate, {});
    core_.upload_field(*magnetic_.rate, {});
    weigh_layers(core_.system, core_.problem, core_.dt());
    frog_.weigh_borders();
    if (!core_.has_fields()) {
      frog_.weigh_media();
      if (!stores_matrices()) factored_.make_inverses(core_.problem.media);
      return;
    }
    FixedWalls fixed{per_field([&](Field field) {
                       return put_walls<Backend, S>(core_.backend, core_.problem, core_.system.layout(), field, 0,
                                                    core_.start.dt_m);
                     }),
                     {core_.backend, core_.problem, core_.system, Field::magnetic}};
    fixed.ports.begin_projection(core_.dt().of_ports());
    const std::vector<S> lost = settle_fields(fixed);
    frog_.weigh_media(true);
    factored_.set_tables(lossless_media());
    factored_.make_inverses(lossless_media());
    set_rates(fixed);
    if (frog_.electric_first()) start_as_pulse(fixed);
    std::vector<S> without_losses = magnetic_.rate->download();
    take_losses(magnetic_, fixed);
    const std::vector<S> rate = magnetic_.rate->download();
    const auto set_rate_without_losses = [&](S times) {
      std::vector<S> numbers = rate;
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] -= times * lost[i];
      magnetic_.rate->upload(numbers);
    };
    set_rate_without_losses(frog_.electric_first() ? S(-1) : S(1));
    poles_.magnetic.take_rates(magnetic_.value, *magnetic_.rate, core_.dt());
    step_rate_back(electric_, magnetic_, 0.5);
    hold(fixed, Field::electric, *electric_.rate);
    take_losses(electric_, fixed);
    set_rate_without_losses(1);
    frog_.add_by_step(*magnetic_.rate, magnetic_.value, frog_.electric_first() ? 0.5 : -0.5);
    magnetic_.rate->upload(frog_.electric_first() ? rate : without_losses);
    if (!frog_.electric_first()) {
      step_rate_back(magnetic_, electric_, 1);
      hold(fixed, Field::magnetic, *magnetic_.rate);
      magnetic_change_ = std::move(without_losses);
      subtract(*magnetic_.rate, magnetic_change_);
      take_losses(magnetic_, fixed);
    }
    frog_.weigh_media();
    factored_.make_inverses(core_.problem.media);
    core_.backend.synchronize();
    if (stores_matrices() && !core_.problem.starts_factored()) factored_.forget_inverses();  // it has its own matrices
  }
  /// With one LTS level, until terms are set: the steps by which the rate of H reaches t = 0; else empty.
  std::vector<S> take_magnetic_change() { return std::move(magnetic_change_); }

 private:
  /// Walls that hold dofs at zero, without what a step makes of the others; ports of one mode, where H is the mode's.
  struct FixedWalls {
    PerField<WallsOnDevice<Backend, S>> walls;
    ModalTerminations<Backend, S> ports;
  };

  /// Given fields as modified by layers and walls; returns the rate at which walls damp those of H.
  std::vector<S> settle_fields(FixedWalls& fixed) {
    clear_layers(electric_.value);
    clear_layers(magnetic_.value);
    hold(fixed, Field::electric, electric_.value);
    hold(fixed, Field::magnetic, magnetic_.value);
    settle_at_walls(electric_);
    return settle_at_walls(magnetic_);
  }

  static constexpr int settlings = 4;
  /// With T = A^-1 G, G the losses of walls in A0 (theory/dfdd), averaging over a step makes a field that a wall with T
  /// > 1 should absorb at once oscillate for long: u <- u - (T/(1 + T))^settlings u. Returns 2/dt T/(1 + T) u.
  std::vector<S> settle_at_walls(Level& level) {
    auto walls =
        put_walls<Backend, S>(core_.backend, core_.problem, core_.system.layout(), level.field, core_.start.dt_m);
    for (auto& list : walls) list.wave.clear();
    WallsOnDevice<Backend, S> none;
    ModalTerminations<Backend, S>& ports = frog_.terminations(level.field);
    ports.prepare(core_.dt().of_ports(), none);
    Buffer<S>& taken = *electric_.rate;  // both unused as yet
    Buffer<S>& work = *magnetic_.rate;
    const auto take = [&] {  // taken <- T/(1 + T) taken
      combine(taken, 1, work, 0);
      hold(walls, work);
      ports.settle(work, core_.step.data());
      combine(work, -1, taken, 1);
    };
    combine(level.value, 1, taken, 0);
    for (int k = 0; k < settlings; ++k) take();
    combine(taken, -1, level.value, 1);
    combine(level.value, 1, taken, 0);
    take();
    for_levels([&](int c) { frog_.add_part(c, taken, 2 / core_.step_of(c), work, 0); });
    return work.download();
  }

  /// The rates at t = 0, without losses.
  void set_rates(FixedWalls& fixed) {
    set_rate(electric_, magnetic_);
    set_rate(magnetic_, electric_);
    hold(fixed, Field::electric, *electric_.rate);
    hold(fixed, Field::magnetic, *magnetic_.rate);
  }

  /// The media without losses and terms, used for steps at the start.
  [[nodiscard]] std::vector<Medium> lossless_media() const {
    std::vector<Medium> media = core_.problem.media;
    for (Medium& medium : media) {
      medium.sigma_e = medium.sigma_m = 0;
      medium.electric_poles.clear();
      medium.magnetic_poles.clear();
    }
    return media;
  }

  void hold(FixedWalls& fixed, Level& level) {
    hold(fixed, level.field, *level.rate);
    hold(fixed, level.field, level.value);
  }

  /// With LTS (theory/lts): converts values and rates at t = 0, those of Maxwell's equations without losses, to those
  /// whose energy stays bounded: the state after currents that last one step of the time loop, starting and ending at
  /// rest. In all of it losses, terms and lossy walls are left out.
  void start_as_pulse(FixedWalls& fixed) {
    kick_.emplace(core_.system.make_field());
    const std::vector<S> electric_rate = electric_.rate->download();
    std::vector<S> start = magnetic_.value.download();
    release(electric_, magnetic_, magnetic_.rate->download());
    const std::int64_t count = core_.problem.classes.substeps(0);
    advance(fixed, magnetic_, 0, true, true);
    for (std::int64_t k = 1; k < count; ++k) {
      advance(fixed, electric_, k, false, false);
      advance(fixed, magnetic_, k, true, true);
    }
    const std::vector<S> electric_value = electric_.value.download();
    magnetic_.value.upload(start);
    start = magnetic_.rate->download();
    release(magnetic_, electric_, electric_rate);
    for (std::int64_t k = (count + 1) / 2; k < count; ++k) {
      advance(fixed, electric_, k, false, true);
      advance(fixed, magnetic_, k, true, false);
    }
    for_levels([&](int c) { frog_.add_part(c, *magnetic_.rate, -core_.step_of(c), magnetic_.value, 2); });
    std::vector<S> before = electric_.rate->download();
    advance(fixed, electric_, 0, false, true);
    kick_->upload(before);
    combine(*kick_, 1, *electric_.rate, 1);
    electric_.value.upload(electric_value);
    magnetic_.rate->upload(start);
    kick_.reset();
    for (Level* level : {&electric_, &magnetic_}) clear_layers(level->value);
  }

  template <class Work>
  void for_levels(const Work& work) const {
    for (int c = 0; c < core_.problem.classes.count; ++c) work(c);
    core_.backend.synchronize();
  }
  /// to <- a from + b to
  void combine(const Buffer<S>& from, double a, Buffer<S>& to, double b) {
    for_levels([&](int c) { frog_.add_part(c, from, a, to, b); });
  }

  /// A field as the rate that would produce it in a step of the time loop, and after the first step of every level; the
  /// other one at rest, with the impulses by which its `rate` at t = 0 enters in steps of every level, minus the
  /// contribution of the first.
  void release(Level& own, Level& other, const std::vector<S>& rate) {
    const double dt_m = core_.start.dt_m;
    combine(own.value, 1 / dt_m, *own.rate, 0);
    other.value.clear();
    other.rate->clear();
    core_.system.exchange({&*own.rate});
    for_levels([&](int c) { factored_.launch_level(other, own, c); });
    combine(*other.rate, -1, *kick_, 0);
    other.rate->upload(rate);
    for_levels([&](int c) {
      frog_.add_part(c, *other.rate, core_.step_of(c) / dt_m, *kick_, 1);
      frog_.add_part(c, own.value, core_.step_of(c) / dt_m - 1, own.value, 1);
    });
    other.value.clear();
    other.rate->clear();
  }

  /// The event of a field (schemes/leap_frog/step_plan.hpp).
  void advance(FixedWalls& fixed, Level& target, std::int64_t smallest, bool at_middle, bool kicked) {
    const Event event = Event::make(core_.problem.classes, smallest, at_middle);
    for (int c = 0; c < event.classes; ++c) {
      factored_.launch_level(target, frog_[other(target.field)], c);
      if (!kicked) continue;
      frog_.add_part(c, *kick_, 1, *target.rate, 1);
      frog_.add_part(c, *kick_, core_.step_of(c), target.value, 1);
    }
    hold(fixed, target);
    core_.system.exchange({&*target.rate});
  }

  /// rate <- rate - sigma value/eps, dually of H, sigma by `share_of_losses`.
  void take_losses(Level& level, FixedWalls& fixed) {
    const auto is_lossless = [](const Medium& medium) { return medium.is_lossless(); };
    const auto& media = core_.problem.media;
    if (std::all_of(media.begin(), media.end(), is_lossless)) return;
    const bool electric = level.field == Field::electric;
    auto taken = core_.system.make_field();
    core_.backend.copy(level.value, taken);
    for (int step_class = 0; step_class < core_.problem.classes.count; ++step_class) {
      auto c = schemes::field_rates(media, electric);
      for (std::size_t r = 0; r < media.size(); ++r)
        c.decay[r] *= share_of_losses(media[r], electric, core_.step_of(step_class));
      const Buffer<S> decay = core_.table(c.decay);
      const Buffer<S> gain = core_.table(std::vector<double>(c.gain.size(), 0.0));
      const kernels::DfddCoupling<S> kernel{
          core_.system.view(level.field), level.value.data(), taken.data(), decay.data(), gain.data(), true};
      core_.run_on_level(kernel, step_class);
      for (const bool border : {true, false})
        poles_[level.field].lose(level.value, taken, {border, step_class}, core_.step_of(step_class));
      frog_.add_part(step_class, taken, 1, *level.rate, 1);
      core_.backend.synchronize();
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
    if (!core_.problem.layers) return;
    const auto& layout = core_.system.layout();
    std::vector<S> all = field.download();
    for (const LayerElements& list : list_layers(core_.problem))
      for (const LocalIndex e : list.elements)
        for (int i = 0; i < core_.system.dofs(); ++i) all[layout.at(layout.slot(e), core_.system.dofs(), i)] = S(0);
    field.upload(all);
  }

  void hold(WallsOnDevice<Backend, S>& walls, Buffer<S>& field) {
    const Buffer<S> silence(core_.backend, 1);
    hold_at_zero(core_.backend, core_.problem.space, walls, field, silence, core_.step.data());
    core_.backend.synchronize();
    for (auto& list : walls) list.trace.clear();
  }

  void hold(FixedWalls& fixed, Field which, Buffer<S>& field) {
    hold(fixed.walls[which], field);
    if (which == Field::magnetic) fixed.ports.project(field, core_.step.data());
  }

  /// x = eps^-1 M^-1 (C^T h + sum_f D_f h+), dually for y.
  void set_rate(Level& target, Level& source) {
    const auto c = schemes::field_rates(core_.problem.media, target.field == Field::electric);
    const Buffer<S> decay = core_.table(std::vector<double>(c.decay.size(), 0.0));
    const Buffer<S> gain = core_.table(c.gain);
    core_.backend.copy(target.value, *target.rate);
    core_.system.exchange({&source.value});
    core_.run(kernels::DfddCoupling<S>{core_.system.view(target.field), source.value.data(), target.rate->data(),
                                       decay.data(), gain.data(), true},
              core_.all_blocks());
    core_.backend.synchronize();
  }

  /// Takes the rate of `target` back by `part` of a step without losses, keeping its value.
  void step_rate_back(Level& target, Level& source, double part) {
    const bool electric = target.field == Field::electric;
    auto& all = factored_.tables_of(target.field);
    all.clear();
    core_.system.exchange({&*source.rate});
    for (int step_class = 0; step_class < core_.problem.classes.count; ++step_class) {
      auto c = schemes::rate_coefficients(lossless_media(), electric, core_.step_of(step_class));
      for (double& gain : c.gain) gain *= -part;
      all.push_back(factored_.tables(c, std::vector<double>(c.gain.size(), 1.0), 0));
      factored_.launch_level(target, source, step_class);
    }
    core_.backend.synchronize();
  }

  [[nodiscard]] bool stores_matrices() const { return core_.problem.layout == Layout::stored; }

  Core<Backend, S>& core_;
  LeapFrog<Backend, S>& frog_;
  DfddFactored<Backend, S>& factored_;
  PerField<DfddPoles<Backend, S>>& poles_;
  Level& electric_;
  Level& magnetic_;
  std::vector<S> magnetic_change_;
  std::optional<Buffer<S>> kick_;  ///< of a pulse
};

}  // namespace tetrawave::march
