#include "comm/node_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/text/format.hpp"

namespace tetrawave::comm {

namespace {

std::byte* map_pages(int file, std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

/// Where rank 0 keeps the pages: a file of its process without a place in a file system, of a name that no other has.
struct Place {
  int process = 0;
  int file = -1;
  std::int64_t seconds = 0, nanoseconds = 0;

  [[nodiscard]] std::string name() const {
    return tetrawave::format("tetrawave-{}-{}-{}", process, seconds, nanoseconds);
  }
};

/// All pages are there, so that no write to them fails; no file if they would take more than half of what is free.
Place make_file(std::size_t bytes) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  Place place{getpid(), -1, now.tv_sec, now.tv_nsec};
  const auto free = static_cast<std::uint64_t>(available_bytes().value_or(0));
  if (bytes > free / 2) return place;
  place.file = memfd_create(place.name().c_str(), MFD_CLOEXEC);
  if (place.file >= 0 && posix_fallocate(place.file, 0, static_cast<off_t>(bytes)) != 0) {
    close(place.file);
    place.file = -1;
  }
  return place;
}

/// Of another process; none if that is not on this host, or out of reach in a container of its own.
int open_file(const Place& place) {
  const std::string path = tetrawave::format("/proc/{}/fd/{}", place.process, place.file);
  std::array<char, 256> target{};
  if (place.file < 0 || readlink(path.c_str(), target.data(), target.size() - 1) < 0) return -1;
  if (std::string(target.data()).find("memfd:" + place.name()) == std::string::npos) return -1;
  return open(path.c_str(), O_RDWR | O_CLOEXEC);
}

}  // namespace

NodeMemory::NodeMemory(const Communicator& ranks, std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  std::vector<Place> place(1);
  if (ranks.rank() == 0) place[0] = make_file(bytes);
  ranks.broadcast(place);
  const int file = ranks.rank() == 0 ? place[0].file : open_file(place[0]);
  if (file >= 0) data_ = map_pages(file, bytes);
  const bool everywhere = ranks.min(std::int64_t{data_ != nullptr ? 1 : 0}) == 1;  // after it, all have opened the file
  if (file >= 0) close(file);
  if (everywhere || data_ == nullptr) return;
  munmap(data_, size_);
  data_ = nullptr;
}

NodeMemory::~NodeMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace tetrawave::comm
