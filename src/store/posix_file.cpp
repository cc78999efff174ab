#include "store/posix_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace tetrawave::store {

PosixFile::PosixFile(const std::filesystem::path& path, int flags)
    : name_(path.string()), descriptor_(::open(name_.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail_with_errno("open");
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PosixFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno("write");
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

std::size_t PosixFile::read(void* data, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t count = ::read(descriptor_, static_cast<char*>(data) + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno("read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void PosixFile::cut(std::int64_t bytes) {
  if (::ftruncate(descriptor_, bytes) != 0) fail_with_errno("shorten");
}

void PosixFile::sync() {
  // Directories of some network file systems cannot be synced; they return EINVAL.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_with_errno("sync");
}

void PosixFile::close() {
  // Linux frees the descriptor whatever close returns; a deferred write error (NFS, quota) is reported here.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_with_errno("close");
}

void PosixFile::fail_with_errno(const char* action) const {
  const int reason = errno;
  fail(ExitCode::io, "{}: cannot {} the file: {}", name_, action, std::strerror(reason));
}

}  // namespace tetrawave::store
