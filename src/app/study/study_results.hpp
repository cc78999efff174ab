// Results requested for the table of a study by --result.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "modes/study/study_table.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::app {

struct WantedResult {
  enum class Kind { s_parameter, resonance, quality, far_field, path };
  Kind kind = Kind::path;
  std::string text;        ///< as typed
  std::size_t row = 0;     ///< S: receiving port, from 0; resonance, Q: the port
  std::size_t column = 0;  ///< S: driven port
  double hz = 0;           ///< S, far field
  std::string quantity{};  ///< for the far field: gain, realised_gain, directivity, efficiency
};

/// Parses `sIJ@FREQUENCY`, `resonance:PORT`, `q:PORT` (a number, or one of the port names `ports`), `gain@FREQUENCY`
/// (realised_gain, directivity, efficiency), or the path of a scalar in results.h5, which starts with '/'. Throws
/// UserError (usage).
[[nodiscard]] WantedResult parse_result(const std::string& text, const std::vector<std::string>& ports = {});

/// Throws UserError (usage) if the case will not have the result.
void check_result(const WantedResult& wanted, const Case& given);

/// Its columns, all absent without a file: |S| in dB, interpolated linearly in S between frequencies of the run; the
/// minimum of |S_pp| through the three lowest neighbours, in Hz and dB, absent at an end of the band; Q loaded and
/// unloaded, frequency, bandwidth and error by the poles of the rational model; the maximum over
/// all directions in dBi; the efficiency and paths unchanged. Throws UserError (usage) if the file lacks it.
[[nodiscard]] std::vector<modes::StudyTable::Item> columns_of(const WantedResult& wanted, const store::File* file);

}  // namespace tetrawave::app
