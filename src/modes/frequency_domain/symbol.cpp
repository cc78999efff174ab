// The coefficients that a matrix of the frequency domain is linear in, and the forms that they stand before.
#include <limits>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"
#include "modes/frequency_domain/system.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::modes {

namespace {

constexpr std::size_t per_kind = 6;  ///< three of curls, three of fields

/// Dofs of an element, 0 on metal.
std::vector<Complex> dofs_of(const fem::EdgeSpace& space, std::size_t element, const std::vector<Complex>& unknowns) {
  std::vector<Complex> dofs;
  for (const std::int32_t u : space.of(element))
    dofs.push_back(u == fem::EdgeSpace::fixed ? Complex(0) : unknowns[static_cast<std::size_t>(u)]);
  return dofs;
}

/// weight |sum_i d_i v_i|^2 by axes, added to three sums.
void add_squares(const std::vector<Complex>& dofs, const std::vector<Vec3>& vectors, double weight, double* sums) {
  for (std::size_t x = 0; x < 3; ++x) {
    Complex value = 0;
    for (std::size_t i = 0; i < dofs.size(); ++i) value += dofs[i] * vectors[i][x];
    sums[x] += weight * std::norm(value);
  }
}

}  // namespace

void FrequencySystem::assemble(const std::vector<Complex>& symbol, fem::CsrMatrix<Complex>& matrix) const {
  std::vector<fem::EdgeCoefficients<Complex>> media(element_of_kind_.size());
  for (std::size_t kind = 0; kind < media.size(); ++kind)
    for (std::size_t x = 0; x < 3; ++x) {
      media[kind].stiffness[x] = symbol[per_kind * kind + x];
      media[kind].mass[x] = symbol[per_kind * kind + 3 + x];
    }
  std::vector<Complex> factors;
  for (const std::size_t group : wall_group_) factors.push_back(symbol[per_kind * media.size() + group]);
  assembly_->assemble<Complex>(media, kind_, factors, matrix);
  fem::bring_to_host(matrix);
}

std::vector<Complex> FrequencySystem::symbol(Complex hz, const std::vector<std::size_t>& numbers) const {
  std::vector<Complex> values;
  for (const std::size_t number : numbers) {
    const std::size_t kind = number / per_kind, k = number % per_kind;
    if (kind >= element_of_kind_.size()) {
      values.push_back(wall_factor(wall_of_group_[number - per_kind * element_of_kind_.size()], hz));
      continue;
    }
    const fem::EdgeCoefficients<Complex> medium = coefficients(kind, hz);
    values.push_back(k < 3 ? medium.stiffness[k] : medium.mass[k - 3]);
  }
  return values;
}

std::vector<FrequencySystem::SymbolEntry> FrequencySystem::symbol_entries() const {
  using Form = SymbolEntry::Form;
  std::vector<SymbolEntry> entries;
  for (const LocalIndex element : element_of_kind_) {
    const auto region = static_cast<std::size_t>(setup_.mesh.region[static_cast<std::size_t>(element)]);
    for (std::size_t k = 0; k < per_kind; ++k) entries.push_back({k < 3 ? Form::curl : Form::field, region});
  }
  for (const std::size_t wall : wall_of_group_)
    entries.push_back({Form::wall, static_cast<std::size_t>(wall_tags_[wall])});
  return entries;
}

