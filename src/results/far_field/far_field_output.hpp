// Far fields of a run: /far_field and /rcs of results.h5, CSV and FEKO .ffe files.
#pragma once

#include <array>
#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/far_field/far_field.hpp"
#include "results/ports/power_balance.hpp"
#include "results/request/request.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::results {

/// The far field of a run at one frequency, for a driving waveform of spectrum 1: [V], [W].
struct FarFieldResult {
  FarField field;
  /// int w(t) exp(-j 2 pi f t) dt of the reference waveform [s]; 1 if there is none.
  std::complex<double> waveform_spectrum = 1;
  double incident_v_per_m = 0;                 ///< |E| of the single plane wave; 0 if there is none, or several
  bool is_steady = false;                      ///< phasors of a time-harmonic excitation
  std::array<std::complex<double>, 2> back{};  ///< E_theta, E_phi where the plane wave comes from, if that is asked for
};

/// Waves at the ports of a run at one frequency, for the same waveform [W].
struct PortPowers {
  bool known = false;  ///< whether there are ports
  double incident = 0;
  double accepted = 0;
  std::optional<double> lost;  ///< in media and walls
};

/// Patterns derived from a far field, [theta][phi].
struct Patterns {
  std::vector<double> directivity_dbi;
  std::vector<double> gain_dbi;           ///< over the accepted power; empty without ports
  std::vector<double> realised_gain_dbi;  ///< over the incident power
  std::vector<double> axial_ratio_db;     ///< at most 100
  std::vector<double> sigma_m2;           ///< empty without a plane wave
};
[[nodiscard]] Patterns make_patterns(const FarFieldResult& result, double impedance, const PortPowers& powers);

/// A FEKO far-field file's text, phi by phi.
[[nodiscard]] std::string ffe_text(const FarFieldRequest& spec, double hz, const FarFieldResult& result,
                                   const Patterns& patterns, const std::string& name);

/// Writes PREFIX/rcs/HZ: sigma [directions, waves] of the cross-sections of one or more waves.
void write_rcs(const store::File& file, const std::string& prefix, double hz, const FarFieldRequest& spec,
               const std::vector<Patterns>& waves);

/// A plane wave's cross-section back to where it comes from.
struct Monostatic {
  double theta_deg = 0;
  double phi_deg = 0;
  bool is_theta = true;  ///< polarisation of the wave
  double sigma_m2 = 0;
  double sigma_co_m2 = 0;  ///< of the part with the wave's polarisation
};

/// Writes /monostatic/HZ.
void write_monostatic(const store::File& file, double hz, const std::vector<Monostatic>& waves);

/// Writes PREFIX/far_field/HZ and PREFIX/rcs/HZ into `file` and far_field[_NAME]_HZ.csv and .ffe into `directory` for
/// all frequencies. `impedance` of the medium, relative; `powers` per frequency. Warns if more is radiated than the
/// ports accept, for a lossless antenna also if less is. Throws UserError (io).
void write_far_field(const store::File& file, const std::string& prefix, const std::filesystem::path& directory,
                     const std::string& name, const FarFieldRequest& spec, double impedance,
                     const std::vector<FarFieldResult>& results, const std::vector<PortPowers>& powers,
                     const PowerBalance& balance);

}  // namespace tetrawave::results
