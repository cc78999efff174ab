// The CPU's lane: a SIMD pack of GCC vectors (no library inline functions, so that translation units built for several
// instruction sets can be linked into one program). Included once per instruction set, inside its namespace.

template <class S, int w>
struct PackTypes {
  using Number [[gnu::vector_size(w * sizeof(S)), gnu::may_alias]] = S;
  using Integer [[gnu::vector_size(w * sizeof(std::int32_t)), gnu::may_alias]] = std::int32_t;
  using Word [[gnu::vector_size(w * sizeof(std::uint32_t)), gnu::may_alias]] = std::uint32_t;
  using Long [[gnu::vector_size(w * sizeof(std::int64_t)), gnu::may_alias]] = std::int64_t;
  using Bits [[gnu::vector_size(w * sizeof(std::uint64_t)), gnu::may_alias]] = std::uint64_t;
};

/// Some integers, and a bit for each that is negative.
#if TW_VECTOR_BYTES > 16
using Integers [[gnu::vector_size(32), gnu::may_alias]] = std::int32_t;
using Floats [[gnu::vector_size(32), gnu::may_alias]] = float;
[[gnu::always_inline]] inline int signs_of(Integers x) {
  return __builtin_ia32_movmskps256(reinterpret_cast<Floats>(x));
}
#else
using Integers [[gnu::vector_size(16), gnu::may_alias]] = std::int32_t;
using Floats [[gnu::vector_size(16), gnu::may_alias]] = float;
[[gnu::always_inline]] inline int signs_of(Integers x) { return __builtin_ia32_movmskps(reinterpret_cast<Floats>(x)); }
#endif

#if TW_VECTOR_BYTES == 64
/// AMD's instruction takes longer than eight loads, and so does that of Intel's processors before those with
/// AVX512-FP16, whose microcode guards it against Gather Data Sampling. The branch also keeps the addresses of gathers
/// from being computed long before they are used (decision 041).
static const bool gathers_by_instruction = __builtin_cpu_is("intel") != 0 && __builtin_cpu_supports("avx512fp16") != 0;
#endif

/// w neighbouring lanes of a block of W = 64 bytes / sizeof(S).
template <class S, int w>
struct PackLane {
  using Number = typename PackTypes<S, w>::Number;
  using Integer = typename PackTypes<S, w>::Integer;
  using Word = typename PackTypes<S, w>::Word;
  using Long = typename PackTypes<S, w>::Long;
  using Bits = typename PackTypes<S, w>::Bits;
  static constexpr int lanes = 64 / static_cast<int>(sizeof(S));
  static constexpr bool holds_jumps = true;  ///< the stack is in the first-level cache
  static constexpr int log_lanes = sizeof(S) == 8 ? 3 : 4;

  std::int64_t block;
  int offset;
  std::int64_t end = 0;  ///< of the blocks of this launch

