#include "modes/frequency_domain/plane_waves.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"
#include "mesh/neighbour_values.hpp"

namespace tetrawave::modes {

ScatteringRegions::ScatteringRegions(const Medium& medium, const Model& setup, const fem::SharedSpace& space,
                                     const std::vector<fem::ElementFace>& lit)
    : setup_(setup), shared_(space), space_(space.own), medium_(medium) {
  find_total(lit);
  find_border();
}

void ScatteringRegions::find_total(const std::vector<fem::ElementFace>& lit) {
  const LocalMesh& mesh = setup_.mesh;
  std::vector<GlobalIndex> on_walls;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const bool is_lit = std::binary_search(lit.begin(), lit.end(), fem::ElementFace(e, f));
      if (mesh.boundary[k][f] < 0 || is_lit) continue;
      for (std::size_t corner = 0; corner < 4; ++corner)
        if (corner != f) on_walls.push_back(mesh.vertices[k][corner]);
    }
  std::sort(on_walls.begin(), on_walls.end());
  on_walls.erase(std::unique(on_walls.begin(), on_walls.end()), on_walls.end());
  on_walls = shared_.rows.ranks.all_gather(std::span<const GlobalIndex>(on_walls));
  std::sort(on_walls.begin(), on_walls.end());
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e) {
    const auto& vertices = mesh.vertices[e];
    const bool touches = std::any_of(vertices.begin(), vertices.end(), [&](GlobalIndex v) {
      return std::binary_search(on_walls.begin(), on_walls.end(), v);
    });
    total_.push_back(touches || !(setup_.problem.media[static_cast<std::size_t>(mesh.region[e])] == medium_));
  }
}

void ScatteringRegions::find_border() {
  const LocalMesh& mesh = setup_.mesh;
  const std::vector<std::int32_t> total(total_.begin(), total_.end());
  const NeighbourValues neighbours(mesh, total, shared_.rows.ranks);
  std::vector<fem::ElementFace> faces;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4 && is_total(e); ++f)
      if (neighbours.behind(e, f) == 0) faces.emplace_back(e, f);
  border_ = std::make_unique<fem::SurfaceTraces>(shared_, mesh, faces);
  border_traces_ = std::make_unique<fem::FaceTraces>(traces_for_waves(space_, mesh, std::move(faces)));
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto own = space_.of(static_cast<std::size_t>(e));
    if (!is_total(e) && std::any_of(own.begin(), own.end(), [&](std::int32_t u) { return border_->has(u); }))
      beside_border_.push_back(e);
  }
}

std::vector<std::vector<Complex>> ScatteringRegions::on_border(const std::vector<PlaneWave>& waves) const {
  const auto unknowns = static_cast<std::size_t>(space_.unknowns);
  std::vector<std::vector<Complex>> moments;
  for (const PlaneWave& wave : waves) {
    std::vector<Complex> all(unknowns, Complex(0));
    border_traces_->add_moments([&](std::size_t p) { return wave.electric(border_traces_->points()[p].place_m); }, 1,
                                all);
    auto& own = moments.emplace_back();
    for (const std::int32_t u : border_->unknowns()) own.push_back(all[static_cast<std::size_t>(u)]);
  }
  const auto values = border_->solve(moments);
  std::vector<std::vector<Complex>> result(waves.size(), std::vector<Complex>(unknowns, Complex(0)));
  for (std::size_t w = 0; w < waves.size(); ++w)
    for (std::size_t i = 0; i < values[w].size(); ++i)
      result[w][static_cast<std::size_t>(border_->unknowns()[i])] = values[w][i];
  return result;
}

fem::FaceTraces traces_for_waves(const fem::EdgeSpace& space, const LocalMesh& mesh,
                                 std::vector<fem::ElementFace> faces) {
  const int degree = 2 * basis::reference_element(space.space).degree + 4;
  return {space, mesh, std::move(faces), basis::triangle_rule(degree)};
}

}  // namespace tetrawave::modes
