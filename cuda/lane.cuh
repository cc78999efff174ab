// The GPU's lane: a thread is an element, a warp a block of elements.
#pragma once

#include <cstdint>

namespace tetrawave::cuda {

inline constexpr int threads_per_block = 128;

/// What the compiler knows of the address of a neighbour's number. All (`seen`): it computes that of each row anew, for
/// other faces too, with more instructions and registers. Nothing (`generic`): loads stay behind stores to shared
/// memory. That it is one of global memory (decisions 132, 136, 138).
enum class Gathers { seen, generic, global };

/// `blocks_ahead`: how many blocks before their turn a warp fetches data into the L2 cache; 0: never.
template <class S, int blocks_ahead = 0, Gathers gathers = Gathers::global>
struct ThreadLane {
  using Number = S;
  using Integer = std::int32_t;
  static constexpr int lanes = 32;
  static constexpr int ahead = blocks_ahead;
  static constexpr bool holds_jumps = false;  ///< registers are dear

  std::int64_t block;
  int lane;
  std::int64_t next = 0;  ///< block to fetch
  S* kept = nullptr;      ///< the thread's numbers in shared memory

  /// Numbers of the thread that stand in no register.
  template <int count>
  struct Kept {
    S* place;
    __device__ __forceinline__ void put(int i, S x) { place[i * threads_per_block] = x; }
    __device__ __forceinline__ S get(int i) const { return place[i * threads_per_block]; }
  };
  template <int count>
  __device__ __forceinline__ Kept<count> keep() const {
    return {kept};
  }

  __device__ __forceinline__ std::int64_t at(int rows, int row) const { return (block * rows + row) * lanes + lane; }
  __device__ __forceinline__ S load(const S* array, int rows, int row) const { return array[at(rows, row)]; }
  __device__ __forceinline__ S load_again(const S* array, int rows, int row) const {
    S value;
    if constexpr (sizeof(S) == 8)
      asm volatile("ld.global.f64 %0, [%1];" : "=d"(value) : "l"(array + at(rows, row)));
    else
      asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(array + at(rows, row)));
    return value;
  }
  /// What this thread has stored before, not kept in a register since.
  __device__ __forceinline__ S reload(const S* array, int rows, int row) const {
    S value;
    if constexpr (sizeof(S) == 8)
      asm volatile("ld.global.f64 %0, [%1];" : "=d"(value) : "l"(array + at(rows, row)) : "memory");
    else
      asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(array + at(rows, row)) : "memory");
    return value;
  }
  /// First to leave the cache, which the fields of neighbours need.
  __device__ __forceinline__ S load_once(const S* array, int rows, int row) const {
    return __ldcs(array + at(rows, row));
  }
  __device__ __forceinline__ void store_once(S* array, int rows, int row, S value) const {
    __stcs(array + at(rows, row), value);
  }
  template <class T>
  __device__ __forceinline__ T* place_of_shared(T* array, const std::int32_t* blocks, int rows) const {
    const std::int64_t own = blocks == nullptr ? block : __ldg(blocks + block);
    return array + own * rows * lanes + lane;
  }
  __device__ __forceinline__ S load_at(const S* place, int row) const { return place[row * lanes]; }
  __device__ __forceinline__ void store_at(S* place, int row, S value) const { place[row * lanes] = value; }
  __device__ __forceinline__ std::int32_t shared(const std::int32_t* blocks, std::int32_t element) const {
    return blocks == nullptr ? element : __ldg(blocks + (element >> 5)) * lanes + (element & 31);
  }
  /// One bulk instruction of a warp for a block of an array.
  template <class T>
  __device__ __forceinline__ void fetch([[maybe_unused]] const T* array, [[maybe_unused]] int rows) const {
#if __CUDA_ARCH__ >= 900
    if constexpr (ahead > 0) {
      if (lane == 0)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(array + next * rows * lanes),
                     "r"(static_cast<int>(rows * lanes * sizeof(T))));
    }
