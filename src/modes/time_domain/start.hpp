// The start of a run: its waves, its initial fields, and the columns that it records.
#pragma once

#include <vector>

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

/// The wave of a driven port, by the step, in internal form: its incident voltage, for a waveguide the incident wave of
/// its wall.
march::Wave make_port_wave(const TimeDomainSetup& setup, std::size_t port);

/// The excitation of a port by the step, in the units of the case.
march::Wave make_excitation_wave(const TimeDomainSetup& setup, std::size_t port);

}  // namespace tetrawave::modes
