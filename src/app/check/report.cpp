#include "app/check/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/log_lines.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/connect/order_elements.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

std::int64_t count_dofs(const CheckReport& report) {
  if (report.unknowns > 0) return report.unknowns;
  return 2 * static_cast<std::int64_t>(basis::reference_element(report.given.method.basis).dofs) *
         report.model.summary.element_count;
}

double march_seconds(const CheckReport& report) {
  return report.step_seconds * static_cast<double>(report.setup->steps);
}

Json range_to_json(const MeasureRange& range) {
  return {{"min", range.min}, {"median", range.median}, {"max", range.max}};
}

/// Of a boundary; for a port whose copies in the cells of an array have its tag, that of one of them.
double area_m2(const CheckReport& report, std::size_t tag) {
  const auto& array = report.given.array;
  const bool is_shared = array && !array->has_port_tags && tag < array->cell_ports;
  return report.model.summary.tag_area_m2[tag] /
         (is_shared ? static_cast<double>(array->size[0] * array->size[1]) : 1.0);
}

Json mesh_to_json(const CheckReport& report) {
  const MeshSummary& m = report.model.summary;
  const FaceShares& shares = report.model.shares;
  Json json;
  json["elements"] = m.element_count;
  json["bounding_box_m"] = {m.low_m, m.high_m};
  json["size_m"] = report.check.size_m;
  if (report.check.highest.hz > 0) json["size_in_wavelengths"] = report.check.size_wavelengths;
  json["edge_m"] = {{"shortest", m.shortest_edge_m.min},
                    {"median_longest", m.longest_edge_m.median},
                    {"longest", m.longest_edge_m.max}};
  json["radius_ratio"] = {{"min", m.radius_ratio.min}, {"median", m.radius_ratio.median}};
  json["order"] = {{"ordering", name_of(report.given.run.ordering)},
                   {"faces_in_block", shares.in_block},
                   {"faces_in_part", shares.in_part},
                   {"mean_distance", shares.mean_distance}};
  for (const modes::RegionCheck& region : report.check.regions) {
    Json& entry = json["regions"][region.name];
    entry = {{"material", region.material},
             {"elements", region.elements},
             {"volume_m3", region.volume_m3},
             {"longest_edge_m", range_to_json(region.edge_m)}};
    if (report.check.highest.hz == 0) continue;
    entry["wavelength_m"] = region.wavelength_m;
    entry["elements_per_wavelength"] = {{"min", region.fewest_elements_per_wavelength},
                                        {"median", region.elements_per_wavelength}};
    if (region.skin_depth_m > 0) entry["skin_depth_m"] = region.skin_depth_m;
  }
  for (std::size_t t = 0; t < m.tag_area_m2.size(); ++t)
    json["boundaries"][report.model.boundaries.tags.names[t]] = {{"area_m2", area_m2(report, t)}};
  return json;
}

/// The ports to report: for an array those of the first cell, which are the same in all cells.
std::span<const modes::PortSummary> different_ports(const CheckReport& report) {
  const std::span<const modes::PortSummary> ports = report.model.ports;
  return report.given.array ? ports.first(report.given.array->cell_ports) : ports;
}

Json array_to_json(const CheckReport& report) {
  const ArrayGrid& grid = report.model.array->grid;
  return {{"size", grid.size},
          {"pitch_m", grid.pitch_m},
          {"cells", grid.cell_count()},
          {"ports", report.model.ports.size()}};
}

std::string array_to_text(const CheckReport& report) {
  if (!report.model.array) return "";
  const ArrayGrid& grid = report.model.array->grid;
  return tetrawave::format("array: {} x {} antenna cells of {} x {}, {} cells with the rim, {} ports\n", grid.size[0],
                           grid.size[1], with_prefix(grid.pitch_m[0], "m"), with_prefix(grid.pitch_m[1], "m"),
                           with_commas(grid.cell_count()),
                           with_commas(static_cast<std::int64_t>(report.model.ports.size())));
}

Json ports_to_json(const CheckReport& report) {
  Json json = Json::object();
  for (const modes::PortSummary& port : different_ports(report)) {
    Json& entry = json[port.name];
    entry["impedance_ohm"] = port.impedance_ohm;
    if (port.radii_m) {
      entry["inner_radius_m"] = (*port.radii_m)[0];
      entry["outer_radius_m"] = (*port.radii_m)[1];
      entry["cutoff_hz"] = port.second_mode_hz;
    }
    if (port.second_mode_hz > 0) entry["second_mode_hz"] = port.second_mode_hz;
    if (port.mode_cutoff_per_m > 0) entry["mode_cutoff_hz"] = port.mode_cutoff_hz();
    entry["faces"] = port.faces;
  }
  return json;
}

