#include "model/wall_media.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "case/check/refusals.hpp"
#include "case/region_media.hpp"
#include "case/spec/highest_frequency.hpp"
#include "case/spec/requested_band.hpp"

namespace tetrawave::modes {

namespace {

using Axes = std::array<std::int64_t, 3>;  ///< faces of a region that look mostly along x, y, z

/// Absorbing faces, not of ports or at the end of a layer, per region of the mesh. Collective.
std::vector<Axes> count_absorbing_faces(const Model& model, const comm::Communicator& ranks) {
  const march::Problem& problem = model.problem;
  std::vector<std::int64_t> counts(3 * model.mesh.region_names.size(), 0);
  for (LocalIndex e = 0; e < model.mesh.element_count(); ++e) {
    const auto element = static_cast<std::size_t>(e);
    const auto region = static_cast<std::size_t>(model.mesh.region[element]);
    if (problem.layers && problem.layers->is_layer[region]) continue;
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t tag = model.mesh.boundary[element][face];
      if (tag < static_cast<std::int32_t>(model.given.port_tag_count()) ||
          !march::is_open(problem.walls[static_cast<std::size_t>(tag)]))
        continue;
      const auto& [a, b, c] = face_corners[face];
      const Corners& x = model.mesh.corners[element];
      const Vec3 normal = cross(x[b] - x[a], x[c] - x[a]);
      const auto longer = [](double p, double q) { return std::abs(p) < std::abs(q); };
      ++counts[3 * region +
               static_cast<std::size_t>(std::max_element(normal.begin(), normal.end(), longer) - normal.begin())];
    }
  }
  ranks.sum_in_place(std::span<std::int64_t>(counts));
  std::vector<Axes> faces(model.mesh.region_names.size());
  for (std::size_t k = 0; k < counts.size(); ++k) faces[k / 3][k % 3] = counts[k];
  return faces;
}

}  // namespace

double reflection_of_open_wall(const Medium& medium, std::size_t normal, double hz, bool is_exact) {
  const ComplexConstants at = constants_at(medium, hz);
  const std::complex<double> wall = is_exact ? std::sqrt(at.eps / at.mu) : 1 / medium.impedance();
  double most = 0;
  for (const std::size_t electric : {(normal + 1) % 3, (normal + 2) % 3}) {
    const std::size_t magnetic = 3 - normal - electric;
    const std::complex<double> eps = at.eps + medium.complex_eps_r() * (medium.eps_axes[electric] - 1);
    const std::complex<double> mu = at.mu + medium.mu_r * (medium.mu_axes[magnetic] - 1);
    const std::complex<double> wave = std::sqrt(eps / mu);
    most = std::max(most, std::abs((wave - wall) / (wave + wall)));
  }
  return most;
}

void warn_of_absorbing_walls(const Model& model, const comm::Communicator& ranks) {
  constexpr double limit = 0.02;  // less than oblique waves have
  const double highest = find_highest_frequency(model.given).hz;
  const Band band = requested_band(model.given).value_or(Band{highest, highest});
  if (!(band.from_hz > 0)) return;
  const bool is_exact = is_harmonic(model.given.mode);
  const std::vector<Axes> faces = count_absorbing_faces(model, ranks);
  for (std::size_t r = 0; r < faces.size(); ++r) {
    const Medium& medium = model.problem.media[r];
    double most = 0, at_hz = 0;
    for (std::size_t normal = 0; normal < 3; ++normal)
      for (const double hz : {band.from_hz, band.to_hz})
        if (const double part = faces[r][normal] > 0 ? reflection_of_open_wall(medium, normal, hz, is_exact) : 0;
            part > most)
          most = part, at_hz = hz;
    if (most <= limit) continue;
    const bool has_layers = !medium.is_dispersive() && (medium.is_isotropic() || medium.is_lossless());
    log::warning(
        "the absorbing wall of region '{}' reflects {:.2g} of a wave that meets it at a right angle at {:.4g} Hz, as "
        "it matches {}: {}end that medium before the wall",
        model.mesh.region_names[r], most, at_hz,
        medium.is_isotropic() ? "the medium without its losses and dispersion" : "the mean of the medium's axes",
        has_layers ? "use boundaries.pml, or " : "");
  }
}

std::string place_of_region(const Case& given, const std::string& name) {
  for (const RegionSpec& region : given.regions)
    if (region.volume == name) return region.place.text;
  return "";
}

bool touches_open_wall(const march::Problem& problem, LocalIndex element) {
  const auto& tags = problem.mesh->boundary[static_cast<std::size_t>(element)];
  return std::any_of(tags.begin(), tags.end(), [&](std::int32_t tag) {
    if (tag < 0) return false;
    const march::Wall wall = problem.walls[static_cast<std::size_t>(tag)];
    return !march::is_mirror(wall);
  });
}

void check_dispersive_walls(const Case& given, const march::Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    if (problem.medium_of(e).electric_poles.empty() || !touches_open_wall(problem, e)) continue;
    const std::string& name = mesh.region_names[static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(e)])];
    fail(ExitCode::bad_case, dispersion_at_wall.text, place_of_region(given, name), name);
  }
}

}  // namespace tetrawave::modes
