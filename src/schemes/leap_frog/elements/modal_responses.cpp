#include "schemes/leap_frog/elements/modal_responses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/parallel.hpp"
#include "schemes/leap_frog/elements/element_walls.hpp"

namespace tetrawave::march {

namespace {

using Vector = std::vector<double>;
using Place = std::pair<std::int32_t, LocalIndex>;  ///< port and element

void add_to(Vector& sum, const Vector& more) {
  sum.resize(more.size(), 0.0);
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

/// y times the trace p of H with n x p = e, of the free dofs.
Vector trace_of_mode(const Problem& problem, const ModalResponse& item, const DrivenFace& face,
                     const std::vector<std::size_t>& free) {
  const auto& dofs = basis::reference_element(problem.space).on_face[face.face];
  const basis::PhysicalElement element(problem.space, problem.mesh->corners[static_cast<std::size_t>(item.element)]);
  const basis::SymmetricMatrix whole = element.face_mass(face.face);
  basis::SymmetricMatrix mass(dofs.size());
  Vector trace;
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    trace.push_back(problem.terminations[static_cast<std::size_t>(item.port)].admittance * face.rotated[dofs[k]]);
    for (std::size_t l = 0; l < dofs.size(); ++l) mass(k, l) = whole(dofs[k], dofs[l]);
  }
  mass.factor();
  mass.solve(trace.data());
  Vector of_free;
  std::size_t next = 0;
  for (std::size_t k = 0; k < dofs.size(); ++k)
    if (next < free.size() && dofs[k] == free[next]) {
      of_free.push_back(trace[k]);
      ++next;
    }
  return of_free;
}

void respond_with_trace(const Problem& problem, const ElementWalls& walls, const DrivenFace& face,
                        ModalResponse& item) {
  HeldTrace held = walls.hold_face(face.face);
  const Vector p = trace_of_mode(problem, item, face, held.dofs);
  const double overlap = problem.terminations[static_cast<std::size_t>(item.port)].overlap;
  Vector share = p;
  held.trace_of_inverse.solve(share.data());
  const std::size_t n = basis::reference_element(problem.space).dofs;
  item.weight.assign(n, 0.0);
  item.of_amplitude.assign(n, 0.0);
  for (std::size_t c = 0; c < p.size(); ++c) {
    item.weight[held.dofs[c]] = share[c];
    item.share += p[c] * share[c];
    item.norm += overlap * p[c] * face.rotated[held.dofs[c]];
    for (std::size_t i = 0; i < n; ++i) item.of_amplitude[i] += p[c] * held.columns[c][i];
    item.holding.insert(item.holding.end(), held.columns[c].begin(), held.columns[c].end());
  }
  item.held = std::move(held.dofs);
}

}  // namespace

std::vector<ModalResponse> modal_responses(const Problem& problem, Field field, double dt_m, int threads,
                                           std::optional<double> border_dt_m) {
  std::map<std::int32_t, std::int32_t> port_of;
  for (std::size_t p = 0; p < problem.terminations.size(); ++p)
    port_of[problem.terminations[p].wave] = static_cast<std::int32_t>(p);
  std::map<Place, std::vector<const DrivenFace*>> faces;
  for (const DrivenFace& face : problem.driven)
    if (const auto port = port_of.find(face.wave); port != port_of.end())
      faces[{port->second, face.element}].push_back(&face);
  std::map<Place, Vector> weights;
  for (std::size_t p = 0; p < problem.terminations.size(); ++p)
    for (const Functional::Item& item : problem.electric[problem.terminations[p].functional].items)
      add_to(weights[{static_cast<std::int32_t>(p), item.element}], item.weight);
  std::vector<ModalResponse> responses;
  for (const auto& [place, on_faces] : faces) {
    ModalResponse& item = responses.emplace_back();
    item.port = place.first;
    item.element = place.second;
  }
  for_each_index(responses.size(), threads, [&](std::size_t k) {
    ModalResponse& item = responses[k];
    const Place place{item.port, item.element};
    const WallElement wall{item.element, wall_faces(problem, item.element, field, dt_m, {})};
    const ElementWalls walls(problem, wall, field, dt_m, border_dt_m.value_or(dt_m));
    for (const WallFace& face : wall.faces) item.wall_faces.push_back(face.face);
    // A flat face has one face of an element at most.
    if (field == Field::magnetic) return respond_with_trace(problem, walls, *faces.at(place).front(), item);
    Vector moment;
    for (const DrivenFace* face : faces.at(place)) add_to(moment, face->direct);
    item.weight = weights.at(place);
    item.of_amplitude = walls.response(std::move(moment));
    for (std::size_t i = 0; i < item.weight.size(); ++i) item.share += item.weight[i] * item.of_amplitude[i];
  });
  return responses;
}

}  // namespace tetrawave::march
