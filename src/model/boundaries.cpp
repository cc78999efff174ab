#include "model/boundaries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/suggest.hpp"
#include "case/spec/highest_frequency.hpp"
#include "media/skin_effect.hpp"

namespace tetrawave::modes {

namespace {

march::Wall wall_of(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::pec:
      return march::Wall::electric;
    case BoundaryKind::pmc:
      return march::Wall::magnetic;
    case BoundaryKind::absorbing:
      return march::Wall::open;
    case BoundaryKind::impedance:
      return march::Wall::impedance;
    case BoundaryKind::conductor:
      return march::Wall::conductor;
  }
  return march::Wall::electric;
}

const char* name_of(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::pec:
      return "pec";
    case BoundaryKind::pmc:
      return "pmc";
    case BoundaryKind::absorbing:
      return "absorbing";
    case BoundaryKind::impedance:
      return "impedance";
    case BoundaryKind::conductor:
      return "conductor";
  }
  return "";
}

/// The band of the S-parameters, else of the waveforms down to a hundredth of their highest frequency.
SkinEffect metal_of(const Case& spec, const BoundarySpec& wall) {
  constexpr double widest = 1000;  // of a band
  SkinEffect metal{wall.sigma_s_per_m, wall.roughness_m, 0, find_highest_frequency(spec).hz};
  if (!(metal.to_hz > 0))
    fail(
        ExitCode::bad_case,
        "{}: error: boundaries.conductor.{}: no band for the skin effect is known: give outputs.s_parameters, or drive "
        "with a waveform other than an expression or a table",
        wall.place.text, wall.group);
  const auto& s = spec.outputs.s_parameters;
  metal.from_hz = std::max(s ? std::min(s->start_hz, metal.to_hz / 2) : metal.to_hz / 100, metal.to_hz / widest);
  return metal;
}

struct ConductorWall {
  double ohms = 0;
  std::vector<march::WallBranch> branches;
};

void check_conductor(const BoundarySpec& wall, double ohms, const SkinEffect& metal) {
  constexpr double good = 0.1;  // of the impedance of free space
  if (ohms > good * eta0_ohm)
    fail(ExitCode::bad_case,
         "{}: error: boundaries.conductor.{}: {:g} S/m is not a good conductor at {:.4g} Hz "
         "({:.3g} ohm per square): describe it as a material of a region",
         wall.place.text, wall.group, wall.sigma_s_per_m, metal.to_hz, std::abs(surface_impedance(metal, metal.to_hz)));
}

ConductorWall conductor_of(const Case& spec, const BoundarySpec& wall) {
  if (is_harmonic(spec.mode)) {  // the impedance itself at every frequency, without a fit
    const SkinEffect metal{wall.sigma_s_per_m, wall.roughness_m, 0, find_highest_frequency(spec).hz};
    const double ohms = std::abs(surface_impedance(metal, metal.to_hz));
    check_conductor(wall, ohms, metal);
    return {ohms, {}};
  }
  const SkinEffect metal = metal_of(spec, wall);
  const SkinEffectFit fit = fit_skin_effect(metal);
  ConductorWall result{fit.total_ohms(), {}};
  check_conductor(wall, result.ohms, metal);
  for (std::size_t b = 0; b < fit.ohms.size(); ++b) result.branches.push_back({fit.ohms[b], fit.rates_per_s[b]});
  log::info("conductor {}: {:.4g} ohm per square at {:.4g} Hz, fitted from {:.4g} Hz on within {:.2g} percent{}",
            wall.group, surface_impedance(metal, metal.to_hz).real(), metal.to_hz, metal.from_hz, 100 * fit.error,
            wall.roughness_m > 0 ? " of the resistance" : "");
  return result;
}

class TableBuilder {
 public:
  TableBuilder(const std::vector<std::string>& group_names, const Place& place) : groups_(group_names) {
    table_.tags.place = place.text;
    table_.tags.of_group.assign(groups_.size(), -1);
  }

