#include "terms/walls/wall_at.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/scheme.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::march {

namespace {

/// The reactance of the lumped ports with a tag, or null: copies of a port in an array share their tag and their
/// reactance.
const PortMemory* reactance_at(const Problem& problem, std::int32_t tag) {
  const auto found = std::find_if(problem.memories.begin(), problem.memories.end(), [&](const PortMemory& memory) {
    return memory.resistance_ohm > 0 && memory.tag == tag;
  });
  return found == problem.memories.end() ? nullptr : &*found;
}

}  // namespace

schemes::ConductorBranches branches_of(const std::vector<WallBranch>& list) {
  schemes::ConductorBranches branches;
  for (const WallBranch& branch : list) {
    branches.ohms.push_back(branch.ohms / eta0_ohm);
    branches.rates_per_m.push_back(branch.rate_per_s / c0_m_per_s);
  }
  return branches;
}

std::optional<schemes::WallSpec> wall_at(const Problem& problem, LocalIndex element, std::size_t face, double dt_m) {
  using Kind = schemes::WallSpec::Kind;
  const auto e = static_cast<std::size_t>(element);
  const std::int32_t tag = problem.mesh->boundary[e][face];
  if (tag < 0) return std::nullopt;
  const auto t = static_cast<std::size_t>(tag);
  const bool shunt = problem.time_order == 4;
  switch (problem.walls[t]) {
    case Wall::electric:
      return schemes::WallSpec{Kind::electric, 0, problem.holds_metal && problem.medium_of(element).chi3 == 0};
    case Wall::magnetic:
      return schemes::WallSpec{Kind::magnetic, 0};
    case Wall::one_mode:
      return schemes::WallSpec{Kind::one_mode, 0};
    case Wall::open: {
      const auto found = problem.open_admittance.find({element, static_cast<std::uint8_t>(face)});
      const bool own = found == problem.open_admittance.end();
      return schemes::WallSpec{Kind::open, own ? 1 / problem.medium_of(element).impedance() : found->second, false,
                               shunt};
    }
    case Wall::conductor:
      if (has_rates(problem.scheme) && dt_m > 0) {
        const auto law = schemes::impedance_law(branches_of(problem.wall_branches[t]));
        return schemes::WallSpec{Kind::open, 1 / schemes::present_part(law, dt_m)};
      }
      return schemes::WallSpec{Kind::open, eta0_ohm / problem.wall_ohms[t]};
    case Wall::impedance: {
      const bool outer = problem.mesh->neighbour[e][face] == no_neighbour;
      double ohms = problem.wall_ohms[t];
      if (const PortMemory* memory = dt_m > 0 ? reactance_at(problem, tag) : nullptr)
        ohms *= companion_ohms(*memory, dt_m) / memory->resistance_ohm;
      return schemes::WallSpec{outer ? Kind::open : Kind::sheet, eta0_ohm / ohms, false, shunt};
    }
  }
  return std::nullopt;
}

}  // namespace tetrawave::march
