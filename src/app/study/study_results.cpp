#include "app/study/study_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <regex>

#include "app/study/result_paths.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/suggest.hpp"
#include "case/read_case.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::app {

namespace {

using Kind = WantedResult::Kind;
using Item = modes::StudyTable::Item;
using Complex = std::complex<double>;

constexpr double not_found = std::numeric_limits<double>::quiet_NaN();
constexpr double lowest = 1e-10;  ///< |S| of -200 dB
constexpr const char* allowed =
    "allowed: sIJ@FREQUENCY (sI_J@ from port 10 on), resonance:PORT, q:PORT, gain@, realised_gain@, directivity@ or "
    "efficiency@FREQUENCY, /PATH of a number in results.h5";

template <class... Arguments>
[[noreturn]] void refuse(const std::string& text, tetrawave::format_string<Arguments...> why,
                         Arguments&&... arguments) {
  fail(ExitCode::usage, "tetrawave: error: --result {}: {}", text,
       tetrawave::format(why, std::forward<Arguments>(arguments)...));
}

std::size_t port_of(const std::string& digits, const std::string& text) {
  const unsigned long number = digits.size() > 6 ? 0 : std::stoul(digits);
  if (number == 0) refuse(text, "'{}' is not a port number; ports are counted from 1", digits);
  return number - 1;
}

/// Index from 0; `name`: a number from 1, or the name of a port.
std::size_t port_of(const std::string& name, const std::string& text, const std::vector<std::string>& ports) {
  const auto found = std::find(ports.begin(), ports.end(), name);
  if (found != ports.end()) return static_cast<std::size_t>(found - ports.begin());
  if (name.find_first_not_of("0123456789") != std::string::npos)
    refuse(text, "there is no port '{}'{}; the case has {}", name, did_you_mean(name, ports), list_names(ports));
  return port_of(name, text);
}

double frequency_of(const std::string& given, const std::string& text) {
  const Quantity frequency = read_quantity(given, "frequency");
  if (!frequency.fault.empty()) refuse(text, "{}", frequency.fault);
  if (!(frequency.si > 0)) refuse(text, "the frequency '{}' is not above 0", given);
  return frequency.si;
}

std::string in_ghz(double hz) { return tetrawave::format("{:.9g} GHz", hz / 1e9); }

void check_port(const WantedResult& wanted, std::size_t port, const Case& given) {
  if (port >= given.ports.size())
    refuse(wanted.text, "there is no port {}; the case has {}", port + 1, given.ports.size());
}

void check_s(const WantedResult& wanted, const Case& given) {
  if (!given.outputs.s_parameters) refuse(wanted.text, "the case has no outputs.s_parameters");
  if (given.array && !given.outputs.s_parameters->drive_each)
    refuse(wanted.text,
           "the ports of the array are driven together, which gives no S-parameters: name a number under "
           "/s_parameters/active, or set outputs.s_parameters.drive to each");
  if (wanted.kind == Kind::quality && !given.outputs.rational_model)
    refuse(wanted.text, "the case has no outputs.rational_model, whose poles it needs");
  check_port(wanted, wanted.row, given);
  check_port(wanted, wanted.column, given);
  if (!given.ports[wanted.column].excite)
    refuse(wanted.text, "port {} is not driven: it has no 'excite'", wanted.column + 1);
  if (wanted.kind == Kind::quality) return;
  const auto all = modes::wanted_frequencies(given).s_parameters_hz;
  if (wanted.kind == Kind::resonance) {
    if (all.size() < 3) refuse(wanted.text, "a resonance needs three frequencies or more, the case has {}", all.size());
  } else if (wanted.hz < all.front() * (1 - 1e-12) || wanted.hz > all.back() * (1 + 1e-12)) {
    refuse(wanted.text, "the S-parameters of the case go from {} to {}", in_ghz(all.front()), in_ghz(all.back()));
  }
}

void check_far_field(const WantedResult& wanted, const Case& given) {
  if (!given.outputs.far_field) refuse(wanted.text, "the case has no outputs.far_field");
  std::vector<std::string> names;
  for (const double hz : modes::wanted_frequencies(given).far_field_hz) {
    if (std::llround(hz) == std::llround(wanted.hz)) return;
    names.push_back(in_ghz(hz));
  }
  refuse(wanted.text, "the case has no far field at this frequency; it has {}", list_names(names));
}

void check_path(const WantedResult& wanted, const Case& given) {
  if (given.array || wanted.text.starts_with("/performance/seconds_setup_")) return;  // phases of this machine's set-up
  const std::vector<std::string> known = list_result_paths(given);
  if (std::find(known.begin(), known.end(), wanted.text) == known.end())
    refuse(wanted.text, "results.h5 of this case has no number of this path{}", did_you_mean(wanted.text, known));
}

struct Curve {
  std::vector<double> hz;
  std::vector<Complex> s;
};

Curve read_curve(const WantedResult& wanted, const store::File& file) {
  if (!file.has("/s_parameters/S")) refuse(wanted.text, "{} has no S-parameters", file.name());
  Curve curve{file.read<double>("/s_parameters/frequency"), {}};
  const auto ports = static_cast<std::size_t>(file.info("/s_parameters/S").extents.at(1));
  const auto all = file.read<Complex>("/s_parameters/S");
  for (std::size_t f = 0; f < curve.hz.size(); ++f)
    curve.s.push_back(all[(f * ports + wanted.row) * ports + wanted.column]);
  return curve;
}

double decibels(Complex s) {
  return std::isnan(std::abs(s)) ? not_found : 20 * std::log10(std::max(std::abs(s), lowest));
}

/// |S| [dB] at a frequency of the band.
double level_at(const Curve& curve, double hz) {
  const auto above = std::lower_bound(curve.hz.begin(), curve.hz.end(), hz);
  if (above == curve.hz.end()) return decibels(curve.s.back());
  const auto k = static_cast<std::size_t>(above - curve.hz.begin());
  if (k == 0 || *above == hz) return decibels(curve.s[k]);
  const double share = (hz - curve.hz[k - 1]) / (curve.hz[k] - curve.hz[k - 1]);
  return decibels((1 - share) * curve.s[k - 1] + share * curve.s[k]);
}

/// Frequency [Hz] and |S| [dB] at the minimum: that of a parabola of |S|^2 through the lowest value and its neighbours,
/// with S from the interpolating polynomial there. NaN if the lowest value is at an end of the band.
std::array<double, 2> find_resonance(const Curve& curve) {
  const auto size = [&](std::size_t k) { return std::isnan(std::abs(curve.s[k])) ? HUGE_VAL : std::norm(curve.s[k]); };
  std::size_t k = 0;
  for (std::size_t i = 1; i < curve.s.size(); ++i)
    if (size(i) < size(k)) k = i;
  if (k == 0 || k + 1 >= curve.s.size() || size(k - 1) == HUGE_VAL || size(k + 1) == HUGE_VAL)
    return {not_found, not_found};
  const std::array<double, 3> f{curve.hz[k - 1], curve.hz[k], curve.hz[k + 1]};
  const double fall = (size(k) - size(k - 1)) / (f[1] - f[0]), rise = (size(k + 1) - size(k)) / (f[2] - f[1]);
  const double bend = (rise - fall) / (f[2] - f[0]);
  const double hz = bend > 0 ? (f[0] + f[1]) / 2 - fall / (2 * bend) : f[1];
  Complex s = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3;
    s += curve.s[k - 1 + i] * ((hz - f[a]) * (hz - f[b]) / ((f[i] - f[a]) * (f[i] - f[b])));
  }
  return {hz, decibels(s)};
}

