#include "fem/edge/face_traces.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "basis/mapped_element.hpp"

namespace tetrawave::fem {

FaceTraces::FaceTraces(const EdgeSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces,
                       const std::vector<basis::TrianglePoint>& rule, int threads)
    : faces_(std::move(faces)),
      points_of_face_(rule.size()),
      functions_(basis::reference_element(space.space).face_dofs),
      points_(faces_.size() * points_of_face_),
      unknowns_(faces_.size() * functions_),
      traces_(points_.size() * functions_) {
  const auto& reference = basis::reference_element(space.space);
  for_each_task(faces_.size(), threads, [&](std::size_t f) {
    const auto& [element, face] = faces_[f];
    const auto e = static_cast<std::size_t>(element);
    const basis::MappedElement physical = shapes.map(space.space, e);
    std::int32_t* unknown = unknowns_.data() + f * functions_;
    for (const std::size_t i : reference.on_face[face]) *unknown++ = space.of(e)[i];
    Point* point = points_.data() + f * points_of_face_;
    Vec3* trace = traces_.data() + f * points_of_face_ * functions_;
    for (const auto& q : rule) {
      const auto [barycentric, normal, area] = physical.on_face(face, q.barycentric);
      *point++ = {physical.point(barycentric), normal, q.weight * area};
      const std::vector<Vec3> values = physical.values(barycentric);
      for (const std::size_t i : reference.on_face[face]) *trace++ = values[i] - dot(normal, values[i]) * normal;
    }
  });
}

}  // namespace tetrawave::fem
