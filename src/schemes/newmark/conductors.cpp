#include "schemes/newmark/conductors.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "march/interface/walked_state.hpp"

namespace tetrawave::modes {

FetdConductors::FetdConductors(const march::Problem& problem, const std::vector<fem::ElementFace>& walls,
                               const std::vector<std::int32_t>& tags)
    : problem_(problem), face_dofs_(basis::reference_element(problem.space).face_dofs), laws_(problem.walls.size()) {
  const auto& reference = basis::reference_element(problem.space);
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const auto tag = static_cast<std::size_t>(tags[w]);
    if (!march::is_conductor(problem.walls[tag])) continue;
    const auto& [element, face] = walls[w];
    const auto all =
        basis::PhysicalElement(problem.space, problem.mesh->corners[static_cast<std::size_t>(element)]).face_mass(face);
    Face found{walls[w], tag, {}, {}};
    for (const std::size_t i : reference.on_face[face])
      for (const std::size_t j : reference.on_face[face]) found.mass.push_back(all(i, j));
    faces_.push_back(std::move(found));
  }
  // Over all conductors of the case, so that all ranks have the same number.
  for (const auto& branches : problem.wall_branches) branches_ = std::max(branches_, branches.size());
  const auto& ids = problem.mesh->global_id;
  std::sort(faces_.begin(), faces_.end(), [&](const Face& a, const Face& b) {
    const auto key = [&](const Face& f) { return std::pair(ids[static_cast<std::size_t>(f.at.first)], f.at.second); };
    return key(a) < key(b);
  });
}

void FetdConductors::begin(double dt_m) {
  half_m_ = dt_m / 2;
  for (std::size_t tag = 0; tag < laws_.size(); ++tag) {
    if (!march::is_conductor(problem_.walls[tag])) continue;
    Law& law = laws_[tag];
    law.branches.clear();
    double ohms = problem_.wall_ohms[tag];
    for (const march::WallBranch& branch : problem_.wall_branches[tag]) {
      const double rate = branch.rate_per_s / c0_m_per_s;
      law.branches.push_back({branch.ohms * rate / (1 + half_m_ * rate), 1 / (1 + half_m_ * rate)});
      ohms -= half_m_ * law.branches.back().back;
    }
    for (Branch& branch : law.branches) branch.back /= ohms;
    law.admittance = eta0_ohm / ohms;
  }
  for (Face& face : faces_) face.states.assign(branches_ * face_dofs_, 0.0);
}

std::vector<double> FetdConductors::known(const Face& face) const {
  std::vector<double> sum(face_dofs_, 0.0);
  const Law& law = laws_[face.tag];
  for (std::size_t b = 0; b < law.branches.size(); ++b)
    for (std::size_t i = 0; i < face_dofs_; ++i) sum[i] += law.branches[b].back * face.states[b * face_dofs_ + i];
  return sum;
}

void FetdConductors::add_known(const fem::EdgeSpace& space, std::vector<double>& side) const {
  const auto& reference = basis::reference_element(space.space);
  for (const Face& face : faces_) {
    const std::vector<double> sum = known(face);
    const auto unknowns = space.of(static_cast<std::size_t>(face.at.first));
    const auto& on_face = reference.on_face[face.at.second];
    for (std::size_t i = 0; i < face_dofs_; ++i) {
      const std::int32_t own = unknowns[on_face[i]];
      if (own == fem::EdgeSpace::fixed) continue;
      for (std::size_t k = 0; k < face_dofs_; ++k)
        side[static_cast<std::size_t>(own)] -= face.mass[i * face_dofs_ + k] * sum[k];
    }
  }
}

std::vector<double> FetdConductors::current(const fem::EdgeSpace& space, const std::vector<double>& mid,
                                            const Face& face) const {
  const auto& on_face = basis::reference_element(space.space).on_face[face.at.second];
  const auto unknowns = space.of(static_cast<std::size_t>(face.at.first));
  std::vector<double> sum = known(face);
  for (std::size_t i = 0; i < face_dofs_; ++i)
    if (const std::int32_t own = unknowns[on_face[i]]; own != fem::EdgeSpace::fixed)
      sum[i] += laws_[face.tag].admittance * mid[static_cast<std::size_t>(own)];
  return sum;
}

std::vector<double> FetdConductors::moments(const fem::EdgeSpace& space, const std::vector<double>& mid,
                                            const Face& face) const {
  const std::vector<double> j = current(space, mid, face);
  std::vector<double> result(face_dofs_, 0.0);
  for (std::size_t i = 0; i < face_dofs_; ++i)
    for (std::size_t k = 0; k < face_dofs_; ++k) result[i] += face.mass[i * face_dofs_ + k] * j[k];
  return result;
}

void FetdConductors::advance(const fem::EdgeSpace& space, const std::vector<double>& mid) {
  for (Face& face : faces_) {
    const Law& law = laws_[face.tag];
    const std::vector<double> through = current(space, mid, face);
    for (std::size_t b = 0; b < law.branches.size(); ++b)
      for (std::size_t i = 0; i < face_dofs_; ++i) {
        double& state = face.states[b * face_dofs_ + i];
        state = 2 * law.branches[b].keep * (state + half_m_ * through[i]) - state;
      }
  }
}

void FetdConductors::register_state(march::StateRegistry& registry) {
  if (branches_ == 0) return;
  // A row per element: for each of its four faces, or zeros.
  const std::size_t of_face = branches_ * face_dofs_;
  std::vector<GlobalIndex> ids;
  for (const Face& face : faces_) ids.push_back(problem_.mesh->global_id[static_cast<std::size_t>(face.at.first)]);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto walk = [this, ids, of_face](const auto& take) {
    auto face = faces_.begin();
    for (const GlobalIndex id : ids)
      for (std::uint8_t f = 0; f < 4; ++f) {
        const bool is_it = face != faces_.end() && face->at.second == f &&
                           problem_.mesh->global_id[static_cast<std::size_t>(face->at.first)] == id;
        std::vector<double> none(is_it ? 0 : of_face, 0.0);
        for (double& state : is_it ? face->states : none) take(state);
        if (is_it) ++face;
      }
  };
  registry.add(
      march::walked(march::ListedState{"conductors", static_cast<int>(4 * of_face), false, ids, {}, {}}, walk));
}

}  // namespace tetrawave::modes
