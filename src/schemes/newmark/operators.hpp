// A step of mode fetd as products of sparse matrices with vectors of unknowns (theory/fetd).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fem/device/resident_step.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::modes {

/// Numbers of a medium without states, along x, y, z, of the step present u_mid = inertia u - ...
struct PlainLaw {
  Vec3 held{};  ///< inertia over present, of H
  Vec3 turn{};  ///< 1 over present, of H [m]
};

/// E of the unknowns and H of the plain elements, those whose laws have no states, at n dt:
///   side = M e + G z,   z = [h | moments of the other elements],
///   e+ = 2 e_mid - e,   h+ = keep h - C e_mid,
/// with M the mass of the plain elements over the step (and what beta adds), C the curl, h the coefficients of H along
/// x, y, z in the polynomials of curls (fem/edge/cartesian_element.hpp).
class FetdOperators {
 public:
  /// The space must outlive it.
  FetdOperators(const fem::EdgeSpace& space, int threads);

  /// Sets the matrices, and e and h to zero. `laws`: of kinds of elements; `kind`: per element, or -1 where the element
  /// is not plain. `mass`: of the plain elements; its pattern must outlive this. One of a device must, too, and
  /// `move_to` follows. Throws UserError (bad_case) for more than 2^31 columns.
  void make(std::span<const std::array<Vec3, 4>> corners, std::span<const PlainLaw> laws,
            std::span<const std::int32_t> kind, fem::CsrMatrix<double> mass);

  /// The matrices move to a device, with what the host sees there of a step: only places of `what` are given.
  void move_to(const fem::IterationDevice& device, fem::StepMatrices what);
  /// Vectors that a solver on the device takes; null on the host.
  [[nodiscard]] fem::ResidentStep* resident() { return resident_.get(); }
  /// Between the host's vectors and the device's, if there is one.
  void put_fields();
  void take_fields();

  [[nodiscard]] std::vector<double>& electric() { return electric_; }
  [[nodiscard]] bool is_plain(std::size_t element) const { return is_plain_[element]; }
  /// Coefficients of H of a plain element, [axis][mode]; of another, the moments that it adds to the right-hand side.
  [[nodiscard]] double* known(std::size_t element) { return known_.data() + place_[element]; }
  /// The place of its first number.
  [[nodiscard]] std::size_t place(std::size_t element) const { return place_[element]; }

  /// The right-hand side of these fields and moments, to which the host may add before it is finished.
  void begin_side(std::vector<double>& side);
  void finish_side(const std::vector<double>& side);
  /// mid += factor response
  void add_response(std::size_t which, double factor, const std::vector<double>& response, std::vector<double>& mid);
  /// The fields after a step with E_mid.
  void advance(const std::vector<double>& mid);
  /// e . M e, h . (2 mu/dt) h of the plain elements, the masses of this rank's: energies over eps0 dt/4, where beta
  /// adds nothing to M.
  [[nodiscard]] std::array<double, 2> energies();

  /// Memory of matrices and vectors.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  void make_curls(std::span<const std::array<Vec3, 4>> corners, std::span<const PlainLaw> laws,
                  std::span<const std::int32_t> kind);
  void make_moments(const std::vector<double>& curl_moments);

  const fem::EdgeSpace& space_;
  fem::ThreadTeam team_;
  fem::BlockedVectors unknowns_;
  std::vector<bool> is_plain_;
  std::vector<std::size_t> place_;  ///< per element, in known_
  std::size_t plain_numbers_ = 0;   ///< of known_
  std::vector<double> electric_, known_;
  std::vector<double> keep_;     ///< per number of h; empty: 1
  std::vector<double> squares_;  ///< per number of h: weight of its square in the energy
  fem::CsrMatrix<double> mass_;
  std::unique_ptr<fem::ResidentStep> resident_;
  std::vector<std::int32_t> side_places_, mid_places_;
  fem::CsrPattern curl_pattern_, moment_pattern_;  ///< [h][unknown], [unknown][z]
  UnsetVector<double> curl_, moment_;
  std::unique_ptr<fem::RowProduct<double>> mass_product_, curl_product_, moment_product_;
};

}  // namespace tetrawave::modes
