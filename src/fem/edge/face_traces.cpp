#include "fem/edge/face_traces.hpp"

#include <utility>

#include "basis/mapped_element.hpp"

namespace tetrawave::fem {

FaceTraces::FaceTraces(const EdgeSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces,
                       const std::vector<basis::TrianglePoint>& rule)
    : faces_(std::move(faces)),
      points_of_face_(rule.size()),
      functions_(basis::reference_element(space.space).face_dofs) {
  const auto& reference = basis::reference_element(space.space);
  points_.reserve(faces_.size() * points_of_face_);
  unknowns_.reserve(faces_.size() * functions_);
  traces_.reserve(faces_.size() * points_of_face_ * functions_);
  for (const auto& [element, face] : faces_) {
    const auto e = static_cast<std::size_t>(element);
    const basis::MappedElement physical = shapes.map(space.space, e);
    for (const std::size_t i : reference.on_face[face]) unknowns_.push_back(space.of(e)[i]);
    for (const auto& q : rule) {
      const auto [barycentric, normal, area] = physical.on_face(face, q.barycentric);
      points_.push_back({physical.point(barycentric), normal, q.weight * area});
      const std::vector<Vec3> values = physical.values(barycentric);
      for (const std::size_t i : reference.on_face[face])
        traces_.push_back(values[i] - dot(normal, values[i]) * normal);
    }
  }
}

}  // namespace tetrawave::fem
