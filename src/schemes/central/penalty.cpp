#include "schemes/central/penalty.hpp"

#include <map>
#include <optional>

#include "base/error.hpp"
#include "mesh/neighbour_values.hpp"
#include "terms/pml/brakes.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

std::vector<std::int32_t> list_levels(const Problem& problem) {
  std::vector<std::int32_t> levels;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) levels.push_back(problem.classes.of(e));
  return levels;
}

/// The strengths at the faces of a rank's elements.
class FaceStrengths {
 public:
  FaceStrengths(const Problem& problem, const comm::Communicator& ranks)
      : problem_(problem),
        levels_(list_levels(problem)),
        media_behind_(*problem.mesh, problem.materials(), ranks),
        levels_behind_(*problem.mesh, levels_, ranks) {
    if (problem.layers) brakes_.emplace(problem, ranks);
  }

  [[nodiscard]] double at(LocalIndex e, std::size_t f) const {
    const double z = problem_.medium_of(e).impedance();
    if (const auto wall = wall_at(problem_, e, f))
      return wall->kind == schemes::WallSpec::Kind::electric ? problem_.penalty / (2 * z) : 0;
    const auto k = static_cast<std::size_t>(e);
    if (!problem_.undamped.empty() && (problem_.undamped[k] >> f & 1) != 0) return 0;
    if (levels_behind_.behind(e, f) != levels_[k]) return 0;
    if (brakes_ && brakes_->shares_at(e, f) != Vec3{}) return 0;
    return problem_.penalty / (z + problem_.media[static_cast<std::size_t>(media_behind_.behind(e, f))].impedance());
  }

 private:
  const Problem& problem_;
  std::vector<std::int32_t> levels_;
  NeighbourValues media_behind_;
  NeighbourValues levels_behind_;
  std::optional<LayerBrakes> brakes_;
};

}  // namespace

template <class S>
PenaltyFaces make_penalty_faces(const Problem& problem, const ElementLayout<S>& layout,
                                const comm::Communicator& ranks) {
  const FaceStrengths strengths(problem, ranks);
  PenaltyFaces faces;
  faces.kinds.assign(static_cast<std::size_t>(layout.blocks * layout.lanes) * 2, 0);
  faces.strength.push_back(0);
  std::map<double, std::uint32_t> numbers{{0, 0}};
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    for (int f = 0; f < 4; ++f) {
      const auto strength = strengths.at(e, static_cast<std::size_t>(f));
      const auto [found, is_new] = numbers.try_emplace(strength, static_cast<std::uint32_t>(faces.strength.size()));
      if (is_new) faces.strength.push_back(strength);
      faces.kinds[layout.at(layout.slot(e), 2, f / 2)] |= (found->second & 0xffff) << (16 * (f % 2));
    }
  ranks.agree([&] {
    if (faces.strength.size() > 0x10000)
      fail(ExitCode::bad_case,
           "method.penalty: {} pairs of media with different impedances meet at faces, and at most 65535 can be told "
           "apart: make fewer materials, or use penalty: 0",
           faces.strength.size() - 1);
  });
  return faces;
}

#define TW_DEFINE(S) \
  template PenaltyFaces make_penalty_faces(const Problem&, const ElementLayout<S>&, const comm::Communicator&);
TW_DEFINE(double)
TW_DEFINE(float)
#undef TW_DEFINE

}  // namespace tetrawave::march
