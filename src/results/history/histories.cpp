#include "results/history/histories.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "results/history/port_records.hpp"

namespace tetrawave::results {

Histories::Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy,
                     std::vector<double> magnetic_before)
    : directory_(directory), plan_(std::move(plan)), before_(std::move(magnetic_before)), energy_(energy) {
  open_streams([&](const std::string& name, const std::vector<std::string>& columns) {
    return store::StreamWriter(directory_ / name, columns);
  });
}

Histories::Histories(const std::filesystem::path& directory, HistoryPlan plan, bool energy,
                     const std::vector<store::FileMark>& kept, const std::filesystem::path& run)
    : directory_(directory), plan_(std::move(plan)), energy_(energy) {
  open_streams([&](const std::string& name, const std::vector<std::string>& columns) {
    const auto path = directory_ / name;
    const std::string relative = path.lexically_relative(run).generic_string();
    for (const store::FileMark& mark : kept)
      if (mark.name == relative) return store::StreamWriter(path, columns, mark);
    fail(ExitCode::bad_checkpoint, "the checkpoint has no stream {}", relative);
  });
}

void Histories::open_streams(const Opener& open) {
  const auto add = [&](const std::string& name, const std::vector<std::string>& columns) {
    streams_.push_back({name, open(name, columns)});
  };
  constexpr std::array columns{"incident", "reflected", "voltage", "current"};
  std::vector<std::string> joint{"time"};
  for (const PortModel& port : plan_.ports) {
    if (!plan_.joint_ports) add(port_stream(port), {"time", columns[0], columns[1], columns[2], columns[3]});
    for (const char* column : columns) joint.push_back(port.name + "." + column);
  }
  if (port_stream_count() == 1 && plan_.joint_ports) add(joint_stream, joint);
  for (const ProbePoint& probe : plan_.probes)
    add("probe-" + probe.name + ".stream", {"time", "Ex", "Ey", "Ez", "Hx", "Hy", "Hz"});
  if (energy_)
    add("energy.stream", {"time", "electric", "magnetic", "total", "nonlinear", "dispersive", "of_rates", "jumps"});
}

std::size_t Histories::port_stream_count() const {
  return plan_.joint_ports ? std::min<std::size_t>(plan_.ports.size(), 1) : plan_.ports.size();
}

void Histories::append(march::Record record, std::vector<march::EnergyRow> energy) {
  settle();
  writing_ = std::async(std::launch::async, [this, record = std::move(record), energy = std::move(energy)] {
    write(record);
    write(energy);
    for (Stream& stream : streams_) stream.writer.flush();
  });
}

void Histories::settle() const {
  if (writing_.valid()) writing_.get();
}

void Histories::end_at(std::int64_t step) {
  settle();
  plan_.steps = step;
}

const std::vector<double>& Histories::magnetic_before() const {
  settle();
  return before_;
}

void Histories::set_magnetic_before(std::vector<double> values) {
  settle();
  before_ = std::move(values);
}

void Histories::write(const march::Record& record) {
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
  const auto mean = [&](std::size_t k) { return plan_.staggered ? (before_[k] + magnetic[k]) / 2 : magnetic[k]; };
  append_ports(time, electric, mean);
  for (std::size_t p = 0; p < plan_.probes.size(); ++p) {
    if (step % plan_.probes[p].every != 0 && step != plan_.steps) continue;
    const std::size_t k = plan_.ports.size() + 3 * p;
    std::vector<double> row{time};
    for (std::size_t axis = 0; axis < 3; ++axis) row.push_back(electric[k + axis]);
    for (std::size_t axis = 0; axis < 3; ++axis) row.push_back(mean(k + axis));
    streams_[port_stream_count() + p].writer.append(row);
  }
}

void Histories::append_ports(double time, const double* electric, const std::function<double(std::size_t)>& magnetic) {
  std::vector<double> row{time};
  for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
    const double z = plan_.ports[p].face_impedance_ohm();
    const double v = electric[p];
    const double zi = magnetic(p);
    const double root = 2 * std::sqrt(z);
    row.insert(row.end(), {(v + zi) / root, (v - zi) / root, v, zi / z});
    if (plan_.joint_ports) continue;
    streams_[p].writer.append(row);
    row.resize(1);
  }
  if (plan_.joint_ports && row.size() > 1) streams_.front().writer.append(row);
}

void Histories::write(const std::vector<march::EnergyRow>& rows) {
  if (!energy_) return;
  for (const march::EnergyRow& row : rows)
    streams_.back().writer.append(std::vector<double>{static_cast<double>(row.step) * plan_.dt_s, row.electric,
                                                      row.magnetic, row.total(), row.nonlinear, row.dispersive,
                                                      row.of_rates, row.jumps});
}

void Histories::sync() {
  settle();
  for (Stream& stream : streams_) stream.writer.sync();
}

std::vector<store::FileMark> Histories::marks(const std::filesystem::path& run) const {
  settle();
  std::vector<store::FileMark> marks;
  for (const Stream& stream : streams_)
    marks.push_back(stream.writer.mark((directory_ / stream.name).lexically_relative(run).generic_string()));
  return marks;
}

}  // namespace tetrawave::results
