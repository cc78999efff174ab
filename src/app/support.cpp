#include "app/support.hpp"

#include <nlohmann/json.hpp>

#include "base/text/format.hpp"
#include "case/support.hpp"

namespace tetrawave::app {

std::string support_as_text() {
  const SupportTable table = support_table();
  const auto letter = [](std::size_t method) { return static_cast<char>('A' + static_cast<int>(method)); };
  std::string text = "Methods (schemes are of mode time-domain):\n";
  for (std::size_t m = 0; m < table.methods.size(); ++m)
    text += tetrawave::format("  {}  {}\n", letter(m), table.methods[m]);
  text += "\n+ supported, - refused\n\n" + std::string(38, ' ');
  for (std::size_t m = 0; m < table.methods.size(); ++m) text += tetrawave::format(" {}", letter(m));
  std::string group;
  for (const SupportRow& row : table.rows) {
    text += tetrawave::format("\n{:<9} {:<28}", row.group == group ? "" : row.group, row.feature);
    for (const SupportCell& cell : row.cells) text += cell.why_not.empty() ? " +" : " -";
    group = row.group;
  }
  text += "\n\nCombinations that are refused, in addition to keys that a mode does not have:\n";
  for (const RefusedTogether& refused : refused_together())
    text += tetrawave::format("  {}\n      {}\n", refused.settings, refused.message);
  return text;
}

std::string support_as_json() {
  const SupportTable table = support_table();
  nlohmann::ordered_json json;
  for (const SupportRow& row : table.rows) {
    nlohmann::ordered_json methods;
    for (std::size_t m = 0; m < table.methods.size(); ++m) {
      const SupportCell& cell = row.cells[m];
      nlohmann::ordered_json& entry = methods[table.methods[m]];
      entry["works"] = cell.why_not.empty();
      if (!cell.why_not.empty()) entry["message"] = cell.why_not;
      if (!cell.case_text.empty()) entry["case"] = cell.case_text, entry["settings"] = cell.settings;
    }
    json["features"].push_back({{"group", row.group}, {"name", row.feature}, {"methods", methods}});
  }
  for (const RefusedTogether& refused : refused_together())
    json["refused_together"].push_back({{"settings", refused.settings}, {"message", refused.message}});
  return json.dump(2) + "\n";
}

}  // namespace tetrawave::app
