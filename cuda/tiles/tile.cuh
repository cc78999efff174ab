// The mapping of large spaces to a GPU: four warps, a team, work on a block of 32 elements. The fields lie in shared
// memory, a row of numbers per unknown; the constant matrices, the same for all elements, multiply them on FP64 tensor
// cores. What differs between elements (metric, material) is done with an element a lane.
#pragma once

#include <cstdint>

#include <type_traits>
#include <utility>

#include "base/target.hpp"
#include "cuda/lane.cuh"
#include "cuda/tiles/machine.cuh"
#include "kernels/element_block.hpp"

namespace tetrawave::cuda {

/// Doubles from row to row in shared memory: those of 4 rows by 4 elements lie in different banks.
inline constexpr int tile_stride = 36;

/// A matrix as tools/tables writes it: tiles of 16 rows by 4 columns, two numbers a lane; those of zeros are not there.
template <class Data>
struct TileMatrix {
  static constexpr int rows = Data::rows;
  static constexpr int row_tiles = (rows + 15) / 16;
  static constexpr int steps = (Data::columns + 3) / 4;
  static constexpr int entries = Data::entries;
  static constexpr int depth = 4 * steps;             ///< rows of shared memory that it reads
  static constexpr int result_rows = 16 * row_tiles;  ///< rows that its product has
  /// A warp makes this many tiles of 16 rows by 8 elements: of one tile of rows, but for the last of four warps that
  /// share three tiles of rows, which has the last 8 elements of each.
  static constexpr int tiles = row_tiles;
  static constexpr bool has_column = row_tiles == 3;
  static constexpr int warps_across = has_column ? tile_warps : row_tiles;
  static_assert(row_tiles <= 4, "the rows are shared by four warps");

  __device__ static const double* values() { return Data::values(); }
  TW_FN static constexpr bool has(int row_tile, int step) { return Data::filled(row_tile) >> step & 1; }
  /// How many tiles come before one.
  TW_FN static constexpr int before(int row_tile, int step) {
    int count = 0;
    for (int r = 0; r <= row_tile; ++r)
      for (int s = 0; s < (r == row_tile ? step : steps); ++s) count += has(r, s) ? 1 : 0;
    return count;
  }
};

template <class Matrix, class S = double>
struct TilePairs;

/// The product of a matrix with rows of shared memory, as a warp holds it.
template <class Matrix>
class TileProduct {
 public:
  static constexpr int tiles = Matrix::tiles;

  __device__ __forceinline__ explicit TileProduct(const TileTeam& team)
      : is_column_(Matrix::has_column && team.warp == tile_warps - 1),
        row_((is_column_ ? 0 : team.warp % Matrix::warps_across * 16) + team.lane / 4),
        element_((is_column_ ? 8 * Matrix::tiles : team.warp / Matrix::warps_across * tiles * 8) + team.lane % 4 * 2) {}

  /// Row of the first two numbers of a tile; the others are 8 rows further.
  [[nodiscard]] __device__ __forceinline__ int row(int tile) const {
    return Matrix::has_column && is_column_ ? row_ + 16 * tile : row_;
  }
  /// Element of the first of two numbers; the second is the next element's.
  [[nodiscard]] __device__ __forceinline__ int element(int tile) const {
    return Matrix::has_column && is_column_ ? element_ : element_ + 8 * tile;
  }

  /// += matrix * rows; both in shared memory. Straight-line code for each tile of rows, without its zeros.
  __device__ __forceinline__ void add(const TileTeam& team, const double* matrix, const double* rows) {
    const double* left = matrix + team.lane;
    const double* right = rows + team.lane % 4 * tile_stride + element_ - team.lane % 4 * 2 + team.lane / 4;
    if constexpr (Matrix::has_column)
      if (is_column_) return add_steps<-1>(left, right, std::make_integer_sequence<int, Matrix::steps>());
    const int row_tile = team.warp % Matrix::warps_across;
    if (row_tile == 0) add_row_tile<0>(left, right);
    if constexpr (Matrix::row_tiles > 1)
      if (row_tile == 1) add_row_tile<1>(left, right);
    if constexpr (Matrix::row_tiles > 2)
      if (row_tile == 2) add_row_tile<2>(left, right);
    if constexpr (Matrix::row_tiles > 3)
      if (row_tile == 3) add_row_tile<3>(left, right);
  }

