#include "comm/communicator.hpp"

#include <algorithm>
#include <utility>

#include "comm/mpi_check.hpp"
#include "comm/node_place.hpp"
#include "comm/requests.hpp"

namespace tetrawave::comm {

namespace {

constexpr int own_tag = Communicator::largest_tag + 1;

template <class T>
T reduce(T value, MPI_Datatype type, MPI_Op operation, MPI_Comm group) {
  T result{};
  check_mpi(MPI_Allreduce(&value, &result, 1, type, operation, group), "MPI_Allreduce");
  return result;
}

/// Calls work(offset, count) for pieces of at most `piece` out of `total`.
template <class Work>
void for_each_piece(std::size_t total, std::size_t piece, Work&& work) {
  for (std::size_t offset = 0; offset < total; offset += piece) {
    work(offset, static_cast<int>(std::min(piece, total - offset)));
  }
}

template <class T>
void reduce_in_place(std::span<T> values, MPI_Datatype type, MPI_Op operation, std::size_t piece_bytes,
                     MPI_Comm group) {
  for_each_piece(values.size(), std::max<std::size_t>(1, piece_bytes / sizeof(T)), [&](std::size_t offset, int count) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data() + offset, count, type, operation, group), "MPI_Allreduce");
  });
}

}  // namespace

struct Communicator::Impl {
  MPI_Comm group = MPI_COMM_NULL;
  std::size_t piece_bytes = default_piece_bytes;
};

