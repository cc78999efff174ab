// Port records of the histories of a run, read back from their streams.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/history/histories.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

/// The stream of the ports of an array, which are too many for separate files.
inline constexpr const char* joint_stream = "ports.stream";
[[nodiscard]] std::string port_stream(const PortModel& port);

class PortRecords {
 public:
  /// `plan` must outlive this. Throws UserError (io), as does `of`.
  PortRecords(const HistoryPlan& plan, const std::filesystem::path& streams);

  /// Columns time, incident, reflected, voltage, current of port p of the plan.
  [[nodiscard]] store::StreamData of(std::size_t p) const;

 private:
  const HistoryPlan& plan_;
  std::filesystem::path streams_;
  std::optional<store::StreamData> joint_;
};

}  // namespace tetrawave::results
