#include "schemes/stored/schemes.hpp"

#include <memory>

#include "base/error.hpp"
#include "schemes/upwind/faces.hpp"

namespace tetrawave::march {

namespace {

template <class S>
MakeMatrices maker_of_upwind(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks,
                             double dt_m) {
  const auto faces = std::make_shared<const UpwindFaces>(make_upwind_faces(problem, layout, ranks));
  return [&problem, &layout, faces, dt_m](LocalIndex element) {
    std::array<schemes::FaceCoefficients, 4> own;
    for (int f = 0; f < 4; ++f)
      own[static_cast<std::size_t>(f)] =
          faces->coefficients[static_cast<std::size_t>(faces->kinds[layout.at(layout.slot(element), 4, f)])];
    return upwind_matrices(problem, element, own, dt_m);
  };
}

}  // namespace

template <class S>
MakeMatrices maker_of_matrices(const Problem& problem, const ElementLayout<S>& layout, const comm::Communicator& ranks,
                               double dt_m) {
  switch (problem.scheme) {
    case Scheme::dgtd_central:
      return [&problem, dt_m](LocalIndex element) {
        return central_matrices(problem, element, problem.classes.step_of(problem.classes.of(element), dt_m));
      };
    case Scheme::dfdd_eld:
      return [&problem, dt_m](LocalIndex element) {
        return dfdd_matrices(problem, element, problem.classes.step_of(problem.classes.of(element), dt_m));
      };
    case Scheme::dgtd_upwind:
      return maker_of_upwind(problem, layout, ranks, dt_m);
  }
  throw InternalError("this scheme has no stored matrices");
}

template MakeMatrices maker_of_matrices(const Problem&, const ElementLayout<double>&, const comm::Communicator&,
                                        double);
template MakeMatrices maker_of_matrices(const Problem&, const ElementLayout<float>&, const comm::Communicator&, double);

}  // namespace tetrawave::march
