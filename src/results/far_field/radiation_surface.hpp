// The closed surface whose tangential fields give the far field (theory/far-fields).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "results/request/request.hpp"

namespace tetrawave::results {

/// The faces of this rank, in the order of march::SpectralFaces.
struct RadiationSurface {
  struct Face {
    double outward = 1;  ///< 1 if the element's own normal points outward, else -1
    double weight = 1;   ///< 1/2 if the elements of both sides are sampled
  };
  std::vector<Face> faces;
  double impedance = 1;  ///< of the medium, relative
  double refractive_index = 1;
  bool is_closed = true;  ///< with its images
  /// On this rank: enclosed elements, and the faces of the surface from both sides.
  std::vector<bool> encloses;
  std::vector<std::pair<LocalIndex, std::uint8_t>> inner, outer;
  bool is_outside = false;    ///< fields are those outside: inside is the total field of a plane wave
  bool has_currents = false;  ///< the sums contain n x H, n outward, as a field of the space, in place of H
};

/// The elements enclosed by the surface, of this rank; 2: those of a total-field region, where only the outer side is
/// sampled. Throws UserError (bad_case), the same on all ranks: a region that the mesh lacks, no absorbing face.
/// `total_field`: regions of the total field of plane waves. `absorbing`: per boundary tag, whether it is an absorbing
/// outer face. Collective.
std::vector<std::int32_t> choose_enclosed(const march::Problem& problem, const FarFieldRequest& spec,
                                          const std::vector<std::string>& total_field,
                                          const std::vector<bool>& absorbing, const comm::Communicator& ranks,
                                          int threads = 1);

/// Adds the faces around the enclosed elements to problem.spectral, with the frequencies. Throws UserError (bad_case),
/// the same on all ranks: no such face, different media, or media with losses or anisotropy. Collective.
RadiationSurface add_radiation_surface(march::Problem& problem, const FarFieldRequest& spec,
                                       const std::vector<std::int32_t>& enclosed, const comm::Communicator& ranks,
                                       int threads = 1);

}  // namespace tetrawave::results
