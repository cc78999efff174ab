// MPI's one door: a communicator with the collectives that the program uses, in terms of spans and vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tetrawave::comm {

/// MPI_Init_thread .. MPI_Finalize. Construct once in main. Throws UserError (unavailable) when MPI does not start.
class Scope {
 public:
  Scope(int& argc, char**& argv);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

/// A request of non-blocking point-to-point messages in flight.
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

/// A group of ranks. Cheap to copy. All element types are trivially copyable and travel as bytes.
class Communicator {
 public:
  /// All ranks of the job.
  static Communicator world();

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Rank among the ranks of this host, and how many those are.
  [[nodiscard]] int node_rank() const noexcept { return node_rank_; }
  [[nodiscard]] int node_size() const noexcept { return node_size_; }

  void barrier() const;
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  [[nodiscard]] double max(double value) const;
  [[nodiscard]] double min(double value) const;
  [[nodiscard]] std::int64_t max(std::int64_t value) const;
  void sum_in_place(std::span<std::int64_t> values) const;
  void sum_in_place(std::span<double> values) const;

  /// Rank 0's value on every rank.
  template <class T>
  void broadcast(std::vector<T>& values, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    auto size = static_cast<std::int64_t>(values.size());
    broadcast_bytes(&size, sizeof size, root);
    values.resize(static_cast<std::size_t>(size));
    broadcast_bytes(values.data(), values.size() * sizeof(T), root);
  }
  void broadcast(std::string& text, int root = 0) const;

  /// Everyone's items, in rank order, on every rank.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes = all_gather_bytes(std::as_bytes(mine));
    return from_bytes<T>(bytes);
  }

  /// Everyone's items, in rank order, on rank 0 (empty elsewhere).
  template <class T>
  [[nodiscard]] std::vector<T> gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return from_bytes<T>(gather_bytes(std::as_bytes(mine)));
  }

  /// Sends to[r] to rank r; returns what each rank sent here, per rank. Totals may exceed 2^31 bytes.
  template <class T>
  [[nodiscard]] std::vector<std::vector<T>> exchange(const std::vector<std::vector<T>>& to) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::span<const std::byte>> out;
    out.reserve(to.size());
    for (const auto& items : to) out.push_back(std::as_bytes(std::span<const T>(items)));
    std::vector<std::vector<T>> in;
    for (const auto& bytes : exchange_bytes(out)) in.push_back(from_bytes<T>(bytes));
    return in;
  }

  /// Starts a non-blocking send or receive of raw memory and adds it to `requests`. Messages of one tag between two
  /// ranks arrive in order.
  void start_send(Requests& requests, const void* data, std::size_t bytes, int to, int tag) const;
  void start_receive(Requests& requests, void* data, std::size_t bytes, int from, int tag) const;

  /// Runs `work` on every rank; when it throws anywhere, every rank throws the same error: that of the lowest rank
  /// (its kind, exit code and text). Use it round everything that can fail before a collective.
  void agree(const std::function<void()>& work) const;

 private:
  struct Impl;
  void broadcast_bytes(void* data, std::size_t bytes, int root) const;
  [[nodiscard]] std::vector<std::byte> all_gather_bytes(std::span<const std::byte> mine) const;
  [[nodiscard]] std::vector<std::byte> gather_bytes(std::span<const std::byte> mine) const;
  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_bytes(
      const std::vector<std::span<const std::byte>>& to) const;
  template <class T>
  static std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
    std::vector<T> items(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(items.data()));
    return items;
  }

  std::shared_ptr<Impl> impl_;
  int rank_ = 0;
  int size_ = 1;
  int node_rank_ = 0;
  int node_size_ = 1;
};

/// Ends all ranks at once with this exit code; for a failure that only one rank has seen.
[[noreturn]] void abort_all(int exit_code);

}  // namespace tetrawave::comm
