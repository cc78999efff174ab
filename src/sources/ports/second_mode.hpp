// The frequency above which the cross-section of a port carries more than its TEM or quasi-TEM mode.
#pragma once

#include <vector>

#include "media/material.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave {

/// The lowest k0 = omega/c0 [1/m] at which a higher mode of the face propagates. At a cutoff, beta = 0, the modes of
/// any lossless isotropic cross-section are TE or TM:
///
///   -div(1/eps grad H_n) = k0^2 mu H_n,   dH_n/dn = 0 on metal, H_n = 0 on other edges of the rim;
///   -div(1/mu grad E_n) = k0^2 eps E_n,   E_n = 0 on metal, dE_n/dn = 0 on other edges of the rim,
///
/// solved by elements that are linear on the triangles and continuous at the midpoints of edges (Crouzeix-Raviart), so
/// that H_n can jump across a metal sheet; second order in the triangles, which are taken as straight. `metal`: the
/// edges on conductors, sorted; `media`: at each triangle, or one for all. TEM waves of further conductors are not
/// considered.
[[nodiscard]] double find_second_cutoff_per_m(const std::vector<PortTriangle>& triangles,
                                              const std::vector<PortEdge>& metal, const std::vector<Medium>& media);

}  // namespace tetrawave
