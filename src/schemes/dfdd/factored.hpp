// The update of DFDD-ELD in the factored layout: coefficients, inverses, and its launch (theory/dfdd).
#pragma once

#include "schemes/dfdd/coefficients.hpp"
#include "schemes/dfdd/curl_system.hpp"
#include "schemes/dfdd/dispersion.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/leap_frog.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class DfddFactored {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Level = typename LeapFrog<Backend, S>::Level;

  explicit DfddFactored(Core<Backend, S>& core) : core_(core) {}

  struct Tables {
    Buffer<S> decay;
    Buffer<S> gain;
    Buffer<S> pull;
    Buffer<S> stiffness;
    S advance;  ///< of the value by its rate
  };
  Tables tables(const schemes::RateCoefficients& c, const std::vector<double>& decay, double advance) {
    return {core_.table(decay), core_.table(c.gain), core_.table(c.pull), core_.table(c.stiffness),
            static_cast<S>(advance)};
  }
  std::vector<Tables>& tables_of(Field field) { return tables_[field]; }
  void set_tables(const std::vector<Medium>& media) {
    for (const Field field : both_fields) {
      tables_[field].clear();
      for (int c = 0; c < core_.problem.classes.count; ++c) {
        const auto own = schemes::rate_coefficients(media, field == Field::electric, core_.step_of(c));
        tables_[field].push_back(tables(own, std::vector<double>(own.gain.size(), 1.0), core_.step_of(c)));
      }
    }
  }

  const S* inverse_of(Field field) const {
    if (inverses_.empty()) return nullptr;
    return inverses_[field == Field::electric ? 0 : inverses_.size() - 1].data();
  }

  /// The half step of a field on a range of blocks of an LTS level, by DfddUpdate or one with terms.
  template <class Kernel>
  void launch(Kernel kernel, Level& target, const Level& source, BlockRange range, int step_class) {
    if (range.count == 0) return;
    const Tables& t = tables_[target.field][static_cast<std::size_t>(step_class)];
    kernel.elements = core_.system.view(target.field);
    kernel.curl_metric = core_.system.metric(source.field);
    kernel.inverse = inverse_of(target.field);
    kernel.source = source.rate->data();
    kernel.rate = target.rate->data();
    kernel.value = target.value.data();
    kernel.c = {t.decay.data(), t.gain.data(), t.pull.data(), t.stiffness.data()};
    kernel.dt = t.advance;
    kernel.sign = target.field == Field::electric ? S(1) : S(-1);
    core_.run(kernel, range, core_.sweep_of(target.field));
  }

  /// Without terms on all blocks of a level.
  void launch_level(Level& target, const Level& source, int level) {
    for (const bool border : {true, false})
      launch(kernels::DfddUpdate<S>{}, target, source, core_.system.layout().part({border, level}), level);
  }

  /// K^-1 of every element if it is stored, shared like the metric, and of the spare slot, which empty places of lists
  /// read; E and H share it if all media are isotropic and there are no published terms.
  void make_inverses(const std::vector<Medium>& media) {
    inverses_.clear();
    const int rows = kernels::held_rows<S>(core_.problem.space);
    if (rows == 0) return;
    const auto stiffness_of = [&](Field field, int step_class = 0) {
      return schemes::rate_coefficients(media, field == Field::electric, core_.step_of(step_class)).stiffness;
    };
    const bool one = core_.system.has_one_metric() && stiffness_of(Field::electric) == stiffness_of(Field::magnetic);
    const auto& layout = core_.system.layout();
    for (const Field field : both_fields) {
      if (one && field == Field::magnetic) break;
      auto& inverse =
          inverses_.emplace_back(core_.backend, static_cast<std::size_t>(layout.metric_blocks() * layout.lanes * rows));
      for (int c = 0; c < core_.problem.classes.count; ++c) {
        const Buffer<S> stiffness = core_.table(stiffness_of(field, c));
        const kernels::DfddInverse<S> kernel{core_.system.view(field), core_.system.metric(other(field)),
                                             stiffness.data(), inverse.data()};
        for (const BlockRange& range : blocks_to_invert(c)) core_.run(kernel, range);
        core_.backend.synchronize();
      }
    }
  }

  void forget_inverses() { inverses_.clear(); }

 private:
  /// Blocks for which K^-1 is computed, of an LTS level.
  [[nodiscard]] std::vector<BlockRange> blocks_to_invert(int step_class) const {
    const auto& layout = core_.system.layout();
    if (!layout.shared.number.empty()) return layout.first_blocks();
    return {layout.part({true, step_class}), layout.part({false, step_class}), {layout.blocks - 1, 1}};
  }

  Core<Backend, S>& core_;
  std::vector<Buffer<S>> inverses_;
  PerField<std::vector<Tables>> tables_;  ///< per LTS level
};

}  // namespace tetrawave::march
