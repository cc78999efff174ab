// The iterated integral equation at the outer boundary of a finite-element mesh (FE-IIEE; theory/fe-iiee).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "modes/fe_iiee/radiation.hpp"
#include "modes/frequency_domain/far_field.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// Faces of the groups of iiee.inner on a slab, vertices ascending. Throws UserError (bad_case): no such group.
[[nodiscard]] std::vector<std::array<GlobalIndex, 3>> find_inner_faces(const IieeSpec& spec, const MeshSlab& slab);

/// What the rate of the plain outer iteration depends on.
struct BoundaryExtent {
  double radius_m = 0;     ///< of a sphere around S' and its images
  double gap_m = 0;        ///< least distance of the faces' centres of S from the points of S'
  double wave_number = 0;  ///< [1/m], between them
};

/// S and S' of a case in mode fe-iiee. Everything stays referenced.
class IntegralBoundary {
 public:
  /// Throws UserError (bad_case): S is no outer face or lies in several media; S' has no faces; one of them is open
  /// (with the images of iiee), lies on both sides of an image's plane, or S' is not inside of S; between
  /// them is more than the medium at S.
  IntegralBoundary(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system, int threads);

  /// S' with what radiates from it.
  [[nodiscard]] SurfaceCurrents& inner() { return inner_; }
  /// Boundary values at S of solutions at one frequency.
  [[nodiscard]] std::vector<BoundaryValues> radiate(const std::vector<FieldSolution>& fields);
  /// -oint N . Psi: what they add to the right-hand side.
  [[nodiscard]] std::vector<BoundaryMoments> moments(const BoundaryValues& values) const;
  /// Of the points of S: sum weight |Psi|^2 is the square of the L2 norm on S.
  [[nodiscard]] std::vector<double> weights_m2() const;
  /// Number of pairs of points of S and S', images included, that `radiate` has summed so far.
  [[nodiscard]] double pairs() const { return pairs_; }
  [[nodiscard]] BoundaryExtent extent(double hz) const;

 private:
  struct Point {
    std::size_t face = 0;  ///< number among those of S
    Vec3 place_m{};
    Vec3 normal{};
    double weight = 0;  ///< [m^2]
    std::array<double, 4> barycentric{};
  };
  void list_points();
  void check_places() const;
  void check_between() const;
  void check_closed(const std::vector<fem::ElementFace>& faces, const char* key, const std::string& name,
                    const Place& place) const;

  const Case& given_;
  const TimeDomainSetup& setup_;
  int threads_;
  Medium medium_;
  std::vector<fem::ElementFace> outer_;
  std::vector<Point> points_;
  SurfaceCurrents inner_;
  double pairs_ = 0;
};

}  // namespace tetrawave::modes
