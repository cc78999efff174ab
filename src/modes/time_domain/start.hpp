// The start of a run: its waves, its initial fields, and the columns that it records.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "modes/time_domain/setup.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// The columns of the recorded histories.
results::HistoryPlan history_plan(const TimeDomainSetup& setup);

/// What results.h5 is to contain. It refers to the setup.
results::ResultRequest result_request(const TimeDomainSetup& setup);

/// Start of a run with only the ports of `driven` excited (indices into given.ports). An expression of the initial
/// fields can be invalid on one rank only (UserError, bad_case): call it inside Communicator::agree. Without fields for
/// a run resumed from a checkpoint.
march::Start make_start(const TimeDomainSetup& setup, const std::vector<std::size_t>& driven, bool with_fields = true);

/// A warning of given fields that DFDD-ELD drops, those in absorbing layers (theory/pml), if they exceed a thousandth
/// of the largest field at the centroids; else empty. `start` is that of a run with fields. All ranks call it.
[[nodiscard]] std::string find_lost_fields(const TimeDomainSetup& setup, const march::Start& start,
                                           const comm::Communicator& ranks);

/// The wave of a driven port, by the step, in internal form: its incident voltage, for a waveguide the incident wave of
/// its wall.
march::Wave make_port_wave(const TimeDomainSetup& setup, std::size_t port);

/// The excitation of a port by the step, in the units of the case.
march::Wave make_excitation_wave(const TimeDomainSetup& setup, std::size_t port);

}  // namespace tetrawave::modes
