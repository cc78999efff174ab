// Fourier sums of the current on a far-field surface in mode fetd: the flux of the weak form (theory/fetd).
#pragma once

#include <complex>
#include <vector>

#include "march/interface/state.hpp"
#include "results/far_field/radiation_surface.hpp"
#include "schemes/newmark/system.hpp"

namespace tetrawave::modes {

/// J = n x H, n out of the enclosed elements V, as a field of the tangential functions on the surface S:
///   oint_S N_i . J = int_V N_i . (D+ - D)/dt - curl N_i . H_mid + walls in V - what drives in V
/// in the middle of a step; for the field outside S, from the elements outside, with the opposite sign. Sums of the
/// right-hand side are stored element by element; the mass of the traces gives J.
class FetdSurface {
 public:
  /// The problem and the surface must outlive it. `metal`: faces of this rank. Collective.
  FetdSurface(const march::Problem& problem, const results::RadiationSurface& surface,
              const std::vector<fem::ElementFace>& metal, int threads, const comm::Communicator& ranks);

  /// Start with time steps c0 dt; sums are set to zero.
  void begin(double dt_m);
  /// Index of an element on the side that touches S among these, or -1.
  [[nodiscard]] std::int32_t place(std::size_t element) const { return place_[element]; }
  [[nodiscard]] std::size_t count() const { return touching_.size(); }
  /// Adds moments [count][n] of the middle of the step from n.
  void add(std::int64_t step, const std::vector<double>& moments);
  /// Replaces H by J in the sums of the spectral faces, [face][frequency][E re, E im, H re, H im][face_dofs].
  /// Collective.
  void put_currents(std::vector<double>& sums);
  void register_state(march::StateRegistry& registry);

 private:
  using Complex = std::complex<double>;

  const march::Problem& problem_;
  const results::RadiationSurface& surface_;
  comm::Communicator ranks_;
  FetdSystem traces_;
  std::size_t functions_;
  std::vector<std::int32_t> place_;
  std::vector<std::size_t> touching_;  ///< by ascending global id
  double dt_m_ = 0;
  std::vector<Complex> sums_;  ///< [touching][frequency][n]
};

}  // namespace tetrawave::modes
