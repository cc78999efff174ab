#include "results/far_field/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "basis/physical_element.hpp"
#include "basis/quadrature.hpp"
#include "kernels/pairs/point_blocks.hpp"
#include "kernels/sample.hpp"
#include "results/far_field/spread_currents.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;
using PointBlocks = kernels::PointBlocks<double>;
using kernels::TwoSum;

ComplexVector cross_with(const Vec3& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A point of a face with its functions.
struct FacePoint {
  Vec3 point_m{};
  double area_m2 = 0;
  std::vector<Vec3> values;  ///< of the functions with a trace
};

std::vector<FacePoint> points_of(const march::Problem& problem, const march::SpectralFaces::Face& face) {
  const auto& reference = basis::reference_element(problem.space);
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(face.element)]);
  std::vector<FacePoint> points;
  for (const auto& q : basis::triangle_rule(2 * reference.degree + 2)) {
    const auto barycentric = basis::from_face(face.face, q.barycentric);
    const auto values = element.values(barycentric);
    FacePoint point{element.point(barycentric), q.weight * element.area(face.face), {}};
    for (const std::size_t i : reference.on_face[face.face]) point.values.push_back(values[i]);
    points.push_back(std::move(point));
  }
  return points;
}

/// (high, low) pairs summed over the ranks, on rank 0.
std::vector<double> sum_over_ranks(const std::vector<double>& mine, const comm::Communicator& ranks) {
  const std::vector<double> all = ranks.gather(std::span<const double>(mine));
  std::vector<double> result;
  if (ranks.rank() != 0) return result;
  for (std::size_t i = 0; i < mine.size(); i += 2) {
    TwoSum sum;
    for (std::size_t r = 0; r < all.size(); r += mine.size()) sum.add(TwoSum{all[r + i], all[r + i + 1]});
    result.push_back(sum.high + sum.low);
  }
  return result;
}

/// Extent of the surface over all ranks.
struct Extent {
  Vec3 low{};
  Vec3 high{};
  [[nodiscard]] double side(const MirrorPlane& mirror) const {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    return high[axis] - mirror.position_m >= mirror.position_m - low[axis] ? 1 : -1;
  }
};

Extent extent_of(const std::vector<SurfaceCurrent>& currents, const comm::Communicator& ranks) {
  Extent extent;
  extent.low.fill(std::numeric_limits<double>::infinity());
  extent.high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const SurfaceCurrent& current : currents) {
      extent.low[axis] = std::min(extent.low[axis], current.point_m[axis]);
      extent.high[axis] = std::max(extent.high[axis], current.point_m[axis]);
    }
    extent.low[axis] = ranks.min(extent.low[axis]);
    extent.high[axis] = ranks.max(extent.high[axis]);
  }
  return extent;
}

bool is_below_ground(const Vec3& u, const std::vector<MirrorPlane>& mirrors, const Extent& extent) {
  return std::any_of(mirrors.begin(), mirrors.end(), [&](const MirrorPlane& mirror) {
    return mirror.is_ground && u[static_cast<std::size_t>(mirror.axis)] * extent.side(mirror) < -1e-12;
  });
}

/// Directions with their unit vectors of theta and phi.
struct Direction {
  Vec3 u{}, theta{}, phi{};
  Direction(double theta_rad, double phi_rad)
      : u(spherical(theta_rad, phi_rad)),
        theta(spherical(theta_rad + pi / 2, phi_rad)),
        phi{-std::sin(phi_rad), std::cos(phi_rad), 0} {}
  static Vec3 spherical(double theta_rad, double phi_rad) {
    return {std::sin(theta_rad) * std::cos(phi_rad), std::sin(theta_rad) * std::sin(phi_rad), std::cos(theta_rad)};
  }
};

PointBlocks blocks_of(const std::vector<Direction>& directions, double wave_number) {
  PointBlocks blocks(directions.size(), kernels::DirectionSums::point_rows);
  for (std::size_t d = 0; d < directions.size(); ++d)
    for (std::size_t x = 0; x < 3; ++x) {
      blocks.at(d, x) = wave_number / pi * directions[d].u[x];
      blocks.at(d, 3 + x) = directions[d].theta[x];
      blocks.at(d, 6 + x) = directions[d].phi[x];
    }
  return blocks;
}

std::vector<double> sources_of(const std::vector<SurfaceCurrent>& currents, double impedance) {
  std::vector<double> numbers;
  numbers.reserve(currents.size() * kernels::DirectionSums::source_size);
  for (const SurfaceCurrent& current : currents) {
    numbers.insert(numbers.end(), current.point_m.begin(), current.point_m.end());
    for (const Complex& j : current.electric)
      numbers.insert(numbers.end(), {impedance * j.real(), impedance * j.imag()});
    for (const Complex& m : current.magnetic) numbers.insert(numbers.end(), {m.real(), m.imag()});
  }
  return numbers;
}

