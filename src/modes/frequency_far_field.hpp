// The far field of a solution in the frequency domain, from currents on its surface whose magnetic field is the weak
// form's own (THEORY.md 31).
#pragma once

#include <memory>
#include <vector>

#include "fem/linear_solver.hpp"
#include "modes/frequency_system.hpp"
#include "observe/far_field_output.hpp"

namespace tetrawave::modes {

/// Currents on the border S of the enclosed elements V. With J = n x H of tangential functions, n out of V,
///   j k0 oint_S N_i . J = int_V curl N_i . 1/mu curl E - k0^2 eps N_i . E + walls in V - what drives in V,
/// for every N_i with a trace on S: J has the accuracy of E. The curl of E on faces has not: it is one order lower, and
/// its error has one sign. Everything stays referenced.
class FrequencySurface {
 public:
  FrequencySurface(const Case& given, const TimeDomainSetup& setup, const FrequencySystem& system, int threads);

  /// For a steady drive as the case states it; patterns of outputs.far_field.
  [[nodiscard]] observe::FarFieldResult far_field(double hz, const DrivenSet& set,
                                                  const std::vector<Complex>& solution);

 private:
  void list_faces();
  void make_mass();
  [[nodiscard]] std::vector<Complex> solve_for_current(double hz, const DrivenSet& set,
                                                       const std::vector<Complex>& solution);
  [[nodiscard]] std::vector<observe::SurfaceCurrent> currents(const std::vector<Complex>& flux,
                                                              const std::vector<Complex>& solution) const;

  const Case& given_;
  const TimeDomainSetup& setup_;
  const FrequencySystem& system_;
  int threads_;
  std::vector<fem::ElementFace> faces_;  ///< from the enclosed side
  std::vector<LocalIndex> touching_;     ///< enclosed elements with a function that has a trace on S
  std::vector<std::int32_t> number_;     ///< per unknown: among those of S, or -1
  std::vector<std::int32_t> unknowns_;   ///< of S
  fem::CsrPattern pattern_;
  fem::CsrMatrix mass_;
  std::unique_ptr<fem::LinearSolver> solver_;
};

}  // namespace tetrawave::modes