  /// work(place, row, element, value of the element, of the next one, numbers of the element, of the next one), places
  /// as in TilePairs; `own`: the numbers of the element that is this lane's.
  template <int count, class Work>
  __device__ __forceinline__ void with_lanes(const TileTeam& team, const double (&own)[count], const Work& work) const {
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile) {
      double first[count];
      double second[count];
#pragma unroll
      for (int i = 0; i < count; ++i) {
        first[i] = team.from_lane(own[i], element(tile));
        second[i] = team.from_lane(own[i], element(tile) + 1);
      }
#pragma unroll
      for (int half = 0; half < 2; ++half)
        if (row(tile) + 8 * half < Matrix::rows)
          work(2 * tile + half, row(tile) + 8 * half, element(tile), c_[tile][2 * half], c_[tile][2 * half + 1], first,
               second);
    }
  }

  /// To rows of shared memory, those beyond the matrix as zeros.
  __device__ __forceinline__ void put(double* rows) const {
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        *reinterpret_cast<double2*>(rows + (row(tile) + 8 * half) * tile_stride + element(tile)) =
            make_double2(c_[tile][2 * half], c_[tile][2 * half + 1]);
  }

 private:
  template <int row_tile>
  __device__ __forceinline__ void add_row_tile(const double* left, const double* right) {
    add_steps<row_tile>(left, right, std::make_integer_sequence<int, Matrix::steps>());
  }
  /// Row tile -1: all of them, for one tile of elements.
  template <int row_tile, int... step>
  __device__ __forceinline__ void add_steps(const double* left, const double* right,
                                            std::integer_sequence<int, step...>) {
    if constexpr (row_tile >= 0)
      (add_step<row_tile, step>(left, right), ...);
    else
      (add_to_column<step>(left, right[step * 4 * tile_stride], std::make_integer_sequence<int, tiles>()), ...);
  }
  template <int row_tile, int step>
  __device__ __forceinline__ void add_step(const double* left, const double* right) {
    if constexpr (Matrix::has(row_tile, step)) {
      constexpr int place = Matrix::before(row_tile, step);
      const double* a = left + place * 64;
      const double* b = right + step * 4 * tile_stride;
#pragma unroll
      for (int tile = 0; tile < tiles; ++tile) multiply_tile(c_[tile], a[0], a[32], b[8 * tile]);
    }
  }
  template <int step, int... row_tile>
  __device__ __forceinline__ void add_to_column(const double* left, double b, std::integer_sequence<int, row_tile...>) {
    (add_one<row_tile, step>(left, b), ...);
  }
  template <int row_tile, int step>
  __device__ __forceinline__ void add_one(const double* left, double b) {
    if constexpr (Matrix::has(row_tile, step)) {
      constexpr int place = Matrix::before(row_tile, step);
      multiply_tile(c_[row_tile], left[place * 64], left[place * 64 + 32], b);
    }
  }

  double c_[tiles][4] = {};
  bool is_column_;
  int row_;
  int element_;
};

/// The numbers of two neighbouring elements in a row of a field in blocks.
template <class S>
using TilePair = std::conditional_t<std::is_same_v<S, double>, double2, float2>;
template <class S>
__device__ __forceinline__ TilePair<S> load_pair(const S* field, std::int64_t block, int rows, int row, int element) {
  return *reinterpret_cast<const TilePair<S>*>(field + (block * rows + row) * 32 + element);
}
template <class S>
__device__ __forceinline__ void store_pair(S* field, std::int64_t block, int rows, int row, int element, double a,
                                           double b) {
  *reinterpret_cast<TilePair<S>*>(field + (block * rows + row) * 32 + element) = {static_cast<S>(a), static_cast<S>(b)};
}

