// Elements of absorbing layers in the leap-frog schemes: damping of components across a layer (theory/pml), from the
// values of all elements before the update.
//   jumps = dt/a M_A^-1 sum_f oint N . B_f (u+ - u),   a = eps or mu, M_A the mass that the step inverts,
// B_f a symmetric tensor along the face, the same on both sides. In the face's own coordinates, as in
// schemes/upwind/stage.hpp,
//   oint N . v = 1/2 mean( N_a v^a ),  v^a = sqrt(g) B^ab u_b.
#pragma once

#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "terms/pml/rows.hpp"

namespace tetrawave::kernels {

template <class S>
struct LayerJumps {
  using Scalar = S;
  const std::int32_t* element = nullptr;    ///< 1 row, like the others of the list except the next two
  Metric<S> metric;                         ///< of all elements, of this field's material
  const S* field = nullptr;                 ///< of all elements, ghosts included
  const std::int32_t* neighbour = nullptr;  ///< 4 rows: as of Elements
  const std::uint32_t* faces = nullptr;     ///< 1 row: the faces of ElementWord
  const S* brakes = nullptr;                ///< brake_numbers rows
  S* jumps = nullptr;                       ///< n rows

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    R dual[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) dual[i] = R{};
    add_face<Basis, 0>(lane, own, dual);
    add_face<Basis, 1>(lane, own, dual);
    add_face<Basis, 2>(lane, own, dual);
    add_face<Basis, 3>(lane, own, dual);
    R z[Basis::dofs];
    {
      R w[Basis::dofs];
      Basis::template to_modes<S>(dual, w);
      R q[6];
      metric.gather(lane, own, q);
      invert_mass<Basis, S>(q, w, z);
    }
    Basis::template to_dofs<S>(z, dual);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) lane.store(jumps, Basis::dofs, i, dual[i]);
  }

 private:
  template <class Basis, int f, class Lane, class Integer, class R>
  TW_FN void add_face(const Lane& lane, const Integer& own, R* dual) const {
    constexpr int m = Basis::face_modes;
    constexpr int nf = Basis::face_dofs;
    const auto other = lane.load_integer(neighbour, 4, f);
    const auto face = (lane.load_integer(faces, 1, 0) >> (3 * f)) & 7;
    R along[2 * m];
    {
      R jump[nf];
      TW_UNROLL
      for (int k = 0; k < nf; ++k)
        jump[k] = lane.gather(field, Basis::dofs, other, lane.byte(Basis::rows_of(k), face)) -
                  lane.gather(field, Basis::dofs, own, lane.all(Basis::template on_face<f>(k)));
      Basis::template face_components<S>(jump, along);
    }
    R b[3];
    TW_UNROLL
    for (int i = 0; i < 3; ++i) b[i] = lane.load(brakes, brake_numbers, 3 * f + i);
    TW_UNROLL
    for (int i = 0; i < m; ++i) {
      const R first = along[i];
      along[i] = b[0] * first + b[1] * along[m + i];
      along[m + i] = b[1] * first + b[2] * along[m + i];
    }
    R part[nf];
    Basis::template face_dual<S>(along, part);
    TW_UNROLL
    for (int k = 0; k < nf; ++k) dual[Basis::template on_face<f>(k)] += part[k];
  }
};

}  // namespace tetrawave::kernels
