#include "host/host_backend.hpp"

#include <omp.h>

#include <cstddef>
#include <limits>

#include "base/error.hpp"
#include "base/memory.hpp"

namespace tetrawave::host {

HostBackend::HostBackend(int threads, Transport transport)
    : isa_(best_isa()), threads_(threads), transport_(transport), watch_(std::make_shared<BusyWatch>(threads)) {
  omp_set_num_threads(threads_);
}

HostBackend::HostBackend(const march::BackendTraits& counted, int threads)
    : isa_(best_isa()),
      threads_(threads),
      transport_(counted.on_host ? Transport::mpi : Transport::ipc),
      counted_(counted) {}

std::string HostBackend::device() const { return tetrawave::format("cpu {} x {} threads", name_of(isa_), threads_); }

void* HostBackend::allocate(std::size_t bytes) {
  void* memory = ::operator new (std::max<std::size_t>(bytes, 64), std::align_val_t{64});
  prefer_large_pages(memory, bytes);
  clear(memory, bytes);
  return memory;
}

void HostBackend::clear(void* memory, std::size_t bytes) {
  constexpr std::size_t page = 1 << 16;
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < bytes; at += page)
    std::memset(static_cast<char*>(memory) + at, 0, std::min(page, bytes - at));
}

void* HostBackend::nowhere() { return reinterpret_cast<void*>(alignof(std::max_align_t)); }

std::int64_t HostBackend::free_bytes(int ranks) {
  // unknown: the allocation will show
  return available_bytes().value_or(std::numeric_limits<std::int64_t>::max()) / ranks;
}

}  // namespace tetrawave::host
