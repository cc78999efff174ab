// The mode of an inhomogeneous line at a port, at any frequency: transverse edge elements and a longitudinal nodal part
// on the triangles of the port's face (theory/ports).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave::fem {

using Complex = std::complex<double>;

/// A cross-section of lossless media, the same on all ranks. All vectors but `metal` are per triangle.
struct CrossSection {
  std::vector<PortTriangle> triangles;
  Vec3 normal{};  ///< unit, out of the structure
  std::vector<double> eps;
  std::vector<double> inverse_mu;
  std::vector<double> wall;     ///< admittance of the wall at the port, which stays in the system
  std::vector<PortEdge> metal;  ///< edges; the rest of the rim is a magnetic wall
  /// The static field [1/m] at barycentric coordinates of a triangle: where the mode is sought, and its sign.
  std::function<Vec3(std::size_t, const std::array<double, 3>&)> static_field;
  double static_eps = 1;  ///< effective permittivity times mu of it
  double norm = 1;        ///< that `current . field` has: eta0 over the impedance of the port's waves
};

/// The mode E_t = v e, n x H = -v h of a wave that leaves the structure. Numbers are per triangle and function of an
/// element that has a trace there, [triangle][face_dofs], those of currents to be added where functions are shared.
///
/// T: double, or Complex at a complex frequency.
template <class T>
struct LineModeOf {
  T index = 1;             ///< beta/k0
  double overlap = 1;      ///< with the static field: 1 where both are one
  std::vector<T> field;    ///< e [1/m] as a sum of functions N
  std::vector<T> current;  ///< int N . h
  std::vector<T> wall;     ///< int N . Y e, Y of CrossSection::wall
};
using LineMode = LineModeOf<double>;

/// The functions N' with a trace on a triangle, whose corner i is the corner order[i] of the same triangle with the
/// functions N: N'_i = sum_k turn[i * face_dofs + k] N_k there. Empty where the corners are in the same order.
[[nodiscard]] std::vector<double> turn_traces(Space space, const std::array<std::uint8_t, 3>& order);

class LineModes {
 public:
  LineModes(CrossSection section, Space space);
  ~LineModes();
  LineModes(LineModes&&) noexcept;
  LineModes& operator=(LineModes&&) noexcept;

  /// The mode at k0 [1/m]; the same bits wherever it is computed. T: double or Complex, the mode continued from the
  /// real axis.
  template <class T>
  [[nodiscard]] LineModeOf<T> solve(const T& k0_per_m) const;
  [[nodiscard]] double norm() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The mode at given frequencies: solved at each of a few; of more, interpolated between Chebyshev points of their
/// range, as many as halfway between them reproduce solutions to 1e-9. Not for several threads at a time.
class LineModeTable {
 public:
  /// `hz` ascends.
  LineModeTable(LineModes modes, std::vector<double> hz);

  /// The mode at a frequency from the first to the last of `hz`; the reference is valid until the next call.
  [[nodiscard]] const LineMode& at(double hz) const;
  /// The mode at a complex frequency, solved for each time.
  [[nodiscard]] LineModeOf<Complex> at(const Complex& hz) const;
  [[nodiscard]] double norm() const { return modes_.norm(); }
  /// Number of points of the interpolation; 0: every frequency is solved for.
  [[nodiscard]] std::size_t points() const { return places_hz_.size(); }
  [[nodiscard]] double error() const { return error_; }

 private:
  template <class T>
  [[nodiscard]] LineModeOf<T> solve(const T& hz) const;
  [[nodiscard]] LineMode interpolate(double hz) const;
  void set_points(std::size_t count);

  LineModes modes_;
  std::vector<double> places_hz_;
  std::vector<LineMode> solved_;
  double error_ = 0;
  mutable std::map<double, LineMode> known_;  ///< without interpolation
  mutable std::optional<std::pair<double, LineMode>> last_;
};

}  // namespace tetrawave::fem
