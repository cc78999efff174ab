// The time stepping of DGTD-Central (theory/central, theory/walls).
#pragma once

#include "schemes/central/dispersion.hpp"
#include "schemes/central/kerr.hpp"
#include "schemes/central/stable_step.hpp"
#include "schemes/central/stored.hpp"
#include "schemes/central/update.hpp"
#include "schemes/leap_frog/leap_frog.hpp"
#include "schemes/leap_frog/recursive_convolution.hpp"
#include "schemes/stored/stored_field.hpp"
#include "terms/dispersion/update_coefficients.hpp"
#include "terms/pml/device/on_device.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class CentralMarch final : public LeapFrog<Backend, S> {
 public:
  using Base = LeapFrog<Backend, S>;
  using typename Base::Level;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  CentralMarch(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : Base(std::move(backend), problem, ranks, false),
        poles_(per_field([&](Field field) {
          return CentralPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })),
        published_(per_field([&](Field field) {
          return PublishedPoles<Backend, S>(this->backend_, this->problem_, this->system_, field);
        })),
        kerr_(this->backend_, this->problem_, this->system_),
        layers_(this->backend_, this->problem_, this->system_) {
    for (const Field field : both_fields)  // their memory; `start` fills them
      for (int c = 0; c < problem.classes.count; ++c)
        tables_[field].push_back(tables(schemes::inverse_masses(problem.media, field == Field::electric)));
    if (problem.layout == Layout::stored) stored_.emplace(this->system_, this->problem_);
    this->set_plan(layers_.braked());
  }

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    poles_.electric.register_state(registry, "E_poles");
    poles_.magnetic.register_state(registry, "H_poles");
    this->memories_.register_state(registry);
    published_.electric.register_state(registry, "E_recursions");
    published_.magnetic.register_state(registry, "H_recursions");
    kerr_.register_state(registry);
    layers_.register_state(registry);
  }

  [[nodiscard]] std::optional<KerrFigures> kerr_figures() const override {
    if (!kerr_.any()) return {};
    return kerr_.figures();
  }

  double find_stable_step() override {
    return layers_.shorten(this->seek_step([](auto& work, auto& e, auto& h) { return find_central_step(work, e, h); }));
  }

 private:
  struct Tables {
    Buffer<S> decay;
    Buffer<S> gain;
  };
  Tables tables(const schemes::UpdateCoefficients& c) { return {this->table(c.decay), this->table(c.gain)}; }
  [[nodiscard]] bool corrects_walls() const override { return !stored_; }

  void act_on(const Action& action, Level& target, const Level& source, const Turn& turn) override {
    switch (action.act) {
      case Act::layer_jumps:
        return layers_.sample_jumps(target.field, target.value, this->system_.metric(target.field), action.levels);
      case Act::keep:
        return stored_->keep(target.field, turn.part, target.value.data(), !action.second);
      case Act::dispersion:
        poles_[target.field].before_update(target.value, turn.part);
        return published_[target.field].before_update(target.value, turn.part);
      case Act::layers:
        return layers_.before_update(target.field, target.value, turn.part);
      case Act::update:
        return launch(target, source, this->system_.layout().part(turn.part), turn.part.step_class);
      case Act::waves:
        return stored_->add_to_update(target.field, turn.part, {target.value.data()}, this->waves_at(target, turn),
                                      this->wave_length(), this->step_.data());
      case Act::nonlinear:
        return kerr_.after_update(target.value, this->step_, turn.part);
      default:
        return this->act_on_all(action, {&target.value});
    }
  }
  void restore_media() override { kerr_.remember(this->electric_.value); }
  void keep_magnetic(Buffer<S>& earlier) override {
    Base::keep_magnetic(earlier);
    poles_.magnetic.keep();
  }
  double law_energy(Field which, bool of_axes, const Buffer<S>* earlier) override {
    return poles_[which].energy(this->system_, this->values(which), earlier, of_axes);
  }
  [[nodiscard]] const Buffer<S>* nonlinear_energy() const override { return kerr_.any() ? &kerr_.energy() : nullptr; }
  /// Wall code that mirrors the field gathered for `target`.
  static std::uint32_t mirror_code(Field target) {
    return target == Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
  }

  void launch(Level& target, const Level& source, BlockRange range, int step_class) {
    if (stored_)
      stored_->run(
          stored_->update_of(target.field, target.value.data(), source.value.data(), mirror_code(target.field)), range);
    else
      launch_factored(target, source, range, step_class);
  }
  void launch_factored(Level& target, const Level& source, BlockRange range, int step_class) {
    const Tables& c = tables_[target.field][static_cast<std::size_t>(step_class)];
    this->backend_.for_blocks(
        this->problem_.space,
        kernels::CentralUpdate<S>{this->system_.view(target.field), source.value.data(), target.value.data(),
                                  c.decay.data(), c.gain.data(), mirror_code(target.field)},
        range.first, range.count);
  }

  void set_levels() override {
    this->weigh_media(true);
    weigh_layers(this->system_, this->problem_, this->start_.dt_m);
    this->weigh_borders();
    if (this->given_->electric && this->given_->magnetic) go_back();
    this->weigh_media();
  }

  /// H from t = 0 to -dt/2 of its level, so that the first half step brings it to +dt/2 symmetrically about the initial
  /// state.
  void go_back() {
    this->system_.exchange({&this->electric_.value});
    poles_.magnetic.go_back(this->magnetic_.value, this->start_.dt_m);
    for (int c = 0; c < this->problem_.classes.count; ++c) {
      tables_.magnetic[static_cast<std::size_t>(c)] =
          tables(schemes::magnetic_back_step(this->problem_.media, this->step_of(c)));
      for (const bool border : {true, false})
        launch_factored(this->magnetic_, this->electric_, this->system_.layout().part({border, c}), c);
    }
    this->backend_.synchronize();
  }

  void set_coefficients() override {
    if (stored_)
      stored_->set_step(this->start_.dt_m, [this](double dt_m) { return central_matrix_maker(this->problem_, dt_m); });
    layers_.begin(this->start_.dt_m);
    for (const Field field : both_fields) {
      const bool electric = field == Field::electric;
      Buffer<S>& value = this->values(field);
      for (int c = 0; c < this->problem_.classes.count; ++c)
        tables_[field][static_cast<std::size_t>(c)] =
            tables(schemes::update_coefficients(this->problem_.media, electric, this->step_of(c)));
      poles_[field].begin(value, this->start_.dt_m);
      if (!electric && this->given_->electric && this->given_->magnetic)
        poles_.magnetic.begin_before(value, this->system_.layout(), this->start_.dt_m);
      published_[field].begin(value, this->start_.dt_m);
      layers_.begin_field(field, value);
    }
    kerr_.begin(this->electric_.value, this->start_.dt_m);
  }

  [[nodiscard]] double wave_at(const Wave& wave, Field field, std::int64_t n, double substeps) const override {
    return wave((static_cast<double>(n) + (field == Field::electric ? 0.5 : 0.0)) / substeps);
  }

  [[nodiscard]] double source_shift(Field field) const override { return field == Field::electric ? 0.5 : 0.0; }

  /// Per half step: the field read and written, the other read, six metric numbers, four neighbours and the word.
  [[nodiscard]] std::int64_t bytes_of_element() const override {
    if (stored_) return 2 * stored_->bytes_per_update(3);
    return 2 * static_cast<std::int64_t>(3 * static_cast<std::size_t>(this->system_.dofs()) * sizeof(S) +
                                         this->system_.metric_bytes() + 5 * 4);
  }

  std::optional<StoredLayout<Backend, S>> stored_;
  PerField<CentralPoles<Backend, S>> poles_;
  PerField<PublishedPoles<Backend, S>> published_;
  CentralKerr<Backend, S> kerr_;
  LayersOnDevice<Backend, S> layers_;
  PerField<std::vector<Tables>> tables_;  ///< per LTS level
};

}  // namespace tetrawave::march
