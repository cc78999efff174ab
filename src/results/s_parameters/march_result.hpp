// A run and what is known of it when results are written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "mesh/file/mesh_input.hpp"
#include "results/far_field/far_field_output.hpp"
#include "results/history/histories.hpp"
#include "results/s_parameters/s_parameters.hpp"
#include "sources/ports/port_description.hpp"

namespace tetrawave::results {

/// One run and its streams.
struct MarchResult {
  std::string name;                 ///< the driven port with drive: each, else empty
  std::vector<std::size_t> driven;  ///< indices of the ports that were driven
  std::filesystem::path streams;
  EnergyTail energy{};  ///< as observed during the run
  std::int64_t steps_done = 0;
  bool ended = false;
  bool decayed = false;                     ///< ended by time.energy_decay, not by the last step
  std::vector<FarFieldResult> far_field{};  ///< of a finished run (rank 0)
};

/// Output of the source of a port in a run, in the units of the case: a voltage, for a waveguide a wave in sqrt(W).
using SentWave = std::function<double(double t_s)>;

/// The ports of a case, for what is written of them.
struct PortRequest {
  const std::vector<PortDescription>& ports;  ///< of all cells of an array
  const std::vector<WaveformShape>& waveforms;
  const std::optional<ArrayDescription>& array;

  [[nodiscard]] SentWave sent_by(const MarchResult& march, std::size_t port) const;
};

/// A remedy, apart from a longer run, if energy leaves slowly: central flux does not damp what the mesh cannot resolve,
/// which is most in mixed-2. Empty for other schemes and spaces.
[[nodiscard]] std::string remedy_of_slow_decay(Scheme scheme, Space space);

}  // namespace tetrawave::results