/// E_theta and E_phi of one direction after the other, on rank 0. `currents`: those spread, with their images.
std::vector<Complex> radiate(const SpreadCurrents& spread, const std::vector<SurfaceCurrent>& currents,
                             double wave_number, double impedance, const std::vector<Direction>& directions,
                             const DirectionSummation& summation, const comm::Communicator& ranks) {
  using Kernel = kernels::DirectionSums;
  constexpr std::size_t piece = 1024;  // of currents that stay in the caches for all directions of a thread
  PointBlocks blocks = blocks_of(directions, wave_number);
  PointBlocks sums(directions.size(), Kernel::sum_rows);
  const std::vector<double> sources = sources_of(currents, impedance);
  blocks.share(summation.threads, [&](std::int64_t first, std::int64_t count) {
    for (std::size_t from = 0; from < currents.size(); from += piece)
      summation.run(Kernel{blocks.data(), sources.data() + from * Kernel::source_size,
                           static_cast<std::int64_t>(std::min(piece, currents.size() - from)), sums.data()},
                    first, count);
  });
  std::vector<double> mine;
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const double factor = spread.factor(directions[d].u);
    for (std::size_t row = 0; row < Kernel::sum_rows; ++row) mine.push_back(factor * sums.at(d, row));
  }
  const std::vector<double> all = sum_over_ranks(mine, ranks);
  const Complex scale(0, -wave_number / (4 * pi));
  std::vector<Complex> fields;
  for (std::size_t at = 0; at < all.size(); at += 2) fields.push_back(scale * Complex(all[at], all[at + 1]));
  return fields;
}

/// Degree of the spherical harmonics excited by currents within the radius R to 4 digits: kR + 1.8 4^(2/3) (kR)^(1/3).
std::size_t harmonics(const Extent& extent, const std::vector<MirrorPlane>& mirrors, double wave_number) {
  Vec3 reach = 0.5 * (extent.high - extent.low);
  for (const MirrorPlane& mirror : mirrors) {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    reach[axis] =
        std::max(std::abs(extent.high[axis] - mirror.position_m), std::abs(extent.low[axis] - mirror.position_m));
  }
  const double kr = wave_number * norm(reach);
  return static_cast<std::size_t>(std::ceil(kr + 4.6 * std::cbrt(kr))) + 2;
}

/// Of the directions at a node in cos theta and an azimuth, both numbered: how many are mirror images of this one, with
/// as large a field; 0 if one of them comes before it.
std::size_t count_images(const std::array<std::size_t, 2>& direction, std::size_t nodes, std::size_t azimuths,
                         const std::vector<MirrorPlane>& mirrors) {
  std::vector<std::array<std::size_t, 2>> images{direction};
  for (const MirrorPlane& mirror : mirrors)
    for (std::size_t i = 0, count = images.size(); i < count; ++i) {
      auto [node, azimuth] = images[i];
      if (mirror.axis == 2)
        node = nodes - 1 - node;
      else
        azimuth = (azimuths + (mirror.axis == 0 ? azimuths / 2 : 0) - azimuth) % azimuths;
      images.push_back({node, azimuth});
    }
  std::sort(images.begin(), images.end());
  images.erase(std::unique(images.begin(), images.end()), images.end());
  return images.front() == direction ? images.size() : 0;
}

/// Directions for oint |F|^2 over the sphere, by Gauss's rule in cos theta and the trapezoidal rule in phi: exact for
/// harmonics up to their degree. Of those that are images of each other there is one.
struct Sphere {
  std::vector<Direction> directions;
  std::vector<double> weights;
  double step = 0;  ///< of the azimuth

  Sphere(std::size_t degree, const std::vector<MirrorPlane>& mirrors) {
    const basis::GaussRule rule = basis::gauss_rule(degree + 1);
    const std::size_t azimuths = 2 * degree + 2;
    step = 2 * pi / static_cast<double>(azimuths);
    for (std::size_t n = 0; n < rule.nodes.size(); ++n)
      for (std::size_t k = 0; k < azimuths; ++k) {
        const std::size_t images = count_images({n, k}, rule.nodes.size(), azimuths, mirrors);
        if (images == 0) continue;
        directions.emplace_back(std::acos(rule.nodes[n]),
                                2 * pi * static_cast<double>(k) / static_cast<double>(azimuths));
        weights.push_back(static_cast<double>(images) * rule.weights[n]);
      }
  }

