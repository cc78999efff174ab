#include "schemes/edge_factors.hpp"

namespace tetrawave::schemes {

double edge_factor(Scheme scheme, Space space) {
  if (scheme == Scheme::dfdd_eld) return 1;
  switch (space) {
    case Space::mixed_1:
      return 0.65;
    case Space::full_1:
      return 0.893;
    case Space::mixed_2:
      return 0.895;
    case Space::full_2:
      return 0.944;
    default:
      return 1;
  }
}

}  // namespace tetrawave::schemes
