// Points of a quadrature rule on faces of elements, with the tangential parts of the functions that have a trace there:
// tabulated once, for integrals and fields that are computed many times.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "basis/quadrature.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/edge/element_shapes.hpp"

namespace tetrawave::fem {

class FaceTraces {
 public:
  struct Point {
    Vec3 place_m{};
    Vec3 normal{};       ///< unit, out of the element
    double area_m2 = 0;  ///< that the point stands for
  };

  FaceTraces(const EdgeSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces,
             const std::vector<basis::TrianglePoint>& rule, int threads = 1);

  [[nodiscard]] const std::vector<ElementFace>& faces() const { return faces_; }
  /// The points of all faces, face by face, `points_of_face` each.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] std::size_t points_of_face() const { return points_of_face_; }
  /// Number of functions of an element with a trace on a face.
  [[nodiscard]] std::size_t functions() const { return functions_; }
  /// The unknowns of these functions, or EdgeSpace::fixed.
  [[nodiscard]] std::span<const std::int32_t> unknowns(std::size_t face) const {
    return {unknowns_.data() + face * functions_, functions_};
  }
  /// The tangential parts of these functions at a point [1/m].
  [[nodiscard]] std::span<const Vec3> traces(std::size_t point) const {
    return {traces_.data() + point * functions_, functions_};
  }

  /// Gives the unknowns other numbers, one for each of the space, or EdgeSpace::fixed.
  void renumber(const std::vector<std::int32_t>& number) {
    for (std::int32_t& unknown : unknowns_)
      if (unknown != EdgeSpace::fixed) unknown = number[static_cast<std::size_t>(unknown)];
  }

  /// oint N_i . v of the functions of a face; v(number of a point) has three complex components.
  template <class Field>
  void find_moments(std::size_t face, const Field& field, std::span<std::complex<double>> moments) const {
    for (auto& moment : moments) moment = 0;
    for (std::size_t p = face * points_of_face_; p < (face + 1) * points_of_face_; ++p) {
      const auto v = field(p);
      const auto own = traces(p);
      for (std::size_t i = 0; i < functions_; ++i)
        moments[i] += points_[p].area_m2 * (own[i][0] * v[0] + own[i][1] * v[1] + own[i][2] * v[2]);
    }
  }

  /// Adds factor oint N_i . v over all faces to `to`, one number per unknown.
  template <class Field>
  void add_moments(const Field& field, const std::complex<double>& factor,
                   std::vector<std::complex<double>>& to) const {
    std::vector<std::complex<double>> moments(functions_);
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      find_moments(f, field, moments);
      scatter(f, moments, factor, to);
    }
  }

  /// Adds factor times numbers of a face's functions to those of their unknowns.
  void scatter(std::size_t face, std::span<const std::complex<double>> moments, const std::complex<double>& factor,
               std::vector<std::complex<double>>& to) const {
    const auto own = unknowns(face);
    for (std::size_t i = 0; i < functions_; ++i)
      if (own[i] != EdgeSpace::fixed) to[static_cast<std::size_t>(own[i])] += factor * moments[i];
  }

 private:
  std::vector<ElementFace> faces_;
  std::size_t points_of_face_;
  std::size_t functions_;
  std::vector<Point> points_;
  std::vector<std::int32_t> unknowns_;
  std::vector<Vec3> traces_;
};

}  // namespace tetrawave::fem
