// State carried from one step to the next in mode fetd, and its part on a far-field surface.
#include <algorithm>
#include <array>
#include <utility>

#include "basis/physical_element.hpp"
#include "march/interface/walked_state.hpp"
#include "schemes/newmark/march.hpp"

namespace tetrawave::modes {

void FetdMarch::register_state(march::StateRegistry& registry) {
  register_states(registry, "E_states", electric_states_);
  register_states(registry, "H_states", magnetic_states_);
  // iterations start from these
  static constexpr std::array names{"E_earlier_1", "E_earlier_2", "E_earlier_3", "E_earlier_4"};
  static_assert(names.size() == static_cast<std::size_t>(fem::earlier_solutions));
  for (std::size_t k = 0; unknowns_.iterates() && k < names.size(); ++k)
    register_unknowns(registry, names[k], first_guess_.earlier()[k]);
  if (!plane_waves_.empty()) register_unknowns(registry, "E_total", operators_.electric());
  register_magnetic(registry);
  ports_.register_state(registry);
  if (surface_) surface_->register_state(registry);
  conductors_.register_state(registry);
}

/// Rows as long as the maximum number of states of an element, for the elements that have any.
void FetdMarch::register_states(march::StateRegistry& registry, const char* name, States& states) {
  std::vector<std::size_t> elements;
  std::int64_t most = 0;
  for (std::size_t e = 0; e < kind_.size(); ++e) {
    if (states.count(e) == 0) continue;
    elements.push_back(e);
    most = std::max(most, static_cast<std::int64_t>(states.count(e)));
  }
  const auto width = static_cast<std::size_t>(core_.system.ranks().max(most));
  if (width == 0) return;
  const auto& id = whole_.mesh->global_id;
  std::sort(elements.begin(), elements.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  std::vector<GlobalIndex> ids;
  for (const std::size_t e : elements) ids.push_back(id[e]);
  registry.add(march::walked(march::ListedState{name, static_cast<int>(width), false, ids, {}, {}},
                             [elements, width, &states](const auto& take) {
                               for (const std::size_t e : elements)
                                 for (std::size_t i = 0; i < width; ++i) {
                                   double none = 0;
                                   take(i < states.count(e) ? states.of(e)[i] : none);
                                 }
                             }));
}

void FetdMarch::register_unknowns(march::StateRegistry& registry, const char* name, std::vector<double>& numbers) {
  const std::size_t n = unknowns_.space().functions;
  const auto walk = [this, &numbers](const auto& take) {
    for (std::size_t e = 0; e < kind_.size(); ++e)
      for (const std::int32_t u : unknowns_.space().of(e)) {
        double none = 0;
        take(u == fem::EdgeSpace::fixed ? none : numbers[static_cast<std::size_t>(u)]);
      }
  };
  registry.add(march::walked(march::ElementState{name, static_cast<int>(n), false, {}, {}}, walk, [this] {
    operators_.take_fields();
    first_guess_.take();
  }));
}

/// H of plain elements along x, y, z: its dofs give it only to rounding.
void FetdMarch::register_magnetic(march::StateRegistry& registry) {
  const std::size_t row = 3 * basis::reference_element(whole_.space).curl_modes;
  const auto walk = [this, row](const auto& take) {
    for (std::size_t e = 0; e < kind_.size(); ++e)
      for (std::size_t i = 0; i < row; ++i) {
        double none = 0;
        take(operators_.is_plain(e) ? operators_.known(e)[i] : none);
      }
  };
  registry.add(march::walked(march::ElementState{"H_axes", static_cast<int>(row), false, {}, {}}, walk,
                             [this] { operators_.take_fields(); }));
}

void FetdMarch::restore() {
  modal_rows_.clear();
  is_shown_[0] = is_shown_[1] = true;  // as loaded
  std::vector<double> dofs(unknowns_.space().functions);
  for (std::size_t e = 0; plane_waves_.empty() && e < kind_.size(); ++e) {  // with these, E of an element may differ
    load(e, electric_, dofs.data());
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (const std::int32_t u = unknowns_.space().of(e)[i]; u != fem::EdgeSpace::fixed)
        operators_.electric()[static_cast<std::size_t>(u)] = dofs[i];
  }
  operators_.put_fields();
  if (unknowns_.iterates()) first_guess_.put();
}

/// Contributions of the surface's elements, before the states of conductors advance.
void FetdMarch::add_walls_and_drives(std::vector<double>& flux) const {
  const auto& reference = basis::reference_element(whole_.space);
  const std::size_t n = unknowns_.space().functions;
  const auto flux_of = [&](LocalIndex element) -> double* {
    const std::int32_t place = surface_->place(static_cast<std::size_t>(element));
    return place < 0 ? nullptr : flux.data() + static_cast<std::size_t>(place) * n;
  };
  std::vector<double> dofs(n);
  for (const fem::ElementFace& face : unknowns_.walls()) {
    double* own = flux_of(face.first);
    const auto e = static_cast<std::size_t>(face.first);
    const auto tag = static_cast<std::size_t>(whole_.mesh->boundary[e][face.second]);
    if (own == nullptr || march::is_conductor(whole_.walls[tag])) continue;
    const auto mass = basis::PhysicalElement(whole_.space, whole_.mesh->corners[e]).face_mass(face.second);
    gather_middle(e, dofs.data());
    for (const std::size_t i : reference.on_face[face.second])
      for (const std::size_t k : reference.on_face[face.second]) own[i] += admittance(face) * mass(i, k) * dofs[k];
  }
  conductors_.for_currents(unknowns_.space(), mid_,
                           [&](const fem::ElementFace& face, const std::vector<double>& moments) {
                             double* own = flux_of(face.first);
                             for (std::size_t i = 0; own != nullptr && i < moments.size(); ++i)
                               own[reference.on_face[face.second][i]] += moments[i];
                           });
  for (const march::DrivenFace& driven : whole_.driven) {
    double* own = flux_of(driven.element);
    const double factor = own == nullptr ? 0 : drive_factor(driven) * waves_[static_cast<std::size_t>(driven.wave - 1)];
    for (std::size_t i = 0; factor != 0 && i < n; ++i) own[i] -= factor * driven.direct[i];
  }
  for (const march::SourceTerm& term : whole_.sources)
    if (double* own = flux_of(term.element); own != nullptr && !term.electric.empty())
      for (std::size_t i = 0; i < n; ++i) own[i] -= source_over(term.wave) * term.electric[i];
}

void FetdMarch::complete_spectra(std::vector<double>& sums) {
  if (surface_) surface_->put_currents(sums);
}

}  // namespace tetrawave::modes
