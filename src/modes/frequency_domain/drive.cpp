// What drives the systems of the frequency domain, the modes of lines at ports, and the weak form in a part of the
// elements.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "fem/parts/part_inverse.hpp"
#include "mesh/map_element.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

namespace {

Complex times_j_k0(const Complex& hz) { return Complex(0, 1) * (2 * pi * hz / c0_m_per_s); }

}  // namespace

std::optional<PlaneWave> FrequencySystem::wave_in(LocalIndex element, double hz, const DrivenSet& set) const {
  if (!set.plane_wave || !scattering_->is_total(element)) return std::nullopt;
  return wave_of(hz, set);
}

bool FrequencySystem::is_scattered(LocalIndex element) const { return scattering_ && !scattering_->is_total(element); }

PlaneWave FrequencySystem::wave_of(double hz, const DrivenSet& set) const {
  return {given_.plane_waves[*set.plane_wave], scattering_->medium(), hz};
}

void FrequencySystem::add_wave_through(const fem::FaceTraces& lit, const PlaneWave& wave, double hz,
                                       std::vector<Complex>& side) const {
  const double admittance = 1 / scattering_->medium().impedance();
  const auto field = [&](std::size_t p) {
    const auto& point = lit.points()[p];
    ComplexVector sum = cross(point.normal, wave.magnetic(point.place_m));
    const ComplexVector electric = wave.electric(point.place_m);
    for (std::size_t x = 0; x < 3; ++x) sum[x] += admittance * electric[x];
    return sum;
  };
  lit.add_moments(field, times_j_k0(hz), side);
}

void FrequencySystem::add_wave_current(const fem::FaceTraces& faces, const PlaneWave& wave, double hz,
                                       std::vector<Complex>& side) const {
  const auto field = [&](std::size_t p) {
    return cross(faces.points()[p].normal, wave.magnetic(faces.points()[p].place_m));
  };
  faces.add_moments(field, times_j_k0(hz), side);
}

fem::SparseRows FrequencySystem::element_rows(const std::vector<LocalIndex>& elements, double hz,
                                              const fem::EdgeSpace& rows,
                                              const std::vector<std::int32_t>& number_of_row) const {
  const std::vector<Complex> factors = wall_factors(hz);
  const std::size_t n = space().functions;
  std::int32_t count = 0;
  for (const std::int32_t row : number_of_row) count = std::max(count, row + 1);
  const auto terms = collect<fem::MatrixTerm<Complex>>(elements.size(), threads_, [&](std::size_t k, auto& list) {
    const auto e = static_cast<std::size_t>(elements[k]);
    fem::EdgeElement<Complex> matrix(setup_.problem.space);
    matrix.set(setup_.mesh.corners[e], coefficients(static_cast<std::size_t>(kind_[e]), hz), setup_.mesh.curved.of(e));
    std::vector<Complex> entries(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t unknown = rows.of(e)[i];
      const std::int32_t row = unknown == fem::EdgeSpace::fixed ? -1 : number_of_row[static_cast<std::size_t>(unknown)];
      if (row < 0) continue;
      assembly_->row_of<Complex>(matrix, e, i, factors, entries.data());
      for (std::size_t c = 0; c < n; ++c)
        if (const std::int32_t u = space().of(e)[c]; u != fem::EdgeSpace::fixed) list.push_back({row, u, entries[c]});
    }
  });
  return fem::add_up(terms, static_cast<std::size_t>(count), threads_);
}

