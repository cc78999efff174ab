// Voltages, currents and waves of a port over time, from its records.
#pragma once

#include <functional>
#include <vector>

#include "results/ports/port_model.hpp"
#include "results/s_parameters/s_parameters.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

/// Rows at k dt.
struct PortSeries {
  std::vector<double> time;
  std::vector<double> incident;   ///< a [sqrt(W)]
  std::vector<double> reflected;  ///< b [sqrt(W)]
  std::vector<double> voltage;    ///< [V]
  std::vector<double> current;    ///< into the structure [A]
};

/// From the stream of a port (histories.hpp) and its source, sent(t): for lines the stream's own columns, which are
/// those of the face, scaled to the whole port. For a waveguide a = sent and b = T * g - R * a, g being the wave
/// recorded at the medium's impedance, so that a and b are those of the mode at every frequency (theory/ports). For a
/// lumped port the current is that of its resistor, inductance and capacitance, as in the time loop; for a line whose
/// port couples to its mode alone that of its impedance.
PortSeries make_port_series(const PortModel& port, const store::StreamData& recorded, double dt_s,
                            const std::function<double(double t_s)>& sent);

/// The waves alone, in the form used by compute_s_parameters.
PortHistory make_port_history(const PortModel& port, const store::StreamData& recorded, double dt_s,
                              const std::function<double(double t_s)>& sent);

}  // namespace tetrawave::results
