// A plane problem as linear systems, one per frequency, and what is read off their solutions.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "fem/planar/planar_assembly.hpp"
#include "modes/frequency_domain/system.hpp"
#include "modes/planar/setup.hpp"

namespace tetrawave::modes {

/// E [V/m] and eta0 H [V/m] at a point, along x, y, z.
struct PlanarFields {
  std::array<Complex, 3> electric{};
  std::array<Complex, 3> magnetic{};
};

/// An incident plane wave in a lossless medium.
class PlanarWave {
 public:
  PlanarWave(const PlanarSpec& planar, const IncidentWave& wave, const Medium& medium, double hz);
  [[nodiscard]] PlanarFields at(const Point2& place_m) const;
  /// Gradient of the component along z: of E with E_z, else of eta0 H.
  [[nodiscard]] std::array<Complex, 2> gradient(const Point2& place_m) const;

 private:
  bool along_z_;
  double wave_number_, impedance_;
  Point2 direction_;
};

/// Solution of one right-hand side.
struct PlanarSolution {
  double hz = 0;
  DrivenSet set;
  std::vector<Complex> functions;  ///< coefficients of all functions of the space, 0 where they are fixed
  std::vector<Complex> border;     ///< of a plane wave: what they have too much in layers, whose field is scattered
};

/// Case and setup must outlive it.
class PlanarSystem {
 public:
  PlanarSystem(const Case& given, const PlanarSetup& setup, int threads);

  [[nodiscard]] const fem::CsrPattern& pattern() const { return assembly_.pattern(); }
  void assemble(double hz, fem::CsrMatrix<Complex>& matrix) const;
  [[nodiscard]] std::vector<std::vector<Complex>> right_hand_sides(double hz, const std::vector<DrivenSet>& sets) const;
  [[nodiscard]] PlanarSolution complete(double hz, const DrivenSet& set, const std::vector<Complex>& unknowns) const;

  [[nodiscard]] PortPhasors at_port(std::size_t port, const PlanarSolution& solution) const;
  /// The total field; in layers, with a plane wave, the scattered one.
  [[nodiscard]] PlanarFields at(std::size_t element, const std::array<double, 3>& barycentric,
                                const PlanarSolution& solution) const;
  /// E [V/m] and H [A/m] of the field as in `at`.
  [[nodiscard]] std::array<Complex, 6> at_probe(std::size_t probe, const PlanarSolution& solution) const;
  /// Power [W/m] that media and walls dissipate, layers and absorbing walls apart.
  [[nodiscard]] double lost(const PlanarSolution& solution) const;
  [[nodiscard]] PlanarWave wave_of(const DrivenSet& set, double hz) const;

 private:
  /// eps and mu of a region along x, y, z.
  struct Tensors {
    std::array<Complex, 3> eps, mu;
  };
  [[nodiscard]] std::vector<Tensors> tensors_at(double hz) const;
  [[nodiscard]] Tensors in_layer(const Tensors& medium, const Point2& place_m, double hz) const;
  [[nodiscard]] fem::PlanarAssembly::Medium medium_at(double hz) const;
  [[nodiscard]] fem::PlanarCoefficients coefficients(const Tensors& medium, double hz) const;
  [[nodiscard]] Complex wall_factor(const PlanarWall& wall, double hz) const;
  [[nodiscard]] Complex wave_impedance(const PlanarPort& port, std::size_t mode, double hz) const;
  [[nodiscard]] Complex incident(std::size_t port, double hz, const DrivenSet& set) const;
  [[nodiscard]] PlanarFields fields_of(const Complex& scalar, const std::array<Complex, 2>& vector,
                                       const Tensors& medium, double hz) const;
  void add_sources(double hz, std::vector<Complex>& side) const;
  void add_wave(double hz, const PlanarWave& wave, std::vector<Complex>& side) const;
  void add_flux(const fem::PlanarEdge& edge, const PlanarWave& wave, const Complex& admittance, double hz,
                std::vector<Complex>& side) const;
  void add_border(double hz, const PlanarWave& wave, std::vector<Complex>& side) const;
  /// Coefficients of the wave's trace on the border of layers, per function of the space; 0 elsewhere.
  [[nodiscard]] std::vector<Complex> on_border(const PlanarWave& wave) const;
  void add(std::size_t element, std::size_t function, const Complex& value, std::vector<Complex>& side) const;
  [[nodiscard]] static std::vector<std::vector<std::int32_t>> blocks_of(const PlanarSetup& setup);
  [[nodiscard]] PlanarField field() const { return given_.planar->field; }

  struct Place2 {
    std::size_t element = 0;
    std::array<double, 3> barycentric{};
  };
  /// Throws UserError (bad_case) at `place` where there is no mesh.
  [[nodiscard]] Place2 place_in_mesh(const Vec3& point_m, const Place& place, const std::string& what) const;

  const Case& given_;
  const PlanarSetup& setup_;
  fem::PlanarAssembly assembly_;
  std::vector<Place2> probes_, sources_;
};

}  // namespace tetrawave::modes
