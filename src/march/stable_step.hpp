// The largest stable steps of the leap-frog schemes, from the norm of the operator that couples E and H.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "march/leap_frog.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

/// Largest eigenvalue of the symmetric tridiagonal matrix (alpha; beta), by bisection on Sturm sequences.
double largest_eigenvalue(const std::vector<double>& alpha, const std::vector<double>& beta);

/// A number in [-1, 1] from the id of an element and a dof: the start vector, the same on any number of ranks.
double start_value(GlobalIndex element, int dof);

/// Rounded down to six digits, so that backends, which differ in the last bits, agree.
double round_step_down(double dt);

/// A work space for finding the step, in double precision whatever the march's: fields, combinations, inner products.
template <class Backend>
class StepProblem {
 public:
  using System = ElementSystem<Backend, double>;
  using Buffer = typename System::FieldBuffer;

  StepProblem(Backend& backend, const Problem& problem, const comm::Communicator& ranks, int exchanged)
      : problem_(problem), system_(backend, problem, ranks, exchanged) {}

  [[nodiscard]] System& system() { return system_; }
  [[nodiscard]] Backend& backend() { return system_.backend(); }
  [[nodiscard]] const Problem& problem() const { return problem_; }

  [[nodiscard]] Buffer table(const std::vector<double>& numbers) {
    Buffer buffer(backend(), numbers.size());
    buffer.upload(numbers);
    return buffer;
  }
  /// From now on start vectors are zero but on elements of one class of time steps, and operators run on these alone.
  void restrict_to(int step_class) { only_ = step_class; }
  /// Hashed from global ids; `seed` tells one start vector from another.
  void upload_start(Buffer& field, int seed) {
    const auto& layout = system_.layout();
    std::vector<double> values(system_.field_size(), 0.0);
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      for (int i = 0; i < system_.dofs() && (!only_ || problem_.classes.of(e) == *only_); ++i)
        values[layout.at(layout.slot(e), system_.dofs(), i)] =
            start_value(problem_.mesh->global_id[static_cast<std::size_t>(e)], i + seed * system_.dofs());
    field.upload(values);
  }
  /// y <- a x + b y on the elements of this rank.
  void combine(const Buffer& x, Buffer& y, double a, double b = 1) {
    run(kernels::Combine<double>{x.data(), y.data(), a, b});
  }
  void scale(Buffer& y, double b) { combine(y, y, 0, b); }
  template <class Kernel>
  void run(const Kernel& kernel) {
    const auto& layout = system_.layout();
    backend().for_blocks(problem_.space, kernel, 0, layout.border.count + layout.inner.count);
  }
  template <class Kernel>
  void run_operator(const Kernel& kernel) {
    if (!only_) return run(kernel);
    for (const bool border : {true, false}) {
      const BlockRange range = system_.layout().part({border, *only_});
      backend().for_blocks(problem_.space, kernel, range.first, range.count);
    }
  }

 private:
  const Problem& problem_;
  System system_;
  std::optional<int> only_;
};

/// What the steps of classes keep below the limits of their elements by themselves: above 0.9, in DFDD-ELD above 0.7,
/// elements of different classes were seen to resonate (THEORY.md 25).
constexpr double share_of_class_limit(Scheme scheme) { return scheme == Scheme::dfdd_eld ? 0.6 : 0.85; }

/// The largest stable step of a march from a function that finds a limit: of all elements or, when `work` is
/// restricted, of those of a class. With classes the smallest step is rounded, of which that of the march is a
/// multiple.
template <class Backend, class Find>
double step_of_all_classes(StepProblem<Backend>& work, const Find& find) {
  const int classes = work.problem().classes.count;
  if (classes == 1) return round_step_down(find());
  double smallest = std::numeric_limits<double>::infinity();
  double power = 1;
  for (int c = 0; c < classes; ++c, power *= 3) {
    work.restrict_to(c);
    smallest = std::min(smallest, find() / power);
  }
  return static_cast<double>(work.problem().classes.substeps(0)) *
         round_step_down(share_of_class_limit(work.problem().scheme) * smallest);
}

/// dt_max = 2/sigma_max of M_e^-1/2 K M_h^-1/2 (THEORY.md 11), by Lanczos on M_h^-1 K^T M_e^-1 K in the M_h inner
/// product. Sums do not depend on their order, so the result does not on ranks or threads.
template <class Backend>
class LanczosStep {
 public:
  using Buffer = typename StepProblem<Backend>::Buffer;
  using Apply = std::function<void(Buffer& source, Buffer& target)>;

  explicit LanczosStep(StepProblem<Backend>& work) : work_(work) {}

