// The far field of a solution in the frequency domain, from currents on its surface whose magnetic field is the weak
// form's own (theory/frequency-domain).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fem/edge/surface_traces.hpp"
#include "modes/frequency_domain/system.hpp"
#include "results/far_field/far_field_output.hpp"

namespace tetrawave::modes {

/// Currents on a surface S, a border of the elements V on one side of it, of the field without an incident wave. With
/// J = n x H of tangential functions, n out of V,
///   j k0 oint_S N_i . J = int_V curl N_i . 1/mu curl E - k0^2 eps N_i . E + walls in V - what drives in V,
/// for every N_i with a trace on S: J has the accuracy of E. The curl of E on faces has not: it is one order lower, and
/// its error has one sign. Matrices of the elements and functions on S are found once, for a frequency and for all, so
/// that currents of further solutions take sparse products and a substitution. Everything stays referenced.
class SurfaceCurrents {
 public:
  /// `faces`: of S on this rank, from elements of V; also of metal, which then has a current. `outward`: 1 where S
  /// radiates out of V, -1 where V is what it radiates into. `enclosed`: per element, whether V has it; by default what
  /// is reached from the faces without crossing S, on a rank with the whole mesh. Collective, as is `find`.
  SurfaceCurrents(const Model& setup, const FrequencySystem& system, std::vector<fem::ElementFace> faces,
                  double outward, const fem::SurfaceWork& work, const std::vector<bool>* enclosed = nullptr);

  [[nodiscard]] const std::vector<fem::ElementFace>& faces() const { return traces_.faces(); }
  /// The points at which `find` gives currents.
  [[nodiscard]] const std::vector<fem::FaceTraces::Point>& points() const { return points_.points(); }
  [[nodiscard]] std::size_t points_of_face() const { return points_.points_of_face(); }
  /// Computes what `find` needs at a frequency besides the solutions; else its first call does. Collective.
  void prepare(double hz);
  /// The currents of solutions at one frequency, per solution and point.
  [[nodiscard]] std::vector<std::vector<results::SurfaceCurrent>> find(const std::vector<FieldSolution>& fields);

  /// Of fields without unknowns: what drives them, j k0 times as moments of J, and as points of magnetic current.
  struct Drive {
    std::vector<std::vector<Complex>> flux;
    std::vector<std::vector<results::SurfaceCurrent>> magnetic;
  };
  [[nodiscard]] Drive find_drive(const std::vector<FieldSolution>& fields);

  /// `find` as matrices, for fields driven by moments on outer faces alone, on a rank with the whole mesh: the flux is
  /// j k0 times the moments of J by the unknowns of the system, at the frequency of `prepare`.
  [[nodiscard]] const fem::SparseRows& flux() const { return of_unknowns_; }
  [[nodiscard]] const fem::CsrMatrix<double>& mass() const { return traces_.mass(); }
  /// The moments that are subtracted from the flux: their places in BoundaryMoments, and the rows of the flux.
  [[nodiscard]] const std::vector<std::array<std::int32_t, 2>>& moments_on(const fem::FaceTraces& faces) {
    list_moments(faces);
    return moments_;
  }
  /// Three rows for each point, then for its images as in results::with_images: electric currents by the unknowns of
  /// the surface, magnetic ones by those of the system.
  void list_currents(const std::vector<MirrorPlane>& mirrors, fem::SparseRowsOf<double>& electric,
                     fem::SparseRowsOf<double>& magnetic) const;

 private:
  void list_elements(const std::vector<bool>* enclosed);
  void list_wave_faces();
  void list_moments(const fem::FaceTraces& faces);
  [[nodiscard]] std::vector<Complex> find_flux(const FieldSolution& field, int threads) const;
  [[nodiscard]] std::vector<results::SurfaceCurrent> find_at_points(const FieldSolution& field,
                                                                    const std::vector<Complex>& flux,
                                                                    int threads) const;
  [[nodiscard]] results::SurfaceCurrent find_at_point(std::size_t p, const std::optional<PlaneWave>& wave,
                                                      const std::vector<Complex>& dofs,
                                                      const std::vector<Complex>& currents) const;

  const Model& setup_;
  const FrequencySystem& system_;
  double outward_;
  int threads_;
  std::optional<fem::SharedSpace> rows_on_metal_;  ///< with unknowns on S where it is metal
  const fem::SharedSpace& shared_rows_;            ///< these, or those of the system
  const fem::EdgeSpace& rows_;
  fem::SurfaceTraces traces_;
  fem::FaceTraces points_;
  std::vector<LocalIndex> touching_;  ///< elements of V with a function that has a trace on S
  std::vector<bool> is_touching_;
  /// With plane waves: faces through which one comes into elements of the total field; unknowns as those of traces_.
  std::unique_ptr<fem::FaceTraces> border_, lit_;
  const fem::FaceTraces* listed_ = nullptr;
  std::vector<std::array<std::int32_t, 2>> moments_;  ///< of those: places that count, and the flux they are part of
  double hz_ = 0;                                     ///< of the operators
  fem::SparseRows of_unknowns_, of_border_;  ///< flux by the unknowns, and what the scattered field takes off it
};

/// The far field of one solution, for a steady drive as the case states it; and the surface from whose currents it and
/// near fields come.
class FrequencyFarField {
 public:
  /// From the surface of the case's far field, or from `inner`, with the medium there. The case may have none.
  FrequencyFarField(const Case& given, const Model& setup, const FrequencySystem& system, SurfaceCurrents* inner,
                    int threads);
  /// Of solutions at one frequency, one result each; fields on the first rank of the system alone. Collective.
  [[nodiscard]] std::vector<results::FarFieldResult> find(const std::vector<FieldSolution>& fields);
  [[nodiscard]] SurfaceCurrents& surface() { return *surface_; }
  [[nodiscard]] double impedance() const { return impedance_; }
  [[nodiscard]] double refractive_index() const { return refractive_index_; }

 private:
  const Case& given_;
  comm::Communicator ranks_;
  int threads_;
  std::unique_ptr<SurfaceCurrents> own_;
  SurfaceCurrents* surface_;
  double impedance_ = 1;
  double refractive_index_ = 1;
};

}  // namespace tetrawave::modes
