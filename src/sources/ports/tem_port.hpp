// A TEM port: a cross-section of any shape between conductors, quasi-TEM if it contains several media.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sources/ports/port_description.hpp"
#include "sources/ports/port_medium.hpp"
#include "sources/ports/tem_mode.hpp"

namespace tetrawave {

/// An edge of a port's face on a conductor.
struct ConductorEdge {
  PortEdge edge{};
  std::int32_t conductor = 0;  ///< number of the conductor, e.g. a boundary tag
  [[nodiscard]] auto operator<=>(const ConductorEdge& other) const = default;
};

/// The mode of a port: E_t = v e, n x H = i e0 / oint e0.e0 (theory/ports).
struct TemPort {
  TemMode mode;                 ///< e, with the impedance
  double eps_effective = 1;     ///< C/C0
  double refractive_index = 1;  ///< sqrt(mu eps_effective)
  /// With several media, or weights: e0, of the face without media, times the weights, and the relative wave admittance
  /// at which each triangle terminates the line. Both empty with one medium.
  TemMode vacuum{};
  std::vector<double> admittance{};
  [[nodiscard]] bool is_mixed() const { return !admittance.empty(); }
};

/// The mode of the port from all triangles of its face, sorted by their vertices (the same list on every rank), the
/// outward unit normal, the metal edges of the face, the number of the signal's conductor, the medium at each triangle
/// (or one for all) and the degree of the potential. `names` are the names of conductors by number. `weights`, of each
/// triangle, multiply eps and 1/mu there (theory/metal-edges); empty: none. The impedance is that of the discrete
/// potentials, eta0 sqrt(mu) / sqrt(oint eps |grad phi|^2 oint |grad phi0|^2). Throws UserError (bad_case) if the face
/// is not flat or not in one piece, if the signal does not touch it, touches other metal on it, or is the only metal
/// there.
[[nodiscard]] TemPort make_tem_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                                    const Vec3& normal, const std::vector<ConductorEdge>& metal, std::int32_t signal,
                                    const std::vector<std::string>& names, const std::vector<Medium>& media, int degree,
                                    const std::vector<double>& weights = {});

}  // namespace tetrawave
