#include "check_msh.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "base/error.hpp"

namespace tetrawave::mesher {
namespace {

constexpr auto absent = std::string::npos;

// Where the contents after a line that starts with `mark` begin. Binary files have their marks on lines, too.
std::size_t find_section(const std::string& bytes, std::string_view mark) {
  for (auto at = bytes.find(mark); at != absent; at = bytes.find(mark, at + 1)) {
    const auto end = bytes.find('\n', at);
    if (at == 0 || bytes[at - 1] == '\n') return end == absent ? bytes.size() : end + 1;
  }
  return absent;
}

// Number of nodes or elements that a section's first numbers claim: N (version 2), or blocks, N, ... (version 4; 8
// bytes each when binary).
std::uint64_t read_claim(const std::string& bytes, std::size_t begin, double version, bool binary) {
  if (binary && version >= 4) {
    std::array<std::uint64_t, 2> counts{};
    if (bytes.size() - begin < sizeof counts) return UINT64_MAX;
    std::memcpy(counts.data(), bytes.data() + begin, sizeof counts);
    return counts[1];
  }
  std::istringstream line(bytes.substr(begin, bytes.find('\n', begin) - begin));
  std::uint64_t count = 0;
  line >> count;
  if (version >= 4) line >> count;
  return line ? count : UINT64_MAX;
}

void check_section(const std::string& path, const std::string& bytes, const char* name, double version, bool binary) {
  const std::size_t begin = find_section(bytes, tetrawave::format("${}", name));
  if (begin == absent) fail(ExitCode::bad_mesh, "{}: not a valid Gmsh mesh: it has no ${}", path, name);
  if (find_section(bytes, tetrawave::format("$End{}", name)) == absent)
    fail(ExitCode::bad_mesh, "{}: not a valid Gmsh mesh: $End{} is missing (is it cut off?)", path, name);
  // Four bytes are less than any node or element takes.
  const std::uint64_t claimed = read_claim(bytes, begin, version, binary);
  if (claimed > bytes.size() / 4)
    fail(ExitCode::bad_mesh, "{}: not a valid Gmsh mesh: ${} claims more than its {} bytes can hold", path, name,
         bytes.size());
}

}  // namespace

void check_msh(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ExitCode::io, "{}: cannot read the file", path);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = find_section(bytes, "$MeshFormat");
  if (begin == absent) fail(ExitCode::bad_mesh, "{}: not a Gmsh mesh: $MeshFormat is missing", path);
  std::istringstream line(bytes.substr(begin, bytes.find('\n', begin) - begin));
  double version = 0;
  int binary = 0;
  line >> version >> binary;
  const bool known = (version >= 2 && version < 3) || (version >= 4 && version < 4.2);
  if (!line || !known)
    fail(ExitCode::bad_mesh, "{}: a .msh file of version {}: versions 2.2 and 4.1 can be read", path, version);
  check_section(path, bytes, "Nodes", version, binary != 0);
  check_section(path, bytes, "Elements", version, binary != 0);
}

bool is_msh2(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);)
    if (line.rfind("$MeshFormat", 0) == 0) return std::getline(file, line) && line.rfind("2", 0) == 0;
  return false;
}

}  // namespace tetrawave::mesher
