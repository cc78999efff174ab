// The iterated integral equation at the outer boundary of a finite-element mesh (FE-IIEE; theory/fe-iiee).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fem/clusters/cluster_pairs.hpp"
#include "fem/device/resident_boundary.hpp"
#include "modes/frequency_domain/far_field.hpp"
#include "modes/frequency_domain/radiation.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// Faces of the groups of iiee.inner on a slab, vertices ascending. Throws UserError (bad_case): no such group.
[[nodiscard]] std::vector<std::array<GlobalIndex, 3>> find_inner_faces(const IieeSpec& spec, const MeshSlab& slab);

/// The sizes that set the rate of the plain outer iteration, and how fast boundary values vary with frequency.
struct BoundaryExtent {
  Vec3 middle_m{};            ///< of S' and its images
  double radius_m = 0;        ///< of a sphere about it around them
  double outer_radius_m = 0;  ///< of one around S
  double gap_m = 0;           ///< least distance of the faces' centres of S from the points of S'
  double wave_number = 0;     ///< [1/m], between them
};

/// S and S' of a case in mode fe-iiee. The arguments must outlive it.
class IntegralBoundary {
 public:
  /// Throws UserError (bad_case): S is no outer face or lies in several media; S' has no faces; one of them is open
  /// (with the images of iiee), lies on both sides of an image's plane, S' is not inside of S or touches it; between
  /// them is more than the medium at S.
  /// `inner_faces`: of S', as of find_inner_faces.
  IntegralBoundary(const Model& setup, const FrequencySystem& system,
                   std::vector<std::array<GlobalIndex, 3>> inner_faces, int threads, kernels::PairSums& sums);

  [[nodiscard]] const fem::FaceTraces& outer() const { return points_; }
  /// The currents on S', which radiate.
  [[nodiscard]] SurfaceCurrents& inner() { return inner_; }
  /// Prepares the sums at a frequency; to be called before them.
  void set_frequency(double hz) { radiator_.set_points(wave_number(hz)); }
  /// Boundary values on S of solutions at one frequency.
  [[nodiscard]] std::vector<BoundaryValues> radiate(const std::vector<FieldSolution>& fields, Precision precision);
  /// -oint N . Psi of each: the terms of these values in a right-hand side.
  [[nodiscard]] std::vector<BoundaryMoments> moments(const std::vector<BoundaryValues>& values) const;
  /// Adds the moments to the sides, or replaces the sides' entries at the unknowns of S by them.
  void drive(const std::vector<BoundaryMoments>& moments, std::vector<std::vector<Complex>>& sides, bool adds) const;
  /// Unknowns with a trace on S, ascending.
  [[nodiscard]] const std::vector<std::int32_t>& unknowns() const { return unknowns_; }
  /// -oint N . Psi of each, one number per unknown of S.
  [[nodiscard]] std::vector<std::vector<Complex>> on_unknowns(const std::vector<BoundaryValues>& values) const;
  /// Weights of the points of S [m^2]: sum weight |Psi|^2 is the square of the L2 norm on S.
  [[nodiscard]] std::vector<double> weights_m2() const;
  /// The same operations as matrices, for a device on which boundary values, solutions and currents stay.
  [[nodiscard]] fem::BoundaryMatrices matrices(const FrequencySystem& system,
                                               std::shared_ptr<const fem::FactorDevice> factors);
  /// What drives the case: of `fields` without unknowns, and their right-hand sides.
  [[nodiscard]] fem::BoundaryDrive drive_of(const std::vector<FieldSolution>& fields,
                                            const std::vector<std::vector<Complex>>& sides);
  /// k0 (r - middle) of the points of S' and of their images, the places that the sums take.
  [[nodiscard]] std::vector<double> places_of_sources(double hz) const;
  [[nodiscard]] RadiationMedium medium_at(double hz) const {
    return {wave_number(hz), medium_.impedance(), medium_.mu_r};
  }
  /// Sums at the frequency of `set_frequency`, with sources and results on the device.
  [[nodiscard]] const double* sum_on(fem::ResidentBoundary& device, std::span<const double> sources, int sets,
                                     Precision precision);
  /// Number of pairs of points of S and S', images included, that `radiate` has summed so far.
  [[nodiscard]] double pairs() const { return pairs_; }
  [[nodiscard]] double seconds_sums() const { return seconds_sums_; }
  /// Faces of S, and of S' with its images.
  [[nodiscard]] std::array<std::int64_t, 2> count_faces() const {
    return {static_cast<std::int64_t>(outer_.size()),
            static_cast<std::int64_t>(inner_.faces().size() << given_.iiee.mirrors.size())};
  }
  /// The part of `seconds_sums` for copies to and from a device.
  [[nodiscard]] double seconds_transfer() const { return sums_.seconds_transfer() + seconds_transfer_; }
  /// Figures of compressed sums at the last frequency.
  [[nodiscard]] kernels::ClusterReport clusters() const { return sums_.clusters(); }
  /// The expected cost of a sum at a frequency, on one rank.
  [[nodiscard]] fem::PairForecast forecast_sums(double hz) const;
  [[nodiscard]] BoundaryExtent extent(double hz) const;

 private:
  [[nodiscard]] std::vector<std::vector<results::SurfaceCurrent>> currents_of(const std::vector<FieldSolution>& fields);
  [[nodiscard]] double wave_number(double hz) const;
  void list_moments();
  template <class Use>
  void sum_moments(const std::vector<BoundaryMoments>& moments, const Use& use) const;
  void check_places() const;
  void check_touch() const;
  void check_between() const;
  void check_closed(const std::vector<fem::ElementFace>& faces, const char* key, const std::string& name,
                    const Place& place) const;

  const Case& given_;
  const Model& setup_;
  int threads_;
  Medium medium_;
  std::vector<fem::ElementFace> outer_;
  fem::FaceTraces points_;                  ///< of S
  std::vector<double> traces_;              ///< of functions times minus area, along e1 and e2 [point][function][2]
  std::vector<std::int32_t> unknowns_;      ///< of S
  std::vector<std::int64_t> first_moment_;  ///< of each of these
  std::vector<std::int32_t> moment_;        ///< their places in BoundaryMoments
  SurfaceCurrents inner_;
  kernels::PairSums& sums_;
  BoundaryRadiator radiator_;
  double pairs_ = 0;
  double seconds_sums_ = 0;
  double seconds_transfer_ = 0;  ///< beside that of the sums themselves
};

}  // namespace tetrawave::modes
