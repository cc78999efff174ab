#include "modes/frequency_domain/far_field.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "basis/quadrature.hpp"
#include "mesh/neighbour_values.hpp"
#include "mesh/reach_elements.hpp"
#include "model/far_field.hpp"

namespace tetrawave::modes {

namespace {

/// That of the system with unknowns on those of the faces that are of metal; nothing where none is. Collective.
std::optional<fem::SharedSpace> rows_on(const Model& setup, const FrequencySystem& system,
                                        std::vector<fem::ElementFace> faces, int threads) {
  std::sort(faces.begin(), faces.end());
  std::vector<fem::ElementFace> other;
  for (const fem::ElementFace& face : system.metal())
    if (!std::binary_search(faces.begin(), faces.end(), face)) other.push_back(face);
  const auto on_metal = static_cast<std::int64_t>(system.metal().size() - other.size());
  if (system.ranks().max(on_metal) == 0) return std::nullopt;
  return fem::number_shared_unknowns(setup.problem.space, setup.mesh, other, system.ranks(), nullptr, threads);
}

}  // namespace

SurfaceCurrents::SurfaceCurrents(const Model& setup, const FrequencySystem& system, std::vector<fem::ElementFace> faces,
                                 double outward, const fem::SurfaceWork& work, const std::vector<bool>* enclosed)
    : setup_(setup),
      system_(system),
      outward_(outward),
      threads_(work.threads),
      rows_on_metal_(rows_on(setup, system, faces, threads_)),
      shared_rows_(rows_on_metal_ ? *rows_on_metal_ : system.shared_space()),
      rows_(shared_rows_.own),
      traces_(shared_rows_, setup.mesh, faces, work),
      points_(rows_, setup.mesh, std::move(faces),
              basis::symmetric_triangle_rule(2 * basis::reference_element(setup.problem.space).degree + 2), threads_) {
  list_elements(enclosed);
  list_wave_faces();
}

void SurfaceCurrents::list_elements(const std::vector<bool>* enclosed) {
  std::vector<bool> reached;
  if (enclosed == nullptr) {
    const std::set<fem::ElementFace> faces(traces_.faces().begin(), traces_.faces().end());
    std::vector<LocalIndex> start;
    for (const auto& [element, face] : faces) start.push_back(element);
    reached = reach_elements(setup_.mesh, start, faces);
    enclosed = &reached;
  }
  touching_ = collect<LocalIndex>(enclosed->size(), threads_, [&](std::size_t e, auto& list) {
    const auto own = rows_.of(e);
    const bool touches = std::any_of(own.begin(), own.end(), [&](std::int32_t u) { return traces_.has(u); });
    if ((*enclosed)[e] && touches) list.push_back(static_cast<LocalIndex>(e));
  });
  is_touching_.assign(enclosed->size(), false);
  for (const LocalIndex e : touching_) is_touching_[static_cast<std::size_t>(e)] = true;
}

/// Elements of the total field have the wave's H on their faces; between two of them it cancels. On metal only rows of
/// currents there have a trace.
void SurfaceCurrents::list_wave_faces() {
  if (setup_.given.plane_waves.empty()) return;
  const auto& reference = basis::reference_element(setup_.problem.space);
  std::vector<std::int32_t> has_wave(is_touching_.begin(), is_touching_.end());
  for (const LocalIndex element : touching_)
    if (system_.is_scattered(element)) has_wave[static_cast<std::size_t>(element)] = 0;
  const NeighbourValues neighbours(setup_.mesh, has_wave, system_.ranks());
  std::vector<fem::ElementFace> border, lit;
  for (const LocalIndex element : touching_) {
    if (system_.is_scattered(element)) continue;
    const auto e = static_cast<std::size_t>(element);
    for (std::uint8_t f = 0; f < 4; ++f) {
      const fem::ElementFace face(element, f);
      const auto own = rows_.of(e);
      if (std::none_of(reference.on_face[f].begin(), reference.on_face[f].end(),
                       [&](std::size_t i) { return traces_.has(own[i]); }))
        continue;
      const std::int32_t tag = setup_.mesh.boundary[e][f];
      const bool cancels = tag < 0 && neighbours.behind(element, f) == 1;
      if (std::binary_search(system_.lit().begin(), system_.lit().end(), face))
        lit.push_back(face);
      else if (!cancels && (tag < 0 || setup_.problem.walls[static_cast<std::size_t>(tag)] == march::Wall::electric))
        border.push_back(face);
    }
  }
  border_ = std::make_unique<fem::FaceTraces>(traces_for_waves(rows_, setup_.mesh, std::move(border)));
  lit_ = std::make_unique<fem::FaceTraces>(traces_for_waves(rows_, setup_.mesh, std::move(lit)));
  for (fem::FaceTraces* const faces : {border_.get(), lit_.get()}) faces->renumber(traces_.numbers());
}

void SurfaceCurrents::prepare(double hz) {
  if (hz == hz_) return;
  std::vector<LocalIndex> scattered;
  for (const LocalIndex element : touching_)
    if (system_.is_scattered(element)) scattered.push_back(element);
  of_unknowns_ = system_.element_rows(touching_, hz, rows_, traces_.numbers());
  of_border_ = scattered.empty() ? fem::SparseRows() : system_.element_rows(scattered, hz, rows_, traces_.numbers());
  traces_.prepare();
  hz_ = hz;
}

/// What an integral equation drives on outer faces of the elements that touch S.
void SurfaceCurrents::list_moments(const fem::FaceTraces& faces) {
  if (listed_ == &faces) return;
  listed_ = &faces;
  moments_.clear();
  const auto& reference = basis::reference_element(setup_.problem.space);
  for (std::size_t f = 0; f < faces.faces().size(); ++f) {
    const auto& [element, face] = faces.faces()[f];
    if (!is_touching_[static_cast<std::size_t>(element)]) continue;
    const auto own = rows_.of(static_cast<std::size_t>(element));
    for (std::size_t i = 0; i < faces.functions(); ++i)
      if (const std::int32_t number = traces_.number_of(own[reference.on_face[face][i]]); number >= 0)
        moments_.push_back({static_cast<std::int32_t>(f * faces.functions() + i), number});
  }
}

/// j k0 times the moments of J of the field without the wave: the weak form in the elements that touch S, less what
/// drives them.
std::vector<Complex> SurfaceCurrents::find_flux(const FieldSolution& field, int threads) const {
  std::vector<Complex> flux(traces_.unknowns().size(), Complex(0)), taken(flux);
  if (!field.unknowns.empty()) of_unknowns_.add_product(1, field.unknowns, flux, threads);
  if (!field.border.empty()) of_border_.add_product(-1, field.border, flux, threads);
  const DrivenSet& set = field.set;
  if (!set.ports.empty() || set.sources) {
    const std::vector<Complex> driven = system_.drive(field.hz, set, &is_touching_, rows_);
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = driven[static_cast<std::size_t>(traces_.unknowns()[i])];
  }
  if (set.plane_wave) {
    const PlaneWave wave = system_.wave_of(field.hz, set);
    system_.add_wave_current(*border_, wave, field.hz, taken);
    system_.add_wave_through(*lit_, wave, field.hz, taken);
  }
  if (!field.radiated.values.empty())
    for (const auto& [place, number] : moments_)
      taken[static_cast<std::size_t>(number)] += field.radiated.values[static_cast<std::size_t>(place)];
  for (std::size_t i = 0; i < flux.size(); ++i) flux[i] -= taken[i];
  return flux;
}

std::vector<results::SurfaceCurrent> SurfaceCurrents::find_at_points(const FieldSolution& field,
                                                                     const std::vector<Complex>& flux,
                                                                     int threads) const {
  const auto& reference = basis::reference_element(setup_.problem.space);
  const std::size_t faces = points_.faces().size(), width = points_.points_of_face();
  std::vector<results::SurfaceCurrent> result(points_.points().size());
  for_ranges(faces, count_ranges(faces, result.size(), threads), [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<Complex> dofs(points_.functions()), currents(points_.functions());
    for (std::size_t f = first; f < last; ++f) {
      const auto& [element, face] = points_.faces()[f];
      const auto own = points_.unknowns(f);
      const std::vector<Complex> all = system_.electric_as_solved(element, field);
      const std::optional<PlaneWave> wave = system_.wave_in(element, field.hz, field.set);
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        dofs[i] = all[reference.on_face[face][i]];
        const std::int32_t number = traces_.number_of(own[i]);
        currents[i] = number < 0 ? Complex(0) : flux[static_cast<std::size_t>(number)];
      }
      for (std::size_t p = f * width; p < (f + 1) * width; ++p) result[p] = find_at_point(p, wave, dofs, currents);
    }
  });
  return result;
}

