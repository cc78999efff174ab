// Fixed points of affine maps, x = T x + b, for several b at once (theory/fe-iiee).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "case/spec/frequency_spec.hpp"
#include "modes/fe_iiee/resident_vectors.hpp"

namespace tetrawave::modes {

/// Finds x = T x + b for each of several b without knowing T: whoever runs the iteration applies T to what it asks for.
/// Vectors are on the host, or on a device.
///
///     while (const auto& wanted = iteration.next(tolerance); !wanted.empty()) iteration.take(T of each of wanted);
template <class V>
class OuterIterationOf {
 public:
  using Vector = V;

  virtual ~OuterIterationOf() = default;
  /// The vectors to which T is to be applied, for those x that are not within the tolerance; none when all are, or when
  /// gmres finds nothing more. Valid until `take`.
  [[nodiscard]] virtual const std::vector<Vector>& next(double tolerance) = 0;
  /// The index of b for each of these vectors.
  [[nodiscard]] const std::vector<std::size_t>& owners() const { return owners_; }
  /// `images`: T applied to each of these vectors, in their order.
  virtual void take(std::vector<Vector> images) = 0;
  /// `images`: T applied to all x, more accurate than in `take`: the iteration restarts from there for all x. With
  /// `keeps`, gmres keeps its directions; its error then is that of their images times the remaining residual.
  virtual void correct(std::vector<Vector> images, bool keeps) = 0;
  /// The present x for each b.
  [[nodiscard]] virtual const std::vector<Vector>& values() const = 0;
  /// ||T x + b - x|| / ||x|| of the x before it (plain) or of the x that it has (gmres), the largest of all b; 1 at the
  /// start, where x = b; 0 where b = 0; NaN where numbers have left the range of doubles.
  [[nodiscard]] double change() const {
    const auto is_less = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
    return *std::max_element(changes_.begin(), changes_.end(), is_less);
  }

 protected:
  std::vector<double> changes_;  ///< of each x
  std::vector<Vector> wanted_;
  std::vector<std::size_t> owners_;
};

using OuterIteration = OuterIterationOf<std::vector<std::complex<double>>>;

/// x <- T x + b, which converges where all eigenvalues of T are less than 1; or GMRES for (I - T) x = b. GMRES has one
/// space for all b, in the form of generalised conjugate residuals (S. C. Eisenstat, H. C. Elman, M. H. Schultz, SIAM
/// J. Numer. Anal. 20 (1983) 345): new directions are the residuals, directions v and (I - T) v are kept, the latter
/// orthonormal in the inner product sum w conj(a) b, and every x has the least residual over all of them. Weights w:
/// one for each run of `run` numbers of a vector. The same bits for any number of threads.
[[nodiscard]] std::unique_ptr<OuterIteration> make_outer_iteration(OuterMethod method,
                                                                   std::vector<OuterIteration::Vector> b,
                                                                   std::vector<double> weights, std::size_t run,
                                                                   int threads);
/// With the weights of the device.
[[nodiscard]] std::unique_ptr<OuterIterationOf<fem::ResidentVector>> make_outer_iteration(
    OuterMethod method, std::vector<fem::ResidentVector> b, const ResidentVectors& space);

}  // namespace tetrawave::modes
