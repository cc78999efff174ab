#include "results/s_parameters/array_output.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "results/history/port_records.hpp"
#include "results/s_parameters/port_series.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::results {

namespace {

std::size_t cell_count(const ArrayDescription& array) {
  return static_cast<std::size_t>(array.size[0] * array.size[1]);
}

bool is_driven(const PortDescription& port) { return port.excite && port.excite->amplitude != 0; }

/// A value per row and cell.
class CellTable {
 public:
  CellTable(std::size_t rows, std::size_t cells) : rows_(rows), cells_(cells), values_(rows * cells) {}
  void set(std::size_t cell, const std::vector<double>& column) {
    for (std::size_t row = 0; row < rows_; ++row) values_[row * cells_ + cell] = column[row];
  }
  void write(const store::File& file, const std::string& path, const std::string& units,
             const ArrayDescription& array) const {
    file.write(path, std::span<const double>(values_), units,
               {static_cast<std::int64_t>(rows_), array.size[0], array.size[1]});
  }

 private:
  std::size_t rows_;
  std::size_t cells_;
  std::vector<double> values_;
};

void write_cells(const store::File& file, const std::string& group, const PortRequest& request, const HistoryPlan& plan,
                 const MarchResult& march, const PortRecords& records, std::size_t k) {
  const ArrayDescription& array = *request.array;
  const auto series_of = [&](std::size_t cell) {
    const std::size_t p = cell * array.cell_ports + k;
    return make_port_series(plan.ports[p], records.of(p), plan.dt_s, request.sent_by(march, p));
  };
  const std::vector<double> time = series_of(0).time;
  std::vector<CellTable> tables(4, CellTable(time.size(), cell_count(array)));
  for_each_task(cell_count(array), plan.threads, [&](std::size_t cell) {
    const PortSeries series = series_of(cell);
    tables[0].set(cell, series.incident);
    tables[1].set(cell, series.reflected);
    tables[2].set(cell, series.voltage);
    tables[3].set(cell, series.current);
  });
  file.create_group(group);
  file.write(group + "/time", time, "s");
  tables[0].write(file, group + "/incident", "sqrt(W)", array);
  tables[1].write(file, group + "/reflected", "sqrt(W)", array);
  tables[2].write(file, group + "/voltage", "V", array);
  tables[3].write(file, group + "/current", "A", array);
  file.set_attribute(group, "impedance", plan.ports[k].impedance_ohm);
  if (plan.ports[k].kind == PortModel::Kind::waveguide) file.set_attribute(group, "cutoff", plan.ports[k].cutoff_hz);
}

/// Maximum number of lines of a text table.
constexpr std::size_t most_lines = 1'000'000;

/// Writes the table of driven cells; `values` is [frequency][cell].
void write_active_table(const std::filesystem::path& path, const std::vector<double>& frequencies,
                        const std::vector<std::complex<double>>& values, const ArrayDescription& array) {
  const std::size_t cells = cell_count(array);
  if (values.size() > most_lines) {
    log::info("active S-parameters: {} lines are too many for {}; they are in results.h5", values.size(),
              path.filename().string());
    return;
  }
  std::string text = "frequency_Hz,i,j,active_re,active_im,active_dB\n";
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::complex<double>& value = values[f * cells + cell];
      if (std::isnan(value.real())) continue;
      const auto ny = static_cast<std::size_t>(array.size[1]);
      text += tetrawave::format("{:.12g},{},{},{:.9e},{:.9e},{:.6f}\n", frequencies[f], cell / ny, cell % ny,
                                value.real(), value.imag(), 20 * std::log10(std::abs(value)));
    }
  store::write_text_atomically(path, text);
}

/// [frequency][cell] of port k of a cell.
void write_active_port(const store::File& file, const std::filesystem::path& directory, const PortRequest& request,
                       const std::vector<double>& frequencies, std::size_t k,
                       const std::vector<std::complex<double>>& values) {
  const std::string name = name_in_cell(request.ports[k]);
  const ArrayDescription& array = *request.array;
  file.write("/s_parameters/active/" + name, std::span<const std::complex<double>>(values), "1",
             {static_cast<std::int64_t>(frequencies.size()), array.size[0], array.size[1]});
  write_active_table(directory / ("active_" + name + ".csv"), frequencies, values, array);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void begin_active(const store::File& file, const std::vector<double>& frequencies) {
  file.create_group("/s_parameters");
  file.create_group("/s_parameters/active");
  file.write("/s_parameters/frequency", frequencies, "Hz");
}

}  // namespace

std::string name_in_cell(const PortDescription& port) {
  return port.name.substr(0, port.name.rfind('.', port.name.rfind('.') - 1));
}

void write_array_ports(const store::File& file, const std::string& prefix, const PortRequest& request,
                       const HistoryPlan& plan, const MarchResult& march) {
  const PortRecords records(plan, march.streams);
  for (std::size_t k = 0; k < request.array->cell_ports; ++k)
    write_cells(file, prefix + "/ports/" + name_in_cell(request.ports[k]), request, plan, march, records, k);
}

void write_active(const store::File& file, const std::filesystem::path& directory, const PortRequest& request,
                  const std::vector<double>& frequencies, const HistoryPlan& plan, const MarchResult& march) {
  const ArrayDescription& array = *request.array;
  begin_active(file, frequencies);
  const PortRecords records(plan, march.streams);
  std::vector<std::string> warnings =
      warn_of_energy(frequencies, march.energy, plan.dt_s * static_cast<double>(march.steps_done), plan.remedy);
  for (std::size_t k = 0; k < array.cell_ports; ++k) {
    std::vector<std::complex<double>> values(frequencies.size() * cell_count(array), {nan, nan});
    std::vector<std::vector<std::string>> of_cells(cell_count(array));
    for_each_task(cell_count(array), plan.threads, [&](std::size_t cell) {
      const std::size_t p = cell * array.cell_ports + k;
      if (!is_driven(request.ports[p])) return;
      const PortHistory history = make_port_history(plan.ports[p], records.of(p), plan.dt_s, request.sent_by(march, p));
      ActiveReflection active = reflect(plan.ports[p], history, frequencies, plan.dt_s);
      for (std::size_t f = 0; f < frequencies.size(); ++f) values[f * cell_count(array) + cell] = active.values[f];
      of_cells[cell] = std::move(active.warnings);
    });
    // All cells have the same waveform: one warning of each kind is enough.
    for (std::size_t cell = 0; cell < of_cells.size() && warnings.empty(); ++cell) warnings = of_cells[cell];
    write_active_port(file, directory, request, frequencies, k, values);
  }
  for (const std::string& text : warnings) log::warning("{}", text);
}

void write_active(const store::File& file, const std::filesystem::path& directory, const PortRequest& request,
                  const std::vector<double>& frequencies,
                  const std::function<std::complex<double>(std::size_t frequency, std::size_t port)>& reflection) {
  begin_active(file, frequencies);
  const std::size_t cells = cell_count(*request.array), of_cell = request.array->cell_ports;
  for (std::size_t k = 0; k < of_cell; ++k) {
    std::vector<std::complex<double>> values(frequencies.size() * cells, {nan, nan});
    for (std::size_t f = 0; f < frequencies.size(); ++f)
      for (std::size_t cell = 0; cell < cells; ++cell)
        if (is_driven(request.ports[cell * of_cell + k])) values[f * cells + cell] = reflection(f, cell * of_cell + k);
    write_active_port(file, directory, request, frequencies, k, values);
  }
}

}  // namespace tetrawave::results