  /// Of fields in these directions. The half sphere above a ground is half of the sphere with its mirror image.
  [[nodiscard]] double power(std::span<const Complex> fields, double impedance,
                             const std::vector<MirrorPlane>& mirrors) const {
    double sum = 0;
    for (std::size_t d = 0; d < weights.size(); ++d)
      sum += weights[d] * (std::norm(fields[2 * d]) + std::norm(fields[2 * d + 1]));
    const bool halved = std::any_of(mirrors.begin(), mirrors.end(), [](const MirrorPlane& m) { return m.is_ground; });
    return (halved ? 0.5 : 1) * sum * step / (2 * eta0_ohm * impedance);
  }
};

/// The number of directions of a Sphere, nearly.
double sphere_size(std::size_t degree, const std::vector<MirrorPlane>& mirrors) {
  const auto polar = static_cast<double>(degree + 1);
  return std::ldexp(2 * polar * polar, -static_cast<int>(mirrors.size()));
}

/// Whether sums over the sphere take too long: for a structure of D wavelengths they grow as D^4.
bool is_too_large(double directions, std::size_t currents, const comm::Communicator& ranks) {
  constexpr double most = 3e10;  // some minutes of one thread
  if (static_cast<double>(ranks.sum(static_cast<std::int64_t>(currents))) * directions <= most) return false;
  log::info("far field: the radiated power is that through the surface: the pattern would take {:.2g} directions",
            directions);
  return true;
}

double power_factor(const std::vector<MirrorPlane>& mirrors) {
  double factor = 1;
  for (const MirrorPlane& mirror : mirrors) factor *= mirror.is_ground ? 1 : 2;
  return factor;
}

}  // namespace

SurfaceSums pair_sides(const march::Problem& problem, const RadiationSurface& surface, std::vector<double> sums,
                       const comm::Communicator& ranks) {
  SurfaceSums result{sums, std::move(sums)};
  if (surface.has_currents) return result;  // of elements that share their traces
  const LocalMesh& mesh = *problem.mesh;
  const auto& faces = problem.spectral.faces;
  const std::size_t width = faces.empty() ? 0 : result.own.size() / faces.size();
  std::map<std::pair<LocalIndex, std::uint8_t>, std::size_t> index;
  for (std::size_t i = 0; i < faces.size(); ++i)
    if (surface.faces[i].weight < 1) index[{faces[i].element, faces[i].face}] = i;
  const auto row = [width](std::vector<double>& of, std::size_t face) {
    return of.begin() + static_cast<std::ptrdiff_t>(face * width);
  };
  for (const auto& [face, i] : index) {
    const auto e = static_cast<std::size_t>(face.first);
    const auto other = index.find({mesh.neighbour[e][face.second], mesh.neighbour_face[e][face.second]});
    if (other != index.end()) std::copy_n(row(result.own, other->second), width, row(result.behind, i));
  }
  std::vector<std::vector<double>> mine(static_cast<std::size_t>(ranks.size()));
  const auto for_shared = [&](const auto& work) {
    for (const HaloPeer& peer : mesh.peers)
      for (const HaloFace& face : peer.faces)
        if (const auto own = index.find({face.element, face.face}); own != index.end())
          work(static_cast<std::size_t>(peer.rank), own->second);
  };
  for_shared([&](std::size_t rank, std::size_t i) {
    mine[rank].insert(mine[rank].end(), row(result.own, i), row(result.own, i) + static_cast<std::ptrdiff_t>(width));
  });
  const auto theirs = ranks.exchange(std::move(mine));
  std::vector<std::size_t> taken(theirs.size(), 0);
  for_shared([&](std::size_t rank, std::size_t i) {
    std::copy_n(theirs[rank].begin() + static_cast<std::ptrdiff_t>(taken[rank]), width, row(result.behind, i));
    taken[rank] += width;
  });
  return result;
}

