// Operations on a matrix of S-parameters: reference planes, reference impedances, and checks of plausibility.
#pragma once

#include <string>
#include <vector>

#include "results/ports/port_model.hpp"
#include "results/ports/power_balance.hpp"
#include "results/s_parameters/s_parameters.hpp"

namespace tetrawave::results {

/// S_ij exp(gamma_i d_i + gamma_j d_j): moves S to the reference planes of the ports.
void shift_reference_planes(SParameters& s, const std::vector<PortModel>& ports);

/// From the ports' own impedances Z to `ohms` (one for all, or one per port): with p = (Z + Z')/(2 sqrt(Z Z')) and q =
/// (Z - Z')/(2 sqrt(Z Z')), a' = p a + q b, b' = q a + p b, S' = (q + p S)(p + q S)^-1. All columns must be known.
void renormalise(SParameters& s, const std::vector<PortModel>& ports, const std::vector<double>& ohms);

/// Power balance of each driven port, passivity and reciprocity where `reliable` (per frequency): lines for the log
/// into s.notes, and into s.warnings, with what to do about it, where sum |S|^2 exceeds 1 by more than 0.005, or
/// |S_ij - S_ji| 0.01, and where a closed lossless structure gives back less than 0.99 of what goes in.
void judge(SParameters& s, const std::vector<bool>& reliable, const std::string& remedy,
           const PowerBalance& balance = {});

}  // namespace tetrawave::results