/// Columns of the resonance that the port sees most, by the poles of S: loaded and unloaded Q, frequency, bandwidth and
/// the error of the model.
std::vector<Item> quality_columns(const WantedResult& wanted, const store::File* file) {
  const std::string& text = wanted.text;
  std::vector<Item> columns{{text, not_found, ""},
                            {text + "_unloaded", not_found, ""},
                            {text + "_frequency", not_found, "Hz"},
                            {text + "_bandwidth", not_found, "Hz"},
                            {text + "_error", not_found, ""}};
  if (file == nullptr || !file->has("/rational_model/poles")) return columns;
  columns[4].value = file->attribute<double>("/rational_model", "error");
  const auto all = file->attribute<std::vector<std::string>>("/rational_model", "ports");
  const auto driven = file->attribute<std::vector<std::string>>("/rational_model", "driven_ports");
  const auto port =
      static_cast<std::size_t>(std::find(driven.begin(), driven.end(), all.at(wanted.row)) - driven.begin());
  const std::string group = "/rational_model/resonances/";
  const auto loaded = file->read<double>(group + "loaded_q"), external = file->read<double>(group + "external_q");
  std::size_t chosen = loaded.size();
  for (std::size_t k = 0; k < loaded.size(); ++k) {
    const auto share = [&](std::size_t of) { return loaded[of] / external[of * driven.size() + port]; };
    if (chosen == loaded.size() || share(k) > share(chosen)) chosen = k;
  }
  if (chosen == loaded.size()) {
    log::warning("{}: the rational model of {} has no resonance in the band", text, file->name());
    return columns;
  }
  const std::array<const char*, 4> names{"loaded_q", "unloaded_q", "frequency", "bandwidth"};
  for (std::size_t c = 0; c < names.size(); ++c) columns[c].value = file->read<double>(group + names[c]).at(chosen);
  return columns;
}

