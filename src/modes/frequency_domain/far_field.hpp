// The far field of a solution in the frequency domain, from currents on its surface whose magnetic field is the weak
// form's own (theory/frequency-domain).
#pragma once

#include <memory>
#include <vector>

#include "fem/edge/surface_traces.hpp"
#include "modes/frequency_domain/system.hpp"
#include "results/far_field/far_field_output.hpp"

namespace tetrawave::modes {

/// Currents on a surface S, a border of the elements V on one side of it, of the field without an incident wave. With
/// J = n x H of tangential functions, n out of V,
///   j k0 oint_S N_i . J = int_V curl N_i . 1/mu curl E - k0^2 eps N_i . E + walls in V - what drives in V,
/// for every N_i with a trace on S: J has the accuracy of E. The curl of E on faces has not: it is one order lower, and
/// its error has one sign. Everything stays referenced.
class SurfaceCurrents {
 public:
  /// `faces`: of S, from elements of V; also of metal, which then has a current. `outward`: 1 where S radiates out of
  /// V, -1 where V is what it radiates into.
  SurfaceCurrents(const TimeDomainSetup& setup, const FrequencySystem& system, std::vector<fem::ElementFace> faces,
                  double outward);

  [[nodiscard]] const std::vector<fem::ElementFace>& faces() const { return traces_.faces(); }
  /// Where `find` has currents.
  [[nodiscard]] std::vector<Vec3> points() const;
  [[nodiscard]] std::vector<results::SurfaceCurrent> find(const FieldSolution& field);

 private:
  void list_elements();

  const TimeDomainSetup& setup_;
  const FrequencySystem& system_;
  double outward_;
  fem::EdgeSpace rows_;  ///< with unknowns on S where it is metal
  fem::SurfaceTraces traces_;
  std::vector<LocalIndex> touching_;  ///< elements of V with a function that has a trace on S
};

/// The far field of one solution, for a steady drive as the case states it.
class FrequencyFarField {
 public:
  /// From the surface of the case's far field, or from `inner`, with the medium there.
  FrequencyFarField(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system,
                    SurfaceCurrents* inner, int threads);
  [[nodiscard]] results::FarFieldResult find(const FieldSolution& field);
  [[nodiscard]] double impedance() const { return impedance_; }

 private:
  const FarFieldSpec& spec_;
  int threads_;
  std::unique_ptr<SurfaceCurrents> own_;
  SurfaceCurrents* surface_;
  double impedance_ = 1;
  double refractive_index_ = 1;
};

}  // namespace tetrawave::modes
