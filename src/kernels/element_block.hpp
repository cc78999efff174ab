// Layout of element data: blocks of W elements, one element per lane, `array[(block * rows + row) * W + lane]`.
//
// A lane type L gives a kernel its elements: L::Number (a scalar on the GPU, a SIMD pack on the CPU), L::Integer (32
// bit) and
//   holds_jumps                                              whether traces beyond all faces can be kept at once
//   load(array, rows, row), store(array, rows, row, value)   the lane's own entries
//   load_again(array, rows, row)                             on GPUs: the same, not taken from an earlier load
//   forget()                                                 on CPUs: later loads are not taken from earlier ones
//   reload(array, rows, row)                                 on GPUs: what has been stored before, kept in no register
//   keep<count>() -> numbers                                 put(i, x), get(i): on GPUs in shared memory, one a kernel
//   place_of_shared(array, blocks, rows) -> pointer          into an array in which block k of elements has the numbers
//                                                            of block blocks[k] (null: of block k), for the next three
//   load_at(pointer, row), store_at(pointer, row, value)     entries there
//   stream(pointer, row)                                     load_at of data that a step reads once
//   shared(blocks, element)                                  for gather: the place of another element in such an array
//   load_once(array, rows, row), store_once(..)              load and store of what no other element reads meanwhile
//   fetch(array, rows)                                       data of blocks to come may start towards the cache
//   fetch_traces<Basis>(field, neighbour, word)              likewise, of traces that blocks to come gather
//   gather_traces<Basis>(neighbour, word, to, field, ..)     to[f face_dofs + k] <- trace function k beyond face f
//   load_integer(array, rows, row)
//   gather(array, rows, element, row)                        entries of other elements (row differs by lane)
//   scatter(array, rows, element, row, value)                likewise; one row for all lanes
//   bits(value), from_bits(bits)                             the 64 bits of a number of double precision, and back
//   byte(packed, index), all(row)                            rows for gather: byte `index` of a constant; one row
//   lookup(table, index)                                     a small table
//   lookup_wave(waves, length, wave, step)                   waves[wave * length + step]
//   mirror_factor(code, mirror)                              1, 0 or -1: see mirror_code_of_electric
//   inverse_root(a)                                          1/sqrt(a)
//   larger(a, b), positive(a), some(a)                       the larger one; 1 where a > 0, else 0; whether any is not
//   0 where(flag, a, b)                                        a where flag is 1, else b; after some(flag)
//   choose(integer, a, b)                                    integer != 0 ? a : b
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Bits of the word that describes an element (one per element).
///   3 bits per face f at 3 f: the neighbour's face number, or 4 / 5: first / second trace of a ghost element
///   2 bits per face f at 12 + 2 f: FaceMirror
///   bit 20: det J < 0
///   bits 21..31: material class
struct ElementWord {
  static constexpr int mirror_shift = 12;
  static constexpr int sign_shift = 20;
  static constexpr int class_shift = 21;
  static constexpr std::uint32_t max_classes = 1u << 11;
};

/// The kind of neighbour at a face. For all but `none` the neighbour entry is the element itself.
enum class FaceMirror : std::uint32_t {
  none = 0,      ///< another element or a ghost: u+ as gathered
  electric = 1,  ///< PEC: e+ = -e, h+ = h
  magnetic = 2,  ///< PMC: e+ = e, h+ = -h
  open = 3,      ///< impedance wall: e+ = h+ = 0 here, the rest in the WallCorrection kernel
};

/// Factor of u+ at a mirror: 1 - ((mirror_code >> 2 mirror) & 3), so 1, 0 or -1.
inline constexpr std::uint32_t mirror_code_of_electric = 0u | 2u << 2 | 0u << 4 | 1u << 6;  ///< gathering e+
inline constexpr std::uint32_t mirror_code_of_magnetic = 0u | 0u << 2 | 2u << 4 | 1u << 6;  ///< gathering h+

/// Six numbers per element, q_ab = t_a.t_b / |det J|, order 00 01 02 11 12 22. Blocks of elements that are copies of
/// one another, in finite arrays, share them.
template <class S>
struct Metric {
  const S* numbers = nullptr;           ///< 6 rows
  const std::int32_t* block = nullptr;  ///< per block of elements: its block of `numbers`; null: the block itself

  /// q <- metric of the lane's elements.
  template <class Lane, class R>
  TW_FN void load(const Lane& lane, R* q) const {
    const S* place = lane.place_of_shared(numbers, block, 6);
    TW_UNROLL
    for (int a = 0; a < 6; ++a) q[a] = lane.load_at(place, a);
  }
  /// q <- metric of other elements.
  template <class Lane, class Index, class R>
  TW_FN void gather(const Lane& lane, const Index& element, R* q) const {
    const Index place = lane.shared(block, element);
    TW_UNROLL
    for (int a = 0; a < 6; ++a) q[a] = lane.gather(numbers, 6, place, lane.all(a));
  }
  /// Shared data is in the cache already.
  template <class Lane>
  TW_FN void fetch(const Lane& lane) const {
    if (block == nullptr) lane.fetch(numbers, 6);
  }
};

/// Geometry and connections of the elements. All arrays in blocks.
template <class S>
struct Elements {
  Metric<S> metric;
  const std::int32_t* neighbour = nullptr;  ///< 4 rows: element or ghost element at face f
  const std::uint32_t* word = nullptr;      ///< 1 row: ElementWord

  template <class Lane>
  TW_FN void fetch(const Lane& lane) const {
    metric.fetch(lane);
    lane.fetch(neighbour, 4);
    lane.fetch(word, 1);
  }
};

}  // namespace tetrawave::kernels