Json memory_to_json(const CheckReport& report) {
  Json json = Json::array();
  for (std::size_t rank = 0; rank < report.memory.size(); ++rank) {
    const modes::RankMemory& memory = report.memory[rank];
    json.push_back({{"rank", rank},
                    {"elements", memory.elements},
                    {"device_bytes", memory.device},
                    {"device_peak_bytes", memory.device_peak},
                    {"host_setup_bytes", memory.host_setup},
                    {"host_march_bytes", memory.host_march},
                    {"host_checkpoint_bytes", memory.host_checkpoint},
                    {"host_results_bytes", memory.host_results}});
  }
  return json;
}

/// Columns as wide as their widest entry, the first left-aligned, the others right-aligned.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        widths[c] = std::max(widths[c], row[c].size());
      }
    std::string result;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size(); ++c)
        line +=
            c == 0 ? tetrawave::format(" {:<{}}", row[c], widths[c]) : tetrawave::format("  {:>{}}", row[c], widths[c]);
      line.erase(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string number(double value) { return tetrawave::format("{:.3g}", value); }

/// "2 h 15 min", "12.3 s".
std::string duration(double seconds) {
  if (seconds < 120) return tetrawave::format("{:.3g} s", seconds);
  const auto minutes = static_cast<std::int64_t>(std::llround(seconds / 60));
  if (minutes < 60) return tetrawave::format("{} min", minutes);
  if (minutes < 48 * 60) return tetrawave::format("{} h {} min", minutes / 60, minutes % 60);
  return tetrawave::format("{} days {} h", minutes / 1440, minutes % 1440 / 60);
}

std::string unit_name(double unit_m) {
  for (const auto& [unit, name] :
       {std::pair{1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "um"}, {1e-9, "nm"}, {25.4e-3, "inch"}, {25.4e-6, "mil"}})
    if (std::abs(unit_m / unit - 1) < 1e-9) return name;
  return "m";
}

std::string mesh_to_text(const CheckReport& report) {
  const MeshSummary& m = report.model.summary;
  const Vec3 size = (1 / report.given.unit_m) * report.check.size_m;
  const HighestFrequency& highest = report.check.highest;
  const FaceShares& shares = report.model.shares;
  std::string text = array_to_text(report);
  text += tetrawave::format("mesh: {} elements, {} unknowns\n", with_commas(m.element_count),
                            with_commas(count_dofs(report)));
  text += tetrawave::format("  size           {:.6g} x {:.6g} x {:.6g} {}\n", size[0], size[1], size[2],
                            unit_name(report.given.unit_m));
  if (highest.hz > 0) {
    const Vec3& waves = report.check.size_wavelengths;
    text += tetrawave::format("                 {:.3g} x {:.3g} x {:.3g} wavelengths at {} ({})\n", waves[0], waves[1],
                              waves[2], with_prefix(highest.hz, "Hz"), highest.source);
  }
  text += tetrawave::format("  edges          {} to {}, longest edge of the median element {}\n",
                            with_prefix(m.shortest_edge_m.min, "m"), with_prefix(m.longest_edge_m.max, "m"),
                            with_prefix(m.longest_edge_m.median, "m"));
  text +=
      tetrawave::format("  radius ratio   smallest {:.3g}, median {:.3g}\n", m.radius_ratio.min, m.radius_ratio.median);
  text += tetrawave::format(
      "  order          {}: {:.1f} % of the faces inside blocks of {} elements, {:.1f} % inside parts of {}\n",
      name_of(report.given.run.ordering), 100 * shares.in_block, order_block, 100 * shares.in_part, order_part);
  return text;
}

std::string regions_to_text(const CheckReport& report) {
  const bool waves = report.check.highest.hz > 0;
  Table table;
  const std::string unit = unit_name(report.given.unit_m);
  std::vector<std::string> head{"region",        "material",  "elements", "volume (" + unit + "^3)",
                                "edge (median)", "edge (max)"};
  if (waves) head.insert(head.end(), {"wavelength", "elements per wavelength", "minimum", "skin depth"});
  table.add(head);
  for (const modes::RegionCheck& region : report.check.regions) {
    std::vector<std::string> row{region.name,
                                 region.material,
                                 with_commas(region.elements),
                                 number(region.volume_m3 / std::pow(report.given.unit_m, 3)),
                                 with_prefix(region.edge_m.median, "m"),
                                 with_prefix(region.edge_m.max, "m")};
    if (waves)
      row.insert(row.end(), {with_prefix(region.wavelength_m, "m"), number(region.elements_per_wavelength),
                             number(region.fewest_elements_per_wavelength),
                             region.skin_depth_m > 0 ? with_prefix(region.skin_depth_m, "m") : "-"});
    table.add(row);
  }
  std::string text = "regions:\n" + table.text();
  Table boundaries;
  boundaries.add({"boundary", "area (" + unit + "^2)"});
  const MeshSummary& m = report.model.summary;
  for (std::size_t t = 0; t < m.tag_area_m2.size(); ++t)
    boundaries.add(
        {report.model.boundaries.tags.names[t], number(area_m2(report, t) / std::pow(report.given.unit_m, 2))});
  return text + "boundaries:\n" + boundaries.text();
}

std::string ports_to_text(const CheckReport& report) {
  if (report.model.ports.empty()) return "";
  Table table;
  table.add({"port", "impedance", "faces", "radii", "second mode from"});
  for (const modes::PortSummary& port : different_ports(report))
    table.add({port.name, tetrawave::format("{:.4g} ohm", port.impedance_ohm),
               with_commas(static_cast<std::int64_t>(port.faces)),
               port.radii_m ? with_prefix((*port.radii_m)[0], "m") + ", " + with_prefix((*port.radii_m)[1], "m") : "-",
               port.second_mode_hz > 0 ? with_prefix(port.second_mode_hz, "Hz") : "-"});
  return "ports:\n" + table.text();
}

std::string time_to_text(const CheckReport& report) {
  const modes::LocalSteps& local = report.check.local_steps;
  std::string text = tetrawave::format("time: {} steps of {} to {}\n", with_commas(report.setup->steps),
                                       with_prefix(report.setup->dt_s, "s"),
                                       with_prefix(report.setup->dt_s * static_cast<double>(report.setup->steps), "s"));
  text += tetrawave::format("  stable step    {}, set by element {} in region '{}'\n",
                            with_prefix(local.smallest_s, "s"), local.element, local.region);
  text += tetrawave::format("                 about {} for the median element\n", with_prefix(local.median_s, "s"));
  const auto total = static_cast<double>(report.model.summary.element_count);
  text += tetrawave::format(
      "  local steps    1x: {:.1f} %, 3x: {:.1f} %, 9x: {:.1f} %, 27x: {:.1f} % of the elements\n",
      100 * static_cast<double>(local.classes[0]) / total, 100 * static_cast<double>(local.classes[1]) / total,
      100 * static_cast<double>(local.classes[2]) / total, 100 * static_cast<double>(local.classes[3]) / total);
  const auto& classes = report.setup->class_elements;
  if (report.given.method.max_classes > 1) {
    text +=
        tetrawave::format("  LTS levels     steps of {} in the finest:", with_prefix(report.setup->smallest_dt_s, "s"));
    std::int64_t times = 1;
    for (std::size_t c = 0; c < classes.size(); ++c, times *= 3)
      text += tetrawave::format("{} {}x: {}", c == 0 ? "" : ",", times, with_commas(classes[c]));
    text += tetrawave::format(" elements, {:.3g} times fewer updates\n", march::gain_by_counting(classes));
    text += tetrawave::format("                 {:.3g} times as fast as a single step, by counting updates\n",
                              report.setup->predicted_gain);
  }
  if (report.check.steps_per_period > 0)
    text += tetrawave::format("  resolution     {:.4g} steps per period of {}\n", report.check.steps_per_period,
                              with_prefix(report.check.highest.hz, "Hz"));
  return text + tetrawave::format("  run time       about {} on {}\n", duration(march_seconds(report)), report.device);
}

std::string memory_to_text(const CheckReport& report) {
  constexpr std::size_t most = 16;
  const bool on_host = report.device.rfind("cpu", 0) == 0;
  Table table;
  table.add({"rank", "elements", on_host ? "fields etc." : "device", "at most", "host at set-up", "host while running",
             "with checkpoint", "at the end"});
  for (std::size_t rank = 0; rank < std::min(most, report.memory.size()); ++rank) {
    const modes::RankMemory& memory = report.memory[rank];
    table.add({std::to_string(rank), with_commas(memory.elements), describe_bytes(memory.device),
               describe_bytes(memory.device_peak), describe_bytes(memory.host_setup), describe_bytes(memory.host_march),
               describe_bytes(memory.host_checkpoint),
               memory.host_results > 0 ? describe_bytes(memory.host_results) : "-"});
  }
  if (report.memory.size() > most) table.add({tetrawave::format("... of {}", report.memory.size())});
  const std::string halos =
      report.model.halos.size() > 1 ? "balance: " + describe_halos(report.model.halos) + "\n" : "";
  std::string text = halos + "memory per rank:\n" + table.text();
  const std::string fields = report.disk.fields > 0 ? describe_bytes(report.disk.fields) + " of fields, " : "";
  return text + tetrawave::format("disk: {} of histories and results, {}{} of checkpoints, if they are written\n",
                                  describe_bytes(report.disk.histories + report.disk.results), fields,
                                  describe_bytes(report.disk.checkpoints));
}

}  // namespace

