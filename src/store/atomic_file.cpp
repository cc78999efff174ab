#include "store/atomic_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "store/file_list.hpp"
#include "store/file_mark.hpp"
#include "store/posix_file.hpp"

namespace tetrawave::store {

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)), temporary_(target_) {
  temporary_ += ".tmp";
  note_file(target_);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  PosixFile file(temporary_, O_RDONLY);
  file.sync();
  file.close();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    fail(ExitCode::io, "{}: cannot move the file to {}: {}", temporary_.string(), target_.string(),
         std::strerror(reason));
  }
  committed_ = true;
  sync_directory(target_.parent_path());
}

void write_atomically(const std::filesystem::path& target,
                      const std::function<void(const std::filesystem::path&)>& write) {
  AtomicFile file(target);
  write(file.temporary());
  file.commit();
}

void write_text_atomically(const std::filesystem::path& target, std::string_view text) {
  write_atomically(target, [text](const std::filesystem::path& temporary) {
    PosixFile file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text.data(), text.size());
    file.close();
  });
}

}  // namespace tetrawave::store
