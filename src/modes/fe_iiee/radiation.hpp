// What currents on a surface radiate to points of another (theory/fe-iiee).
#pragma once

#include <vector>

#include "host/isa.hpp"
#include "modes/frequency_domain/plane_waves.hpp"
#include "results/far_field/far_field.hpp"

namespace tetrawave::modes {

/// Psi = n x 1/mu curl E + j k0 Y n x (n x E) of the field that currents on S' radiate, at the points of S; tangential.
using BoundaryValues = std::vector<ComplexVector>;

struct BoundaryPoint {
  Vec3 place_m{};
  Vec3 normal{};
};

/// A lossless one.
struct RadiationMedium {
  double wave_number = 0;  ///< [1/m]
  double impedance = 1;    ///< relative to free space
  double mu_r = 1;
};

/// Fields of several sets of currents at the same points; distances and exponentials of a pair are shared by four sets.
/// Bitwise the same for any number of threads.
[[nodiscard]] std::vector<BoundaryValues> radiate(const std::vector<BoundaryPoint>& points,
                                                  const std::vector<std::vector<results::SurfaceCurrent>>& sets,
                                                  const RadiationMedium& medium, int threads,
                                                  host::Isa isa = host::best_isa());

}  // namespace tetrawave::modes
