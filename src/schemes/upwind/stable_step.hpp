// The largest stable step of DGTD-Upwind, from the extreme eigenvalues of its operator.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "schemes/leap_frog/stable_step.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/faces_on_device.hpp"
#include "schemes/upwind/spectrum.hpp"
#include "schemes/upwind/taylor.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::march {

/// Size of the Krylov spaces. Large ones converge in fewer products, but beyond a few gigabytes (over all ranks) a
/// small one is used.
inline std::size_t arnoldi_size(std::int64_t elements_of_all_ranks, std::int64_t dofs) {
  constexpr std::size_t large = 24;
  constexpr std::size_t small = 16;
  constexpr double most_bytes = 4e9;
  return 16.0 * static_cast<double>(elements_of_all_ranks * dofs) * static_cast<double>(large) < most_bytes ? large
                                                                                                            : small;
}

/// Arnoldi's method on the pair (e, h) in the energy inner product, restarted with the direction of the largest
/// eigenvalue, then with that of the mode that grows first; all Ritz values are in the left half plane, like the
/// operator's numerical range, and are required to be inside the region of stability. Mostly the negative real axis
/// sets the limit (4.66 over the spectral radius). Walls, sheets and losses are in the operator: the flux and a loss do
/// not commute with the curl, so the spectral radius of the sum can be above the sum of theirs. With LTS losses do not
/// enter.
template <class Backend>
class UpwindStep {
 public:
  UpwindStep(Backend& backend, const Problem& problem, const comm::Communicator& ranks)
      : work_(backend, problem, ranks, problem.classes.count > 1 ? 1 : 2),
        faces_(backend, make_upwind_faces(problem, work_.system().layout(), ranks)),
        tables_(per_field([&](Field which) {
          const bool electric = which == Field::electric;
          return Tables{work_.table(schemes::stage_coefficients(problem.media, electric, 1).gain),
                        work_.table(losses(problem, electric)),
                        work_.table(schemes::energy_weights(problem.media, electric))};
        })) {}

  /// Stable step of LSERK54 on all elements.
  double find() {
    const Extremes found = find_extremes(tolerance);
    const double limit = std::min(found.limit, real_axis / found.radius);
    const double of_growth = limit_of_growth();
    constexpr double margin = 1 + 4 * tolerance;
    return round_step_down((of_growth * margin < limit ? of_growth : limit) / margin);
  }

  /// With LTS, the operator of each level separately: of the coarsest level (theory/lts).
  double find_of_classes() {
    double smallest = std::numeric_limits<double>::infinity();
    double power = 1;
    const StepClasses& classes = work_.problem().classes;
    for (int c = 0; c < classes.count; ++c, power *= 3) {
      work_.restrict_to(c);
      for (Pair& pair : basis_)
        for (const Field which : both_fields) pair[which].clear();
      const double axis = taylor_axis(work_.problem().space);
      const double step = hold_taylor_steps(axis / (find_extremes(class_tolerance).radius * (1 + 4 * class_tolerance)));
      smallest = std::min(smallest, 1 / (1 / step + largest_loss(c) / axis) / power);
    }
    return static_cast<double>(classes.substeps(0)) * round_step_down(smallest);
  }

 private:
  using Buffer = typename StepProblem<Backend>::Buffer;
  using Pair = PerField<Buffer>;
  struct Tables {
    Buffer gain;
    Buffer loss;
    Buffer weight;
  };
  struct Extremes {
    double limit = std::numeric_limits<double>::infinity();
    double radius = 0;
  };
  static constexpr int most_cycles = 60;
  static constexpr double tolerance = 1e-6;
  static constexpr double class_tolerance =
      1e-4;  ///< the limit on the real axis is not reached, and steps are examined
  static constexpr double real_axis = 4.6568;

  /// Limit of the Taylor integration over the spectral radius on meshes without slivers: observed were 1.99 with degree
  /// 1 (mixed), 1.95 (full), 1.88 with degree 2 and 1.82 with degree 3; the largest modes are those of the flux, on the
  /// negative real axis.
  static double taylor_axis(Space space) { return 2 - 0.1 * basis::reference_element(space).degree; }

