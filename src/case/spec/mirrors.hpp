// Planes at which a case continues by symmetry or over a ground.
#pragma once

#include <vector>

#include "case/spec/case.hpp"

namespace tetrawave {

/// Those of mode fe-iiee, else of the far field; none without either.
[[nodiscard]] inline std::vector<MirrorPlane> mirrors_of(const Case& given) {
  if (given.mode == Mode::fe_iiee) return given.iiee.mirrors;
  return given.outputs.far_field ? given.outputs.far_field->mirrors : std::vector<MirrorPlane>{};
}

}  // namespace tetrawave