#endif
  }
  /// Likewise.
  __device__ __forceinline__ S stream(const S* place, int row) const { return __ldcs(place + row * lanes); }
  __device__ __forceinline__ void store(S* array, int rows, int row, S value) const { array[at(rows, row)] = value; }
  __device__ __forceinline__ std::int32_t load_integer(const std::int32_t* array, int rows, int row) const {
    return __ldg(array + at(rows, row));
  }
  __device__ __forceinline__ std::uint32_t load_integer(const std::uint32_t* array, int rows, int row) const {
    return __ldg(array + at(rows, row));
  }
  __device__ __forceinline__ std::uint64_t bits(S value) const {
    return static_cast<std::uint64_t>(__double_as_longlong(value));
  }
  __device__ __forceinline__ S from_bits(std::uint64_t bits) const {
    return __longlong_as_double(static_cast<long long>(bits));
  }
  __device__ __forceinline__ int all(int row) const { return row; }
  __device__ __forceinline__ int byte(std::uint64_t packed, std::uint32_t index) const {
    return static_cast<int>(
        __byte_perm(static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(packed >> 32), index) & 0xffu);
  }
  __device__ __forceinline__ S gather(const S* array, int rows, std::int32_t element, int row) const {
    const S* place = array + static_cast<std::int64_t>(element >> 5) * rows * lanes + (element & 31);
    if constexpr (gathers != Gathers::seen) asm volatile("" : "+l"(place));
    if constexpr (gathers == Gathers::global) {
      __builtin_assume(__isGlobal(place));
    }
    return place[row * lanes];
  }
  __device__ __forceinline__ void scatter(S* array, int rows, std::int32_t element, int row, S value) const {
    array[(static_cast<std::int64_t>(element >> 5) * rows + row) * lanes + (element & 31)] = value;
  }
  __device__ __forceinline__ S lookup(const S* table, std::uint32_t index) const { return __ldg(table + index); }
  __device__ __forceinline__ S lookup_wave(const S* waves, std::int64_t length, std::int32_t wave,
                                           std::int64_t step) const {
    return __ldg(waves + wave * length + step);
  }
  __device__ __forceinline__ S mirror_factor(std::uint32_t code, std::uint32_t mirror) const {
    const std::uint32_t twice = (code >> (2 * mirror)) & 3;
    return twice == 0 ? S(1) : (twice == 1 ? S(0) : S(-1));
  }
  __device__ __forceinline__ S inverse_root(S x) const { return rsqrt(x); }
  __device__ __forceinline__ S larger(S x, S y) const { return x < y ? y : x; }
  __device__ __forceinline__ S positive(S x) const { return x > 0 ? S(1) : S(0); }
  __device__ __forceinline__ bool some(S x) const { return x != 0; }
  __device__ __forceinline__ S where(S, S yes, S) const { return yes; }  ///< asked only where `some` holds
  __device__ __forceinline__ S choose(std::uint32_t condition, S yes, S no) const { return condition != 0 ? yes : no; }
};

/// A lane that has read neighbours and word of its element.
template <class S, int blocks_ahead, Gathers gathers>
struct ConnectedLane : ThreadLane<S, blocks_ahead, gathers> {
  std::int32_t neighbour[4];
  std::uint32_t word;

  template <class Elements>
  __device__ __forceinline__ ConnectedLane(const ThreadLane<S, blocks_ahead, gathers>& lane, const Elements& elements)
      : ThreadLane<S, blocks_ahead, gathers>(lane) {
#pragma unroll
    for (int f = 0; f < 4; ++f) neighbour[f] = lane.load_integer(elements.neighbour, 4, f);
    word = lane.load_integer(elements.word, 1, 0);
    asm volatile("" ::"r"(neighbour[0]), "r"(neighbour[1]), "r"(neighbour[2]), "r"(neighbour[3]), "r"(word));
  }
  __device__ __forceinline__ std::int32_t load_integer(const std::int32_t* /*neighbour*/, int /*rows*/, int row) const {
    return neighbour[row];
  }
  /// Other numbers of an element have more rows than its word.
  __device__ __forceinline__ std::uint32_t load_integer(const std::uint32_t* array, int rows, int row) const {
    return rows == 1 ? word : ThreadLane<S, blocks_ahead, gathers>::load_integer(array, rows, row);
  }
};

}  // namespace tetrawave::cuda
