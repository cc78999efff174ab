// The far field of a solution in the frequency domain, from currents on its surface whose magnetic field is the weak
// form's own (THEORY.md 31).
#pragma once

#include <memory>
#include <vector>

#include "fem/surface_traces.hpp"
#include "modes/frequency_system.hpp"
#include "observe/far_field_output.hpp"

namespace tetrawave::modes {

/// Currents on the border S of the enclosed elements V. With J = n x H of tangential functions, n out of V,
///   j k0 oint_S N_i . J = int_V curl N_i . 1/mu curl E - k0^2 eps N_i . E + walls in V - what drives in V,
/// for every N_i with a trace on S, of the field without an incident wave: J has the accuracy of E. The curl of E on
/// faces has not: it is one order lower, and its error has one sign. Everything stays referenced.
class FrequencySurface {
 public:
  FrequencySurface(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system, int threads);

  /// For a steady drive as the case states it; patterns of outputs.far_field.
  [[nodiscard]] observe::FarFieldResult far_field(const FieldSolution& field);

 private:
  void list_elements();
  [[nodiscard]] std::vector<observe::SurfaceCurrent> currents(const std::vector<Complex>& flux,
                                                              const FieldSolution& field) const;

  const Case& given_;
  const TimeDomainSetup& setup_;
  const FrequencySystem& system_;
  int threads_;
  fem::SurfaceTraces traces_;         ///< from the enclosed side
  std::vector<LocalIndex> touching_;  ///< enclosed elements with a function that has a trace on S
};

}  // namespace tetrawave::modes
