// Histories of one run: probes, ports and energy are appended to streams row by row during the run.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "march/interface/engine.hpp"
#include "results/ports/port_model.hpp"
#include "results/ports/port_modes.hpp"
#include "results/request/request.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

/// The order of functionals: first one of E and one of H per port, then three of each per probe.
struct HistoryPlan {
  std::vector<PortModel> ports;
  std::vector<ProbePoint> probes;
  double dt_s = 0;
  std::int64_t steps = 0;    ///< rows 0..steps
  bool staggered = true;     ///< H is recorded at half steps
  int threads = 1;           ///< for values derived from the ports
  bool joint_ports = false;  ///< the ports of an array share one stream
  std::shared_ptr<const std::vector<PortMode>> modes{};
  std::string remedy{};  ///< of energy left at the end, apart from a longer run
};

/// Converts records to rows at k dt (if H is staggered it is the mean of the neighbouring half steps, and so are
/// currents and waves) and appends them to DIR/port-NAME.stream (DIR/ports.stream for all of an array),
/// DIR/probe-NAME.stream, DIR/energy.stream. On rank 0. Waves of a waveguide are those at the impedance of its medium,
/// and a lumped port has its voltage only: see port_series.hpp.
class Histories {
 public:
  /// New streams. `magnetic_before`: functionals of H at -dt/2.
  Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy, std::vector<double> magnetic_before);
  /// Continues the streams marked in `kept`; names are relative to `run`. Rows after the marks are cut off. Throws
  /// UserError: bad_checkpoint if a stream is not the one that was marked. Call `set_magnetic_before` next.
  Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy,
            const std::vector<store::FileMark>& kept, const std::filesystem::path& run);
  /// The next rows of all ports and probes, and of the energy where recorded: passed to the system while the time loop
  /// runs. A failure there is thrown by the next call of any function. Throws UserError (io), as do the others.
  void append(march::Record record, std::vector<march::EnergyRow> energy);
  /// The run ends at this step, before the last one planned: every probe has a row for it.
  void end_at(std::int64_t step);
  /// Makes all rows durable: fsync of every stream.
  void sync();
  /// Lengths and hashes of the streams, named relative to `run`.
  [[nodiscard]] std::vector<store::FileMark> marks(const std::filesystem::path& run) const;

  /// State: functionals of H half a step before the next row.
  [[nodiscard]] const std::vector<double>& magnetic_before() const;
  void set_magnetic_before(std::vector<double> values);

 private:
  using Opener = std::function<store::StreamWriter(const std::string& name, const std::vector<std::string>& columns)>;
  void open_streams(const Opener& open);
  [[nodiscard]] std::size_t port_stream_count() const;
  void append_ports(double time, const double* electric, const std::function<double(std::size_t)>& magnetic);
  void write(const march::Record& record);
  void write(const std::vector<march::EnergyRow>& rows);
  /// Waits until everything appended has been written.
  void settle() const;
  void append_row(std::int64_t step, const double* electric, const double* magnetic);

  struct Stream {
    std::string name;
    store::StreamWriter writer;
  };

  std::filesystem::path directory_;
  HistoryPlan plan_;
  std::vector<double> before_;
  std::vector<Stream> streams_;  ///< of the ports, of the probes, of the energy
  bool energy_ = false;
  mutable std::future<void> writing_;  ///< destroyed first: it uses the others
};

}  // namespace tetrawave::results
