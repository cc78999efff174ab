// Running Fourier sums of the traces on chosen faces, computed by teams (see kernels/sample.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// factors[4 f ..] = cos, -sin of 2 pi f n dt, then of 2 pi f (n + shift) dt, n the present step: one team.
struct SpectralFactors {
  const double* turns = nullptr;  ///< f dt per frequency, without whole turns
  std::int64_t frequencies = 0;
  double shift = 0;  ///< of H against E, in steps
  double electric_share = 1;
  double magnetic_share = 1;
  const std::int64_t* step = nullptr;
  double* factors = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    for (std::int64_t f = team.rank(); f < frequencies; f += team.size()) {
      put(turns[f], static_cast<double>(*step), electric_share, factors + 4 * f);
      put(turns[f], static_cast<double>(*step) + shift, magnetic_share, factors + 4 * f + 2);
    }
  }

 private:
  /// Rounding of the product is compensated before whole turns are removed.
  TW_FN static void put(double turn, double n, double share, double* to) {
    const double product = turn * n;
    const double rest = fma(turn, n, -product);
    const double angle = 6.283185307179586476925 * ((product - floor(product)) + rest);
    to[0] = share * cos(angle);
    to[1] = -share * sin(angle);
  }
};

/// sums[((f * 4 + part) * face_dofs + k) * faces + face] += trace k times a factor; part: E re, E im, H re, H im. A
/// team processes `chunk` faces of one k, so that every member has work and neighbours write to neighbouring addresses.
template <class S>
struct SpectralSums {
  const S* electric = nullptr;
  const S* magnetic = nullptr;
  const double* scale = nullptr;  ///< per face, of the magnetic field; null: 1
  int dofs = 0;
  int face_dofs = 0;
  const std::int32_t* slot = nullptr;     ///< per face: the element
  const std::int32_t* local = nullptr;    ///< per face: its number in the element
  const std::int32_t* on_face = nullptr;  ///< [4][face_dofs]: functions with a trace
  std::int64_t faces = 0;
  std::int64_t chunk = 1;
  const double* factors = nullptr;
  std::int64_t frequencies = 0;
  double* sums = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    constexpr int lanes = Team::template lanes<S>;
    const std::int64_t chunks = (faces + chunk - 1) / chunk;
    const std::int64_t k = team.index() / chunks;
    const std::int64_t first = (team.index() % chunks) * chunk;
    const std::int64_t last = first + chunk < faces ? first + chunk : faces;
    for (std::int64_t face = first + team.rank(); face < last; face += team.size()) {
      const std::int64_t own = slot[face];
      const std::int64_t at = ((own / lanes) * dofs + on_face[local[face] * face_dofs + k]) * lanes + own % lanes;
      const double e = static_cast<double>(electric[at]);
      const double h = (scale == nullptr ? 1 : scale[face]) * static_cast<double>(magnetic[at]);
      double* to = sums + k * faces + face;
      const std::int64_t part = face_dofs * faces;
      std::int64_t f = 0;
      for (; f + 2 <= frequencies; f += 2) add<2>(to + f * 4 * part, part, factors + 4 * f, e, h);
      if (f < frequencies) add<1>(to + f * 4 * part, part, factors + 4 * f, e, h);
    }
  }

 private:
  /// Into the sums of `count` frequencies: all are in flight before the first is needed.
  template <int count>
  TW_FN static void add(double* to, std::int64_t part, const double* factor, double e, double h) {
    double sum[4 * count];
    for (int i = 0; i < 4 * count; ++i) sum[i] = to[i * part];
    for (int i = 0; i < 4 * count; ++i) sum[i] += (i % 4 < 2 ? e : h) * factor[i];
    for (int i = 0; i < 4 * count; ++i) to[i * part] = sum[i];
  }
};

}  // namespace tetrawave::kernels
