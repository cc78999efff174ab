// Constitutive laws of mode fetd: D and B of an element over a step, by the trapezoidal rule (theory/fetd).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "march/interface/problem.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/pml/coefficients.hpp"

namespace tetrawave::modes {

/// (D+ - D)/dt + sigma u = present u_mid - known along x, y, z, u_mid = (u + u+)/2, with separate states for the
/// dispersive terms of a medium or the stretch of an absorbing layer. Fields are [axis][mode] coefficients
/// (fem/edge/cartesian_element.hpp), states [state][axis][mode].
class FetdLaw {
 public:
  /// Constitutive law of an element; dt_m = c0 dt.
  FetdLaw(const march::Problem& problem, LocalIndex element, march::Field field, double dt_m);

  [[nodiscard]] const Vec3& present() const { return present_; }  ///< [1/m]
  [[nodiscard]] const Vec3& inertia() const { return inertia_; }  ///< `known` of a law without states, over u [1/m]
  /// States per component of the field.
  [[nodiscard]] std::size_t states() const { return 2 * terms_.size() + (layer_ ? 2 : 0); }
  void known(std::size_t modes, const double* u, const double* states, double* out) const;
  /// The states after the step.
  void advance(std::size_t modes, const double* u_mid, double* states) const;

  /// Twice the energy stored by dispersive terms is the sum of these quadratic forms, alpha x1^2 + beta (x2 - gamma
  /// x1)^2 (media/passivity.hpp), of their states 2 t and 2 t + 1.
  [[nodiscard]] const std::vector<std::array<double, 3>>& stored() const { return stored_; }

 private:
  /// Along one axis: the two poles of the stretch over half a step, and their output.
  struct LayerAxis {
    std::array<double, 2> keep{};      ///< 1/(1 + pole dt/2)
    std::array<double, 2> residues{};  ///< times the constant
  };

  double half_m_;  ///< c0 dt/2
  Vec3 present_{};
  Vec3 inertia_{};  ///< 2 constant/dt
  std::vector<schemes::TermConstants> terms_;
  std::vector<std::array<double, 3>> stored_;
  std::optional<std::array<LayerAxis, 3>> layer_;
};

}  // namespace tetrawave::modes
