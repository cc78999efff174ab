// A TEM port: a cross-section of any shape between conductors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "sources/port_medium.hpp"
#include "sources/tem_mode.hpp"

namespace tetrawave {

/// An edge of a port's face that lies on a conductor.
struct ConductorEdge {
  PortEdge edge{};
  std::int32_t conductor = 0;  ///< number of the conductor, e.g. a boundary tag
  [[nodiscard]] auto operator<=>(const ConductorEdge& other) const = default;
};

/// The mode of the port from all triangles of its face, sorted by their vertices (the same list on every rank), the
/// outward unit normal, the metal edges of the face, the number of the signal's conductor, the medium and the degree of
/// the potential (1 for mixed-1, 2 for the other spaces). `names` names the conductors by number. The impedance is that
/// of the discrete potential, eta0 sqrt(mu/eps) / oint |grad phi|^2.
/// Throws UserError (bad_case) when the face is not flat or in pieces, when the signal does not touch it, touches other
/// metal on it, or is the only metal there.
[[nodiscard]] TemMode make_tem_port(const PortSpec& port, const std::vector<PortTriangle>& triangles,
                                    const Vec3& normal, const std::vector<ConductorEdge>& metal, std::int32_t signal,
                                    const std::vector<std::string>& names, const Medium& medium, int degree);

}  // namespace tetrawave