Json step_to_json(const march::StepPlan& plan, int levels) {
  constexpr std::array keys{"action", "field", "elements", "level", "substep"};
  Json json = Json::array();
  for (const auto& row : march::table_of(plan, levels)) {
    Json entry;
    for (std::size_t k = 0; k < row.size(); ++k) entry[keys[k]] = row[k];
    json.push_back(entry);
  }
  return json;
}

std::string step_to_text(const march::StepPlan& plan, int levels) {
  std::string text = tetrawave::format("{} actions, and the row that is recorded:\n", plan.size());
  std::size_t number = 0;
  for (const auto& row : march::table_of(plan, levels)) {
    std::string line = tetrawave::format("{:>5}  {:<31}", ++number, row[0]);
    if (row.size() > 1) line += tetrawave::format("{:<4}  {:<6}", row[1], row[2]);
    if (row.size() > 3) line += tetrawave::format("  level {:<3}", row[3]);
    if (row.size() > 4 && !row[4].empty()) line += "  step " + row[4];
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string to_text(const Json& json, const std::string& indent) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      text += indent + key + ":\n" + to_text(value, indent + "  ");
    else
      text += indent + key + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

std::string with_prefix(double value, const std::string& unit) {
  if (value == 0 || !std::isfinite(value)) return tetrawave::format("{:.3g} {}", value, unit);
  static const std::string prefixes[] = {"a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T"};
  // rounded first, so that 0.9996 becomes 1.00 and not 1e+03 m
  const double rounded = std::stod(tetrawave::format("{:.2e}", value));
  const int step = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(rounded)) / 3 + 1e-9)), -6, 4);
  return tetrawave::format("{:.3g} {}{}", rounded / std::pow(1000., step), prefixes[step + 6], unit);
}

