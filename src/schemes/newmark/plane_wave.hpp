// Plane waves in mode fetd: contributions at the border of a total-field region (theory/fetd).
#pragma once

#include <vector>

#include "march/interface/engine.hpp"
#include "schemes/newmark/system.hpp"
#include "terms/sources/plane_wave_border.hpp"

namespace tetrawave::modes {

/// Unknowns on the border S are those of the total field. Elements outside have the scattered field: the unknowns minus
/// w, the projection of the wave on the tangential functions on S, which follows from the moments oint_S N . E of the
/// wave by their mass.
class FetdPlaneWave {
 public:
  /// The problem and the border must outlive it. Collective.
  FetdPlaneWave(const march::Problem& problem, const march::PlaneWaveBorder& border, int threads,
                const comm::Communicator& ranks);

  /// Start with time steps c0 dt and this wave by step.
  void begin(double dt_m, march::Wave wave);
  /// The middle of the step from n. Collective.
  void set_step(std::int64_t n);
  /// Whether an element is outside S and has functions with a trace on it.
  [[nodiscard]] bool touches(std::size_t element) const { return touches_[element]; }
  [[nodiscard]] const std::vector<std::size_t>& touching() const { return touching_; }
  /// w of an element in the middle of the step, n.
  void gather(std::size_t element, double* dofs) const { traces_.gather(element, wave_, dofs); }
  /// side += oint_S N . (n x eta0 H) of the wave, n out of the total field.
  void add_flux(const fem::EdgeSpace& space, std::vector<double>& side) const;

 private:
  struct Point {
    std::int32_t face = 0;         ///< of the border
    double delay = 0;              ///< in steps, after the start
    double delay_m = 0;            ///< c0 times it
    double now = 0, next = 0;      ///< the wave at both ends of the step
    std::vector<double> electric;  ///< weight N_i . E of the functions on the face
    std::vector<double> flux;      ///< weight N_i . (n x H)
  };

  const march::Problem& problem_;
  const march::PlaneWaveBorder& border_;
  FetdSystem traces_;
  std::vector<bool> touches_;
  std::vector<std::size_t> touching_;
  std::vector<Point> points_;
  march::Wave sent_;
  std::int64_t next_step_ = -1;  ///< of `next`
  std::vector<double> side_, wave_;
};

}  // namespace tetrawave::modes