std::vector<std::vector<double>> FrequencySystem::forms(const std::vector<std::vector<Complex>>& fields) const {
  const std::size_t numbers = per_kind * element_of_kind_.size() + wall_of_group_.size();
  const std::size_t ranges = count_ranges(kind_.size(), threads_);
  const int degree = 2 * basis::reference_element(space().space).degree;
  const auto of_straight = basis::tetrahedron_rule(degree), of_curved = basis::tetrahedron_rule(degree + 2);
  std::vector<std::vector<double>> parts(ranges, std::vector<double>(fields.size() * numbers, 0));
  for_ranges(kind_.size(), ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) {
      const basis::MappedElement physical = map_element(space().space, setup_.mesh, static_cast<LocalIndex>(e));
      std::vector<std::vector<Complex>> dofs;
      for (const auto& field : fields) dofs.push_back(dofs_of(space(), e, field));
      for (const auto& q : physical.is_curved() ? of_curved : of_straight) {
        const auto curls = physical.curls(q.barycentric);
        const auto values = physical.values(q.barycentric);
        const double weight = q.weight * physical.volume(q.barycentric);
        for (std::size_t f = 0; f < fields.size(); ++f) {
          double* sums = &parts[range][f * numbers + per_kind * static_cast<std::size_t>(kind_[e])];
          add_squares(dofs[f], curls, weight, sums);
          add_squares(dofs[f], values, weight, sums + 3);
        }
      }
    }
  });
  std::vector<std::vector<double>> result(fields.size(), std::vector<double>(numbers, 0));
  for (const auto& part : parts)
    for (std::size_t k = 0; k < part.size(); ++k) result[k / numbers][k % numbers] += part[k];
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const auto mass = map_element(space().space, setup_.mesh, walls_[w].first).face_mass(walls_[w].second);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto dofs = dofs_of(space(), static_cast<std::size_t>(walls_[w].first), fields[f]);
      double& sum = result[f][per_kind * element_of_kind_.size() + wall_group_[w]];
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t k = 0; k < dofs.size(); ++k) sum += mass(i, k) * (std::conj(dofs[i]) * dofs[k]).real();
    }
  }
  return result;
}

/// Im x^H A x / (2 k0 eta0), of the entries that dissipate.
std::vector<double> FrequencySystem::losses(const std::vector<FieldSolution>& fields,
                                            const std::vector<MirrorPlane>& mirrors) const {
  const double hz = fields.front().hz;
  const std::vector<Complex> values = symbol(Complex(hz));
  const std::vector<SymbolEntry> entries = symbol_entries();
  std::vector<std::size_t> lossy;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool is_wall = entries[k].form == SymbolEntry::Form::wall;
    const auto kind = k / per_kind;
    if (is_wall ? entries[k].place < models_.size() || march::is_open(setup_.problem.walls[entries[k].place])
                : march::is_layer(setup_.problem, element_of_kind_[kind]))
      continue;
    if (values[k].imag() != 0) lossy.push_back(k);
  }
  std::vector<double> result(fields.size(), 0);
  const auto add_up = [&] {
    ranks().sum_in_place(result);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (fields[f].set.plane_wave) result[f] = std::numeric_limits<double>::quiet_NaN();
    return result;
  };
  if (lossy.empty()) return add_up();
  std::vector<std::vector<Complex>> unknowns;
  for (const FieldSolution& field : fields) unknowns.push_back(field.unknowns);
  const std::vector<std::vector<double>> sums = forms(unknowns);
  double scale = 1 / (2 * eta0_ohm * 2 * pi * hz / c0_m_per_s);
  for (const MirrorPlane& mirror : mirrors) scale *= mirror.is_ground ? 1 : 2;
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (const std::size_t k : lossy) result[f] += scale * values[k].imag() * sums[f][k];
  return add_up();
}

ElementFields FrequencySystem::fields(const std::vector<LocalIndex>& elements, const std::vector<Complex>& unknowns,
                                      Complex hz) const {
  ElementFields result;
  for (const LocalIndex element : elements) {
    const auto electric = dofs_of(space(), static_cast<std::size_t>(element), unknowns);
    const auto magnetic = magnetic_of(element, hz, electric);
    result.electric.insert(result.electric.end(), electric.begin(), electric.end());
    result.magnetic.insert(result.magnetic.end(), magnetic.begin(), magnetic.end());
  }
  return result;
}

}  // namespace tetrawave::modes