std::string with_commas(std::int64_t value) {
  std::string text = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t place = text.size(); place > sign + 3;) text.insert(place -= 3, ",");
  return text;
}

Json fields_to_json(const CheckReport& report) {
  Json json;
  json["mesh"] = mesh_to_json(report);
  if (report.check.highest.hz > 0) {
    json["highest_frequency_hz"] = report.check.highest.hz;
    json["highest_frequency_from"] = report.check.highest.source;
    if (report.unknowns == 0) json["steps_per_period"] = report.check.steps_per_period;
    json["needed_elements_per_wavelength"] = modes::needed_elements_per_wavelength(report.given.method.basis);
  }
  if (report.model.array) json["array"] = array_to_json(report);
  if (!report.model.ports.empty()) json["ports"] = ports_to_json(report);
  return json;
}

void add_warnings(Json& json, const std::vector<std::string>& of_check) {
  std::vector<std::string> all = log::kept_warnings();
  modes::add_to(all, of_check);
  json["warnings"] = all;
}

void add_run(Json& json, const CheckReport& report) {
  json["disk_bytes"] = {{"histories", report.disk.histories},
                        {"results", report.disk.results},
                        {"fields", report.disk.fields},
                        {"checkpoints", report.disk.checkpoints}};
  json["device"] = report.device;
  json["seconds_per_step"] = report.step_seconds;
  json["predicted_seconds"] = march_seconds(report);
  add_warnings(json, report.check.warnings);
}

Json to_json(const CheckReport& report) {
  const modes::LocalSteps& local = report.check.local_steps;
  Json json = fields_to_json(report);
  json["stable_step_s"] = report.setup->stable_step_s;
  json["time_step_s"] = report.setup->dt_s;
  json["steps"] = report.setup->steps;
  json["step_classes"] = {{"smallest_step_s", report.setup->smallest_dt_s},
                          {"elements", report.setup->class_elements},
                          {"ideal_gain", march::gain_by_counting(report.setup->class_elements)},
                          {"predicted_gain", report.setup->predicted_gain}};
  json["local_steps"] = {{"median_s", local.median_s},
                         {"elements_at_1_3_9_27", local.classes},
                         {"smallest_element", local.element},
                         {"smallest_place_m", local.place_m},
                         {"smallest_region", local.region}};
  json["dofs"] = count_dofs(report);
  for (const RankHalo& halo : report.model.halos)
    json["ranks"].push_back({{"elements", halo.elements},
                             {"border_elements", halo.border},
                             {"shared_faces", halo.faces},
                             {"peers", halo.peers}});
  json["memory_per_rank"] = memory_to_json(report);
  add_run(json, report);
  return json;
}

std::string fields_to_text(const CheckReport& report) {
  return mesh_to_text(report) + regions_to_text(report) + ports_to_text(report);
}

std::string warnings_to_text(const CheckReport& report) {
  std::string text;
  for (const std::string& warning : report.check.warnings) text += "warning: " + warning + "\n";
  return text;
}

std::string to_text(const CheckReport& report) {
  return fields_to_text(report) + time_to_text(report) + memory_to_text(report) + warnings_to_text(report);
}

}  // namespace tetrawave::app
