#include "modes/boundaries.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/suggest.hpp"

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
  }
  return "";
}

class TableBuilder {
 public:
  explicit TableBuilder(const std::vector<std::string>& group_names) : groups_(group_names) {
    table_.tags.of_group.assign(groups_.size(), -1);
  }

  void add(const std::string& group, const Place& place, march::Wall wall, const std::string& what, double ohms = 0) {
    const auto tag = add_tag(wall, what, ohms);
    const auto found = std::find(groups_.begin(), groups_.end(), group);
    if (found == groups_.end())
      complain(place, group);
    else
      table_.tags.of_group[static_cast<std::size_t>(found - groups_.begin())] = tag;
  }

  void add_default(BoundaryKind kind) {
    table_.tags.outer_default = add_tag(wall_of(kind), tetrawave::format("the default ({})", name_of(kind)));
  }

  BoundaryTable take() {
    if (!errors_.empty()) throw UserError(ExitCode::bad_case, errors_);
    return std::move(table_);
  }

 private:
  std::int32_t add_tag(march::Wall wall, const std::string& what, double ohms = 0) {
    table_.walls.push_back(wall);
    table_.wall_ohms.push_back(ohms);
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
  TableBuilder builder(group_names);
  for (const PortSpec& port : spec.ports)
    builder.add(port.boundary, port.boundary_place,
                port.type == PortType::lumped ? march::Wall::impedance : march::Wall::open,
                tetrawave::format("port '{}'", port.name), port.resistance_ohm);
  for (const BoundarySpec& boundary : spec.boundaries)
    builder.add(boundary.group, boundary.place, wall_of(boundary.kind),
                tetrawave::format("{} group '{}'", name_of(boundary.kind), boundary.group), boundary.impedance_ohm);
  for (std::size_t i = 0; spec.pml && i < spec.pml->faces.size(); ++i)
    builder.add(spec.pml->faces[i], spec.pml->name_places[i], march::Wall::open,
                tetrawave::format("the end of the layer on '{}'", spec.pml->faces[i]));
  if (spec.default_boundary) builder.add_default(*spec.default_boundary);
  return builder.take();
}

}  // namespace tetrawave::modes
