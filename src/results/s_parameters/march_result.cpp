#include "results/s_parameters/march_result.hpp"

#include <algorithm>

#include "base/scheme.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::results {

SentWave PortRequest::sent_by(const MarchResult& march, std::size_t port) const {
  const bool driven = std::find(march.driven.begin(), march.driven.end(), port) != march.driven.end();
  if (!driven) return [](double) { return 0.0; };
  return make_excitation(waveforms, *ports[port].excite);
}

std::string remedy_of_slow_decay(Scheme scheme, Space space) {
  const bool is_central = has_central_fluxes(scheme), is_upwind = has_upwind_fluxes(scheme);
  if (is_upwind || (is_central && space != Space::mixed_2)) return {};
  return is_central ? "or fields that the mesh does not resolve ring, which dgtd-central does not damp and of "
                      "which mixed-2 has most: use method.basis: full-1 or full-2, or method.scheme: "
                      "dgtd-upwind"
                    : "or fields that the mesh does not resolve ring, which dfdd-eld does not damp: use "
                      "smaller elements, or method.scheme: dgtd-upwind";
}

}  // namespace tetrawave::results