Communicator::Communicator(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {
  check_mpi(MPI_Comm_rank(impl_->group, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(impl_->group, &size_), "MPI_Comm_size");
}

Communicator Communicator::world(std::size_t piece_bytes) {
  ensure(piece_bytes > 0 && piece_bytes <= default_piece_bytes, "a message piece has 1 to 2^30 bytes");
  Communicator all(std::make_shared<Impl>(Impl{MPI_COMM_WORLD, piece_bytes}));
  all.node_rank_ = node_place().rank;
  all.node_size_ = node_place().size;
  return all;
}

Communicator Communicator::self() {
  return Communicator(std::make_shared<Impl>(Impl{MPI_COMM_SELF, default_piece_bytes}));
}

Communicator Communicator::split(int color) const {
  const auto free = [](Impl* impl) {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (impl->group != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&impl->group);
    delete impl;
  };
  std::shared_ptr<Impl> impl(new Impl{MPI_COMM_NULL, impl_->piece_bytes}, free);
  check_mpi(MPI_Comm_split(impl_->group, color, rank_, &impl->group), "MPI_Comm_split");
  Communicator part(std::move(impl));
  part.node_rank_ = node_rank_;
  part.node_size_ = node_size_;
  return part;
}

std::int32_t Communicator::fortran_handle() const { return static_cast<std::int32_t>(MPI_Comm_c2f(impl_->group)); }

void Communicator::barrier() const { check_mpi(MPI_Barrier(impl_->group), "MPI_Barrier"); }
double Communicator::sum(double value) const { return reduce(value, MPI_DOUBLE, MPI_SUM, impl_->group); }
double Communicator::max(double value) const { return reduce(value, MPI_DOUBLE, MPI_MAX, impl_->group); }
double Communicator::min(double value) const { return reduce(value, MPI_DOUBLE, MPI_MIN, impl_->group); }
std::int64_t Communicator::sum(std::int64_t value) const { return reduce(value, MPI_INT64_T, MPI_SUM, impl_->group); }
std::int64_t Communicator::max(std::int64_t value) const { return reduce(value, MPI_INT64_T, MPI_MAX, impl_->group); }
std::int64_t Communicator::min(std::int64_t value) const { return reduce(value, MPI_INT64_T, MPI_MIN, impl_->group); }

void Communicator::sum_in_place(std::span<std::int64_t> values) const {
  reduce_in_place(values, MPI_INT64_T, MPI_SUM, impl_->piece_bytes, impl_->group);
}
void Communicator::sum_in_place(std::span<double> values) const {
  reduce_in_place(values, MPI_DOUBLE, MPI_SUM, impl_->piece_bytes, impl_->group);
}
void Communicator::min_in_place(std::span<std::int64_t> values) const {
  reduce_in_place(values, MPI_INT64_T, MPI_MIN, impl_->piece_bytes, impl_->group);
}

void Communicator::broadcast(std::string& text, int root) const {
  std::vector<char> letters(text.begin(), text.end());
  broadcast(letters, root);
  text.assign(letters.begin(), letters.end());
}

void Communicator::broadcast_bytes(void* data, std::size_t bytes, int root) const {
  for_each_piece(bytes, impl_->piece_bytes, [&](std::size_t offset, int count) {
    check_mpi(MPI_Bcast(static_cast<std::byte*>(data) + offset, count, MPI_BYTE, root, impl_->group), "MPI_Bcast");
  });
}

std::vector<std::size_t> Communicator::gather_sizes(std::size_t mine) const {
  std::vector<std::uint64_t> all(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
  const std::uint64_t own = mine;
  check_mpi(MPI_Gather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, impl_->group), "MPI_Gather");
  return {all.begin(), all.end()};
}

void Communicator::gather_bytes(std::span<const std::byte> mine, const std::vector<std::size_t>& sizes,
                                std::byte* all) const {
  Requests requests;
  if (rank_ != 0) {
    send_pieces(requests, mine.data(), mine.size(), 0, own_tag);
  } else {
    std::copy(mine.begin(), mine.end(), all);
    std::size_t offset = mine.size();
    for (int from = 1; from < size_; ++from) {
      const std::size_t bytes = sizes[static_cast<std::size_t>(from)];
      receive_pieces(requests, all + offset, bytes, from, own_tag);
      offset += bytes;
    }
  }
  requests.wait_all();
}

std::vector<std::size_t> Communicator::exchange_sizes(const std::vector<std::span<const std::byte>>& out) const {
  ensure(out.size() == static_cast<std::size_t>(size_), "an exchange has one message for each rank");
  std::vector<std::uint64_t> mine;
  for (const auto& message : out) mine.push_back(message.size());
  std::vector<std::uint64_t> theirs(mine.size());
  check_mpi(MPI_Alltoall(mine.data(), 1, MPI_UINT64_T, theirs.data(), 1, MPI_UINT64_T, impl_->group), "MPI_Alltoall");
  return {theirs.begin(), theirs.end()};
}

void Communicator::exchange_bytes(const std::vector<std::span<const std::byte>>& out,
                                  const std::vector<std::span<std::byte>>& in) const {
  Requests requests;
  for (int step = 1; step < size_; ++step) {
    const int from = (rank_ - step + size_) % size_;
    const auto& message = in[static_cast<std::size_t>(from)];
    receive_pieces(requests, message.data(), message.size(), from, own_tag);
  }
  for (int step = 1; step < size_; ++step) {
    const int to = (rank_ + step) % size_;
    const auto& message = out[static_cast<std::size_t>(to)];
    send_pieces(requests, message.data(), message.size(), to, own_tag);
  }
  const auto own = static_cast<std::size_t>(rank_);
  std::copy(out[own].begin(), out[own].end(), in[own].begin());
  requests.wait_all();
}

void Communicator::send_pieces(Requests& requests, const std::byte* data, std::size_t bytes, int to, int tag) const {
  for_each_piece(bytes, impl_->piece_bytes, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Isend(data + offset, count, MPI_BYTE, to, tag, impl_->group, &request), "MPI_Isend");
    requests.impl_->pending.push_back(request);
  });
}

void Communicator::receive_pieces(Requests& requests, std::byte* data, std::size_t bytes, int from, int tag) const {
  for_each_piece(bytes, impl_->piece_bytes, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(data + offset, count, MPI_BYTE, from, tag, impl_->group, &request), "MPI_Irecv");
    requests.impl_->pending.push_back(request);
  });
}

void Communicator::start_send(Requests& requests, const void* data, std::size_t bytes, int to, int tag) const {
  ensure(tag >= 0 && tag <= largest_tag, "a message tag is between 0 and largest_tag");
  send_pieces(requests, static_cast<const std::byte*>(data), bytes, to, tag);
}

void Communicator::start_receive(Requests& requests, void* data, std::size_t bytes, int from, int tag) const {
  ensure(tag >= 0 && tag <= largest_tag, "a message tag is between 0 and largest_tag");
  receive_pieces(requests, static_cast<std::byte*>(data), bytes, from, tag);
}

}  // namespace tetrawave::comm