/// `dofs`, `currents`: of E and of J, times the functions with a trace on the point's face.
results::SurfaceCurrent SurfaceCurrents::find_at_point(std::size_t p, const std::optional<PlaneWave>& wave,
                                                       const std::vector<Complex>& dofs,
                                                       const std::vector<Complex>& currents) const {
  const auto& at = points_.points()[p];
  const auto traces = points_.traces(p);
  const double area = outward_ * at.area_m2;
  ComplexVector electric{}, current{};
  if (wave) electric = wave->electric(at.place_m);
  for (Complex& component : electric) component = -component;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    for (std::size_t x = 0; x < 3; ++x) {
      electric[x] += traces[i][x] * dofs[i];
      current[x] += traces[i][x] * currents[i];
    }
  const ComplexVector magnetic = cross(at.normal, electric);
  results::SurfaceCurrent point;
  point.point_m = at.place_m;
  for (std::size_t x = 0; x < 3; ++x) {
    point.electric[x] = area * current[x];
    point.magnetic[x] = -area * magnetic[x];
    point.power -= 0.5 * area * (electric[x] * std::conj(current[x])).real() / eta0_ohm;  // n.(E x H) = -E.(n x H)
  }
  return point;
}

std::vector<std::vector<results::SurfaceCurrent>> SurfaceCurrents::find(const std::vector<FieldSolution>& fields) {
  prepare(fields.front().hz);
  for (const FieldSolution& field : fields)
    if (field.radiated.faces != nullptr) list_moments(*field.radiated.faces);
  std::vector<std::vector<Complex>> flux(fields.size());
  const int each = std::max(1, threads_ / static_cast<int>(fields.size()));
  for_each_task(fields.size(), threads_, [&](std::size_t k) {
    flux[k] = find_flux(fields[k], each);
    for (Complex& moment : flux[k]) moment /= Complex(0, 2 * pi * hz_ / c0_m_per_s);
  });
  flux = traces_.solve(flux);
  std::vector<std::vector<results::SurfaceCurrent>> result(fields.size());
  for_each_task(fields.size(), threads_, [&](std::size_t k) { result[k] = find_at_points(fields[k], flux[k], each); });
  return result;
}

