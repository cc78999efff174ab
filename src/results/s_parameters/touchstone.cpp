#include "results/s_parameters/touchstone.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::results {

namespace {

std::string number(double value) { return std::isnan(value) ? "nan" : tetrawave::format("{:.12e}", value); }

std::string pair(const std::complex<double>& value) {
  return tetrawave::format(" {} {}", number(value.real()), number(value.imag()));
}

// 1 and 2 ports: one line, for 2 ports in the order 11 21 12 22. 3 and more: each row of the matrix starts a line, and
// a line has at most four pairs.
std::string network_data(const SParameters& s) {
  const std::size_t ports = s.ports.size();
  std::string text;
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    text += tetrawave::format("{}", s.frequency_hz[f]);
    for (std::size_t row = 0; row < ports; ++row) {
      if (ports > 2 && row > 0) text += "\n";
      for (std::size_t column = 0; column < ports; ++column) {
        if (column > 0 && column % 4 == 0) text += "\n";
        text += ports == 2 ? pair(s.at(f, column, row)) : pair(s.at(f, row, column));
      }
    }
    text += "\n";
  }
  return text;
}

std::string comments(const SParameters& s) {
  std::string text = "! Tetrawave: S[i][j] = b_i/a_j, exp(+j omega t)\n";
  for (std::size_t i = 0; i < s.ports.size(); ++i)
    text += tetrawave::format("! Port[{}] = {}{}\n", i + 1, s.ports[i],
                              s.driven[i] ? "" : " (not driven: its column is nan)");
  for (const std::string& caution : s.cautions) text += "! Warning: " + caution + "\n";
  return text;
}

}  // namespace

bool fits_touchstone_1(const SParameters& s, const std::vector<double>& impedances_ohm) {
  ensure(impedances_ohm.size() == s.ports.size() && !s.ports.empty(), "every port has an impedance");
  const auto [low, high] = std::minmax_element(impedances_ohm.begin(), impedances_ohm.end());
  return *high - *low <= 1e-6 * *low && std::find(s.driven.begin(), s.driven.end(), false) == s.driven.end();
}

std::string touchstone_text(const SParameters& s, const std::vector<double>& impedances_ohm) {
  const std::string options = tetrawave::format("# Hz S RI R {:.10g}\n", impedances_ohm.at(0));
  if (fits_touchstone_1(s, impedances_ohm)) return comments(s) + options + network_data(s);
  std::string text =
      comments(s) + "[Version] 2.0\n" + options + tetrawave::format("[Number of Ports] {}\n", s.ports.size());
  if (s.ports.size() == 2) text += "[Two-Port Data Order] 21_12\n";
  text += tetrawave::format("[Number of Frequencies] {}\n[Reference]", s.frequency_hz.size());
  for (const double impedance : impedances_ohm) text += tetrawave::format(" {:.10g}", impedance);
  return text + "\n[Network Data]\n" + network_data(s) + "[End]\n";
}

std::filesystem::path write_touchstone(const std::filesystem::path& directory, const SParameters& s,
                                       const std::vector<double>& impedances_ohm) {
  const std::string ending = fits_touchstone_1(s, impedances_ohm) ? tetrawave::format("s{}p", s.ports.size()) : "ts";
  std::filesystem::path file = directory / ("sparameters." + ending);
  store::write_text_atomically(file, touchstone_text(s, impedances_ohm));
  return file;
}

}  // namespace tetrawave::results