  void add(const std::string& group, const Place& place, march::Wall wall, const std::string& what,
           ConductorWall metal = {}) {
    const auto tag = add_tag(wall, what, std::move(metal));
    table_.tags.name_places.push_back(place.text);
    const auto found = std::find(groups_.begin(), groups_.end(), group);
    if (found == groups_.end())
      complain(place, group);
    else
      table_.tags.of_group[static_cast<std::size_t>(found - groups_.begin())] = tag;
  }

  void add_periodic(const PeriodicSpec& pair) {
    std::array<std::int32_t, 2> numbers{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto found = std::find(groups_.begin(), groups_.end(), pair.groups[i]);
      if (found == groups_.end()) return complain(pair.places[i], pair.groups[i]);
      numbers[i] = static_cast<std::int32_t>(found - groups_.begin());
    }
    table_.tags.periodic.push_back({numbers[0], numbers[1], pair.places[0].text});
  }

  void add_default(BoundaryKind kind) {
    table_.tags.outer_default = add_tag(wall_of(kind), tetrawave::format("the default ({})", name_of(kind)));
  }

  BoundaryTable take() {
    if (!errors_.empty()) throw UserError(ExitCode::bad_case, errors_);
    return std::move(table_);
  }

 private:
  std::int32_t add_tag(march::Wall wall, const std::string& what, ConductorWall metal = {}) {
    table_.walls.push_back(wall);
    table_.wall_ohms.push_back(metal.ohms);
    table_.wall_branches.push_back(std::move(metal.branches));
    // Sheets are of metal, perfect or thin.
    table_.tags.allowed_inside.push_back(wall == march::Wall::electric || wall == march::Wall::impedance);
    table_.tags.names.push_back(what);
    return static_cast<std::int32_t>(table_.walls.size()) - 1;
  }

  void complain(const Place& place, const std::string& group) {
    errors_ +=
        tetrawave::format("{}{}: error: the mesh has no face group '{}'{}; its groups: {}", errors_.empty() ? "" : "\n",
                          place.text, group, did_you_mean(group, groups_), list_names(groups_));
  }

  const std::vector<std::string>& groups_;
  BoundaryTable table_;
  std::string errors_;
};

}  // namespace

BoundaryTable make_boundaries(const Case& spec, const std::vector<std::string>& group_names) {
  TableBuilder builder(group_names, spec.boundaries_place);
  for (std::size_t p = 0; p < spec.port_tag_count(); ++p) {
    const PortDescription& port = spec.ports[p];
    builder.add(port.boundary, port.boundary_place,
                port.type == PortType::lumped ? march::Wall::impedance
                : port.takes_one_mode         ? march::Wall::one_mode
                                              : march::Wall::open,
                tetrawave::format("port '{}'", port.name), ConductorWall{port.resistance_ohm, {}});
  }
  for (const BoundarySpec& boundary : spec.boundaries)
    builder.add(boundary.group, boundary.place, wall_of(boundary.kind),
                tetrawave::format("{} group '{}'", name_of(boundary.kind), boundary.group),
                boundary.kind == BoundaryKind::conductor ? conductor_of(spec, boundary)
                                                         : ConductorWall{boundary.impedance_ohm, {}});
  for (std::size_t i = 0; spec.pml && i < spec.pml->faces.size(); ++i)
    builder.add(spec.pml->faces[i], spec.pml->name_places[i], march::Wall::open,
                tetrawave::format("the end of the layer on '{}'", spec.pml->faces[i]));
  const auto is_outer = [&](const BoundarySpec& boundary) { return boundary.group == spec.iiee.outer; };
  if (!spec.iiee.outer.empty() && std::none_of(spec.boundaries.begin(), spec.boundaries.end(), is_outer))
    builder.add(spec.iiee.outer, spec.iiee.outer_place, march::Wall::open, "iiee.outer");
  for (const PeriodicSpec& pair : spec.periodic) builder.add_periodic(pair);
  if (spec.default_boundary) builder.add_default(*spec.default_boundary);
  return builder.take();
}

}  // namespace tetrawave::modes
