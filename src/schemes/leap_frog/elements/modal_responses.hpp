// What ports of one mode make of the elements at their faces in a step (theory/ports).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Of E: A0^-1 times the moments of the mode, for a current of 1. Of H in DFDD-ELD, whose trace on the port's faces is
/// j p and nothing else: the extension of p into the element that is orthogonal in A0 to all without a trace there.
struct ModalResponse {
  LocalIndex element = 0;
  std::int32_t port = 0;                ///< index into Problem::terminations
  std::vector<double> of_amplitude;     ///< n
  std::vector<std::size_t> wall_faces;  ///< those of the element in its list of make_wall_lists
  std::vector<double> weight;           ///< n: its part of the functional v, or of j times the sum of all `share`
  double share = 0;                     ///< E: of the voltage of a current of 1; H: p . S^-1 p (HeldTrace)
  double norm = 0;                      ///< H: its part of oint (n x p) . e
  std::vector<std::size_t> held;        ///< H: dofs of the trace
  std::vector<double> holding;          ///< H: held.size() columns of n, taken times the trace from the element
};

/// Responses of this rank's elements, port by port; dt_m: time step of their LTS level. 0, of H: with the mass alone in
/// the place of A0 (of a march of steps `border_dt_m` at the borders of classes).
std::vector<ModalResponse> modal_responses(const Problem& problem, Field field, double dt_m, int threads = 1,
                                           std::optional<double> border_dt_m = {});

}  // namespace tetrawave::march
