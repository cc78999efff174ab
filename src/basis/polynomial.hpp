// Polynomials in the reference coordinates xi_1, xi_2, xi_3 with exact coefficients, and their exact integrals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "basis/rational.hpp"

namespace tetrawave::basis {

/// sum of c * xi_1^a xi_2^b xi_3^c. The barycentric coordinates are L_0 = 1 - xi_1 - xi_2 - xi_3 and L_a = xi_a.
class Polynomial {
 public:
  using Powers = std::array<int, 3>;

  Polynomial() = default;
  Polynomial(const Rational& constant) { add({0, 0, 0}, constant); }  // NOLINT: constants are polynomials

  /// The barycentric coordinate of vertex i (0..3).
  static Polynomial barycentric(int vertex);
  /// The monomial with these powers.
  static Polynomial monomial(const Powers& powers);

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

  /// d/d xi_axis, axis 0..2.
  [[nodiscard]] Polynomial derivative(int axis) const;
  /// Mean over the tetrahedron: alpha! 3!/(|alpha|+3)! per monomial.
  [[nodiscard]] Rational mean() const;
  /// Mean over the face opposite vertex `face`.
  [[nodiscard]] Rational face_mean(int face) const;
  [[nodiscard]] double evaluate(const std::array<double, 3>& xi) const;
  [[nodiscard]] const std::map<Powers, Rational>& terms() const { return terms_; }

 private:
  void add(const Powers& powers, const Rational& coefficient);
  std::map<Powers, Rational> terms_;
};

/// Several polynomials with double-precision coefficients, for evaluation at many points: every monomial is evaluated
/// once for all of them.
class RoundedPolynomials {
 public:
  void add(const Polynomial& polynomial);
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// values[0 .. size() - 1] at a point.
  void evaluate(const std::array<double, 3>& xi, double* values) const;

 private:
  struct Term {
    double coefficient = 0;
    std::uint32_t monomial = 0;
  };
  std::vector<Polynomial::Powers> monomials_;
  int degree_ = 0;                 ///< the largest power of one coordinate
  std::vector<Term> terms_;        ///< of all polynomials, concatenated
  std::vector<std::size_t> ends_;  ///< of each polynomial's terms
};

}  // namespace tetrawave::basis