double read_far_field(const WantedResult& wanted, const store::File& file) {
  const std::string group = "/far_field/" + std::to_string(std::llround(wanted.hz));
  if (!file.has(group)) refuse(wanted.text, "{} has no {}", file.name(), group);
  const bool is_efficiency = wanted.quantity == "efficiency";
  if (!is_efficiency && !file.has(group + "/" + wanted.quantity))
    refuse(wanted.text, "{} has no {} in {}: what the ports accept is not known", file.name(), wanted.quantity, group);
  if (is_efficiency) {
    const double efficiency = file.attribute<double>(group, wanted.quantity);
    if (std::isnan(efficiency)) refuse(wanted.text, "{} has none: what the ports accept is not known", file.name());
    return efficiency;
  }
  const auto values = file.read<double>(group + "/" + wanted.quantity);
  double largest = -HUGE_VAL;
  for (const double value : values) largest = std::max(largest, value);  // NaN is no maximum
  return largest;
}

/// A scalar data set, else an attribute of the parent group or data set.
Item read_path(const WantedResult& wanted, const std::string& column, const store::File& file) {
  const std::string& path = wanted.text;
  const std::size_t slash = path.rfind('/');
  const std::string above = slash == 0 ? "/" : path.substr(0, slash), name = path.substr(slash + 1);
  const bool is_object = file.has(path);
  if (!is_object && !(file.has(above) && file.has_attribute(above, name)))
    refuse(path, "{} has no data set or attribute of this name", file.name());
  try {
    if (!is_object) return {column, file.attribute<double>(above, name), ""};
    const auto values = file.read<double>(path);
    if (values.size() != 1)
      refuse(path, "in {} it has {} values where one number is expected", file.name(), values.size());
    return {column, values.front(),
            file.has_attribute(path, "units") ? file.attribute<std::string>(path, "units") : ""};
  } catch (const UserError& failure) {
    if (failure.code() == ExitCode::usage) throw;
    refuse(path, "it is not one number: {}", failure.what());
  }
}

}  // namespace

WantedResult parse_result(const std::string& text, const std::vector<std::string>& ports) {
  static const std::regex s_parameter("[sS](?:([0-9])([0-9])|([0-9]+)_([0-9]+))@(.*)");
  static const std::regex of_port("(resonance|q):(.+)");
  static const std::regex far_field("(gain|realised_gain|directivity|efficiency)@(.*)");
  static const std::regex path("(/[^/]+)+");
  std::smatch part;
  WantedResult wanted{Kind::path, text};
  if (std::regex_match(text, part, s_parameter)) {
    wanted.kind = Kind::s_parameter;
    wanted.row = port_of(part[1].matched ? part[1] : part[3], text);
    wanted.column = port_of(part[2].matched ? part[2] : part[4], text);
    wanted.hz = frequency_of(part[5], text);
  } else if (std::regex_match(text, part, of_port)) {
    wanted.kind = part[1] == "q" ? Kind::quality : Kind::resonance;
    wanted.row = wanted.column = port_of(part[2], text, ports);
  } else if (std::regex_match(text, part, far_field)) {
    wanted.kind = Kind::far_field;
    wanted.quantity = part[1];
    wanted.hz = frequency_of(part[2], text);
  } else if (!std::regex_match(text, path)) {
    refuse(text, "unknown result; {}", allowed);
  }
  return wanted;
}

void check_result(const WantedResult& wanted, const Case& given) {
  if (wanted.kind == Kind::s_parameter || wanted.kind == Kind::resonance || wanted.kind == Kind::quality)
    check_s(wanted, given);
  if (wanted.kind == Kind::far_field) check_far_field(wanted, given);
  if (wanted.kind == Kind::path) check_path(wanted, given);
}

std::vector<Item> columns_of(const WantedResult& wanted, const store::File* file) {
  if (wanted.kind == Kind::s_parameter)
    return {{wanted.text, file == nullptr ? not_found : level_at(read_curve(wanted, *file), wanted.hz), "dB"}};
  if (wanted.kind == Kind::resonance) {
    std::array<double, 2> found{not_found, not_found};
    if (file != nullptr) {
      found = find_resonance(read_curve(wanted, *file));
      if (std::isnan(found[0]))
        log::warning("{}: no resonance within the band of {}: |S| is lowest at its end", wanted.text, file->name());
    }
    return {{wanted.text, found[0], "Hz"}, {wanted.text + "_level", found[1], "dB"}};
  }
  if (wanted.kind == Kind::quality) return quality_columns(wanted, file);
  if (wanted.kind == Kind::far_field)
    return {{wanted.text, file == nullptr ? not_found : read_far_field(wanted, *file),
             wanted.quantity == "efficiency" ? "" : "dBi"}};
  std::string column = wanted.text.substr(1);
  std::replace(column.begin(), column.end(), '/', '.');
  if (file == nullptr) return {{column, not_found}};
  return {read_path(wanted, column, *file)};
}

}  // namespace tetrawave::app
