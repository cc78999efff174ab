// Fields of chosen elements: gathered for snapshots, and summed over time at frequencies.
//
// Lists are [dof][element of the list]: neighbours in the list are mostly neighbours in the blocks of the field.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Index of dof i of a slot in a field of `dofs` rows.
TW_FN std::int64_t place_in_field(std::int64_t slot, int dofs, std::int64_t i, int lanes) {
  return ((slot / lanes) * dofs + i) * lanes + slot % lanes;
}

/// out[i][e] = share scale[first + e] field[i, slot(first + e)] + kept_share kept[i][first + e], e < count; a team
/// processes `chunk` elements of one dof. Either term may be absent, and so may the scale, which is then 1.
template <class S>
struct GatherField {
  const S* field = nullptr;
  const S* kept = nullptr;
  const S* scale = nullptr;
  S share = 1;
  S kept_share = 0;
  const std::int32_t* slot = nullptr;
  std::int64_t listed = 0;  ///< elements of the list
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t chunk = 1;
  int dofs = 0;
  S* out = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t chunks = (count + chunk - 1) / chunk;
    const std::int64_t i = team.index() / chunks;
    const std::int64_t begin = (team.index() % chunks) * chunk;
    const std::int64_t end = begin + chunk < count ? begin + chunk : count;
    for (std::int64_t e = begin + team.rank(); e < end; e += team.size()) {
      S value = 0;
      if (field != nullptr)
        value += (scale == nullptr ? S(1) : scale[first + e]) *
                 (share * field[place_in_field(slot[first + e], dofs, i, Team::template lanes<S>)]);
      if (kept != nullptr) value += kept_share * kept[i * listed + first + e];
      out[i * count + e] = value;
    }
  }
};

/// phase[f] = share exp(-j 2 pi f t) at step n, from two tables: coarse[f][n / fine_steps] fine[f][n mod fine_steps].
struct Phases {
  const double* coarse = nullptr;
  const double* fine = nullptr;
  std::int64_t coarse_steps = 0;
  std::int64_t fine_steps = 1;
  std::int64_t frequencies = 0;
  const std::int64_t* step = nullptr;
  double* phase = nullptr;
  double share = 1;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    for (std::int64_t f = team.rank(); f < frequencies; f += team.size()) {
      const double* a = coarse + 2 * (f * coarse_steps + *step / fine_steps);
      const double* b = fine + 2 * (f * fine_steps + *step % fine_steps);
      phase[2 * f] = share * (a[0] * b[0] - a[1] * b[1]);
      phase[2 * f + 1] = share * (a[0] * b[1] + a[1] * b[0]);
    }
  }
};

/// sum[f][part][i][e] += scale[e] field[i, slot(e)] phase[f][part] (an absent scale is 1), part 0 real, 1 imaginary; a
/// team processes `chunk` elements of one dof.
template <class S>
struct AddFourier {
  const S* field = nullptr;
  const S* scale = nullptr;
  const std::int32_t* slot = nullptr;
  std::int64_t listed = 0;
  std::int64_t chunk = 1;
  int dofs = 0;
  std::int64_t frequencies = 0;
  const double* phase = nullptr;
  S* sum = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t chunks = (listed + chunk - 1) / chunk;
    const std::int64_t i = team.index() / chunks;
    const std::int64_t begin = (team.index() % chunks) * chunk;
    const std::int64_t end = begin + chunk < listed ? begin + chunk : listed;
    const std::int64_t part = dofs * listed;
    for (std::int64_t e = begin + team.rank(); e < end; e += team.size()) {
      S value = field[place_in_field(slot[e], dofs, i, Team::template lanes<S>)];
      if (scale != nullptr) value *= scale[e];
      S* to = sum + i * listed + e;
      for (std::int64_t f = 0; f < frequencies; ++f, to += 2 * part) {
        to[0] += value * static_cast<S>(phase[2 * f]);
        to[part] += value * static_cast<S>(phase[2 * f + 1]);
      }
    }
  }
};

}  // namespace tetrawave::kernels
