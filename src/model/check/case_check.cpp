#include "model/check/case_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/reference_element.hpp"
#include "case/region_media.hpp"
#include "media/material.hpp"
#include "mesh/tetrahedron.hpp"
#include "model/check/result_sizes.hpp"
#include "results/fields/field_series.hpp"

namespace tetrawave::modes {

namespace {

std::vector<RegionCheck> check_regions(const Case& given, const Model& model, double hz) {
  std::vector<RegionCheck> regions;
  for (std::size_t r = 0; r < model.mesh.region_names.size(); ++r) {
    RegionCheck& region = regions.emplace_back();
    region.name = model.mesh.region_names[r];
    region.material = material_of(given, region_in_case(given, region.name));
    region.elements = model.summary.region_elements[r];
    region.volume_m3 = model.summary.region_volume_m3[r];
    region.edge_m = model.summary.region_edge_m[r];
    if (hz > 0) add_wave(region, model.problem.media[r], hz);
  }
  return regions;
}

class Warnings {
 public:
  Warnings(const Case& given, const Model& model, CaseCheck& check) : given_(given), model_(model), check_(check) {}

  void add_of_fields() {
    check_facets();
    check_points();
    check_dipoles();
    check_ends();
    if (check_.highest.hz <= 0) return;
    check_size();
    const double needed = needed_elements_per_wavelength(given_.method.basis);
    for (const RegionCheck& region : check_.regions)
      add_to(check_.warnings, find_coarseness(region, check_.highest.hz, needed, "method.basis"));
    check_second_modes();
  }

 private:
  template <class... Args>
  void add(format_string<Args...> text, Args&&... args) {
    check_.warnings.push_back(tetrawave::format(text, std::forward<Args>(args)...));
  }

  /// Ports of one cell of an array of copies stand for all.
  [[nodiscard]] std::size_t different_ports() const {
    return given_.array && !given_.array->is_explicit ? given_.array->cell_ports : model_.ports.size();
  }

  void check_size() {
    const double largest = *std::max_element(check_.size_wavelengths.begin(), check_.size_wavelengths.end());
    if (largest <= 1000 && largest >= 1e-3) return;
    add("the mesh is {:.3g} m or {:.3g} wavelengths at {:.4g} Hz long: check 'units' and the frequencies",
        *std::max_element(check_.size_m.begin(), check_.size_m.end()), largest, check_.highest.hz);
  }

  /// S does not depend on the impedance; currents and powers do.
  void check_facets() {
    constexpr double limit = 0.01;
    for (std::size_t p = 0; p < different_ports(); ++p) {
      const PortSummary& port = model_.ports[p];
      const double ratio = port.radii_m ? port.facets_ohm / port.impedance_ohm : 1;
      if (std::abs(ratio - 1) > limit)
        add("port '{}': its circles have {:.4g} ohm, the facets of the mesh {:.4g} ohm, {:.2g} % apart: its currents, "
            "powers and gains are off by as much (S is not): use more elements around the rims, elements of second "
            "order, or type: tem, which takes the impedance of the facets",
            port.name, port.impedance_ohm, port.facets_ohm, 100 * std::abs(ratio - 1));
    }
  }

  void check_second_modes() {
    for (std::size_t p = 0; p < different_ports(); ++p) {
      const PortSummary& port = model_.ports[p];
      if (port.second_mode_hz > 0 && port.second_mode_hz < check_.highest.hz)
        add("port '{}' carries a second mode{} above {:.4g} Hz, but the case goes up to {:.4g} Hz", port.name,
            port.radii_m ? " (TE11)" : "", port.second_mode_hz, check_.highest.hz);
    }
  }

  /// Elements per wavelength from which on fields at points are within a percent where media meet; 0: on any mesh that
  /// resolves the waves, infinity: on none of them (theory/central).
  [[nodiscard]] double elements_for_points() const {
    switch (given_.method.basis) {
      case Space::mixed_1:
      case Space::full_1:
      case Space::mixed_2:
        return std::numeric_limits<double>::infinity();
      case Space::full_2:
        return 4;
      case Space::mixed_3:
        return 2.4;
      default:
        return 0;
    }
  }

  /// Media that meet excite waves that the mesh does not resolve.
  void check_points() {
    if (model_.is_conforming || !has_central_fluxes(given_.method.scheme) || model_.problem.penalty > 0 ||
        given_.outputs.probes.empty())
      return;
    const double needed = elements_for_points();
    std::set<std::string> materials;
    bool is_coarse = std::isinf(needed);
    for (const RegionCheck& region : check_.regions) {
      if (region.elements == 0) continue;
      materials.insert(region.material);
      is_coarse = is_coarse || (check_.highest.hz > 0 && region.elements_per_wavelength < needed);
    }
    if (materials.size() > 1 && is_coarse)
      add("where media meet, central flux without a penalty excites waves that the mesh does not resolve, and in {} "
          "fields at points, as of the probes, are wrong by percents{}: use method.penalty: 0.1, or {}",
          name_of(given_.method.basis), std::isinf(needed) ? "" : tetrawave::format(" at {:.4g} Hz", check_.highest.hz),
          std::isinf(needed) ? "method.basis: full-2" : tetrawave::format("{:g} elements per wavelength", needed));
  }