std::vector<SurfaceCurrent> surface_currents(const march::Problem& problem, const RadiationSurface& surface,
                                             const SurfaceSums& sums, std::size_t frequency, double factor) {
  const std::size_t traces = basis::reference_element(problem.space).face_dofs;
  const std::size_t frequencies = problem.spectral.frequencies_per_m.size();
  std::vector<SurfaceCurrent> currents;
  for (std::size_t i = 0; i < surface.faces.size(); ++i) {
    const auto& face = problem.spectral.faces[i];
    const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(face.element)]);
    const Vec3 n = surface.faces[i].outward * element.normal(face.face);
    const std::size_t first = (i * frequencies + frequency) * 4 * traces;
    const double* own = sums.own.data() + first;
    const double* behind = sums.behind.data() + first;
    for (const FacePoint& point : points_of(problem, face)) {
      ComplexVector e{};
      ComplexVector h{};
      ComplexVector h_behind{};
      for (std::size_t k = 0; k < traces; ++k)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          e[axis] += point.values[k][axis] * factor * Complex(own[k], own[traces + k]);
          h[axis] += point.values[k][axis] * factor * Complex(own[2 * traces + k], own[3 * traces + k]);
          h_behind[axis] += point.values[k][axis] * factor * Complex(behind[2 * traces + k], behind[3 * traces + k]);
        }
      const double area = surface.faces[i].weight * point.area_m2;
      // The tangential part of a field is -n x (n x h).
      const auto current_of = [&](const ComplexVector& field) {
        const ComplexVector turned = cross_with(n, field);
        return surface.has_currents ? cross_with(-1.0 * n, turned) : turned;
      };
      const ComplexVector exchanged = current_of(h_behind);
      SurfaceCurrent current{point.point_m, current_of(h), cross_with(n, e), 0};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        current.power -= area / (2 * eta0_ohm) * (e[axis] * std::conj(exchanged[axis])).real();
        current.electric[axis] *= area;
        current.magnetic[axis] *= -area;
      }
      currents.push_back(current);
    }
  }
  return currents;
}

std::vector<SurfaceCurrent> with_images(std::vector<SurfaceCurrent> currents, const std::vector<MirrorPlane>& mirrors) {
  for (const MirrorPlane& mirror : mirrors) {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    const double sign = mirror.magnetic ? -1 : 1;
    const std::size_t count = currents.size();
    currents.reserve(2 * count);
    for (std::size_t k = 0; k < count; ++k) {
      SurfaceCurrent image = currents[k];
      image.point_m[axis] = 2 * mirror.position_m - image.point_m[axis];
      for (std::size_t x = 0; x < 3; ++x) {
        const double reflected = x == axis ? -1 : 1;
        image.electric[x] *= -sign * reflected;
        image.magnetic[x] *= sign * reflected;
      }
      currents.push_back(image);
    }
  }
  return currents;
}

double FarField::power_mismatch() const {
  const double larger = std::max(std::abs(radiated_power), std::abs(surface_power));
  return larger > 0 ? std::abs(radiated_power - surface_power) / larger : 0;
}

FarField far_field(const std::vector<SurfaceCurrent>& currents, double wave_number, double impedance,
                   const std::vector<MirrorPlane>& mirrors, const FarFieldDirections& directions,
                   const DirectionSummation& summation, const comm::Communicator& ranks) {
  constexpr double degree = pi / 180;
  const Extent extent = extent_of(currents, ranks);
  std::vector<Direction> wanted;
  for (const double theta : directions.theta_deg)
    for (const double phi : directions.phi_deg) wanted.emplace_back(theta * degree, phi * degree);
  for (const auto& [theta, phi] : directions.more_deg) wanted.emplace_back(theta * degree, phi * degree);
  const bool has_pattern = !directions.theta_deg.empty();
  const std::size_t degree_of_field = has_pattern ? harmonics(extent, mirrors, wave_number) : 0;
  const double of_sphere = has_pattern ? sphere_size(degree_of_field, mirrors) : 0;
  const std::size_t count = (wanted.size() + static_cast<std::size_t>(of_sphere)) << mirrors.size();
  const SpreadCurrents spread(currents, wave_number, count, summation.threads);
  const std::vector<SurfaceCurrent> all = with_images(spread.currents(), mirrors);
  std::optional<Sphere> sphere;
  if (has_pattern && !is_too_large(of_sphere, all.size(), ranks)) sphere.emplace(degree_of_field, mirrors);
  std::vector<Direction> every = wanted;
  if (sphere) every.insert(every.end(), sphere->directions.begin(), sphere->directions.end());
  const auto fields = radiate(spread, all, wave_number, impedance, every, summation, ranks);
  TwoSum power;
  for (const SurfaceCurrent& current : currents) power.add(current.power);
  const auto through = sum_over_ranks({power.high, power.low}, ranks);
  FarField field;
  if (ranks.rank() != 0) return {};
  field.surface_power = power_factor(mirrors) * through.front();
  field.radiated_power =
      sphere ? sphere->power(std::span(fields).subspan(2 * wanted.size()), impedance, mirrors) : field.surface_power;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    const bool dark = is_below_ground(wanted[d].u, mirrors, extent);
    field.e_theta.push_back(dark ? 0.0 : fields[2 * d]);
    field.e_phi.push_back(dark ? 0.0 : fields[2 * d + 1]);
  }
  return field;
}

}  // namespace tetrawave::results