SurfaceCurrents::Drive SurfaceCurrents::find_drive(const std::vector<FieldSolution>& fields) {
  prepare(fields.front().hz);
  Drive drive{std::vector<std::vector<Complex>>(fields.size()), {}};
  drive.magnetic.resize(fields.size());
  const int each = std::max(1, threads_ / static_cast<int>(fields.size()));
  for_each_task(fields.size(), threads_, [&](std::size_t k) {
    drive.flux[k] = find_flux(fields[k], each);
    drive.magnetic[k] = find_at_points(fields[k], std::vector<Complex>(drive.flux[k].size(), Complex(0)), each);
  });
  return drive;
}

void SurfaceCurrents::list_currents(const std::vector<MirrorPlane>& mirrors, fem::SparseRowsOf<double>& electric,
                                    fem::SparseRowsOf<double>& magnetic) const {
  const auto& reference = basis::reference_element(setup_.problem.space);
  results::SurfaceCurrent ones;
  ones.electric = ones.magnetic = {1, 1, 1};
  for (const results::SurfaceCurrent& image : results::with_images({ones}, mirrors))
    for (std::size_t p = 0; p < points_.points().size(); ++p) {
      const std::size_t f = p / points_.points_of_face();
      const auto& [element, face] = points_.faces()[f];
      const auto of_surface = points_.unknowns(f), of_element = system_.space().of(static_cast<std::size_t>(element));
      const auto traces = points_.traces(p);
      const double area = outward_ * points_.points()[p].area_m2;
      for (std::size_t x = 0; x < 3; ++x) {
        for (std::size_t i = 0; i < traces.size(); ++i) {
          if (const std::int32_t number = traces_.number_of(of_surface[i]); number >= 0)
            electric.add_entry(number, image.electric[x].real() * area * traces[i][x]);
          if (const std::int32_t u = of_element[reference.on_face[face][i]]; u != fem::EdgeSpace::fixed)
            magnetic.add_entry(
                u, -image.magnetic[x].real() * area * tetrawave::cross(points_.points()[p].normal, traces[i])[x]);
        }
        electric.end_row();
        magnetic.end_row();
      }
    }
}

FrequencyFarField::FrequencyFarField(const Case& given, const Model& setup, const FrequencySystem& system,
                                     SurfaceCurrents* inner, int threads)
    : given_(given), ranks_(system.ranks()), threads_(threads), surface_(inner) {
  if (setup.surface) {
    std::vector<fem::ElementFace> faces = setup.surface->inner;  // the weak form is that of the inside
    std::sort(faces.begin(), faces.end());
    own_ = std::make_unique<SurfaceCurrents>(setup, system, std::move(faces), 1, fem::SurfaceWork{threads, false},
                                             &setup.surface->encloses);
    surface_ = own_.get();
    impedance_ = setup.surface->impedance;
    refractive_index_ = setup.surface->refractive_index;
  } else {
    const Medium& medium = system.outer_medium(given.iiee.outer_place, "iiee.outer");
    impedance_ = medium.impedance();
    refractive_index_ = std::sqrt(medium.eps_r * medium.mu_r);
  }
}

std::vector<results::FarFieldResult> FrequencyFarField::find(const std::vector<FieldSolution>& fields) {
  const FarFieldRequest& spec = *given_.outputs.far_field;
  std::vector<results::FarFieldResult> results;
  const auto currents = surface_->find(fields);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    results::FarFieldResult& result = results.emplace_back();
    result.is_steady = true;
    result.incident_v_per_m = fields[k].set.plane_wave ? 1 : 0;
    results::FarFieldDirections directions{spec.theta_deg, spec.phi_deg};
    const bool is_back = spec.monostatic && fields[k].set.plane_wave;
    if (is_back) {
      const IncidentWave& wave = given_.plane_waves[*fields[k].set.plane_wave];
      directions.more_deg.push_back({wave.theta_deg, wave.phi_deg});
    }
    result.field = results::far_field(currents[k], 2 * pi * fields[k].hz / c0_m_per_s * refractive_index_, impedance_,
                                      spec.mirrors, directions, direction_summation(threads_), ranks_);
    if (!is_back || ranks_.rank() != 0) continue;
    result.back = {result.field.e_theta.back(), result.field.e_phi.back()};
    result.field.e_theta.pop_back();
    result.field.e_phi.pop_back();
  }
  return results;
}

}  // namespace tetrawave::modes
