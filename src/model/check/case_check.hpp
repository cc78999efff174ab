// Analysis of a case before it runs: sizes in wavelengths, local steps, memory, and likely errors.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "case/spec/highest_frequency.hpp"
#include "model/model.hpp"

namespace tetrawave::modes {

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

/// Adds wavelength and skin depth of a plane wave exp(-j k x), k = omega sqrt(eps mu)/c0, along the axis where it is
/// shortest, and the elements per wavelength.
void add_wave(RegionCheck& region, const Medium& medium, double hz);

/// Warnings of too few elements per wavelength or skin depth. `order`: key of the case that raises the order.
[[nodiscard]] std::vector<std::string> find_coarseness(const RegionCheck& region, double hz, double needed,
                                                       const std::string& order);

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

/// Appends.
inline void add_to(std::vector<std::string>& warnings, std::vector<std::string> more) {
  warnings.insert(warnings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Elements per wavelength needed by a space, by the longest edge. The lowest resonance of a cube was 1 % wrong with
/// 8.5 (mixed-1), 3 (full-1), 1.7 (mixed-2) and less than 1.6 (full-2); waves in other directions need somewhat more.
double needed_elements_per_wavelength(Space space);

/// Whether dipoles excite waves that the mesh does not resolve, at the amplitude of those that it does, and the scheme
/// hardly damps them: fluxes of DGTD-Central, with a penalty too, and DFDD-ELD (theory/central).
[[nodiscard]] bool excites_rough_waves(const Model& model);

/// Without the time-domain part (modes/time_domain/check.hpp): local steps, steps per period.
CaseCheck examine_fields(const Case& given, const Model& model);

/// Bytes on disk at the end of a run: streams and results, fields, and the checkpoints that are kept.
struct DiskSpace {
  std::int64_t histories = 0;
  std::int64_t results = 0;  ///< far fields and S-parameters
  std::int64_t checkpoints = 0;
  std::int64_t fields = 0;
};
/// Bytes of field files, of `drives` runs of `steps` time steps or right-hand sides. Collective.
std::int64_t predict_field_bytes(const Case& given, const Model& model, std::int64_t drives, std::int64_t steps,
                                 const comm::Communicator& ranks);

}  // namespace tetrawave::modes
