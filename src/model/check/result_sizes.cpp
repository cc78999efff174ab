#include "model/check/result_sizes.hpp"

#include <algorithm>

namespace tetrawave::modes {

std::int64_t marches_of(const Case& given) {
  const bool each = given.outputs.s_parameters && given.outputs.s_parameters->drive_each;
  const auto driven = std::count_if(given.ports.begin(), given.ports.end(),
                                    [](const PortDescription& p) { return p.excite.has_value(); });
  return each ? driven : 1;
}

ResultSizes size_of_results(const Case& given, std::int64_t drives, std::int64_t frequencies) {
  ResultSizes sizes;
  if (const auto& far = given.outputs.far_field) {
    // per direction: two complex components and up to seven patterns; rows of the table and of the .ffe file
    constexpr double numbers = 2 * 16 + 7 * 8, text = 160 + 173;
    const double directions = static_cast<double>(far->theta_deg.size()) * static_cast<double>(far->phi_deg.size());
    const double patterns = directions * static_cast<double>(std::max<std::size_t>(1, far->frequencies_hz.size()));
    sizes.disk += patterns * static_cast<double>(drives) * (numbers + text);
    sizes.memory +=
        patterns * static_cast<double>(drives) * 2 * 16 + directions * (numbers + text);  // texts one by one
  }
  if (const auto& s = given.outputs.s_parameters) {
    const auto ports = static_cast<double>(given.ports.size());
    const auto points = static_cast<double>(s->points > 0 ? s->points : frequencies);
    constexpr double number = 16, text = 2 * 23;
    sizes.disk += points * (8 + ports * ports * (number + text));
    sizes.memory += points * (8 + ports * ports * (number + text));
  }
  for (const NearFieldRequest& near : given.outputs.near_fields) {
    const auto points = static_cast<double>(near.points_m.size() * near.frequencies_hz.size());
    sizes.disk += points * (3 + 12 * static_cast<double>(drives)) * 8;
    sizes.memory += points * 12 * static_cast<double>(drives) * 8 * 2;  // as they are sent, and as they are written
  }
  if (is_harmonic(given.mode))
    for (const ProbePoint& probe : given.outputs.probes) {
      const double numbers =
          1 + static_cast<double>(drives) * 2 * 3 * ((probe.electric ? 1 : 0) + (probe.magnetic ? 1 : 0));
      sizes.disk += 8 * numbers * static_cast<double>(frequencies);
      sizes.memory += 8 * numbers * static_cast<double>(frequencies);
    }
  return sizes;
}

}  // namespace tetrawave::modes