  Extremes find_extremes(double enough) {
    subspace_ = arnoldi_size(work_.problem().mesh->global_element_count, work_.system().dofs());
    while (basis_.size() <= subspace_) basis_.push_back(make_pair());
    work_.upload_start(basis_[0].electric, 0);
    work_.upload_start(basis_[0].magnetic, 1);
    Extremes found;
    int settled = 0;
    for (int cycle = 0; cycle < most_cycles && settled < 3; ++cycle) {
      const Spectrum modes(build_subspace());
      found.limit = std::min(found.limit, modes.runge_kutta_limit());
      const double larger = std::max(found.radius, modes.radius());
      settled = larger - found.radius < enough * larger ? settled + 1 : 0;
      found.radius = larger;
      restart(modes.dominant_direction());
    }
    return found;
  }

  /// The limit to which Ritz values of subspaces converge when restarted with the direction that grows most in steps
  /// just above the current limit: if that is not a real mode, the first search misses it and only its first subspace
  /// contains it.
  double limit_of_growth() {
    constexpr double above = 1.001;
    work_.upload_start(basis_[0].electric, 0);
    work_.upload_start(basis_[0].magnetic, 1);
    double limit = 0;
    int settled = 0;
    for (int cycle = 0; cycle < most_cycles && settled < 3; ++cycle) {
      const Spectrum modes(build_subspace());
      const double last = std::exchange(limit, modes.runge_kutta_limit());
      settled = std::abs(limit - last) < tolerance * limit ? settled + 1 : 0;
      if (std::isinf(limit)) break;
      restart(modes.growing_direction(above * limit));
    }
    return limit;
  }

  /// The largest of such a step and fractions of it at which no mode of the level alone grows in a step of the Taylor
  /// integration. With flat elements the spectral radius alone is not sufficient: V and F do not commute.
  double hold_taylor_steps(double step) {
    constexpr double part = 0.95;
    constexpr int most_parts = 40;
    work_.upload_start(basis_[0].electric, 0);
    work_.upload_start(basis_[0].magnetic, 1);
    --subspace_;  // the last pair holds the integrals
    for (int k = 0; k < most_parts; ++k, step *= part) {
      taylor_step_ = step;
      if (!finds_growth()) break;
    }
    ++subspace_;
    taylor_step_ = 0;
    return step;
  }

  /// Whether an eigenvalue 1 + q of such a step is outside the unit circle, by Arnoldi's method restarted with the
  /// direction of the largest |q + shift|: slow modes, q near 0, are at 0.8 there, those that start to grow at up to
  /// 1.2.
  bool finds_growth() {
    constexpr double shift = 0.8;
    constexpr double circle = 1 + 1e-4;
    double shifted = 0;
    int settled = 0;
    for (int cycle = 0; cycle < most_cycles && settled < 3; ++cycle) {
      const Spectrum modes(build_subspace());
      if (modes.radius(1) > circle && cycle > 1) return true;
      const double larger = std::max(shifted, modes.radius(shift));
      settled = larger - shifted < class_tolerance * larger ? settled + 1 : 0;
      shifted = larger;
      restart(modes.dominant_direction(shift));
    }
    return false;
  }

  /// Per medium, at a step of 1 m; none with LTS, where they enter through `largest_loss`.
  static std::vector<double> losses(const Problem& problem, bool electric) {
    if (problem.classes.count > 1) return std::vector<double>(problem.media.size() + 1, 0.0);
    return schemes::stage_coefficients(problem.media, electric, 1).loss;
  }

