// The search for the largest stable step of a leap-frog scheme, from the norm of the operator that couples E and H.
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

#include "base/scheme.hpp"
#include "march/interface/round_step.hpp"
#include "schemes/leap_frog/leap_frog.hpp"
#include "schemes/leap_frog/step_problem.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

/// Largest eigenvalue of the symmetric tridiagonal matrix (alpha; beta), by bisection on Sturm sequences.
double largest_eigenvalue(const std::vector<double>& alpha, const std::vector<double>& beta);

/// Factor that keeps the steps of LTS levels below the limits of their elements alone: above 0.9, in DFDD-ELD at 0.75,
/// elements on different levels were observed to resonate (theory/lts).
constexpr double share_of_class_limit(Scheme scheme) { return has_rates(scheme) ? 0.7 : 0.85; }

/// The largest stable step of a run from a function that finds a limit: of all elements or, if `work` is restricted, of
/// those on a level. With LTS the smallest step is rounded, and that of the time loop is a multiple of it.
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

/// dt_max = 2/sigma_max of M_e^-1/2 K M_h^-1/2 (theory/stable-step), by Lanczos on M_h^-1 K^T M_e^-1 K in the M_h inner
/// product, as two coupled recurrences (Golub and Kahan 1965), which need only the two fields:
///   a_k u_k = A v_k - b_{k-1} u_{k-1},   b_k v_{k+1} = A* u_k - a_k v_k,   A = M_e^-1 K, A* = M_h^-1 K^T,
/// |u|_e = |v|_h = 1. The fields hold u and v times their lengths. Sums do not depend on their order, so the result
/// does not on ranks or threads.
template <class Backend>
class LanczosStep {
 public:
  using Buffer = typename StepProblem<Backend>::Buffer;
  /// target <- keep target + amount A source (or A*).
  using Apply = std::function<void(Buffer& source, Buffer& target, double keep, double amount)>;

  /// The values of both fields are overwritten.
  LanczosStep(StepProblem<Backend>& work, Buffer& electric, Buffer& magnetic)
      : work_(work),
        electric_(electric),
        magnetic_(magnetic),
        electric_weight_(work.table(schemes::energy_weights(work.problem().media, true))),
        magnetic_weight_(work.table(schemes::energy_weights(work.problem().media, false))) {}

  /// `to_electric`: A, `to_magnetic`: A*; `prepare` projects the start vector on their space. Infinite if there are no
  /// elements or K is zero.
  double find(const Apply& to_electric, const Apply& to_magnetic, const std::function<void(Buffer&)>& prepare) {
    work_.upload_start(magnetic_, 0);
    electric_.clear();
    prepare(magnetic_);
    double of_magnetic = length(Field::magnetic, magnetic_, magnetic_weight_);
    if (of_magnetic == 0) return std::numeric_limits<double>::infinity();
    std::vector<double> diagonal, beside;  // of the tridiagonal matrix
    double of_electric = 1, across = 0;    // lengths; b_{k-1}
    double estimate = 0;
    int settled = 0;
    for (int k = 0; k < most_iterations && settled < settled_enough; ++k) {
      to_electric(magnetic_, electric_, -across / of_electric, 1 / of_magnetic);
      of_electric = length(Field::electric, electric_, electric_weight_);
      diagonal.push_back(of_electric * of_electric + across * across);
      const double larger = largest_eigenvalue(diagonal, beside);
      settled = larger - estimate < tolerance * larger ? settled + 1 : 0;
      estimate = larger;
      if (!(of_electric > 0)) break;
      to_magnetic(electric_, magnetic_, -of_electric / of_magnetic, 1 / of_electric);
      across = of_magnetic = length(Field::magnetic, magnetic_, magnetic_weight_);
      if (!(of_electric * across > 1e-12 * larger)) break;  // an invariant subspace: the estimate is exact
      beside.push_back(of_electric * across);
    }
    return 2 / std::sqrt(estimate * (1 + 4 * tolerance));
  }

 private:
  double length(Field which, const Buffer& field, const Buffer& weight) {
    return std::sqrt(std::max(0.0, work_.product(which, field, field, weight)));
  }

  static constexpr int most_iterations = 600;
  static constexpr double tolerance = 1e-6;
  /// The estimate can stagnate for some twenty iterations at the second largest eigenvalue before it reaches the
  /// largest.
  static constexpr int settled_enough = 30;
  StepProblem<Backend>& work_;
  Buffer& electric_;
  Buffer& magnetic_;
  Buffer electric_weight_;
  Buffer magnetic_weight_;
};

/// Tables of M^-1 of a field times a factor, per material class; padding is unchanged.
template <class Backend>
class ScaledTables {
 public:
  using Buffer = typename StepProblem<Backend>::Buffer;
  ScaledTables(StepProblem<Backend>& work, Field field)
      : gain_(schemes::inverse_masses(work.problem().media, field == Field::electric).gain),
        on_device_{work.table(gain_), work.table(gain_)} {}
  void set(double keep, double amount) {
    std::vector<double> decay(gain_.size(), keep), gain = gain_;
    for (double& g : gain) g *= amount;
    decay.back() = 1;
    on_device_[0].upload(decay);
    on_device_[1].upload(gain);
  }
  [[nodiscard]] const double* decay() const { return on_device_[0].data(); }
  [[nodiscard]] const double* gain() const { return on_device_[1].data(); }

 private:
  std::vector<double> gain_;
  std::array<Buffer, 2> on_device_;
};

}  // namespace tetrawave::march
