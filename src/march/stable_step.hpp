// The largest stable step of the leap-frog, from the largest eigenvalue of its operator.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "march/element_system.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

/// Largest eigenvalue of the symmetric tridiagonal matrix (alpha; beta), by bisection on Sturm sequences.
double largest_eigenvalue(const std::vector<double>& alpha, const std::vector<double>& beta);

/// A number in [-1, 1] from the id of an element and a dof: the start vector, the same on any number of ranks.
double start_value(GlobalIndex element, int dof);

/// dt_max = 2/sigma_max of the lossless operator M_e^-1/2 K M_h^-1/2 (THEORY.md 11), by Lanczos on M_h^-1 K^T M_e^-1 K
/// in the M_h inner product. Sums do not depend on their order, so the result does not on ranks or threads; it is
/// rounded down to six digits, so that backends agree. Always in double precision.
template <class Backend>
class StableStep {
 public:
  StableStep(Backend& backend, const Problem& problem, const comm::Communicator& ranks)
      : problem_(problem), system_(backend, problem, ranks) {}

  double find() {
    auto& backend = system_.backend();
    auto work = system_.make_field();
    auto previous = system_.make_field();
    auto current = system_.make_field();
    auto next = system_.make_field();
    const Table electric(backend, schemes::electric_inverse(problem_.media));
    const Table magnetic(backend, schemes::magnetic_inverse(problem_.media));
    const auto weights = schemes::magnetic_weights(problem_.media);
    Buffer weight(backend, weights.size());
    weight.upload(weights);
    upload_start(current);
    scale(current, 1 / std::sqrt(system_.product(current, current, weight)));

    std::vector<double> alpha;
    std::vector<double> beta;
    double estimate = 0;
    int settled = 0;
    for (int k = 0; k < most_iterations && settled < settled_enough; ++k) {
      system_.exchange(current);
      apply(current, work, electric, kernels::mirror_code_of_magnetic);
      system_.exchange(work);
      apply(work, next, magnetic, kernels::mirror_code_of_electric);
      alpha.push_back(system_.product(next, current, weight));
      combine(current, next, -alpha.back());
      if (k > 0) combine(previous, next, -beta.back());
      const double length = std::sqrt(std::max(0.0, system_.product(next, next, weight)));
      const double larger = largest_eigenvalue(alpha, beta);
      settled = larger - estimate < tolerance * larger ? settled + 1 : 0;
      estimate = larger;
      if (!(length > 1e-12 * larger)) break;  // an invariant subspace: the estimate is exact
      beta.push_back(length);
      scale(next, 1 / length);
      std::swap(previous, current);
      std::swap(current, next);
    }
    return round_down(2 / std::sqrt(estimate * (1 + 4 * tolerance)));
  }

 private:
  using Buffer = typename ElementSystem<Backend, double>::FieldBuffer;
  static constexpr int most_iterations = 600;
  static constexpr double tolerance = 1e-6;
  /// The estimate can rest for some twenty iterations at the second largest eigenvalue before it finds the largest.
  static constexpr int settled_enough = 30;

  struct Table {
    Buffer decay;
    Buffer gain;
    Table(Backend& backend, const schemes::UpdateCoefficients& c)
        : decay(backend, c.decay.size()), gain(backend, c.gain.size()) {
      decay.upload(c.decay);
      gain.upload(c.gain);
    }
  };

  static double round_down(double dt) {
    const double unit = std::pow(10.0, std::floor(std::log10(dt)) - 5);
    return std::floor(dt / unit) * unit;
  }

  void upload_start(Buffer& field) {
    const auto& layout = system_.layout();
    std::vector<double> values(system_.field_size(), 0.0);
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      for (int i = 0; i < system_.dofs(); ++i)
        values[layout.at(layout.slot(e), system_.dofs(), i)] =
            start_value(problem_.mesh->global_id[static_cast<std::size_t>(e)], i);
    field.upload(values);
  }

  void apply(const Buffer& source, Buffer& target, const Table& table, std::uint32_t mirror_code) {
    const auto& layout = system_.layout();
    system_.backend().for_blocks(problem_.space,
                                 kernels::CentralUpdate<double>{system_.view(), source.data(), target.data(),
                                                                table.decay.data(), table.gain.data(), mirror_code},
                                 0, layout.border.count + layout.inner.count);
  }

  void combine(const Buffer& x, Buffer& y, double a, double b = 1) {
    const auto& layout = system_.layout();
    system_.backend().for_blocks(problem_.space, kernels::Combine<double>{x.data(), y.data(), a, b}, 0,
                                 layout.border.count + layout.inner.count);
  }
  void scale(Buffer& y, double b) { combine(y, y, 0, b); }

  const Problem& problem_;
  ElementSystem<Backend, double> system_;
};

}  // namespace tetrawave::march
