// Fields at points, on lines and in planes, also beyond the mesh, where the currents of the far field's surface radiate
// them (theory/far-fields).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "modes/frequency_domain/far_field.hpp"
#include "modes/frequency_domain/radiation.hpp"
#include "modes/frequency_domain/record.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::modes {

/// The result of one item of outputs.near_field.
struct NearFieldResult {
  const NearFieldRequest* spec = nullptr;
  /// E [V/m] and H [A/m] per set, frequency and point; NaN where there is no field.
  std::vector<std::array<Complex, 6>> values;
};

class NearFields {
 public:
  /// Locates the points. The arguments must outlive it. Collective on the ranks of the system, as is `find`.
  NearFields(const Case& given, const Model& setup, const FrequencySystem& system, FrequencyFarField& source,
             kernels::PairSums& sums, int threads);

  /// Appends the fields of solutions at one of the wanted frequencies to `to`, for `take_near_fields`.
  void find(const std::vector<FieldSolution>& fields, Numbers& to);

 private:
  /// A point, or its image on the side of the mesh.
  struct Spot {
    Vec3 place_m{};
    std::array<double, 3> electric{1, 1, 1};  ///< what the image's E is multiplied by
    std::array<double, 3> magnetic{1, 1, 1};  ///< and its H
    bool is_dark = false;
    bool is_in_mesh = false;
    LocalIndex element = no_neighbour;  ///< that has it, on one rank
  };
  [[nodiscard]] Spot locate(const Vec3& place_m) const;
  void find_outside(std::vector<Spot>& spots) const;
  [[nodiscard]] double angle_at(const Vec3& place_m) const;
  void find_item(std::size_t item, const std::vector<FieldSolution>& fields,
                 const std::vector<std::vector<results::SurfaceCurrent>>& currents, std::size_t frequency, Numbers& to);
  [[nodiscard]] std::array<Complex, 6> in_mesh(const Spot& spot, const FieldSolution& field) const;

  const Case& given_;
  const Model& setup_;
  const FrequencySystem& system_;
  FrequencyFarField& source_;
  kernels::PairSums& sums_;
  int threads_;
  const std::vector<MirrorPlane> mirrors_;
  Vec3 middle_m_{};                             ///< of the surface
  std::vector<std::array<Vec3, 4>> triangles_;  ///< of the surface on this rank and its images: corners, normal
  std::vector<std::vector<Spot>> spots_;        ///< per item
};

/// The results from the numbers that `find` has appended on all ranks, joined. `sets`: number of right-hand sides.
[[nodiscard]] std::vector<NearFieldResult> take_near_fields(const Case& given, const Numbers& from, std::size_t sets);

/// Writes PREFIX/near_field/NAME of one right-hand side.
void write_near_field(const store::File& file, const std::string& prefix, const NearFieldResult& result,
                      std::size_t set);

}  // namespace tetrawave::modes