/// The numbers of a field in blocks that belong to those of a product, loaded before anything is stored.
template <class Matrix, class S>
struct TilePairs {
  TilePair<S> at[2 * Matrix::tiles];

  __device__ __forceinline__ TilePairs(const TileTeam& team, const S* field, std::int64_t block) {
    const TileProduct<Matrix> places(team);
#pragma unroll
    for (int i = 0; i < 2 * Matrix::tiles; ++i) {
      const int row = places.row(i / 2) + i % 2 * 8;
      at[i] = row < Matrix::rows ? load_pair(field, block, Matrix::rows, row, places.element(i / 2)) : TilePair<S>{};
    }
  }
};

/// work(row, place) for the pairs of numbers that a thread has of `count` rows.
template <int count, class Work>
__device__ __forceinline__ void for_tile_pairs(const TileTeam& team, const Work& work) {
#pragma unroll
  for (int first = 0; first < count; first += 2 * tile_warps) {
    const int row = first + 2 * team.warp + team.lane / 16;
    if (row < count) work(row, team.lane % 16 * 2);
  }
}

/// Starts the rows of a field of the block's own elements towards rows of shared memory.
template <int count, class S>
__device__ __forceinline__ void copy_tile_rows(const TileTeam& team, const S* field, std::int64_t block, double* rows) {
  for_tile_pairs<count>(team, [&](int row, int place) {
    copy_pair_later(rows + row * tile_stride + place, field + (block * count + row) * 32 + place);
  });
}
/// When they are there: the lane's number in the first row, and how many numbers further that in the next one is.
template <class S>
__device__ __forceinline__ const S* copied_in_rows(const double* rows, int lane) {
  if constexpr (std::is_same_v<S, double>)
    return rows + lane;
  else
    return reinterpret_cast<const S*>(rows + lane / 2 * 2) + lane % 2;
}
template <class S>
inline constexpr int row_of_copies = tile_stride* static_cast<int>(sizeof(double) / sizeof(S));
/// Or all as numbers of double precision.
template <int count, class S>
__device__ __forceinline__ void widen_tile_rows(const TileTeam& team, double* rows) {
  if constexpr (!std::is_same_v<S, double>)
    for_tile_pairs<count>(team, [&](int row, int place) { widen_pair(rows + row * tile_stride + place); });
}

/// Zeros in rows [first, last) of shared memory.
__device__ __forceinline__ void clear_tile_rows(const TileTeam& team, double* rows, int first, int last) {
  for (int i = first + team.warp; i < last; i += tile_warps) rows[i * tile_stride + team.lane] = 0;
}

/// What a thread must know of its element before it can ask for traces: read while the block before is worked on.
struct TileLook {
  std::uint32_t word;
  std::int32_t neighbour;  ///< behind the face of the thread's warp
  std::int32_t kind;       ///< of that face, in DGTD-Upwind

  template <class S>
  __device__ __forceinline__ TileLook(const TileTeam& team, const kernels::Elements<S>& elements,
                                      const std::int32_t* kinds, std::int64_t block) {
    const ThreadLane<S> lane{block, team.lane};
    word = lane.load_integer(elements.word, 1, 0);
    neighbour = lane.load_integer(elements.neighbour, 4, team.warp);
    kind = kinds == nullptr ? 0 : lane.load_integer(kinds, 4, team.warp);
  }
};

template <class Tile>
__device__ __forceinline__ TileLook look_at(const typename Tile::Kernel& kernel, const TileTeam& team,
                                            std::int64_t block) {
  const std::int32_t* kinds = nullptr;
  if constexpr (requires { Tile::kinds(kernel); }) kinds = Tile::kinds(kernel);
  return {team, kernel.elements, kinds, block};
}

}  // namespace tetrawave::cuda
