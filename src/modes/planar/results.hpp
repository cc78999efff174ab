// Files of a plane problem: results.h5, far fields as tables, whole fields for ParaView.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "modes/frequency_domain/frequency_domain.hpp"
#include "modes/planar/far_field.hpp"
#include "store/atomic_file.hpp"
#include "store/grid_series.hpp"

namespace tetrawave::modes {

/// Everything that a run has found.
struct PlanarOutcome {
  FrequencyOutcome base;                                ///< without far fields
  std::vector<std::vector<PlanarFarField>> far_fields;  ///< per set and frequency of the far field, ascending
};

/// `fields/[SET/]regions-frequencies.vtkhdf`: phasors at the corners of every triangle; of second order those of four
/// parts of each.
class PlanarFiles {
 public:
  PlanarFiles(const Case& given, const PlanarSetup& setup, const std::vector<DrivenSet>& sets,
              const std::filesystem::path& directory);
  void write(std::size_t set, double hz, const PlanarSystem& system, const PlanarSolution& solution);
  void finish();

 private:
  struct Target {
    std::filesystem::path path;
    std::unique_ptr<store::AtomicFile> file;
    std::unique_ptr<store::GridSeries> series;
  };
  void write_geometry(const store::GridSeries& series) const;

  const PlanarSetup& setup_;
  store::GridShape shape_;
  std::vector<std::size_t> elements_;
  std::vector<std::array<double, 3>> corners_;  ///< barycentric, of the parts of an element
  std::vector<Target> targets_;                 ///< per set
};

/// Throws UserError (io).
void write_planar_results(const Case& given, const FrequencyDomainOptions& options, const PlanarSetup& setup,
                          const PlanarOutcome& outcome);

}  // namespace tetrawave::modes
