// K^-1 of DFDD-ELD in the form stored for spaces of degree 3 (decision 038). The curl C has no divergence, so its 3 m'
// components follow from curl_rank of them: C = Z C', and C^T l = C'^T Z^T l. The stored matrix is P = Z^T K^-1 Z,
//   P_ij = s_i m_ij s_j,  m_ii = 2^47 - 1,  the other m_ij integers, |m_ij| < 2^47 (P is positive definite),
// in double precision with 48 bits for an m_ij, in single precision P itself. The stored P is symmetric, so an error in
// it changes which energy is conserved, not that one is.
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "kernel_terms.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// Four m_ij in 64 bit words: three in the lower 48 bits of a word each, the fourth in the upper 16 bits of the three.
struct FourIntegers {
  static constexpr double largest = 140737488355327;  ///< 2^47 - 1
  static constexpr double origin = 4644337115725824;  ///< 2^52 + 2^47: added to m, it puts m + 2^47 into the last bits
  static constexpr std::uint64_t head = 0x4330000000000000;  ///< 2^52
  static constexpr std::uint64_t low = 0xffffffffffff;

  /// word <- m, which need not be integers yet.
  template <class Lane, class R>
  TW_FN static void pack(const Lane& lane, const R* m, R* word) {
    const auto fourth = lane.bits(m[3] + origin) & low;
    TW_UNROLL
    for (int k = 0; k < 3; ++k)
      word[k] = lane.from_bits((lane.bits(m[k] + origin) & low) | ((fourth >> (16 * k)) << 48));
  }
  template <class Lane, class R>
  TW_FN static void unpack(const Lane& lane, const R* word, R* m) {
    auto fourth = lane.bits(R{}) | head;
    TW_UNROLL
    for (int k = 0; k < 3; ++k) {
      const auto bits = lane.bits(word[k]);
      m[k] = lane.from_bits((bits & low) | head) - origin;
      fourth |= (bits >> 48) << (16 * k);
    }
    m[3] = lane.from_bits(fourth) - origin;
  }
};

/// Rows of an element: the m_ij of i > j, row after row, and the s_i; or P_ij of i > j and P_ii.
template <class Basis, class S>
struct HeldInverse {
  static constexpr bool packed = sizeof(S) == 8;
  static constexpr int size = Basis::curl_rank;
  static constexpr int pairs = size * (size - 1) / 2;
  static constexpr int groups = (pairs + 3) / 4;
  static constexpr int pair_rows = packed ? 3 * groups : pairs;
  static constexpr int rows = pair_rows + size;

  /// put(row, number) of P = Z^T K^-1 Z; `k`: K^-1, packed lower triangle of size 3 curl_modes.
  template <class Lane, class R, class Put>
  TW_FN static void make(const Lane& lane, const R* k, const Put& put) {
    constexpr int all = 3 * Basis::curl_modes;
    R p[size * (size + 1) / 2];
    TW_UNROLL_BY(1)
    for (int j = 0; j < size; ++j) {
      R unit[size] = {};
      unit[j] += 1;
      R z[all];
      Basis::template from_independent<S>(unit, z);
      R y[all] = {};
      TW_UNROLL_BY(1)
      for (int i = 0; i < all; ++i) {
        TW_UNROLL_BY(1)
        for (int a = 0; a <= i; ++a) {
          const R entry = k[i * (i + 1) / 2 + a];
          y[i] += entry * z[a];
          if (a < i) y[a] += entry * z[i];
        }
      }
      R column[size];
      Basis::template to_independent<S>(y, column);
      TW_UNROLL_BY(1)
      for (int i = j; i < size; ++i) p[i * (i + 1) / 2 + j] = column[i];
    }
    put_all(lane, p, put);
  }

  /// l <- P f, both of length `size`; load(row) gives a number of the element.
  template <class Lane, class Load, class R>
  TW_FN static void apply(const Lane& lane, const Load& load, const R* f, R* l) {
    R right[size];
    TW_UNROLL
    for (int i = 0; i < size; ++i) {
      const R scale = load(pair_rows + i);
      right[i] = packed ? scale * f[i] : f[i];
      l[i] = packed ? S(FourIntegers::largest) * right[i] : scale * f[i];
    }
    R entry[4];
    TW_UNROLL
    for (int i = 1; i < size; ++i) {
      TW_UNROLL
      for (int j = 0; j < i; ++j) {
        const int pair = i * (i - 1) / 2 + j;
        if constexpr (packed) {
          if (pair % 4 == 0) {
            const R word[3] = {load(pair / 4 * 3), load(pair / 4 * 3 + 1), load(pair / 4 * 3 + 2)};
            FourIntegers::unpack(lane, word, entry);
          }
        } else {
          entry[pair % 4] = load(pair);
        }
        l[i] += entry[pair % 4] * right[j];
        l[j] += entry[pair % 4] * right[i];
      }
    }
    if constexpr (packed) {
      TW_UNROLL
      for (int i = 0; i < size; ++i) l[i] *= load(pair_rows + i);
    }
  }

 private:
  template <class Lane, class R, class Put>
  TW_FN static void put_all(const Lane& lane, const R* p, const Put& put) {
    R inverse[size];
    TW_UNROLL_BY(1)
    for (int i = 0; i < size; ++i) {
      const R diagonal = p[i * (i + 3) / 2];
      if constexpr (packed) {
        const R square = diagonal * S(1 / FourIntegers::largest);
        inverse[i] = lane.inverse_root(square);
        put(pair_rows + i, square * inverse[i]);
      } else {
        put(pair_rows + i, diagonal);
      }
    }
    R m[4] = {};
    TW_UNROLL_BY(1)
    for (int i = 1; i < size; ++i) {
      TW_UNROLL_BY(1)
      for (int j = 0; j < i; ++j) {
        const int pair = i * (i - 1) / 2 + j;
        const R entry = p[i * (i + 1) / 2 + j];
        if constexpr (packed) {
          m[pair % 4] = entry * inverse[i] * inverse[j];
          if (pair % 4 == 3 || pair == pairs - 1) {
            R word[3];
            FourIntegers::pack(lane, m, word);
            TW_UNROLL
            for (int k = 0; k < 3; ++k) put(pair / 4 * 3 + k, word[k]);
          }
        } else {
          put(pair, entry);
        }
      }
    }
  }
};

}  // namespace tetrawave::kernels
