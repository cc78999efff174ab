#include "modes/frequency_domain/near_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "case/spec/mirrors.hpp"
#include "mesh/map_element.hpp"
#include "mesh/tetrahedron.hpp"
#include "results/history/find_element.hpp"

namespace tetrawave::modes {

namespace {

constexpr std::size_t frames_of_point = 4;

/// Solid angle of a triangle with its normal, seen from a point; positive where it is seen from behind. A. van
/// Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125.
double solid_angle(const std::array<Vec3, 4>& triangle, const Vec3& from) {
  const Vec3 a = triangle[0] - from, b = triangle[1] - from, c = triangle[2] - from;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double volume = std::abs(dot(a, tetrawave::cross(b, c)));
  const double angle = 2 * std::atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  return dot(triangle[3], a) > 0 ? angle : -angle;
}

/// Two and two frames with opposite normals: along z, whose values are those of x and y, and along x.
std::array<BoundaryFrame, frames_of_point> frames_at(const Vec3& place_m) {
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  return {{{place_m, x, y}, {place_m, y, x}, {place_m, y, z}, {place_m, z, y}}};
}

/// E and eta0 H from Psi with n and with -n: their sum is -2 j k0 Y E, their difference 2 j k0 n x eta0 H, of
/// tangential parts. `psi`: of the four frames; k0 [1/m], Y relative.
std::array<Complex, 6> fields_of(const Complex* psi, double k0, double admittance) {
  const Complex j(0, 1);
  const auto electric = [&](const Complex& plus, const Complex& minus) {
    return j * (plus + minus) / (2 * k0 * admittance);
  };
  const auto turned = [&](const Complex& plus, const Complex& minus) { return (minus - plus) / (2.0 * j * k0); };
  // n = z: (z x h) = (-hy, hx, 0); n = x: (x x h) = (0, -hz, hy)
  return {electric(psi[0], psi[3]), electric(psi[1], psi[2]), electric(psi[5], psi[6]),
          turned(psi[1], psi[2]),   -turned(psi[0], psi[3]),  -turned(psi[4], psi[7])};
}

}  // namespace

NearFields::NearFields(const Case& given, const Model& setup, const FrequencySystem& system, FrequencyFarField& source,
                       kernels::PairSums& sums, int threads)
    : given_(given),
      setup_(setup),
      system_(system),
      source_(source),
      sums_(sums),
      threads_(threads),
      mirrors_(mirrors_of(given)) {
  const auto& faces = source.surface().faces();
  std::array<double, 4> centre{};  // and the number of faces
  for (const auto& [element, face] : faces) {
    const auto& corners = setup.mesh.corners[static_cast<std::size_t>(element)];
    const basis::PhysicalElement physical(setup.problem.space, corners);
    const auto& at = face_corners[face];
    triangles_.push_back({corners[at[0]], corners[at[1]], corners[at[2]], physical.normal(face)});
    const Vec3 at_m = face_centroid(corners, face);
    for (std::size_t x = 0; x < 3; ++x) centre[x] += at_m[x];
    centre[3] += 1;
  }
  system.ranks().sum_in_place(centre);
  for (std::size_t x = 0; x < 3; ++x) middle_m_[x] = centre[x] / centre[3];
  for (const MirrorPlane& mirror : mirrors_) {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    const std::size_t count = triangles_.size();
    for (std::size_t k = 0; k < count; ++k) {
      auto image = triangles_[k];
      for (std::size_t corner = 0; corner < 3; ++corner)
        image[corner][axis] = 2 * mirror.position_m - image[corner][axis];
      image[3][axis] = -image[3][axis];
      triangles_.push_back(image);
    }
  }
  for (const NearFieldRequest& spec : given.outputs.near_fields) {
    std::vector<Spot>& spots = spots_.emplace_back(spec.points_m.size());
    for_each_task(spots.size(), threads, [&](std::size_t p) { spots[p] = locate(spec.points_m[p]); });
    find_outside(spots);
    const auto dark = std::count_if(spots.begin(), spots.end(), [](const Spot& spot) { return spot.is_dark; });
    if (dark > 0)
      log::info(
          "outputs.near_field: {} of the {} points of '{}' lie where there is no field: in metal or below a "
          "ground; they are NaN",
          dark, spots.size(), spec.name);
  }
}

NearFields::Spot NearFields::locate(const Vec3& place_m) const {
  Spot spot;
  spot.place_m = place_m;
  for (const MirrorPlane& mirror : mirrors_) {
    const auto axis = static_cast<std::size_t>(mirror.axis);
    const double at = spot.place_m[axis] - mirror.position_m;
    if (at * (middle_m_[axis] - mirror.position_m) >= 0) continue;
    if (mirror.is_ground) spot.is_dark = true;
    spot.place_m[axis] -= 2 * at;
    for (std::size_t x = 0; x < 3; ++x) {
      const double sign = (x == axis) != mirror.magnetic ? 1 : -1;  // at metal the tangential part of E
      spot.electric[x] *= sign;
      spot.magnetic[x] *= -sign;
    }
  }
  if (spot.is_dark) return spot;
  if (const auto element = results::find_element(setup_.mesh, spot.place_m)) spot.element = *element;
  return spot;
}

/// Which points lie in elements of some rank, the lowest one's then, and which of the others the surface encloses.
void NearFields::find_outside(std::vector<Spot>& spots) const {
  const comm::Communicator& ranks = system_.ranks();
  std::vector<std::int64_t> holder;
  for (const Spot& spot : spots) holder.push_back(spot.element >= 0 ? ranks.rank() : ranks.size());
  ranks.min_in_place(holder);
  std::vector<double> angle(spots.size(), 0);
  for_each_task(spots.size(), threads_, [&](std::size_t p) {
    spots[p].is_in_mesh = holder[p] < ranks.size();
    if (holder[p] != ranks.rank()) spots[p].element = no_neighbour;
    if (!spots[p].is_dark && !spots[p].is_in_mesh) angle[p] = angle_at(spots[p].place_m);
  });
  ranks.sum_in_place(angle);
  for (std::size_t p = 0; p < spots.size(); ++p)
    if (std::abs(angle[p]) > 2 * pi) spots[p].is_dark = true;
}

double NearFields::angle_at(const Vec3& place_m) const {
  double angle = 0;
  for (const auto& triangle : triangles_) angle += solid_angle(triangle, place_m);
  return angle;
}

std::array<Complex, 6> NearFields::in_mesh(const Spot& spot, const FieldSolution& field) const {
  const basis::MappedElement physical = map_element(setup_.problem.space, setup_.mesh, spot.element);
  const auto functions = physical.values(physical.barycentric(spot.place_m).value());
  const ElementFields dofs = system_.fields({spot.element}, field);
  std::array<Complex, 6> values{};
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (std::size_t x = 0; x < 3; ++x) {
      values[x] += functions[i][x] * dofs.electric[i];
      values[3 + x] += functions[i][x] * dofs.magnetic[i];
    }
  return values;
}

void NearFields::find(const std::vector<FieldSolution>& fields, Numbers& to) {
  auto currents = source_.surface().find(fields);
  for (auto& set : currents) set = results::with_images(std::move(set), mirrors_);
  for (std::size_t item = 0; item < spots_.size(); ++item) {
    const auto& hz = given_.outputs.near_fields[item].frequencies_hz;
    const auto found = std::find(hz.begin(), hz.end(), fields.front().hz);
    if (found != hz.end()) find_item(item, fields, currents, static_cast<std::size_t>(found - hz.begin()), to);
  }
}

void NearFields::find_item(std::size_t item, const std::vector<FieldSolution>& fields,
                           const std::vector<std::vector<results::SurfaceCurrent>>& currents, std::size_t frequency,
                           Numbers& to) {
  const std::vector<Spot>& spots = spots_[item];
  const double k0 = 2 * pi * fields.front().hz / c0_m_per_s;
  std::vector<BoundaryFrame> frames;
  std::vector<std::size_t> first(spots.size(), 0);  // values of the frames of a point
  for (std::size_t p = 0; p < spots.size(); ++p) {
    if (spots[p].is_dark || spots[p].is_in_mesh) continue;
    first[p] = 2 * frames.size();
    for (const BoundaryFrame& frame : frames_at(spots[p].place_m)) frames.push_back(frame);
  }
  BoundaryRadiator radiator(frames, {frames_of_point, static_cast<std::int64_t>(source_.surface().points_of_face())},
                            sums_, threads_);
  const RadiationMedium medium{k0 * source_.refractive_index(), source_.impedance(),
                               source_.refractive_index() * source_.impedance()};
  const std::vector<BoundaryValues> psi = radiator.radiate(currents, medium, Precision::double_precision);
  for (std::size_t set = 0; set < fields.size(); ++set) {
    std::vector<std::array<Complex, 6>> values(spots.size());
    for_each_task(spots.size(), threads_, [&](std::size_t p) {  // of this rank's faces
      if (spots[p].element >= 0)
        values[p] = in_mesh(spots[p], fields[set]);
      else if (!spots[p].is_dark && !spots[p].is_in_mesh)
        values[p] = fields_of(psi[set].data() + first[p], k0, 1 / medium.impedance);
    });
    system_.add_over_ranks({values.front().data(), 6 * values.size()});
    std::optional<PlaneWave> wave;
    if (fields[set].set.plane_wave) wave = system_.wave_of(fields[set].hz, fields[set].set);
    for_each_task(spots.size(), threads_, [&](std::size_t p) {
      const Spot& spot = spots[p];
      auto& value = values[p];
      if (spot.is_dark) return value.fill(std::numeric_limits<double>::quiet_NaN());
      for (std::size_t x = 0; wave && !spot.is_in_mesh && x < 3; ++x) {
        value[x] += wave->electric(spot.place_m)[x];
        value[3 + x] += wave->magnetic(spot.place_m)[x];
      }
      for (std::size_t x = 0; x < 3; ++x) {
        value[x] *= spot.electric[x];
        value[3 + x] *= spot.magnetic[x] / eta0_ohm;
      }
    });
    to.insert(to.end(), {static_cast<double>(item), static_cast<double>(frequency), static_cast<double>(set)});
    for (const auto& value : values)
      for (const Complex& component : value) to.insert(to.end(), {component.real(), component.imag()});
  }
}

std::vector<NearFieldResult> take_near_fields(const Case& given, const Numbers& from, std::size_t sets) {
  std::vector<NearFieldResult> results;
  for (const NearFieldRequest& spec : given.outputs.near_fields)
    results.push_back(
        {&spec, std::vector<std::array<Complex, 6>>(sets * spec.frequencies_hz.size() * spec.points_m.size())});
  for (std::size_t at = 0; at < from.size();) {
    NearFieldResult& result = results.at(static_cast<std::size_t>(from[at]));
    const auto frequency = static_cast<std::size_t>(from[at + 1]), set = static_cast<std::size_t>(from[at + 2]);
    at += 3;
    const std::size_t points = result.spec->points_m.size();
    for (std::size_t p = 0; p < points; ++p)
      for (Complex& value : result.values[(set * result.spec->frequencies_hz.size() + frequency) * points + p]) {
        value = {from[at], from[at + 1]};
        at += 2;
      }
  }
  return results;
}

void write_near_field(const store::File& file, const std::string& prefix, const NearFieldResult& result,
                      std::size_t set) {
  const NearFieldRequest& spec = *result.spec;
  const std::string path = prefix + "/near_field/" + spec.name;
  file.create_group(path);
  file.write(path + "/frequency", spec.frequencies_hz, "Hz");
  file.write(path + "/position", std::span<const Vec3>(spec.points_m), "m");
  file.set_attribute(path, "shape", std::span<const std::int64_t>(spec.shape));
  const std::size_t count = spec.frequencies_hz.size() * spec.points_m.size();
  for (const bool electric : {true, false}) {
    std::vector<Complex> values;
    for (std::size_t k = set * count; k < (set + 1) * count; ++k)
      for (std::size_t x = 0; x < 3; ++x) values.push_back(result.values[k][x + (electric ? 0 : 3)]);
    file.write(
        path + (electric ? "/E" : "/H"), std::span<const Complex>(values), electric ? "V/m" : "A/m",
        {static_cast<std::int64_t>(spec.frequencies_hz.size()), static_cast<std::int64_t>(spec.points_m.size()), 3});
  }
}

}  // namespace tetrawave::modes
