// The adjugate of the metric of an element.
#pragma once

#include "base/target.hpp"

namespace tetrawave::kernels {

/// The six numbers of the adjugate of a symmetric 3x3 matrix (00 01 02 11 12 22); returns its determinant.
template <class R>
TW_FN R adjugate(const R* q, R* adj) {
  adj[0] = q[3] * q[5] - q[4] * q[4];
  adj[1] = q[2] * q[4] - q[1] * q[5];
  adj[2] = q[1] * q[4] - q[2] * q[3];
  adj[3] = q[0] * q[5] - q[2] * q[2];
  adj[4] = q[1] * q[2] - q[0] * q[4];
  adj[5] = q[0] * q[3] - q[1] * q[1];
  return q[0] * adj[0] + q[1] * adj[1] + q[2] * adj[2];
}

}  // namespace tetrawave::kernels
