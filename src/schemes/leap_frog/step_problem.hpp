// Working data of the search for the stable step: the elements of the run, or separate ones in double precision.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "march/elements/element_system.hpp"

namespace tetrawave::march {

/// A number in [-1, 1] from the id of an element and a dof: the start vector, the same on any number of ranks.
double start_value(GlobalIndex element, int dof);

/// A work space for finding the step, in double precision whatever the precision of the run: elements, combinations,
/// inner products.
template <class Backend>
class StepProblem {
 public:
  using System = ElementSystem<Backend, double>;
  using Buffer = typename System::FieldBuffer;

  StepProblem(Backend& backend, const Problem& problem, const comm::Communicator& ranks, int exchanged)
      : problem_(problem), own_(std::make_unique<System>(backend, problem, ranks, exchanged)), system_(*own_) {}
  /// With the arrays of the run.
  StepProblem(System& system, const Problem& problem) : problem_(problem), system_(system) {}

  [[nodiscard]] System& system() { return system_; }
  [[nodiscard]] Backend& backend() { return system_.backend(); }
  [[nodiscard]] const Problem& problem() const { return problem_; }

  [[nodiscard]] Buffer table(const std::vector<double>& numbers) { return Buffer(backend(), numbers); }
  /// From now on start vectors are zero except on elements of one LTS level, and operators, combinations and inner
  /// products are restricted to these: fields used from now on must be zero elsewhere.
  void restrict_to(int step_class) {
    only_ = step_class;
    system_.clear_values();
    for (const bool border : {true, false}) ranges_[border] = system_.layout().part({border, step_class});
  }
  /// Hashed from global ids; different seeds give different start vectors.
  void upload_start(Buffer& field, int seed) {
    system_.set_field(field, [&](LocalIndex e, int i) {
      if (only_ && problem_.classes.of(e) != *only_) return 0.0;
      return start_value(problem_.mesh->global_id[static_cast<std::size_t>(e)], i + seed * system_.dofs());
    });
  }
  /// y <- a x + b y on the elements of this rank.
  void combine(const Buffer& x, Buffer& y, double a, double b = 1) {
    run(kernels::Combine<double>{x.data(), y.data(), a, b});
  }
  void scale(Buffer& y, double b) { combine(y, y, 0, b); }
  double product(Field field, const Buffer& u, const Buffer& v, const Buffer& weight) {
    return only_ ? system_.product(field, u, v, weight, ranges_) : system_.product(field, u, v, weight);
  }
  template <class Kernel>
  void run(const Kernel& kernel) {
    const auto& layout = system_.layout();
    if (!only_) return backend().for_blocks(problem_.space, kernel, 0, layout.border.count + layout.inner.count);
    for (const BlockRange& range : ranges_) backend().for_blocks(problem_.space, kernel, range.first, range.count);
  }

 private:
  const Problem& problem_;
  std::unique_ptr<System> own_;
  System& system_;
  std::optional<int> only_;
  std::array<BlockRange, 2> ranges_{};
};

}  // namespace tetrawave::march
