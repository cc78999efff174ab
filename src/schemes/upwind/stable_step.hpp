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
  constexpr std::size_t large = 23;
  constexpr std::size_t small = 15;
  constexpr double most_bytes = 4e9;
  return 16.0 * static_cast<double>(elements_of_all_ranks * dofs) * static_cast<double>(large) < most_bytes ? large
                                                                                                            : small;
}

/// Arnoldi's method on the pair (e, h) in the energy inner product, restarted with the space of the largest
/// eigenvalues, then with that of the modes that grow first; all Ritz values are in the left half plane, like the
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

  /// With LTS, the operator of each level separately: of the coarsest level (theory/lts). Where that is below `useful`,
  /// any step below it.
  double find_of_classes(double useful) {
    const StepClasses& classes = work_.problem().classes;
    const double axis = taylor_axis(work_.problem().space);
    double smallest = std::numeric_limits<double>::infinity();
    double of_level = useful / static_cast<double>(classes.substeps(0));
    double power = 1;
    for (int c = 0; c < classes.count && smallest > 0; ++c, power *= 3, of_level *= 3) {
      work_.restrict_to(c);
      for (Pair& pair : basis_)
        for (const Field which : both_fields) pair[which].clear();
      const double of_radius = axis / (find_extremes(class_tolerance).radius * (1 + 4 * class_tolerance));
      const double step = hold_taylor_steps(of_radius, of_level);
      smallest = std::min(smallest, 1 / (1 / step + largest_loss(c) / axis) / power);
    }
    return smallest > 0 ? static_cast<double>(classes.substeps(0)) * round_step_down(smallest) : 0;
  }

  /// Applications of the operator up to now.
  [[nodiscard]] int applications() const { return applications_; }

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
  static constexpr std::size_t kept_modes = 6;
  static constexpr double tolerance = 1e-6;
  /// The limit on the real axis is not reached, and steps are examined.
  static constexpr double class_tolerance = 1e-4;
  static constexpr double real_axis = 4.6568;

  /// Limit of the Taylor integration over the spectral radius on meshes without slivers: observed were 1.99 with degree
  /// 1 (mixed), 1.95 (full), 1.88 with degree 2 and 1.82 with degree 3; the largest modes are those of the flux, on the
  /// negative real axis.
  static double taylor_axis(Space space) { return 2 - 0.1 * basis::reference_element(space).degree; }

  Extremes find_extremes(double enough) {
    begin_search();
    Extremes found;
    for (int cycle = 0; cycle < most_cycles; ++cycle) {
      Spectrum modes = expand();
      found.limit = std::min(found.limit, modes.runge_kutta_limit());
      const double before = std::exchange(found.radius, std::max(found.radius, modes.radius()));
      modes.order_by_size();
      if (settles(modes, cycle, found.radius, found.radius - before, enough)) break;
      restart(modes);
    }
    return found;
  }

  /// The limit to which Ritz values of subspaces converge when restarted with the directions that grow most in steps
  /// just above the current limit: if that is not a real mode, the first search misses it and only its first subspace
  /// contains it.
  double limit_of_growth() {
    constexpr double above = 1.001;
    begin_search();
    double limit = 0;
    for (int cycle = 0; cycle < most_cycles; ++cycle) {
      Spectrum modes = expand();
      const double before = std::exchange(limit, modes.runge_kutta_limit());
      if (std::isinf(limit)) break;
      modes.order_by_growth(above * limit);
      if (settles(modes, cycle, 1 / limit, std::abs(limit - before) / limit / limit, tolerance)) break;
      restart(modes);
    }
    return limit;
  }

  /// The largest of such a step and fractions of it at which no mode of the level alone grows in a step of the Taylor
  /// integration, 0 if that is below `useful`. With flat elements the spectral radius alone is not sufficient: V and F
  /// do not commute. Around edges of metal, where the flux does not damp, modes grow at any step.
  double hold_taylor_steps(double step, double useful) {
    constexpr double part = 0.95;
    constexpr int most_parts = 39;
    const auto grows = [&](int parts) { return finds_growth(step * std::pow(part, parts)); };
    if (step < useful) return 0;
    if (!grows(0)) return step;
    int high = most_parts;
    while (high > 0 && step * std::pow(part, high) < useful) --high;
    if (high == 0 || grows(high)) return 0;
    int low = 0;
    while (high - low > 1) {  // mostly few parts are enough
      const int next = std::min(2 * low + 1, (low + high) / 2);
      (grows(next) ? low : high) = next;
    }
    return step * std::pow(part, high);
  }

  /// Whether an eigenvalue 1 + q of such a step is outside the unit circle, by Arnoldi's method restarted with the
  /// directions of the largest |q + shift|: slow modes, q near 0, are at 0.8 there, those that start to grow at up to
  /// 1.2.
  bool finds_growth(double step) {
    constexpr double shift = 0.8;
    constexpr double circle = 1 + 1e-4;
    begin_search();
    taylor_step_ = step;
    double shifted = 0;
    bool grows = false;
    for (int cycle = 0; cycle < most_cycles; ++cycle) {
      Spectrum modes = expand();
      modes.order_by_size(1);
      const double growth = modes.radius(1) - circle;
      grows = growth > 0 && (cycle > 1 || rest_ * modes.last_of_first() < growth / 4);
      modes.order_by_size(shift);
      const double before = std::exchange(shifted, std::max(shifted, modes.radius(shift)));
      if (grows || settles(modes, cycle, shifted, shifted - before, class_tolerance)) break;
      restart(modes);
    }
    taylor_step_ = 0;
    return grows;
  }

  /// Whether the first mode of a subspace is one of the operator: its value, of such a size, has not changed by more
  /// than `enough` of it, and it satisfies its equation up to a hundredth.
  [[nodiscard]] bool settles(const Spectrum& modes, int cycle, double size, double change, double enough) const {
    if (rest_ == 0) return true;  // the subspace is invariant
    return cycle > 1 && change < enough * size && rest_ * modes.last_of_first() < 0.01 * size;
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
    ++applications_;
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

  /// From a start vector of all modes.
  void begin_search() {
    subspace_ = arnoldi_size(work_.problem().mesh->global_element_count, work_.system().dofs());
    while (basis_.size() < subspace_ + 2) basis_.push_back(make_pair());
    work_.upload_start(basis_[0].electric, 0);
    work_.upload_start(basis_[0].magnetic, 1);
    normalise(basis_[0]);
    kept_ = 0;
    on_basis_ = SmallMatrix(subspace_);
  }

  /// The operator on the Krylov space that continues the kept vectors, in its orthonormal basis.
  Spectrum expand() {
    for (std::size_t k = kept_; k < subspace_; ++k) {
      Pair& next = basis_[k + 1];
      apply(basis_[k], next);
      for (std::size_t j = 0; j <= k; ++j) {
        on_basis_(j, k) = product(next, basis_[j]);
        combine(basis_[j], next, -on_basis_(j, k));
      }
      rest_ = std::sqrt(std::max(0.0, product(next, next)));
      if (!(rest_ > 1e-12)) {  // an invariant subspace
        rest_ = 0;
        return Spectrum(on_basis_.leading(k + 1));
      }
      combine(next, next, 0, 1 / rest_);
      if (k + 1 < subspace_) on_basis_(k + 1, k) = rest_;
    }
    return Spectrum(on_basis_);
  }

  /// Keeps the space of the first modes (the Krylov-Schur method: G. W. Stewart, SIAM J. Matrix Anal. Appl. 23, 601,
  /// 2001).
  void restart(const Spectrum& modes) {
    const LeadingSpace space = modes.leading_space(kept_modes);
    Pair& sum = basis_[subspace_ + 1];
    for (std::size_t i = 0; i < space.factors.size(); ++i) {
      const std::vector<double>& reflector = space.reflectors[i];
      combine(basis_[i], sum, 1, 0);
      for (std::size_t j = i + 1; j < reflector.size(); ++j) combine(basis_[j], sum, reflector[j]);
      for (std::size_t j = i; j < reflector.size(); ++j) combine(sum, basis_[j], -space.factors[i] * reflector[j]);
    }
    kept_ = space.matrix.size;
    std::swap(basis_[kept_], basis_[subspace_]);
    on_basis_ = SmallMatrix(subspace_);
    for (std::size_t i = 0; i < kept_; ++i) {
      for (std::size_t j = 0; j < kept_; ++j) on_basis_(i, j) = space.matrix(i, j);
      on_basis_(kept_, i) = rest_ * space.last[i];
    }
  }

  StepProblem<Backend> work_;
  UpwindFacesOnDevice<Backend, double> faces_;
  PerField<Tables> tables_;
  std::vector<Pair> basis_;
  std::size_t subspace_ = 0;
  std::size_t kept_ = 0;     ///< first vectors of the basis that a restart has left
  SmallMatrix on_basis_{0};  ///< the operator on the subspace
  double rest_ = 0;          ///< norm of what leaves the subspace
  int applications_ = 0;
  double taylor_step_ = 0;  ///< [m]; 0: `apply` gives rates
};

/// Rates that are not in the operator of the search, those of dispersive media, of losses in anisotropic media, of
/// layers and of conductors, are added to those of the operator, as both can be real in the same mode. c0 dt [m].
template <class Backend>
double find_upwind_step(Backend& backend, const Problem& problem, const comm::Communicator& ranks) {
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