  /// sigma/eps or sigma/mu of the elements of a level [1/m]. Collective.
  double largest_loss(int step_class) {
    const Problem& problem = work_.problem();
    double largest = 0;
    for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) {
      if (problem.classes.of(e) != step_class) continue;
      const Medium& medium = problem.medium_of(e);
      largest = std::max({largest, medium.sigma_e / medium.eps_r, medium.sigma_m / medium.mu_r});
    }
    return work_.system().ranks().max(largest);
  }

  Pair make_pair() { return {work_.system().make_field(), work_.system().make_field()}; }

  double product(const Pair& u, const Pair& v) {
    return work_.product(Field::electric, u.electric, v.electric, tables_.electric.weight) +
           work_.product(Field::magnetic, u.magnetic, v.magnetic, tables_.magnetic.weight);
  }
  void combine(const Pair& x, Pair& y, double a, double b = 1) {
    for (const Field which : both_fields) work_.combine(x[which], y[which], a, b);
  }
  void normalise(Pair& u) {
    const double length = std::sqrt(product(u, u));
    combine(u, u, 0, 1 / length);
  }

  kernels::UpwindField<double> view(Field which, const Pair& from, Pair& to) {
    const Tables& own = tables_[which];
    return {work_.system().metric(which), from[which].data(), to[which].data(), own.gain.data(), own.loss.data()};
  }

  /// seen = the integral over a step of the prediction from `from`, each element of the level by itself.
  void integrate(const Pair& from, Pair& seen) {
    kernels::UpwindTaylor<double> kernel;
    kernel.elements = work_.system().view();
    kernel.electric = view(Field::electric, from, seen);
    kernel.magnetic = view(Field::magnetic, from, seen);
    kernel.terms = basis::reference_element(work_.problem().space).degree + 1;
    double weight = 1;
    for (int k = 0; k < kernel.terms; ++k) kernel.weight[k] = weight *= taylor_step_ / (k + 1);
    for (const Field which : both_fields) work_.scale(seen[which], 0);
    work_.run(kernel);
  }

  /// to = the rate of change of `of`, or its change in a Taylor step.
  void apply(Pair& of, Pair& to) {
    auto& system = work_.system();
    if (taylor_step_ > 0) integrate(of, basis_[subspace_ + 1]);
    Pair& from = taylor_step_ > 0 ? basis_[subspace_ + 1] : of;
    if (work_.problem().classes.count > 1) {
      system.exchange({&from.electric});
      system.exchange({&from.magnetic});
    } else {
      system.exchange({&from.electric, &from.magnetic});
    }
    kernels::UpwindStage<double> kernel;
    kernel.elements = system.view();
    kernel.electric = view(Field::electric, from, to);
    kernel.magnetic = view(Field::magnetic, from, to);
    kernel.kinds = faces_.kinds.data();
    kernel.coefficients = faces_.coefficients.data();
    kernel.adds = true;
    for (const Field which : both_fields) work_.scale(to[which], 0);
    work_.run(kernel);
  }

  /// Orthonormal basis of the Krylov space of basis_[0]; returns the operator on it.
  SmallMatrix build_subspace() {
    normalise(basis_[0]);
    SmallMatrix h(subspace_);
    for (std::size_t k = 0; k < subspace_; ++k) {
      Pair& next = basis_[k + 1];
      apply(basis_[k], next);
      for (std::size_t j = 0; j <= k; ++j) {
        h(j, k) = product(next, basis_[j]);
        combine(basis_[j], next, -h(j, k));
      }
      const double length = std::sqrt(std::max(0.0, product(next, next)));
      if (k + 1 == subspace_) break;
      h(k + 1, k) = length;
      if (!(length > 1e-12)) {  // an invariant subspace
        SmallMatrix whole(k + 1);
        for (std::size_t i = 0; i <= k; ++i)
          for (std::size_t j = 0; j <= k; ++j) whole(i, j) = h(i, j);
        return whole;
      }
      combine(next, next, 0, 1 / length);
    }
    return h;
  }

  void restart(const std::vector<double>& direction) {
    Pair& to = basis_[subspace_];
    combine(to, to, 0, 0);
    for (std::size_t k = 0; k < direction.size(); ++k) combine(basis_[k], to, direction[k]);
    std::swap(basis_[0], basis_[subspace_]);
  }

  StepProblem<Backend> work_;
  UpwindFacesOnDevice<Backend, double> faces_;
  PerField<Tables> tables_;
  std::vector<Pair> basis_;
  std::size_t subspace_ = 0;
  double taylor_step_ = 0;  ///< [m]; 0: `apply` gives rates
};

/// Rates that are not in the operator of the search, those of dispersive media, of losses in anisotropic media, of
/// layers and of conductors, are added to those of the operator, as both can be real in the same mode. c0 dt [m].
template <class Backend>
double find_upwind_step(Backend& backend, const Problem& problem, const comm::Communicator& ranks) {
  if (problem.classes.count > 1) return UpwindStep<Backend>(backend, problem, ranks).find_of_classes();
  const double of_operator = UpwindStep<Backend>(backend, problem, ranks).find();
  // in units of the method's limit on the real axis
  double fastest = (fastest_layer_rate(problem) + fastest_conductor_rate(problem)) / 4.65;
  for (const Medium& medium : problem.media) {
    fastest = std::max(fastest, 1 / runge_kutta_step_limit_m(medium));
    for (const bool is_electric : {true, false}) {
      const auto law = schemes::law_of(Scheme::dgtd_upwind, medium, is_electric);
      const double least = law.constant * *std::min_element(law.axes.begin(), law.axes.end());
      if (law.is_projected()) fastest = std::max(fastest, law.loss / least / 4.65);
    }
  }
  return round_step_down(1 / (1 / of_operator + fastest));
}

}  // namespace tetrawave::march
