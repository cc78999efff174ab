#include "base/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "base/text/format.hpp"

namespace tetrawave {

namespace {

/// Bytes of a line "NAME:   123 kB".
std::optional<std::int64_t> read_kilobytes(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(name + ":", 0) != 0) continue;
    std::int64_t kilobytes = 0;
    if (std::istringstream(line.substr(name.size() + 1)) >> kilobytes) return 1024 * kilobytes;
  }
  return std::nullopt;
}

/// The number in a file; empty for "max".
std::optional<std::int64_t> read_number(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// Page-cache bytes in memory.stat that the kernel can reclaim.
std::int64_t droppable_bytes(const std::filesystem::path& group) {
  std::ifstream file(group / "memory.stat");
  std::string name;
  std::int64_t value = 0;
  while (file >> name >> value)
    if (name == "inactive_file") return value;
  return 0;
}

/// Bytes available under the limits of the control groups from this process's up to the root.
std::optional<std::int64_t> left_by_groups() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  std::filesystem::path group;
  while (std::getline(file, line))
    if (line.rfind("0::/", 0) == 0) group = "/sys/fs/cgroup/" + line.substr(4);
  std::optional<std::int64_t> least;
  for (; group.string().size() > std::string("/sys/fs/cgroup").size(); group = group.parent_path()) {
    const auto limit = read_number(group / "memory.max"), used = read_number(group / "memory.current");
    if (!limit || !used) continue;
    const std::int64_t left = std::max<std::int64_t>(0, *limit - *used + droppable_bytes(group));
    least = std::min(left, least.value_or(left));
  }
  return least;
}

}  // namespace

std::int64_t resident_bytes() { return read_kilobytes("/proc/self/status", "VmRSS").value_or(0); }
std::int64_t peak_resident_bytes() { return read_kilobytes("/proc/self/status", "VmHWM").value_or(0); }

std::optional<std::int64_t> available_bytes() {
  auto available = read_kilobytes("/proc/meminfo", "MemAvailable");
  if (!available) return std::nullopt;
  *available += read_kilobytes("/proc/meminfo", "SwapFree").value_or(0);
  return std::min(*available, left_by_groups().value_or(*available));
}

void return_freed_memory() {
  constexpr int large = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, large);  // a fixed threshold: glibc otherwise raises it to what was freed last
  mallopt(M_TRIM_THRESHOLD, 4 * large);
}

void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + bytes) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish: never an error
}

std::string describe_bytes(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value < 1e3) return tetrawave::format("{} B", bytes);
  if (value < 1e6) return tetrawave::format("{:.3g} kB", value / 1e3);
  if (value < 1e9) return tetrawave::format("{:.3g} MB", value / 1e6);
  if (value < 1e12) return tetrawave::format("{:.3g} GB", value / 1e9);
  return tetrawave::format("{:.3g} TB", value / 1e12);
}

}  // namespace tetrawave

/// Of whole programs: large arrays ask for large pages, of which the system gives out a few in place of thousands. They
/// come from fresh memory (return_freed_memory), which nobody has touched.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  constexpr std::size_t large = std::size_t{1} << 22;
  void* memory = nullptr;
  while ((memory = std::malloc(std::max<std::size_t>(bytes, 1))) == nullptr) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
  if (bytes >= large) tetrawave::prefer_large_pages(memory, bytes);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
