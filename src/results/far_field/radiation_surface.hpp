// The closed surface whose tangential fields give the far field (THEORY.md 21).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::results {

/// The faces of this rank, in the order of march::SpectralFaces.
struct RadiationSurface {
  struct Face {
    double outward = 1;  ///< 1 where the element's own normal points outward, else -1
    double weight = 1;   ///< 1/2 where the elements of both sides are sampled
  };
  std::vector<Face> faces;
  double impedance = 1;  ///< of the medium, relative
  double refractive_index = 1;
  bool is_closed = true;  ///< with its images
  /// On this rank: enclosed elements, and the surface seen from both sides.
  std::vector<bool> encloses;
  std::vector<std::pair<LocalIndex, std::uint8_t>> inner, outer;
  bool is_outside = false;    ///< fields are those beyond: within it is the total field of a plane wave
  bool has_currents = false;  ///< the sums have n x H, n outward, as a field of the space, in the place of H
};

/// Which elements the surface encloses, of this rank; 2: those of a total-field region, where only the outer side is
/// sampled. Throws UserError (bad_case), the same on all ranks: a region that the mesh lacks, no absorbing face.
/// `absorbing`: per boundary tag, whether it is an absorbing outer face. A collective.
std::vector<std::int32_t> choose_enclosed(const march::Problem& problem, const Case& given,
                                          const std::vector<bool>& absorbing, const comm::Communicator& ranks);

/// Puts the faces round the enclosed elements into problem.spectral, with the frequencies. Throws UserError (bad_case),
/// the same on all ranks: no such face, media that differ, have losses or are anisotropic. A collective.
RadiationSurface add_radiation_surface(march::Problem& problem, const FarFieldSpec& spec,
                                       const std::vector<std::int32_t>& enclosed, const comm::Communicator& ranks);

}  // namespace tetrawave::results