FrequencySystem::LayerEntries FrequencySystem::layer_entries(const fem::OverlapLayer& layer, double hz) const {
  const std::vector<std::int32_t>& number = shared_.rows.number;
  std::vector<std::int32_t> row_of(number.size(), -1), unknown_of;
  for (const LocalIndex element : layer.elements)
    for (const std::int32_t u : space().of(static_cast<std::size_t>(element)))
      if (u != fem::EdgeSpace::fixed && row_of[static_cast<std::size_t>(u)] < 0) {
        row_of[static_cast<std::size_t>(u)] = static_cast<std::int32_t>(unknown_of.size());
        unknown_of.push_back(u);
      }
  const auto number_of = [&](std::int32_t u) { return number[static_cast<std::size_t>(u)]; };
  const fem::SparseRows rows = element_rows(layer.elements, hz, space(), row_of);
  LayerEntries result;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (auto k = static_cast<std::size_t>(rows.first[row]); k < static_cast<std::size_t>(rows.first[row + 1]); ++k)
      result.places.push_back({number_of(unknown_of[row]), number_of(rows.column[k])});
  result.values.assign(rows.value.begin(), rows.value.end());
  const auto& on_face = basis::reference_element(space().space).on_face;
  for (const fem::ElementFace& end : layer.ends) {
    const auto own = space().of(static_cast<std::size_t>(end.first));
    const auto mass = map_element(space().space, setup_.mesh, end.first).face_mass(end.second);
    const Complex factor = times_j_k0(hz) * admittance_of_open(end, static_cast<std::int32_t>(models_.size()), hz);
    for (const std::size_t i : on_face[end.second])
      for (const std::size_t k : on_face[end.second]) {
        if (own[i] == fem::EdgeSpace::fixed || own[k] == fem::EdgeSpace::fixed) continue;
        result.places.push_back({number_of(own[i]), number_of(own[k])});
        result.values.push_back(factor * mass(i, k));
      }
  }
  return result;
}

fem::SchwarzOverlap<Complex> FrequencySystem::schwarz_overlap() const {
  fem::SchwarzOverlap<Complex> overlap;
  const std::vector<fem::OverlapLayer> layers = fem::find_overlap_layers(setup_.mesh, ranks());
  for (const fem::OverlapLayer& layer : layers) overlap.places.push_back(layer_entries(layer, assembled_hz_).places);
  overlap.values = [this, layers] {
    std::vector<std::vector<Complex>> values;
    for (const fem::OverlapLayer& layer : layers) values.push_back(layer_entries(layer, assembled_hz_).values);
    return values;
  };
  return overlap;
}

std::unique_ptr<fem::ApproximateInverse<Complex>> FrequencySystem::inverse_by_cells(
    const fem::SolverMachine& machine) const {
  const std::vector<Complex> factors = wall_factors(assembled_hz_);
  const fem::CellLabels labels = fem::label_cells(setup_.mesh, setup_.array->grid, setup_.array->elements, threads_);
  fem::MeshParts parts = fem::find_parts(setup_.mesh, space(), labels, {kind_, walls_, factors}, threads_);
  log::info("oras: {} parts, {} kinds of them, of at most {} unknowns with what is around them", parts.parts.size(),
            parts.kinds.size(), parts.largest());
  const auto terms = [this] {
    fem::PartTerms result;
    const auto outside = static_cast<std::int32_t>(models_.size());  // the tag of no port
    for (std::size_t k = 0; k < element_of_kind_.size(); ++k) {
      result.media.push_back(coefficients(k, assembled_hz_));
      result.ends.push_back(times_j_k0(assembled_hz_) *
                            admittance_of_open({element_of_kind_[k], 0}, outside, assembled_hz_));
    }
    result.walls = wall_factors(assembled_hz_);
    return result;
  };
  return fem::make_part_inverse(std::move(parts), kind_, terms, machine);
}

