// The report of `tetrawave check`, as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/check/case_check.hpp"
#include "modes/time_domain/check.hpp"

namespace tetrawave::app {

struct CheckReport {
  const Case& given;
  const modes::Model& model;
  const modes::TimeDomainSetup* setup;  ///< of modes with time steps
  modes::CaseCheck check;
  std::vector<modes::RankMemory> memory;  ///< per rank
  modes::DiskSpace disk;
  double step_seconds = 0;  ///< as measured
  std::string device;
  std::int64_t unknowns = 0;  ///< of finite elements; 0 for the time-domain schemes
};

/// The common part of time domain and finite elements: mesh, regions, boundaries, ports.
[[nodiscard]] nlohmann::ordered_json fields_to_json(const CheckReport& report);
[[nodiscard]] std::string fields_to_text(const CheckReport& report);
[[nodiscard]] std::string warnings_to_text(const CheckReport& report);

/// The actions of a step on rank 0, in their order; `levels`: of local time stepping.
[[nodiscard]] nlohmann::ordered_json step_to_json(const march::StepPlan& plan, int levels);
[[nodiscard]] std::string step_to_text(const march::StepPlan& plan, int levels);

/// Warnings that were logged, and those of the check.
void add_warnings(nlohmann::ordered_json& json, const std::vector<std::string>& of_check);

/// Adds disk, device, seconds and warnings of a run.
void add_run(nlohmann::ordered_json& json, const CheckReport& report);

/// Key names contain SI units.
[[nodiscard]] nlohmann::ordered_json to_json(const CheckReport& report);

/// Lines of aligned columns, with the warnings at the end.
[[nodiscard]] std::string to_text(const CheckReport& report);

/// Any JSON as indented lines "key: value".
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& json, const std::string& indent = "");

/// Three digits with an SI prefix: "14.6 mm", "8.25 ps", "0 m".
[[nodiscard]] std::string with_prefix(double value, const std::string& unit);

/// "12,002,256".
[[nodiscard]] std::string with_commas(std::int64_t value);

}  // namespace tetrawave::app
