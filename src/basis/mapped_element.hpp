// The functions of one tetrahedron, straight or of second order, in physical space (theory/curved-elements).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "basis/curved_map.hpp"
#include "basis/physical_element.hpp"

namespace tetrawave::basis {

/// A tetrahedron with vertices in ascending global order. With straight edges it equals PhysicalElement bit for bit;
/// otherwise lengths, areas and volumes depend on the point.
class MappedElement {
 public:
  /// `corners` and `middles` [m]; without middles the edges are straight. Keeps a reference to the space.
  MappedElement(Space space, const std::array<Vec3, 4>& corners, const Middles* middles);

  [[nodiscard]] bool is_curved() const { return map_.has_value(); }
  [[nodiscard]] Vec3 point(const std::array<double, 4>& barycentric) const;
  /// None for points that are certainly not in the element.
  [[nodiscard]] std::optional<std::array<double, 4>> barycentric(const Vec3& point) const;
  /// Times a weight of a rule: the volume [m^3] of its point.
  [[nodiscard]] double volume(const std::array<double, 4>& barycentric) const;
  /// Degree of a rule for products of total degree `degree`: two more for curved elements.
  [[nodiscard]] int degree_of_rule(int degree) const { return is_curved() ? degree + 2 : degree; }

  /// Physical vectors of all functions at a point [1/m], J^-T times those of the reference element.
  [[nodiscard]] std::vector<Vec3> values(const std::array<double, 4>& barycentric) const;
  /// Their curls [1/m^2], J/det J times those of the reference element.
  [[nodiscard]] std::vector<Vec3> curls(const std::array<double, 4>& barycentric) const;

  /// A point of the face opposite vertex f, given by its barycentric coordinates there (ascending vertices).
  struct FacePoint {
    std::array<double, 4> barycentric{};
    Vec3 normal{};    ///< unit, outward
    double area = 0;  ///< times a weight of a rule: the area [m^2] of the point
  };
  [[nodiscard]] FacePoint on_face(std::size_t face, const std::array<double, 3>& barycentric) const;

  /// int N_i . N_j [m].
  [[nodiscard]] SymmetricMatrix mass() const;
  /// oint_f N_it . N_jt [1], n x n.
  [[nodiscard]] SymmetricMatrix face_mass(std::size_t face) const;
  /// oint_f N_i . v and oint_f (n x N_i) . v, v given at the face's barycentric coordinates (ascending vertices).
  [[nodiscard]] PhysicalElement::FaceMoments face_moments(std::size_t face,
                                                          const std::function<Vec3(const std::array<double, 3>&)>& v,
                                                          int degree) const;

 private:
  struct Frame;
  [[nodiscard]] Frame frame(const std::array<double, 4>& barycentric) const;

  const ReferenceElement* reference_;
  PhysicalElement straight_;
  std::optional<CurvedMap> map_;
};

}  // namespace tetrawave::basis