std::vector<std::vector<Complex>> FrequencySystem::right_hand_sides(double hz,
                                                                    const std::vector<DrivenSet>& sets) const {
  std::vector<std::vector<Complex>> sides(sets.size());
  for_each_task(sets.size(), threads_, [&](std::size_t k) { sides[k] = drive(hz, sets[k], nullptr, space()); });
  std::vector<std::size_t> lit;
  std::vector<PlaneWave> waves;
  for (std::size_t k = 0; k < sets.size(); ++k)
    if (sets[k].plane_wave) {
      lit.push_back(k);
      waves.push_back(wave_of(hz, sets[k]));
    }
  if (waves.empty()) return sides;
  // On the border S, n out of the total field, with w_S the wave's coefficients there: the elements of the scattered
  // field get A w_S, S gets j k0 oint N . (n x H).
  std::vector<std::int32_t> all(static_cast<std::size_t>(space().unknowns));
  for (std::size_t u = 0; u < all.size(); ++u) all[u] = static_cast<std::int32_t>(u);
  const fem::SparseRows beside = element_rows(scattering_->beside_border(), hz, space(), all);
  const std::vector<std::vector<Complex>> border = scattering_->on_border(waves);
  for_each_task(waves.size(), threads_, [&](std::size_t w) {
    add_wave_through(*lit_traces_, waves[w], hz, sides[lit[w]]);
    beside.add_product(1, border[w], sides[lit[w]], 1);
    add_wave_current(scattering_->border_traces(), waves[w], hz, sides[lit[w]]);
  });
  return sides;
}

std::vector<FieldSolution> FrequencySystem::complete(double hz, const std::vector<DrivenSet>& sets,
                                                     std::vector<std::vector<Complex>> unknowns) const {
  std::vector<FieldSolution> fields;
  std::vector<PlaneWave> waves;
  unknowns.resize(sets.size());
  for (std::size_t k = 0; k < sets.size(); ++k) {
    fields.push_back({hz, sets[k], std::move(unknowns[k]), {}, {}});
    if (sets[k].plane_wave) waves.push_back(wave_of(hz, sets[k]));
  }
  if (waves.empty()) return fields;
  std::vector<std::vector<Complex>> border = scattering_->on_border(waves);
  std::size_t next = 0;
  for (FieldSolution& field : fields)
    if (field.set.plane_wave) field.border = std::move(border[next++]);
  return fields;
}

std::vector<Complex> FrequencySystem::drive(double hz, const DrivenSet& set, const std::vector<bool>* only,
                                            const fem::EdgeSpace& rows) const {
  const auto is_left_out = [only](LocalIndex e) { return only != nullptr && !(*only)[static_cast<std::size_t>(e)]; };
  const Complex s = times_j_k0(hz);
  std::vector<Complex> result(static_cast<std::size_t>(rows.unknowns), Complex(0));
  std::vector<Complex> voltage;
  for (std::size_t p = 0; p < models_.size(); ++p) voltage.push_back(incident_voltage(p, hz, set));
  for (const march::DrivenFace& driven : setup_.problem.driven) {
    const auto port = static_cast<std::size_t>(driven.wave - 1);
    if (voltage[port] == 0.0 || has_line_mode(port) || is_left_out(driven.element)) continue;
    const bool lumped = models_[port].kind == results::PortModel::Kind::lumped;
    const Complex admittance =
        lumped ? admittance_of_sheet(port, hz, true) * (is_inner_[port] ? 0.5 : 1.0)  // from both sides
               : admittance_of_open({driven.element, driven.face}, driven.wave - 1, hz);
    fem::EdgeAssembly::scatter(rows, driven.element, driven.direct, 2.0 * s * admittance * voltage[port], result);
  }
  for (std::size_t p = 0; p < models_.size(); ++p)
    if (voltage[p] != 0.0 && has_line_mode(p))
      add_line_moments(*lines_[p], lines_[p]->modes->at(hz).current, 2.0 * s * voltage[p], rows, only, result);
  if (!set.sources) return result;
  for (const march::SourceTerm& term : setup_.problem.sources) {
    if (is_left_out(term.element)) continue;
    const NamedExcitation& excite = given_.sources[static_cast<std::size_t>(term.wave)].excite;
    const Complex phasor = excite.amplitude * std::exp(-2 * pi * hz * excite.delay_s * Complex(0, 1));
    fem::EdgeAssembly::scatter(rows, term.element, term.electric, s * phasor, result);
  }
  return result;
}

