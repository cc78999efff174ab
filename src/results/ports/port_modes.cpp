#include "results/ports/port_modes.hpp"

#include <cmath>
#include <map>

namespace tetrawave::results {

PortMode make_port_mode(const PortFaces& faces, const ModeProfiles& profiles) {
  PortMode mode;
  std::map<GlobalIndex, std::int32_t> number;
  for (const auto& [vertex, point] : points_of(faces.all)) {
    number[vertex] = static_cast<std::int32_t>(mode.points_m.size());
    mode.points_m.push_back(point);
  }
  const double voltage = std::sqrt(profiles.face_ohm);
  const double current = 1 / voltage;
  constexpr std::array<double, 3> middle{1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (std::size_t t = 0; t < faces.all.size(); ++t) {
    const auto& vertices = faces.all[t].vertices;
    mode.cells.push_back({number.at(vertices[0]), number.at(vertices[1]), number.at(vertices[2])});
    mode.electric.push_back(voltage * profiles.electric(t, middle));
    mode.magnetic.push_back((-current / profiles.norm) * cross(faces.normal, profiles.magnetic(t, middle)));
  }
  return mode;
}

void write_port_modes(const store::File& file, const std::string& prefix, const std::vector<PortMode>& modes) {
  for (const PortMode& mode : modes) {
    const std::string group = prefix + "/ports/" + mode.port + "/mode";
    file.create_group(group);
    file.write(group + "/points", std::span<const Vec3>(mode.points_m), "m");
    std::vector<std::int32_t> corners;
    for (const auto& cell : mode.cells) corners.insert(corners.end(), cell.begin(), cell.end());
    file.write(group + "/cells", std::span<const std::int32_t>(corners), "1",
               {static_cast<std::int64_t>(mode.cells.size()), 3});
    file.write(group + "/E", std::span<const Vec3>(mode.electric), "V/m");
    file.write(group + "/H", std::span<const Vec3>(mode.magnetic), "A/m");
    file.set_attribute(group, "type", mode.type);
    file.set_attribute(group, "impedance", mode.impedance_ohm);
    if (mode.eps_effective > 0) file.set_attribute(group, "eps_effective", mode.eps_effective);
    if (mode.cutoff_hz > 0) file.set_attribute(group, "cutoff", mode.cutoff_hz);
  }
}

}  // namespace tetrawave::results
