// The third stage of a port: from its fields to what a problem needs to know of it.
#pragma once

#include <cstdint>
#include <optional>

#include "comm/communicator.hpp"
#include "model/ports/modal_problem.hpp"
#include "results/ports/port_modes.hpp"

namespace tetrawave::modes {

struct MadePort {
  results::PortRecipe recipe;
  PortSummary summary;                    ///< complete
  std::optional<results::PortMode> mode;  ///< its field for results.h5, but the name; lumped ports have none
};
/// `tag`: its boundary tag, on whose wall the problem knows the port's resistance. Collective.
[[nodiscard]] MadePort make_port_recipe(const march::Problem& problem, const PortDescription& spec,
                                        const PortPlace& place, const SolvedPort& solved, std::int32_t tag,
                                        const comm::Communicator& ranks);

}  // namespace tetrawave::modes
