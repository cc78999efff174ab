#include "observe/histories.hpp"

#include <cmath>

namespace tetrawave::observe {

Histories::Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy,
                     std::vector<double> magnetic_before)
    : plan_(std::move(plan)), before_(std::move(magnetic_before)) {
  for (const PortColumn& port : plan_.ports)
    ports_.emplace_back(directory / ("port-" + port.name + ".stream"),
                        std::vector<std::string>{"time", "incident", "reflected", "voltage", "current"});
  for (const ProbeSpec& probe : plan_.probes)
    probes_.emplace_back(directory / ("probe-" + probe.name + ".stream"),
                         std::vector<std::string>{"time", "Ex", "Ey", "Ez", "Hx", "Hy", "Hz"});
  if (energy)
    energy_ = std::make_unique<store::StreamWriter>(directory / "energy.stream",
                                                    std::vector<std::string>{"time", "electric", "magnetic", "total"});
}

void Histories::append(const march::Record& record) {
  if (record.values.empty()) return;
  const std::size_t count = plan_.ports.size() + 3 * plan_.probes.size();
  for (std::int64_t r = 0; r < record.rows; ++r) {
    const double* row = record.values.data() + static_cast<std::size_t>(r) * 2 * count;
    append_row(record.first + r, row, row + count);
    before_.assign(row + count, row + 2 * count);
  }
}

void Histories::append_row(std::int64_t step, const double* electric, const double* magnetic) {
  const double time = static_cast<double>(step) * plan_.dt_s;
  const auto mean = [&](std::size_t k) { return (before_[k] + magnetic[k]) / 2; };
  for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
    const double z = plan_.ports[p].impedance_ohm;
    const double v = electric[p];
    const double zi = mean(p);
    const double root = 2 * std::sqrt(z);
    ports_[p].append(std::vector<double>{time, (v + zi) / root, (v - zi) / root, v, zi / z});
  }
  for (std::size_t p = 0; p < plan_.probes.size(); ++p) {
    if (step % plan_.probes[p].every != 0 && step != plan_.steps) continue;
    const std::size_t k = plan_.ports.size() + 3 * p;
    std::vector<double> row{time};
    for (std::size_t axis = 0; axis < 3; ++axis) row.push_back(electric[k + axis]);
    for (std::size_t axis = 0; axis < 3; ++axis) row.push_back(mean(k + axis));
    probes_[p].append(row);
  }
}

void Histories::append(const std::vector<march::EnergyRow>& rows) {
  if (!energy_) return;
  for (const march::EnergyRow& row : rows)
    energy_->append(std::vector<double>{static_cast<double>(row.step) * plan_.dt_s, row.electric, row.magnetic,
                                        row.electric + row.magnetic});
}

void Histories::flush() {
  for (auto& stream : ports_) stream.flush();
  for (auto& stream : probes_) stream.flush();
  if (energy_) energy_->flush();
}

}  // namespace tetrawave::observe