  template <int count>
  struct Kept {
    Number numbers[count];
    [[gnu::always_inline]] inline void put(int i, const Number& x) { numbers[i] = x; }
    [[gnu::always_inline]] inline Number get(int i) const { return numbers[i]; }
  };
  template <int count>
  [[gnu::always_inline]] inline Kept<count> keep() const {
    return {};
  }
  [[gnu::always_inline]] inline std::int64_t at(int rows, int row) const {
    return (block * rows + row) * lanes + offset;
  }
  [[gnu::always_inline]] inline Number load(const S* array, int rows, int row) const {
    return *reinterpret_cast<const Number*>(array + at(rows, row));
  }
  [[gnu::always_inline]] inline void forget() const { asm volatile("" ::: "memory"); }
  [[gnu::always_inline]] inline Number reload(const S* array, int rows, int row) const {
    return load(array, rows, row);
  }
  [[gnu::always_inline]] inline Number load_once(const S* array, int rows, int row) const {
    return load(array, rows, row);
  }
  [[gnu::always_inline]] inline void store_once(S* array, int rows, int row, const Number& value) const {
    store(array, rows, row, value);
  }
  template <class T>
  [[gnu::always_inline]] inline T* place_of_shared(T* array, const std::int32_t* blocks, int rows) const {
    const std::int64_t own = blocks == nullptr ? block : blocks[block];
    return array + own * rows * lanes + offset;
  }
  [[gnu::always_inline]] inline Number load_at(const S* place, int row) const {
    return *reinterpret_cast<const Number*>(place + row * lanes);
  }
  [[gnu::always_inline]] inline void store_at(S* place, int row, Number value) const {
    *reinterpret_cast<Number*>(place + row * lanes) = value;
  }
  [[gnu::always_inline]] inline Integer shared(const std::int32_t* blocks, Integer element) const {
    if (blocks == nullptr) return element;
    Integer place;
    for (int i = 0; i < w; ++i) place[i] = blocks[element[i] >> log_lanes] * lanes + (element[i] & (lanes - 1));
    return place;
  }
  /// Nothing to do: hardware prefetches.
  [[gnu::always_inline]] inline Number stream(const S* place, int row) const {
    return *reinterpret_cast<const Number*>(place + row * lanes);
  }
  [[gnu::always_inline]] inline void store(S* array, int rows, int row, Number value) const {
    *reinterpret_cast<Number*>(array + at(rows, row)) = value;
  }
  [[gnu::always_inline]] inline Integer load_integer(const std::int32_t* array, int rows, int row) const {
    return *reinterpret_cast<const Integer*>(array + at(rows, row));
  }
  [[gnu::always_inline]] inline Word load_integer(const std::uint32_t* array, int rows, int row) const {
    return *reinterpret_cast<const Word*>(array + at(rows, row));
  }
  [[gnu::always_inline]] inline Bits bits(Number value) const { return reinterpret_cast<Bits>(value); }
  [[gnu::always_inline]] inline Number from_bits(Bits bits) const { return reinterpret_cast<Number>(bits); }
  [[gnu::always_inline]] inline Long all(int row) const { return Long{} + row; }
  template <class Index>
  [[gnu::always_inline]] inline Long byte(std::uint64_t packed, Index index) const {
    const Long shift = __builtin_convertvector(index, Long) << 3;
    return ((Long{} + static_cast<std::int64_t>(packed)) >> shift) & 255;
  }
  [[gnu::always_inline]] inline Long places(int rows, Integer element, Long row) const {
    const Long e = __builtin_convertvector(element, Long);
    return (((e >> log_lanes) * rows + row) << log_lanes) + (e & (lanes - 1));
  }
  [[gnu::always_inline]] inline Number gather(const S* array, int rows, Integer element, Long row) const {
    const Long place = places(rows, element, row);
#if TW_VECTOR_BYTES == 64
    using Index [[gnu::vector_size(64)]] = long long;
    if constexpr (sizeof(S) == 8)
      if (gathers_by_instruction)
        return reinterpret_cast<Number>(
            __builtin_ia32_gatherdiv8df(Number{}, array, reinterpret_cast<Index>(place), -1, sizeof(S)));
#endif
    Number value{};
    for (int i = 0; i < w; ++i) value[i] = array[place[i]];
    return value;
  }
  [[gnu::always_inline]] inline void scatter(S* array, int rows, Integer element, int row, Number value) const {
    const Long place = places(rows, element, all(row));
    for (int i = 0; i < w; ++i) array[place[i]] = value[i];
  }
  template <class Index>
  [[gnu::always_inline]] inline Number lookup(const S* table, Index index) const {
    Number value{};
    for (int i = 0; i < w; ++i) value[i] = table[index[i]];
    return value;
  }
  [[gnu::always_inline]] inline Number lookup_wave(const S* waves, std::int64_t length, Integer wave,
                                                   std::int64_t step) const {
    Number value{};
    for (int i = 0; i < w; ++i) value[i] = waves[wave[i] * length + step];
    return value;
  }
  [[gnu::always_inline]] inline Number mirror_factor(std::uint32_t code, Word mirror) const {
    const Word twice = ((Word{} + code) >> (2 * mirror)) & 3;
    return S(1) - __builtin_convertvector(__builtin_convertvector(twice, Integer), Number);
  }
  [[gnu::always_inline]] inline Number inverse_root(Number x) const {
    Number value{};
    for (int i = 0; i < w; ++i)
      value[i] = sizeof(S) == 8 ? S(__builtin_sqrt(x[i])) : S(__builtin_sqrtf(static_cast<float>(x[i])));
    return S(1) / value;
  }
  [[gnu::always_inline]] inline Number larger(Number x, Number y) const { return x < y ? y : x; }
  [[gnu::always_inline]] inline Number positive(Number x) const { return x > 0 ? Number{} + 1 : Number{}; }
  [[gnu::always_inline]] inline bool some(Number x) const {
    bool any = false;
    for (int i = 0; i < w; ++i) any = any || x[i] != 0;
    return any;
  }
  static constexpr int bytes_ahead = 48 << 10;  ///< of each array that `fetch` is called for
  /// Into the second-level cache, so far ahead that gathers of neighbours, which access elements before their turn,
  /// find the data too.
  template <class T>
  [[gnu::always_inline]] inline void fetch(const T* array, int rows) const {
    constexpr int cache_line = 64;
    if (offset != 0) return;
    const auto later = reinterpret_cast<std::uintptr_t>(array + at(rows, 0)) + bytes_ahead;
    const int bytes = rows * lanes * static_cast<int>(sizeof(T));
    for (int line = 0; line < bytes; line += cache_line)
      __builtin_prefetch(reinterpret_cast<const void*>(later + static_cast<unsigned>(line)), 0, 2);
  }
  /// Where trace functions are in an element, in bytes from its first number: [number of the face][function].
  template <class Basis>
  struct TracePlaces {
    std::uint32_t bytes[6][Basis::face_dofs]{};
    constexpr TracePlaces() {
      for (int face = 0; face < 6; ++face)
        for (int k = 0; k < Basis::face_dofs; ++k)
          bytes[face][k] = static_cast<std::uint32_t>(Basis::rows_of(k) >> (8 * face) & 255) * lanes * sizeof(S);
    }
  };
  template <class Basis>
  static constexpr TracePlaces<Basis> trace_places{};
  /// Likewise, shortly ahead: traces of neighbours that `fetch` has not reached yet, or so long ago that they may have
  /// left the cache.
  template <class Basis>
  [[gnu::always_inline]] inline void fetch_traces(const S* field, const std::int32_t* neighbour,
                                                  const std::uint32_t* word) const {
    constexpr int bytes = Basis::dofs * lanes * static_cast<int>(sizeof(S)), bytes_kept = 4 * bytes_ahead;
    constexpr int blocks_ahead = 8, kept = bytes_kept / bytes, fetched = bytes_ahead / bytes;
    const std::int64_t later = block + blocks_ahead;
    if (offset != 0 || later >= end) return;
    const std::int32_t* elements = neighbour + later * 4 * lanes;
    const auto first = static_cast<std::int32_t>((block - kept) * lanes);
    constexpr std::int32_t near = (kept + fetched) * lanes;
    std::uint64_t far = 0;  // a bit per face and lane
    for (int i = 0; i < 4 * lanes; i += static_cast<int>(sizeof(Integers) / 4)) {
      const Integers place = *reinterpret_cast<const Integers*>(elements + i) - first;
      far |= static_cast<std::uint64_t>(signs_of(place | (near - place))) << i;
    }
    for (; far != 0; far &= far - 1) {
      const int i = __builtin_ctzll(far);
      const std::uint32_t face = word[later * lanes + i % lanes] >> (3 * (i / lanes)) & 7;
      const auto* from = reinterpret_cast<const char*>(field + static_cast<std::int64_t>(elements[i] >> log_lanes) *
                                                                   Basis::dofs * lanes);
#pragma GCC unroll 64
      for (int k = 0; k < Basis::face_dofs; ++k) __builtin_prefetch(from + trace_places<Basis>.bytes[face][k], 0, 2);
    }
  }
  /// Through registers for integers, as two loads and a store each, or by the instruction that gathers. The fields are
  /// fetched meanwhile, as by `fetch`.
  template <class Basis, class... Also>
  [[gnu::always_inline]] inline void gather_traces(const std::int32_t* neighbour, const std::uint32_t* word, Number* to,
                                                   const S* field, const Also*... also) const {
#if TW_VECTOR_BYTES == 64
    if constexpr (sizeof(S) == 8)
      if (gathers_by_instruction) return gather_by_instruction<Basis>(neighbour, word, to, field, also...);
#endif
    using Raw [[gnu::may_alias]] = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    const std::int32_t* elements = neighbour + block * 4 * lanes + offset;
    const std::uint32_t* words = word + block * lanes + offset;
    constexpr int part = Basis::dofs * static_cast<int>(sizeof(S)) / 4;  // of a block's bytes, for one face and lane
    std::int64_t ahead = block * 4 * lanes * part + 4 * offset * part + bytes_ahead - part;
    for (int f = 0; f < 4; ++f)
#pragma GCC unroll 1
      for (int i = 0; i < w; ++i) {
        const std::int64_t e = elements[f * lanes + i];
        const auto* from =
            reinterpret_cast<const char*>(field + (e >> log_lanes) * Basis::dofs * lanes + (e & (lanes - 1)));
        const std::uint32_t* bytes = trace_places<Basis>.bytes[words[i] >> (3 * f) & 7];
        Raw* at = reinterpret_cast<Raw*>(to + f * Basis::face_dofs) + i;
#pragma GCC unroll 64
        for (int k = 0; k < Basis::face_dofs; ++k) at[k * w] = *reinterpret_cast<const Raw*>(from + bytes[k]);
        ahead += part;
        fetch_lines<part>(reinterpret_cast<const char*>(field) + ahead);
        (fetch_lines<part>(reinterpret_cast<const char*>(also) + ahead), ...);
      }
  }
#if TW_VECTOR_BYTES == 64
  /// The same, eight numbers at once; a line of each field is fetched after it (decision 132).
  template <class Basis, class... Also>
  [[gnu::always_inline]] inline void gather_by_instruction(const std::int32_t* neighbour, const std::uint32_t* word,
                                                           Number* to, const S* field, const Also*... also) const {
    using Index [[gnu::vector_size(64)]] = long long;
    static_assert(Basis::dofs <= 4 * Basis::face_dofs, "all lines are fetched");
    constexpr int line = 64;
    const std::int64_t ahead = block * Basis::dofs * line + bytes_ahead;
    const Word faces = load_integer(word, 1, 0);
#pragma GCC unroll 4
    for (int f = 0; f < 4; ++f) {
      const Long first = places(Basis::dofs, load_integer(neighbour, 4, f), Long{});
      const Word face = (faces >> (3 * f)) & 7;
#pragma GCC unroll 64
      for (int k = 0; k < Basis::face_dofs; ++k) {
        const int i = f * Basis::face_dofs + k;
        const Long place = first + (byte(Basis::rows_of(k), face) << log_lanes);
        to[i] = reinterpret_cast<Number>(
            __builtin_ia32_gatherdiv8df(Number{}, field, reinterpret_cast<Index>(place), -1, sizeof(S)));
        if (i < Basis::dofs) {
          fetch_lines<line>(reinterpret_cast<const char*>(field) + ahead + i * line);
          (fetch_lines<line>(reinterpret_cast<const char*>(also) + ahead + i * line), ...);
        }
      }
    }
  }
#endif
  /// So that parts in a row leave out no line.
  template <int bytes>
  [[gnu::always_inline]] static inline void fetch_lines(const char* place) {
    for (int byte = 0; byte < bytes; byte += 64) __builtin_prefetch(place + byte, 0, 2);
  }
  [[gnu::always_inline]] inline Number where(Number flag, Number yes, Number no) const { return flag > 0 ? yes : no; }
  [[gnu::always_inline]] inline Number choose(Word condition, Number yes, Number no) const {
    using Mask [[gnu::vector_size(w * sizeof(S))]] = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
    const Mask mask = __builtin_convertvector(condition, Mask) != 0;
    return mask ? yes : no;
  }
};
