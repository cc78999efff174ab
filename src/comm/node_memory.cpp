#include "comm/node_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "base/text/format.hpp"

namespace tetrawave::comm {

namespace {

std::byte* map_pages(int file, std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

/// A new object of that name; its pages are there, so that no write to them fails. None if there is no room.
std::byte* create(const std::string& name, std::size_t bytes) {
  const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
  if (file < 0) return nullptr;
  std::byte* const pages = posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0 ? map_pages(file, bytes) : nullptr;
  close(file);
  return pages;
}

std::byte* open_existing(const std::string& name, std::size_t bytes) {
  const int file = shm_open(name.c_str(), O_RDWR, 0);
  if (file < 0) return nullptr;
  std::byte* const pages = map_pages(file, bytes);
  close(file);
  return pages;
}

/// Unique among the processes of a host, and, by its time, among hosts.
std::string new_name() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return tetrawave::format("/tetrawave-{}-{}-{}", getpid(), now.tv_sec, now.tv_nsec);
}

}  // namespace

NodeMemory::NodeMemory(const Communicator& ranks, std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  std::string name;
  if (ranks.rank() == 0) {
    name = new_name();
    data_ = create(name, bytes);
  }
  ranks.broadcast(name);  // after it, the object is there
  if (ranks.rank() > 0) data_ = open_existing(name, bytes);
  const bool everywhere = ranks.min(std::int64_t{data_ != nullptr ? 1 : 0}) == 1;
  if (ranks.rank() == 0) shm_unlink(name.c_str());  // the pages stay as long as they are mapped
  if (everywhere || data_ == nullptr) return;
  munmap(data_, size_);
  data_ = nullptr;
}

NodeMemory::~NodeMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace tetrawave::comm
