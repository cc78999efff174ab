// Inner products and updates of blocks of complex vectors with a weighted inner product, for the outer iteration of
// mode fe-iiee.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "fem/sparse/thread_team.hpp"

namespace tetrawave::modes {

/// A rank-1 array per vector. The inner product is sum w conj(a) b, with one weight for each run of `run` numbers.
/// All sums are made in pieces that do not depend on the number of threads: the same bits for any.
class BoundaryVectors {
 public:
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex>;
  using List = std::vector<const Vector*>;
  using Parts = std::vector<std::vector<Complex>>;  ///< [i][k]
  using Table = Parts;                              ///< the same where vectors are elsewhere

  BoundaryVectors(std::vector<double> weights, std::size_t run, int threads);

  /// Vectors factors[k] x_k.
  [[nodiscard]] std::vector<Vector> scaled(const std::vector<double>& factors, const List& x) const;
  /// Inner products [i][k] of a_i and b_k, i from `from` on.
  [[nodiscard]] Parts products(const std::vector<Vector>& a, const std::vector<Vector>& b, std::size_t from = 0) const;
  /// The norm of each vector.
  [[nodiscard]] std::vector<double> norms(const List& a) const;
  /// y_k += factor sum_i parts[i][k] x_i, i from `from` on.
  void add(double factor, const Parts& parts, const std::vector<Vector>& x, std::vector<Vector>& y,
           std::size_t from = 0) const;
  /// y_k <- alpha x_k + beta y_k
  void combine(double alpha, const List& x, double beta, std::vector<Vector>& y) const;
  /// Inner products [i][k] of the vectors of `a` and then of `b` with those of `b`.
  [[nodiscard]] Table table(const std::vector<Vector>& a, const std::vector<Vector>& b) const;
  /// Vectors sum_i parts[i][k] x_i, over those of `a` and then of `b`.
  [[nodiscard]] std::vector<Vector> sums(const Table& parts, const std::vector<Vector>& a,
                                         const std::vector<Vector>& b) const;

 private:
  /// Calls work(first weight, end) for runs of weights that fit into a core's cache.
  void for_pieces(const std::function<void(std::size_t, std::size_t, std::size_t)>& work) const;
  [[nodiscard]] std::size_t count_pieces() const;

  std::vector<double> weights_;
  std::size_t run_;
  std::unique_ptr<fem::ThreadTeam> team_;
};

}  // namespace tetrawave::modes