std::vector<Complex> FrequencySystem::electric_as_solved(LocalIndex element, const FieldSolution& field) const {
  const bool scattered = field.set.plane_wave && !scattering_->is_total(element);
  std::vector<Complex> dofs;
  for (const std::int32_t u : space().of(static_cast<std::size_t>(element))) {
    const bool is_zero = u == fem::EdgeSpace::fixed || field.unknowns.empty();
    dofs.push_back(is_zero ? Complex(0) : field.unknowns[static_cast<std::size_t>(u)]);
    if (scattered && u != fem::EdgeSpace::fixed) dofs.back() -= field.border[static_cast<std::size_t>(u)];
  }
  return dofs;
}

std::vector<std::size_t> FrequencySystem::use_line_modes(const std::vector<FoundPort>& ports,
                                                         const std::vector<double>& hz) {
  lines_.resize(models_.size());
  for (std::size_t p = 0; p < ports.size(); ++p)
    if (ports[p].line)
      use_line_mode(p, std::make_shared<fem::LineModeTable>(fem::LineModes(*ports[p].line, space().space), hz),
                    ports[p].places, hz);
  std::vector<std::size_t> used;
  for (std::size_t p = 0; p < lines_.size(); ++p)
    if (has_line_mode(p)) used.push_back(p);
  return used;
}

/// `places`: of the port and of its copies, which are each as many ports apart as a cell has.
void FrequencySystem::use_line_mode(std::size_t port, const std::shared_ptr<const fem::LineModeTable>& modes,
                                    const std::vector<std::vector<results::PlacedFace>>& places,
                                    const std::vector<double>& hz) {
  const std::size_t apart = models_.size() / places.size();
  for (std::size_t cell = 0; cell < places.size(); ++cell) {
    LinePort& line = lines_[port + cell * apart].emplace(LinePort{modes, {}});
    for (const results::PlacedFace& face : places[cell])
      line.faces.push_back({face.element, face.face, face.triangle, fem::turn_traces(space().space, face.order)});
  }
  const results::PortModel& first = models_[port];
  const double mu = std::pow(first.refractive_index, 2) / setup_.ports[port].eps_effective;
  std::map<double, double> index_at;
  double least = 1;
  for (const double f : hz) {
    const fem::LineMode& mode = modes->at(f);
    index_at[f] = mode.index;
    least = std::min(least, mode.overlap);
  }
  for (std::size_t cell = 0; cell < places.size(); ++cell) models_[port + cell * apart].index_at = index_at;
  const auto eps_at = [&](double f) { return std::pow(index_at[f], 2) / mu; };
  log::info(
      "port {}: the mode of its line at each frequency{}, effective permittivity {:.5g} at {:.4g} GHz{}", first.name,
      modes->points() > 0 ? tetrawave::format(", interpolated from {} ({:.1g} off)", modes->points(), modes->error())
                          : "",
      eps_at(hz.front()), hz.front() / 1e9,
      hz.size() > 1 ? tetrawave::format(" to {:.5g} at {:.4g} GHz", eps_at(hz.back()), hz.back() / 1e9) : "");
  constexpr double alike = 0.8;
  if (least < alike)
    log::warning(
        "port {}: up to {:.4g} GHz the mode of its line has only {:.2g} of its static field: another mode may have "
        "taken its place; use a smaller cross-section or lower frequencies",
        first.name, hz.back() / 1e9, least);
}

template <class T>
std::vector<T> FrequencySystem::moments_on(const LinePort::Face& face, const std::vector<T>& numbers) const {
  const std::size_t n = basis::reference_element(space().space).face_dofs;
  const T* own = numbers.data() + face.triangle * n;
  std::vector<T> moments(own, own + n);
  for (std::size_t i = 0; i < n && !face.turn.empty(); ++i)
    moments[i] = std::inner_product(own, own + n, face.turn.data() + i * n, T(0));
  return moments;
}

