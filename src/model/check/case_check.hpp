// Analysis of a case before it runs: sizes in wavelengths, local steps, memory, and likely errors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/memory/memory_plan.hpp"
#include "model/time_domain_setup.hpp"

namespace tetrawave::modes {

/// The highest frequency of the case: of its S-parameters, else where the spectra of its waveforms have fallen by 20
/// dB. 0 if there is none.
struct HighestFrequency {
  double hz = 0;
  std::string source;  ///< "outputs.s_parameters.stop", "waveform 'pulse'"
};
HighestFrequency find_highest_frequency(const Case& given);

/// A region at the highest frequency; without one, the wavelength and derived values are 0.
struct RegionCheck {
  std::string name;
  std::string material;
  std::int64_t elements = 0;
  double volume_m3 = 0;
  MeasureRange edge_m;                        ///< longest edges
  double wavelength_m = 0;                    ///< the shortest over the axes
  double elements_per_wavelength = 0;         ///< of the median edge
  double fewest_elements_per_wavelength = 0;  ///< of the longest edge
  double skin_depth_m = 0;                    ///< where a plane wave has decayed by 1/e; 0 without losses
};

/// Steps that single elements would allow, taken proportional to inradius over speed. LTS levels use 1, 3, 9 and 27
/// steps in one.
struct LocalSteps {
  double smallest_s = 0;  ///< the step of the case's mesh
  double median_s = 0;
  std::array<std::int64_t, 4> classes{};
  GlobalIndex element = 0;  ///< with the smallest
  Vec3 place_m{};
  std::string region;
};

struct CaseCheck {
  HighestFrequency highest;
  Vec3 size_m{};
  Vec3 size_wavelengths{};  ///< of free space
  std::vector<RegionCheck> regions;
  LocalSteps local_steps;
  double steps_per_period = 0;  ///< of the highest frequency
  std::vector<std::string> warnings;
};

/// Elements per wavelength needed by a space, by the longest edge. The lowest resonance of a cube was 1 % wrong with
/// 8.5 (mixed-1), 3 (full-1), 1.7 (mixed-2) and less than 1.6 (full-2); waves in other directions need somewhat more.
double needed_elements_per_wavelength(Space space);

/// Without the time-domain part: local steps, steps per period.
CaseCheck examine_fields(const Case& given, const TimeDomainSetup& setup);

/// A warning for each port whose second mode propagates at frequencies of the case.
[[nodiscard]] std::vector<std::string> find_second_modes(const Case& given, const TimeDomainSetup& setup);

/// Collective; the same on all ranks.
CaseCheck examine_case(const Case& given, const TimeDomainSetup& setup, const comm::Communicator& ranks);

/// Memory of one rank in bytes. If the device is the host, the host's bytes include the device's.
struct RankMemory {
  std::int64_t elements = 0;
  std::int64_t device = 0;       ///< arrays of the run
  std::int64_t device_peak = 0;  ///< including those of the search for the stable step
  std::int64_t host_setup = 0;   ///< peak, before the run
  std::int64_t host_march = 0;
  std::int64_t host_checkpoint = 0;  ///< while one is written
  std::int64_t host_results = 0;     ///< while results are written, of rank 0
};

/// Per rank, on all ranks: the memory of a run of the case. Collective.
std::vector<RankMemory> predict_memory(const Case& given, const TimeDomainSetup& setup,
                                       const march::BackendTraits& traits, const comm::Communicator& ranks);

/// Bytes on disk at the end of a run: streams and results, fields, and the checkpoints that are kept.
struct DiskSpace {
  std::int64_t histories = 0;
  std::int64_t results = 0;  ///< far fields and S-parameters
  std::int64_t checkpoints = 0;
  std::int64_t fields = 0;
};
/// Bytes of field files, of all runs or right-hand sides. Collective.
std::int64_t predict_field_bytes(const Case& given, const TimeDomainSetup& setup, std::int64_t drives,
                                 const comm::Communicator& ranks);

/// A collective.
DiskSpace predict_disk(const Case& given, const TimeDomainSetup& setup, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
