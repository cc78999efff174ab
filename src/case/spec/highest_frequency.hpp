// The highest frequency that a case asks for.
#pragma once

#include <string>

#include "case/spec/case.hpp"

namespace tetrawave {

/// The highest frequency of the case: of its S-parameters, else where the spectra of its waveforms have fallen by 20
/// dB. 0 if there is none.
struct HighestFrequency {
  double hz = 0;
  std::string source;  ///< "outputs.s_parameters.stop", "waveform 'pulse'"
};
HighestFrequency find_highest_frequency(const Case& given);

}  // namespace tetrawave