  /// `to_electric`: M_e^-1 K, `to_magnetic`: M_h^-1 K^T; `prepare` makes the start vector one of their space. Infinite
  /// where there are no elements or K is zero.
  double find(const Apply& to_electric, const Apply& to_magnetic, const std::function<void(Buffer&)>& prepare) {
    auto& system = work_.system();
    auto half = system.make_field();
    auto previous = system.make_field();
    auto current = system.make_field();
    auto next = system.make_field();
    const Buffer weight = work_.table(schemes::magnetic_weights(work_.problem().media));
    const auto product = [&](const Buffer& u, const Buffer& v) {
      return system.product(Field::magnetic, u, v, weight);
    };
    work_.upload_start(current, 0);
    prepare(current);
    const double size = product(current, current);
    if (size == 0) return std::numeric_limits<double>::infinity();
    work_.scale(current, 1 / std::sqrt(size));

    std::vector<double> alpha;
    std::vector<double> beta;
    double estimate = 0;
    int settled = 0;
    for (int k = 0; k < most_iterations && settled < settled_enough; ++k) {
      to_electric(current, half);
      to_magnetic(half, next);
      alpha.push_back(product(next, current));
      work_.combine(current, next, -alpha.back());
      if (k > 0) work_.combine(previous, next, -beta.back());
      const double length = std::sqrt(std::max(0.0, product(next, next)));
      const double larger = largest_eigenvalue(alpha, beta);
      settled = larger - estimate < tolerance * larger ? settled + 1 : 0;
      estimate = larger;
      if (!(length > 1e-12 * larger)) break;  // an invariant subspace: the estimate is exact
      beta.push_back(length);
      work_.scale(next, 1 / length);
      std::swap(previous, current);
      std::swap(current, next);
    }
    return 2 / std::sqrt(estimate * (1 + 4 * tolerance));
  }

 private:
  static constexpr int most_iterations = 600;
  static constexpr double tolerance = 1e-6;
  /// The estimate can rest for some twenty iterations at the second largest eigenvalue before it finds the largest.
  static constexpr int settled_enough = 30;
  StepProblem<Backend>& work_;
};

/// DGTD-Central: K = C + sum_f D_f/2 of the lossless operator. c0 dt [m].
template <class Backend>
double find_central_step(Backend& backend, const Problem& problem, const comm::Communicator& ranks) {
  StepProblem<Backend> work(backend, problem, ranks, 1);
  using Buffer = typename StepProblem<Backend>::Buffer;
  const auto make = [&](const schemes::UpdateCoefficients& c, Field target, std::uint32_t mirror_code) {
    const auto decay = std::make_shared<Buffer>(work.table(c.decay));
    const auto gain = std::make_shared<Buffer>(work.table(c.gain));
    return [&work, decay, gain, target, mirror_code](Buffer& from, Buffer& to) {
      work.system().exchange({&from});
      work.run_operator(kernels::CentralUpdate<double>{work.system().view(target), from.data(), to.data(),
                                                       decay->data(), gain->data(), mirror_code});
    };
  };
  return step_of_all_classes(work, [&] {
    return LanczosStep<Backend>(work).find(
        make(schemes::electric_inverse(problem.media), Field::electric, kernels::mirror_code_of_magnetic),
        make(schemes::magnetic_inverse(problem.media), Field::magnetic, kernels::mirror_code_of_electric),
        [](Buffer&) {});
  });
}

/// DFDD-ELD: K = sum_f D_f to the neighbours, without the dofs that walls hold at zero; the elements' own terms are
/// implicit and do not enter (THEORY.md 16). c0 dt [m].
template <class Backend>
double find_dfdd_step(Backend& backend, const Problem& problem, const comm::Communicator& ranks) {
  StepProblem<Backend> work(backend, problem, ranks, 1);
  using Buffer = typename StepProblem<Backend>::Buffer;
  const Buffer silence(backend, 1);
  const typename Backend::template Buffer<std::int64_t> first_step(backend, 1);
  auto electric = put_walls<Backend, double>(backend, problem, work.system().layout(), Field::electric, 0);
  auto magnetic = put_walls<Backend, double>(backend, problem, work.system().layout(), Field::magnetic, 0);
  const auto hold = [&](auto& walls, Buffer& field) {
    for (auto& list : walls) list.trace.upload(std::vector<double>(list.trace.size(), 0.0));
    hold_at_zero(backend, problem.space, walls, field, silence, first_step);
  };
  const auto make = [&](const schemes::UpdateCoefficients& c, Field target, auto& walls) {
    const auto decay = std::make_shared<Buffer>(work.table(c.decay));
    const auto gain = std::make_shared<Buffer>(work.table(c.gain));
    return [&work, &walls, hold, decay, gain, target](Buffer& from, Buffer& to) {
      work.system().exchange({&from});
      work.run_operator(kernels::DfddCoupling<double>{work.system().view(target), from.data(), to.data(), decay->data(),
                                                      gain->data(), false});
      hold(walls, to);
    };
  };
  return step_of_all_classes(work, [&] {
    return LanczosStep<Backend>(work).find(make(schemes::electric_inverse(problem.media), Field::electric, electric),
                                           make(schemes::magnetic_inverse(problem.media), Field::magnetic, magnetic),
                                           [&](Buffer& start) { hold(magnetic, start); });
  });
}

}  // namespace tetrawave::march