  /// At any distance: the waves spread with those that the mesh resolves (theory/central).
  void check_dipoles() {
    if (!excites_rough_waves(model_) || (given_.outputs.probes.empty() && !given_.outputs.fields)) return;
    add("dipoles excite waves that the mesh does not resolve, and {} damps them too little, also with a penalty: "
        "fields at points, as of probes and field files, can be wrong several times over (far fields are not): use "
        "method.scheme: dgtd-upwind, or mode fetd or frequency-domain",
        name_of(given_.method.scheme));
  }

  /// A conductor that is in no list of walls is transparent. A resistor may end at a film, too.
  void check_ends() {
    const auto is_film = [](const BoundarySpec& wall) { return wall.kind == BoundaryKind::impedance; };
    if (std::any_of(given_.boundaries.begin(), given_.boundaries.end(), is_film)) return;
    for (std::size_t p = 0; p < different_ports(); ++p)
      if (!model_.ports[p].loose_end.empty())
        add("the patch of the lumped port '{}' touches no metal at its {} end: list the conductor in boundaries.pec",
            model_.ports[p].name, model_.ports[p].loose_end);
  }

  const Case& given_;
  const Model& model_;
  CaseCheck& check_;
};

}  // namespace

void add_wave(RegionCheck& region, const Medium& medium, double hz) {
  const ComplexConstants at = constants_at(medium, hz);
  const double axes = *std::max_element(medium.eps_axes.begin(), medium.eps_axes.end()) *
                      *std::max_element(medium.mu_axes.begin(), medium.mu_axes.end());
  const std::complex<double> k = 2 * pi * hz / c0_m_per_s * std::sqrt(axes) * std::sqrt(at.eps) * std::sqrt(at.mu);
  region.wavelength_m = 2 * pi / std::abs(k.real());
  if (k.imag() != 0) region.skin_depth_m = 1 / std::abs(k.imag());
  if (region.elements == 0) return;
  region.elements_per_wavelength = region.wavelength_m / region.edge_m.median;
  region.fewest_elements_per_wavelength = region.wavelength_m / region.edge_m.max;
}

std::vector<std::string> find_coarseness(const RegionCheck& region, double hz, double needed,
                                         const std::string& order) {
  std::vector<std::string> warnings;
  if (region.elements == 0) return warnings;
  if (region.elements_per_wavelength < needed)
    warnings.push_back(tetrawave::format(
        "region '{}' has {:.3g} elements per wavelength at {:.4g} Hz, this space needs about {:.3g}: refine the mesh "
        "or use a higher {}",
        region.name, region.elements_per_wavelength, hz, needed, order));
  if (region.skin_depth_m > 0 && region.skin_depth_m < region.edge_m.median)
    warnings.push_back(tetrawave::format(
        "waves decay by 1/e within {:.3g} m of region '{}' at {:.4g} Hz, less than its elements' edges of {:.3g} m: "
        "refine it, or describe a good conductor as a boundary",
        region.skin_depth_m, region.name, hz, region.edge_m.median));
  return warnings;
}

double needed_elements_per_wavelength(Space space) {
  switch (space) {
    case Space::mixed_1:
      return 10;
    case Space::full_1:
      return 4;
    case Space::mixed_2:
      return 3;
    case Space::full_2:
      return 2;
    case Space::mixed_3:
    case Space::full_3:
    case Space::nested_full_3:
    case Space::full_4:
      return 1.5;
  }
  throw InternalError("an unknown space");
}

bool excites_rough_waves(const Model& model) {
  const auto is_dipole = [](const SourceDescription& source) { return source.type == SourceType::dipole; };
  return !model.is_conforming && !has_upwind_fluxes(model.given.method.scheme) &&
         std::any_of(model.given.sources.begin(), model.given.sources.end(), is_dipole);
}

CaseCheck examine_fields(const Case& given, const Model& model) {
  CaseCheck check;
  check.highest = find_highest_frequency(given);
  check.size_m = model.summary.high_m - model.summary.low_m;
  check.size_wavelengths = check.highest.hz / c0_m_per_s * check.size_m;
  check.regions = check_regions(given, model, check.highest.hz);
  Warnings(given, model, check).add_of_fields();
  return check;
}

std::int64_t predict_field_bytes(const Case& given, const Model& model, std::int64_t drives, std::int64_t steps,
                                 const comm::Communicator& ranks) {
  std::array<std::int64_t, 2> counts{};  // cells, points
  for (const results::FieldGrid& grid : model.grids) {
    const std::int64_t cells = std::accumulate(grid.cells.begin(), grid.cells.end(), std::int64_t{0});
    counts[0] += cells;
    counts[1] += grid.corners * cells;
  }
  ranks.sum_in_place(std::span<std::int64_t>(counts));
  if (!given.outputs.fields) return 0;
  return drives * results::bytes_of_fields(*given.outputs.fields, counts[0], counts[1], steps);
}

}  // namespace tetrawave::modes
