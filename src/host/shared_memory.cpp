#include "host/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "host/host_backend.hpp"

namespace tetrawave::host {

namespace {

char* map_pages(int descriptor, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

}  // namespace

SharedMemory::SharedMemory(HostBackend& backend, std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  if (backend.only_counts()) {
    counted_ = std::make_shared<HostBackend::Buffer<char>>(backend, bytes);
    return;
  }
  descriptor_ = memfd_create("tetrawave", MFD_CLOEXEC);
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes_)) == 0)
    data_ = map_pages(descriptor_, bytes_);
  if (data_ != nullptr) return;
  const int reason = errno;
  if (descriptor_ >= 0) close(descriptor_);
  fail(ExitCode::out_of_memory, "no {} bytes of memory for ranks to share: {}", bytes_, std::strerror(reason));
}

SharedMemory::~SharedMemory() {
  if (counted_) return;
  munmap(data_, bytes_);
  close(descriptor_);
}

SharedMemory::Handle SharedMemory::handle() const {
  return {static_cast<std::int64_t>(getpid()), descriptor_, static_cast<std::int64_t>(bytes_)};
}

MappedMemory::MappedMemory(const HostBackend& /*backend*/, const SharedMemory::Handle& handle)
    : bytes_(static_cast<std::size_t>(handle[2])) {
  const std::string path = tetrawave::format("/proc/{}/fd/{}", handle[0], handle[1]);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor >= 0) data_ = map_pages(descriptor, bytes_);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (data_ == nullptr)
    fail(ExitCode::unavailable, "this rank cannot map the memory of another ({}: {})", path, std::strerror(reason));
}

MappedMemory::~MappedMemory() { munmap(data_, bytes_); }

}  // namespace tetrawave::host