template <class T>
void FrequencySystem::add_line_moments(const LinePort& line, const std::vector<T>& numbers, const Complex& factor,
                                       const fem::EdgeSpace& rows, const std::vector<bool>* only,
                                       std::vector<Complex>& to) const {
  const auto& reference = basis::reference_element(rows.space);
  for (const LinePort::Face& face : line.faces) {
    if (only != nullptr && !(*only)[static_cast<std::size_t>(face.element)]) continue;
    const auto unknowns = rows.of(static_cast<std::size_t>(face.element));
    const std::vector<T> moments = moments_on(face, numbers);
    for (std::size_t i = 0; i < reference.face_dofs; ++i)
      if (const std::int32_t u = unknowns[reference.on_face[face.face][i]]; u != fem::EdgeSpace::fixed)
        to[static_cast<std::size_t>(u)] += factor * moments[i];
  }
}

/// With p the moments of the mode's current, q those of the wall, n = p . e, s = q . e: the wall has j k0 Q, Q e = q,
/// and is left to what is not the mode, (1 - p e^T/n) Q (1 - e p^T/n); the mode has p p^T/n.
template <class T>
fem::LowRankUpdate FrequencySystem::line_update(const T& hz, const fem::EdgeSpace& rows) const {
  fem::LowRankUpdate update;
  std::vector<std::array<Complex, 2>> own;  // of p p^T, p q^T
  const Complex j_k0 = times_j_k0(hz);
  for (const auto& line : lines_) {
    if (!line) continue;
    const fem::LineModeOf<T>& mode = line->modes->at(hz);
    for (const auto* numbers : {&mode.current, &mode.wall})
      add_line_moments(*line, *numbers, 1, rows, nullptr,
                       update.columns.emplace_back(static_cast<std::size_t>(rows.unknowns), Complex(0)));
    T n = 0, s = 0;
    for (std::size_t i = 0; i < mode.field.size(); ++i) {
      n += mode.current[i] * mode.field[i];
      s += mode.wall[i] * mode.field[i];
    }
    own.push_back({j_k0 * (s / n + 1.0) / n, -j_k0 / n});
  }
  const std::size_t size = update.columns.size();
  update.middle.assign(size * size, Complex(0));
  for (std::size_t k = 0; k < own.size(); ++k) {
    update.middle[2 * k * size + 2 * k] = own[k][0];
    update.middle[2 * k * size + 2 * k + 1] = update.middle[(2 * k + 1) * size + 2 * k] = own[k][1];
  }
  return update;
}

template fem::LowRankUpdate FrequencySystem::line_update(const double&, const fem::EdgeSpace&) const;
template fem::LowRankUpdate FrequencySystem::line_update(const Complex&, const fem::EdgeSpace&) const;

Complex FrequencySystem::line_voltage(std::size_t port, const FieldSolution& field) const {
  const LinePort& line = *lines_[port];
  const std::vector<double>& current = line.modes->at(field.hz).current;
  const auto& reference = basis::reference_element(space().space);
  Complex sum = 0;
  for (const LinePort::Face& face : line.faces) {
    const auto dofs = electric_of(face.element, field);
    const std::vector<double> moments = moments_on(face, current);
    for (std::size_t i = 0; i < reference.face_dofs; ++i) sum += moments[i] * dofs[reference.on_face[face.face][i]];
  }
  return sum / line.modes->norm();
}

PortReading FrequencySystem::reading_of(std::size_t port, const std::vector<Complex>& of_update) const {
  std::size_t before = 0;
  for (std::size_t p = 0; p < port; ++p) before += has_line_mode(p) ? 2 : 0;
  return {of_update[before] / lines_[port]->modes->norm(), 0};
}

}  // namespace tetrawave::modes
