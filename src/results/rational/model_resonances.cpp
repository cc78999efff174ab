#include "results/rational/model_resonances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tetrawave::results {

std::vector<ModelResonance> find_resonances(const RationalModel& model, double from_hz, double to_hz,
                                            const std::vector<std::size_t>& rows) {
  std::vector<ModelResonance> resonances;
  for (std::size_t k = 0; k < model.poles.size(); ++k) {
    const std::complex<double> pole = model.poles[k];
    ModelResonance found;
    found.hz = std::abs(pole) / (2 * std::numbers::pi);
    if (!(pole.imag() > 0) || found.hz < from_hz || found.hz > to_hz) continue;
    const double decay = -pole.real();
    double into_ports = 0;
    for (std::size_t i = 0; i < model.rows; ++i)
      for (std::size_t j = 0; j < model.columns; ++j)
        found.strength = std::max(found.strength, std::abs(model.residue(k, i, j)) / decay);
    found.loaded_q = std::abs(pole) / (2 * decay);
    found.bandwidth_hz = found.hz / found.loaded_q;
    if (found.strength <= 2 * model.error || found.bandwidth_hz > to_hz - from_hz) continue;
    for (std::size_t j = 0; j < model.columns; ++j) {
      const double rate = std::abs(model.residue(k, rows[j], j)) * pole.imag() / std::abs(pole);
      into_ports += rate;
      found.external_q.push_back(std::abs(pole) / rate);
    }
    const double inside = 2 * decay - into_ports;
    if (model.columns < model.rows)
      found.unloaded_q = std::numeric_limits<double>::quiet_NaN();
    else if (inside <= 2 * model.error * decay)
      found.unloaded_q = std::numeric_limits<double>::infinity();
    else
      found.unloaded_q = std::abs(pole) / inside;
    resonances.push_back(std::move(found));
  }
  std::sort(resonances.begin(), resonances.end(), [](const auto& a, const auto& b) { return a.hz < b.hz; });
  return resonances;
}

}  // namespace tetrawave::results
