// The equation of one field on one element of a leap-frog scheme, dense and by quadrature, for the stored layout:
//   A0 u+ = ...,  A0 = a M + c S0 + F,  F = sum_f b_f F_f over its walls with losses,
// without the rows and columns of dofs that walls hold at zero (factors of terms/walls/walls.hpp; theory/walls,
// theory/stored-layout, theory/dfdd).
//
// Everything is integrated by quadrature; the tables of the factored layout are not used.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "basis/dense_matrix.hpp"
#include "basis/quadrature_element.hpp"
#include "march/interface/problem.hpp"
#include "terms/walls/walls.hpp"

namespace tetrawave::march {

/// W^T W.
basis::DenseMatrix gram(const basis::DenseMatrix& root);
/// `axes` of eps (electric) or mu of an element's medium.
const Vec3& axes_of(const Problem& problem, LocalIndex element, Field field);
basis::QuadratureElement quadrature_of(const Problem& problem, LocalIndex element);

/// a, c, and the loss of u in a step apart from walls and terms: s/a, or s if a is anisotropic and s is not.
struct EquationFactors {
  double mass = 0;
  double stiffness = 0;
  double lost = 0;
  double lost_across = 0;
};
EquationFactors equation_factors(const Problem& problem, LocalIndex element, Field field, double dt_m);

class StoredEquation {
 public:
  /// Over a step dt_m = c0 dt [m].
  StoredEquation(const Problem& problem, LocalIndex element, const basis::QuadratureElement& shape, Field field,
                 double dt_m);

  [[nodiscard]] const EquationFactors& factors() const { return factors_; }
  [[nodiscard]] const schemes::WallFactors& wall(std::size_t face) const { return walls_[face]; }
  /// x <- A0^-1 x, zero in fixed dofs.
  void solve(basis::DenseMatrix& x) const;
  /// S0, n x n; zero if c is.
  [[nodiscard]] basis::DenseMatrix curl_curl() const;
  /// A0^-1 F, n x n.
  [[nodiscard]] basis::DenseMatrix solved_walls() const;
  /// Factor of u in u+, A0^-1 ((a - s) M + c S0 - F) with s = sigma (0 with dispersion, which includes it; in DFDD-ELD
  /// it is always a term); as (1 - s/a) I - (2 - s/a) A0^-1 F, which is exact without walls. If a is anisotropic s M is
  /// not proportional to a M, and this is I - A0^-1 (2 F + s M).
  [[nodiscard]] basis::DenseMatrix first_block() const;
  /// first_block() | A0^-1 coupled.
  [[nodiscard]] basis::DenseMatrix with_first_block(basis::DenseMatrix coupled) const;

 private:
  [[nodiscard]] basis::DenseMatrix make_walls_root(const Problem& problem, const basis::QuadratureElement& shape) const;
  void find_free_dofs(const Problem& problem);
  [[nodiscard]] basis::DenseMatrix join_roots(const basis::DenseMatrix& mass_root) const;

  std::size_t dofs_;
  EquationFactors factors_;
  std::array<schemes::WallFactors, 4> walls_{};
  basis::DenseMatrix curl_root_;               ///< W of S0 = W^T W
  basis::DenseMatrix walls_root_;              ///< W of F
  basis::DenseMatrix loss_root_;               ///< W of s M if a is anisotropic
  std::vector<std::size_t> free_;              ///< dofs not held by walls
  std::optional<basis::GramInverse> inverse_;  ///< of A0 on these
};

/// Whether an element has lossy walls of this field and dispersion, which changes u before the update: then A0^-1 F (u
/// - u_old) is added to u+ too, u_old being u before that change.
bool keeps_field(const Problem& problem, LocalIndex element, Field field);

/// A0^-1 g of one driven face: contribution of its wave to u+, per unit of w.
std::vector<double> stored_wave(const Problem& problem, const DrivenFace& face, Field field, double dt_m);
/// A0^-1 F of an element.
basis::DenseMatrix stored_walls(const Problem& problem, LocalIndex element, Field field, double dt_m);

}  // namespace tetrawave::march
