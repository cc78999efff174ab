#include "case/spec/frequency_spec.hpp"

namespace tetrawave {

const char* name_of(OuterMethod method) { return method == OuterMethod::plain ? "plain" : "gmres"; }

const char* name_of(PlanarField field) {
  return field == PlanarField::e_z ? "E_z" : field == PlanarField::h_z ? "H_z" : "E_xy";
}

const char* name_of(BoundarySums sums) {
  if (sums == BoundarySums::automatic) return "auto";
  return sums == BoundarySums::pairs ? "pairs" : "compressed";
}

}  // namespace tetrawave
