// What `tetrawave check` says about a case, as JSON and as text for an engineer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/check/case_check.hpp"

namespace tetrawave::app {

struct CheckReport {
  const Case& given;
  const modes::TimeDomainSetup& setup;
  modes::CaseCheck check;
  std::vector<modes::RankMemory> memory;  ///< per rank
  modes::DiskSpace disk;
  double step_seconds = 0;  ///< as measured
  std::string device;
  std::int64_t unknowns = 0;  ///< of finite elements; 0: of a march
};

/// What a march and finite elements have in common: mesh, regions, boundaries, ports.
[[nodiscard]] nlohmann::ordered_json fields_to_json(const CheckReport& report);
[[nodiscard]] std::string fields_to_text(const CheckReport& report);
[[nodiscard]] std::string warnings_to_text(const CheckReport& report);

/// SI units in the names of the keys.
[[nodiscard]] nlohmann::ordered_json to_json(const CheckReport& report);

/// Lines of aligned columns, the warnings last.
[[nodiscard]] std::string to_text(const CheckReport& report);

/// Any JSON as indented lines "key: value".
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& json, const std::string& indent = "");

/// Three digits with a prefix: "14.6 mm", "8.25 ps", "0 m".
[[nodiscard]] std::string with_prefix(double value, const std::string& unit);

/// "12,002,256".
[[nodiscard]] std::string with_commas(std::int64_t value);

}  // namespace tetrawave::app
