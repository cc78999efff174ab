#include "modes/frequency_domain/plane_waves.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"
#include "mesh/map_element.hpp"
#include "mesh/neighbour_values.hpp"

namespace tetrawave::modes {

ScatteringRegions::ScatteringRegions(const Medium& medium, const Model& setup, const fem::SharedSpace& space,
                                     const std::vector<fem::ElementFace>& lit, int threads)
    : setup_(setup), shared_(space), space_(space.own), medium_(medium), threads_(threads) {
  find_total(lit);
  find_border();
}

void ScatteringRegions::find_total(const std::vector<fem::ElementFace>& lit) {
  const LocalMesh& mesh = setup_.mesh;
  auto on_walls = collect<GlobalIndex>(mesh.vertices.size(), threads_, [&](std::size_t k, auto& list) {
    for (std::uint8_t f = 0; f < 4; ++f) {
      if (mesh.boundary[k][f] < 0) continue;
      if (std::binary_search(lit.begin(), lit.end(), fem::ElementFace(static_cast<LocalIndex>(k), f))) continue;
      for (std::size_t corner = 0; corner < 4; ++corner)
        if (corner != f) list.push_back(mesh.vertices[k][corner]);
    }
  });
  sort_once(on_walls, threads_);
  on_walls = shared_.rows.ranks.all_gather(std::span<const GlobalIndex>(on_walls));
  std::sort(on_walls.begin(), on_walls.end());
  std::vector<std::uint8_t> is_total(mesh.vertices.size());
  for_each_index(is_total.size(), threads_, [&](std::size_t e) {
    const auto& vertices = mesh.vertices[e];
    const bool touches = std::any_of(vertices.begin(), vertices.end(), [&](GlobalIndex v) {
      return std::binary_search(on_walls.begin(), on_walls.end(), v);
    });
    is_total[e] = touches || !(setup_.problem.media[static_cast<std::size_t>(mesh.region[e])] == medium_) ? 1 : 0;
  });
  total_.assign(is_total.begin(), is_total.end());
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
  std::vector<std::vector<Complex>> moments(waves.size()), result(waves.size());
  for_each_task(waves.size(), threads_, [&](std::size_t w) {
    result[w].assign(static_cast<std::size_t>(space_.unknowns), Complex(0));
    border_traces_->add_moments([&](std::size_t p) { return waves[w].electric(border_traces_->points()[p].place_m); },
                                1, result[w]);
    for (const std::int32_t u : border_->unknowns())
      moments[w].push_back(std::exchange(result[w][static_cast<std::size_t>(u)], Complex(0)));
  });
  const auto values = border_->solve(moments);
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
