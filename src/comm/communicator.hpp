// The only access to MPI: a communicator with the collectives that the program uses, in terms of spans and vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tetrawave::comm {

/// MPI_Init_thread .. MPI_Finalize. Construct once in main. Throws UserError (unavailable) if MPI does not start.
class Scope {
 public:
  Scope(int& argc, char**& argv);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

/// Non-blocking point-to-point messages in flight. Wait for them before their memory is released; the destructor only
/// discards what an exception left behind.
class Requests {
 public:
  Requests();
  ~Requests();
  Requests(Requests&&) noexcept;
  Requests& operator=(Requests&&) noexcept;
  void wait_all();

 private:
  friend class Communicator;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A group of ranks. Cheap to copy. All element types are trivially copyable and sent as bytes.
///
/// A message may be of any size: MPI counts are ints, so longer ones are sent in pieces. A failed MPI call throws
/// InternalError with MPI's text.
class Communicator {
 public:
  static constexpr std::size_t default_piece_bytes = std::size_t{1} << 30;
  static constexpr int largest_tag =
      31999;  ///< of start_send and start_receive; higher ones are reserved for this class

  /// All ranks of the job; not a collective. Messages are sent in pieces of at most `piece_bytes` (below 2^31).
  static Communicator world(std::size_t piece_bytes = default_piece_bytes);
  /// This rank alone.
  static Communicator self();
  /// The ranks that give the same colour (0 or more), in their order. A collective.
  [[nodiscard]] Communicator split(int color) const;
  /// For libraries that need the communicator as a Fortran integer (MPI_Comm_c2f).
  [[nodiscard]] std::int32_t fortran_handle() const;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Rank among the ranks of this host, and their number.
  [[nodiscard]] int node_rank() const noexcept { return node_rank_; }
  [[nodiscard]] int node_size() const noexcept { return node_size_; }

  void barrier() const;
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  [[nodiscard]] double max(double value) const;
  [[nodiscard]] double min(double value) const;
  [[nodiscard]] std::int64_t max(std::int64_t value) const;
  [[nodiscard]] std::int64_t min(std::int64_t value) const;
  void sum_in_place(std::span<std::int64_t> values) const;
  void sum_in_place(std::span<double> values) const;
  void min_in_place(std::span<std::int64_t> values) const;

  /// The root's values on every rank.
  template <class T>
  void broadcast(std::vector<T>& values, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    auto size = static_cast<std::int64_t>(values.size());
    broadcast_bytes(&size, sizeof size, root);
    values.resize(static_cast<std::size_t>(size));
    broadcast_bytes(values.data(), values.size() * sizeof(T), root);
  }
  void broadcast(std::string& text, int root = 0) const;

  /// The items of all ranks, in rank order, on every rank.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather(std::span<const T> mine) const {
    std::vector<T> all = gather(mine);
    broadcast(all);
    return all;
  }

  /// The items of all ranks, in rank order, on rank 0 (empty elsewhere).
  template <class T>
  [[nodiscard]] std::vector<T> gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::size_t> bytes = gather_sizes(mine.size_bytes());
    std::size_t total = 0;
    for (const std::size_t count : bytes) total += count;
    std::vector<T> all(total / sizeof(T));
    gather_bytes(std::as_bytes(mine), bytes, reinterpret_cast<std::byte*>(all.data()));
    return all;
  }

  /// Sends to[r] to rank r; returns what each rank sent to this one, per rank. Totals may exceed 2^31 bytes.
  template <class T>
  [[nodiscard]] std::vector<std::vector<T>> exchange(const std::vector<std::vector<T>>& to) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::span<const std::byte>> out;
    for (const auto& items : to) out.push_back(std::as_bytes(std::span<const T>(items)));
    std::vector<std::vector<T>> in;
    for (const std::size_t bytes : exchange_sizes(out)) in.emplace_back(bytes / sizeof(T));
    std::vector<std::span<std::byte>> into;
    for (auto& items : in) into.push_back(std::as_writable_bytes(std::span<T>(items)));
    exchange_bytes(out, into);
    return in;
  }

  /// The same; what a rank sends to itself is moved instead of copied.
  template <class T>
  [[nodiscard]] std::vector<std::vector<T>> exchange(std::vector<std::vector<T>>&& to) const {
    const auto own = static_cast<std::size_t>(rank_);
    std::vector<T> kept;
    kept.swap(to.at(own));
    auto in = exchange(static_cast<const std::vector<std::vector<T>>&>(to));
    in[own] = std::move(kept);
    return in;
  }

  /// Starts a non-blocking send or receive of raw memory and adds it to `requests`. Messages of one tag between two
  /// ranks arrive in order; both sides pass the same number of bytes.
  void start_send(Requests& requests, const void* data, std::size_t bytes, int to, int tag) const;
  void start_receive(Requests& requests, void* data, std::size_t bytes, int from, int tag) const;

  /// Runs `work` on every rank; if it throws on any rank, every rank throws the same error: that of the lowest rank
  /// (its kind, exit code and text; std::bad_alloc becomes a UserError with exit code 71 that names the rank). Use it
  /// around everything that can fail before a collective; `work` itself must not call one, except a nested agree.
  void agree(const std::function<void()>& work) const;

 private:
  struct Impl;
  explicit Communicator(std::shared_ptr<Impl> impl);
  void broadcast_bytes(void* data, std::size_t bytes, int root) const;
  [[nodiscard]] std::vector<std::size_t> gather_sizes(std::size_t mine) const;
  void gather_bytes(std::span<const std::byte> mine, const std::vector<std::size_t>& sizes, std::byte* all) const;
  [[nodiscard]] std::vector<std::size_t> exchange_sizes(const std::vector<std::span<const std::byte>>& out) const;
  void exchange_bytes(const std::vector<std::span<const std::byte>>& out,
                      const std::vector<std::span<std::byte>>& in) const;
  void send_pieces(Requests& requests, const std::byte* data, std::size_t bytes, int to, int tag) const;
  void receive_pieces(Requests& requests, std::byte* data, std::size_t bytes, int from, int tag) const;

  std::shared_ptr<Impl> impl_;
  int rank_ = 0;
  int size_ = 1;
  int node_rank_ = 0;
  int node_size_ = 1;
};

/// True if every rank has called this before `seconds` have passed: at the end of a failing run it distinguishes a
/// failure that all ranks share from one that the others do not know about.
bool all_arrive_within(double seconds);

/// Whether this MPI accepts pointers to the memory of an NVIDIA GPU (MPIX_Query_cuda_support).
bool takes_gpu_memory();

/// Ends all ranks at once with this exit code; for a failure seen by only one rank.
[[noreturn]] void abort_all(int exit_code);

}  // namespace tetrawave::comm
