// The contents of a case of mode frequency-domain that other modes do not have, as plain structs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/place.hpp"
#include "fem/sparse/solver_options.hpp"
#include "results/request/request.hpp"

namespace tetrawave {

enum class OuterMethod { gmres, plain };
enum class BoundarySums { automatic, pairs, compressed };

/// The frequencies at which fields are computed.
struct FrequencySpec {
  std::vector<double> values_hz;  ///< ascending
  Place place;
  std::optional<bool>
      fast;  ///< whether some are solved and the others come from a reduced model; absent: if there are many
  double sweep_tolerance = 1e-3;  ///< of S, or of fields over their norm

  [[nodiscard]] bool is_fast(std::size_t frequencies) const {
    constexpr std::size_t many = 20;
    return fast.value_or(frequencies > many);
  }
};

/// Which resonances are sought.
struct EigenmodeSpec {
  double target_hz = 0;
  std::int64_t count = 0;  ///< those nearest the target, by the distance of complex frequencies
  double tolerance = 1e-8;
  Place place;
};

/// The component that is unknown in a plane problem.
enum class PlanarField {
  e_z,  ///< E along z, H in the plane: nodal elements
  h_z,  ///< H along z, E in the plane: nodal elements
  e_xy  ///< the same fields by edge elements for E
};

/// Fields on triangles that do not depend on z (`dimension: 2`).
struct PlanarSpec {
  PlanarField field = PlanarField::e_z;
  int order = 1;  ///< of the functions, of nodal ones of the geometry, too
  Place place;
};

/// Truncation by an iterated integral equation.
struct IieeSpec {
  std::string outer;  ///< physical surface S that truncates the mesh
  std::vector<std::string>
      inner;  ///< physical surfaces that make up S' of the equivalent currents, inside the mesh or metal
  OuterMethod method = OuterMethod::gmres;
  bool papers_kernel = false;    ///< sums on GPUs by the mapping of the paper on FE-IIEE
  bool mixed_precision = false;  ///< sums over pairs in single precision while the residual is large
  BoundarySums sums = BoundarySums::automatic;
  double compression_tolerance = 1e-5;  ///< of compressed sums
  double tolerance = 1e-4;
  std::int64_t max_iterations = 30;
  std::int64_t iterations = 0;  ///< fixed number, whatever the tolerance; 0: until the tolerance is met
  Place outer_place;
  Place inner_place;
  Place place;
  std::vector<MirrorPlane> mirrors;  ///< on different axes; also those of the far field

  /// The names of S' in messages: 'a', or 'a', 'b'.
  [[nodiscard]] std::string quoted_inner() const;
};

/// As written in the case file.
[[nodiscard]] const char* name_of(OuterMethod method);
[[nodiscard]] const char* name_of(PlanarField field);
[[nodiscard]] const char* name_of(BoundarySums sums);

}  // namespace tetrawave
