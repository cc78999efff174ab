// The parts of DGTD-Central on a backend: the functions of its fused kernels, one kernel each
// (engines/parts/parts.hpp).
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "engines/parts/parts.hpp"
#include "engines/parts/unfused.hpp"
#include "kernels/energy.hpp"
#include "march/elements/element_system.hpp"
#include "schemes/central/stored.hpp"
#include "schemes/stored/stored_field.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class UnfusedMarch final : public Unfused {
 public:
  UnfusedMarch(Backend backend, const Problem& problem)
      : backend_(std::move(backend)),
        problem_(problem),
        system_(backend_, problem_, comm::Communicator::self(), 1),
        work_(system_.make_field()),
        electric_(make_level(Field::electric)),
        magnetic_(make_level(Field::magnetic)),
        parts_(problem.layout == Layout::stored ? std::vector<std::string>{"volume", "surface"}
                                                : std::vector<std::string>{"volume", "surface", "inverse"}) {
    for (const Wall wall : problem.walls) ensure(is_mirror(wall), "an unfused march has closed walls");
    if (problem.layout == Layout::stored) stored_.emplace(system_, problem_);
  }

  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_; }

  void start(double dt_m, const std::vector<double>& electric, const std::vector<double>& magnetic) override {
    set(electric_, schemes::update_coefficients(problem_.media, true, dt_m), electric);
    set(magnetic_, schemes::update_coefficients(problem_.media, false, dt_m), magnetic);
    if (stored_) stored_->set_step(dt_m, [this](double step) { return central_matrix_maker(problem_, step); });
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t k = 0; k < steps; ++k)
      for (const auto& [target, source] : half_steps())
        for (std::size_t part = 0; part < parts_.size(); ++part) run(part, *target, *source);
  }

  void run_part(std::size_t part, std::int64_t times) override {
    for (std::int64_t k = 0; k < times; ++k)
      for (const auto& [target, source] : half_steps()) run(part, *target, *source);
  }

  void synchronize() override { backend_.synchronize(); }

  std::vector<double> field(Field which) override {
    const std::vector<S> values = (which == Field::electric ? electric_ : magnetic_).values.download();
    std::vector<double> dofs;
    for_each_dof([&](std::size_t at) { dofs.push_back(static_cast<double>(values[at])); });
    return dofs;
  }

  /// Factored: v into w, v and w into w, six metric numbers, w and u into u; stored: u and v into u, twice.
  [[nodiscard]] std::int64_t bytes_per_step() const override {
    const std::int64_t n = system_.dofs();
    const std::int64_t words =
        stored_ ? 6 * n + stored_shape(Scheme::dgtd_central, problem_.space).entries() : 8 * n + 6;
    const std::int64_t integers = stored_ ? 5 : 6;  // neighbours and word; the word once more for the inverse
    return 2 * (words * static_cast<std::int64_t>(sizeof(S)) + 4 * integers) * problem_.mesh->element_count();
  }

 private:
  using Buffer = typename Backend::template Buffer<S>;
  struct Level {
    Field field;
    std::uint32_t mirror_code;
    Buffer values;
    Buffer decay;
    Buffer gain;
  };
  using HalfStep = std::pair<Level*, const Level*>;  ///< the updated field, and the one it depends on

  [[nodiscard]] Level make_level(Field field) {
    const std::size_t classes = problem_.media.size() + 1;
    return {field, field == Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric,
            system_.make_field(), Buffer(backend_, classes), Buffer(backend_, classes)};
  }

  [[nodiscard]] std::array<HalfStep, 2> half_steps() {
    return {HalfStep{&magnetic_, &electric_}, HalfStep{&electric_, &magnetic_}};
  }

  template <class Work>
  void for_each_dof(const Work& work) const {
    const auto& layout = system_.layout();
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      for (int i = 0; i < system_.dofs(); ++i) work(layout.at(layout.slot(e), system_.dofs(), i));
  }

  void set(Level& level, const schemes::UpdateCoefficients& c, const std::vector<double>& dofs) {
    level.decay.upload(std::vector<S>(c.decay.begin(), c.decay.end()));
    level.gain.upload(std::vector<S>(c.gain.begin(), c.gain.end()));
    std::vector<S> values(system_.field_size(), S(0));
    std::size_t next = 0;
    for_each_dof([&](std::size_t at) { values[at] = static_cast<S>(dofs[next++]); });
    level.values.upload(values);
  }

  template <class Kernel>
  void launch(const Kernel& kernel) {
    backend_.for_blocks(problem_.space, kernel, 0, system_.layout().border.count + system_.layout().inner.count);
  }

  void run(std::size_t part, Level& target, const Level& source) {
    if (stored_) {
      const auto whole =
          stored_->update_of(target.field, target.values.data(), source.values.data(), target.mirror_code);
      if (part == 0) launch(kernels::StoredVolume<S>{whole});
      if (part == 1) launch(kernels::StoredSurface<S>{whole});
      return;
    }
    const kernels::CentralUpdate<S> whole{system_.view(target.field), source.values.data(), target.values.data(),
                                          target.decay.data(),        target.gain.data(),   target.mirror_code};
    if (part == 0) launch(kernels::CentralVolume<S>{whole, work_.data()});
    if (part == 1) launch(kernels::CentralSurface<S>{whole, work_.data()});
    if (part == 2) launch(kernels::CentralInverse<S>{whole, work_.data()});
  }

  Backend backend_;
  Problem problem_;
  ElementSystem<Backend, S> system_;
  Buffer work_;
  Level electric_;
  Level magnetic_;
  std::vector<std::string> parts_;
  std::optional<StoredLayout<Backend, S>> stored_;
};

template <class Backend>
std::unique_ptr<Unfused> make_unfused_on(Backend backend, const Problem& problem, Precision precision) {
  if (precision == Precision::single_precision)
    return std::make_unique<UnfusedMarch<Backend, float>>(std::move(backend), problem);
  return std::make_unique<UnfusedMarch<Backend, double>>(std::move(backend), problem);
}

}  // namespace tetrawave::march
