// Histories of one march: probes, ports and energy go to append-only streams row by row while the march runs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "march/engine.hpp"
#include "store/stream.hpp"

namespace tetrawave::observe {

/// A port as the histories need it.
struct PortColumn {
  std::string name;
  double impedance_ohm = 0;
};

/// Which functionals stand where: first one of E and one of H per port, then three of each per probe.
struct HistoryPlan {
  std::vector<PortColumn> ports;
  std::vector<ProbeSpec> probes;
  double dt_s = 0;
  std::int64_t steps = 0;  ///< rows 0..steps
};

/// Turns records of half steps into rows at k dt (H, currents and waves are the mean of the neighbouring half steps)
/// and appends them to DIR/port-NAME.stream, DIR/probe-NAME.stream, DIR/energy.stream. Lives on rank 0.
class Histories {
 public:
  /// `magnetic_before`: functionals of H at -dt/2.
  Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy, std::vector<double> magnetic_before);
  /// The next rows of all ports and probes. Throws UserError (io), as do the others.
  void append(const march::Record& record);
  /// Does nothing when the energy is not wanted.
  void append(const std::vector<march::EnergyRow>& rows);
  /// Hands all rows to the system.
  void flush();

 private:
  void append_row(std::int64_t step, const double* electric, const double* magnetic);

  HistoryPlan plan_;
  std::vector<double> before_;
  std::vector<store::StreamWriter> ports_;
  std::vector<store::StreamWriter> probes_;
  std::unique_ptr<store::StreamWriter> energy_;
};

}  // namespace tetrawave::observe
