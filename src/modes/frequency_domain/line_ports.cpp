// Quasi-TEM ports that carry the mode of their line at each frequency, as a term of low rank beside their open wall.
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

std::vector<std::size_t> FrequencySystem::use_line_modes(const std::vector<FoundPort>& ports,
                                                         const std::vector<double>& hz) {
  std::vector<std::size_t> used;
  if (ports.size() != models_.size()) return used;  // of an array
  lines_.resize(ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (!ports[p].line) continue;
    LinePort line{fem::LineModeTable({*ports[p].line, space().space}, hz), {}};
    for (const results::PlacedFace& face : results::place_faces(ports[p].faces))
      line.faces.push_back({face.element, face.face, face.triangle});
    const std::size_t points = line.modes.points();
    const double mu = std::pow(models_[p].refractive_index, 2) / setup_.ports[p].eps_effective;
    double least = 1;
    for (const double f : hz) {
      const fem::LineMode& mode = line.modes.at(f);
      models_[p].index_at[f] = mode.index;
      least = std::min(least, mode.overlap);
    }
    const auto eps_at = [&](double f) { return std::pow(models_[p].index_at[f], 2) / mu; };
    log::info(
        "port {}: the mode of its line at each frequency{}, effective permittivity {:.5g} at {:.4g} GHz to {:.5g} "
        "at {:.4g} GHz",
        models_[p].name,
        points > 0 ? tetrawave::format(", interpolated from {} ({:.1g} off)", points, line.modes.error()) : "",
        eps_at(hz.front()), hz.front() / 1e9, eps_at(hz.back()), hz.back() / 1e9);
    constexpr double alike = 0.8;
    if (least < alike)
      log::warning(
          "port {}: up to {:.4g} GHz the mode of its line has only {:.2g} of its static field: another mode may "
          "have taken its place; use a smaller cross-section or lower frequencies",
          models_[p].name, hz.back() / 1e9, least);
    lines_[p] = std::move(line);
    used.push_back(p);
  }
  return used;
}

void FrequencySystem::add_line_moments(const LinePort& line, const std::vector<double>& numbers, const Complex& factor,
                                       const fem::EdgeSpace& rows, const std::vector<bool>* only,
                                       std::vector<Complex>& to) const {
  const auto& reference = basis::reference_element(rows.space);
  for (const LinePort::Face& face : line.faces) {
    if (only != nullptr && !(*only)[static_cast<std::size_t>(face.element)]) continue;
    const auto unknowns = rows.of(static_cast<std::size_t>(face.element));
    for (std::size_t i = 0; i < reference.face_dofs; ++i)
      if (const std::int32_t u = unknowns[reference.on_face[face.face][i]]; u != fem::EdgeSpace::fixed)
        to[static_cast<std::size_t>(u)] += factor * numbers[face.triangle * reference.face_dofs + i];
  }
}

/// With p the moments of the mode's current, q those of the wall, n = p . e, s = q . e: the wall has j k0 Q, Q e = q,
/// and is left to what is not the mode, (1 - p e^T/n) Q (1 - e p^T/n); the mode has p p^T/n.
fem::LowRankUpdate FrequencySystem::line_update(double hz, const fem::EdgeSpace& rows) const {
  fem::LowRankUpdate update;
  std::vector<std::array<Complex, 2>> own;  // of p p^T, p q^T
  const Complex j_k0(0, 2 * pi * hz / c0_m_per_s);
  for (const auto& line : lines_) {
    if (!line) continue;
    const fem::LineMode& mode = line->modes.at(hz);
    for (const auto* numbers : {&mode.current, &mode.wall})
      add_line_moments(*line, *numbers, 1, rows, nullptr,
                       update.columns.emplace_back(static_cast<std::size_t>(rows.unknowns), Complex(0)));
    double n = 0, s = 0;
    for (std::size_t i = 0; i < mode.field.size(); ++i) {
      n += mode.current[i] * mode.field[i];
      s += mode.wall[i] * mode.field[i];
    }
    own.push_back({j_k0 * (s / n + 1) / n, -j_k0 / n});
  }
  const std::size_t size = update.columns.size();
  update.middle.assign(size * size, Complex(0));
  for (std::size_t k = 0; k < own.size(); ++k) {
    update.middle[2 * k * size + 2 * k] = own[k][0];
    update.middle[2 * k * size + 2 * k + 1] = update.middle[(2 * k + 1) * size + 2 * k] = own[k][1];
  }
  return update;
}

Complex FrequencySystem::line_voltage(std::size_t port, const FieldSolution& field) const {
  const LinePort& line = *lines_[port];
  const std::vector<double>& current = line.modes.at(field.hz).current;
  const auto& reference = basis::reference_element(space().space);
  Complex sum = 0;
  for (const LinePort::Face& face : line.faces) {
    const auto dofs = electric_of(face.element, field);
    for (std::size_t i = 0; i < reference.face_dofs; ++i)
      sum += current[face.triangle * reference.face_dofs + i] * dofs[reference.on_face[face.face][i]];
  }
  return sum / line.modes.norm();
}

PortReading FrequencySystem::reading_of(std::size_t port, const std::vector<Complex>& of_update) const {
  std::size_t before = 0;
  for (std::size_t p = 0; p < port; ++p) before += has_line_mode(p) ? 2 : 0;
  return {of_update[before] / lines_[port]->modes.norm(), 0};
}

}  // namespace tetrawave::modes
