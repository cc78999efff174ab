#include "store/stream.hpp"

#include <fcntl.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "store/file_list.hpp"

namespace tetrawave::store {
namespace {

static_assert(std::endian::native == std::endian::little, "streams are written in the machine's order");

constexpr std::array<char, 8> stream_magic{'T', 'W', 'S', 'T', 'R', 'E', 'A', 'M'};
constexpr std::uint32_t stream_version = 1;
constexpr std::size_t buffer_values = 8192;

struct Header {
  std::array<char, 8> magic = stream_magic;
  std::uint32_t version = stream_version;
  std::uint32_t columns = 0;
  std::uint32_t names_bytes = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(Header) == 24);

const std::filesystem::path& prepare_place(const std::filesystem::path& path) {
  std::error_code failure;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) fail(ExitCode::io, "{}: cannot make the directory: {}", path.parent_path().string(), failure.message());
  note_file(path);
  return path;
}

std::string names_block(const std::vector<std::string>& columns) {
  std::string names;
  for (const std::string& name : columns) names += name + '\n';
  names.resize((names.size() + 7) / 8 * 8, '\0');
  return names;
}

Header header_of(const std::vector<std::string>& columns, const std::string& names) {
  ensure(!columns.empty(), "a stream has at least one column");
  Header header;
  header.columns = static_cast<std::uint32_t>(columns.size());
  header.names_bytes = static_cast<std::uint32_t>(names.size());
  return header;
}

std::vector<std::string> split_names(const std::string& block) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (auto end = block.find('\n'); end != std::string::npos; end = block.find('\n', begin)) {
    names.push_back(block.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

StreamWriter::StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns)
    : file_(prepare_place(path), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND), columns_(columns.size()) {
  const std::string names = names_block(columns);
  const Header header = header_of(columns, names);
  write(&header, sizeof header);
  write(names.data(), names.size());
}

StreamWriter::StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns,
                           const FileMark& kept)
    : file_(path, O_WRONLY | O_APPEND), columns_(columns.size()), bytes_(kept.bytes) {
  hash_ = hash_file(path, kept.bytes);
  if (hash_.value() != kept.hash)
    fail(ExitCode::bad_checkpoint, "{}: not the stream that the checkpoint goes with", path.string());
  file_.cut(kept.bytes);
}

void StreamWriter::write(const void* data, std::size_t bytes) {
  file_.write(data, bytes);
  hash_.add(data, bytes);
  bytes_ += static_cast<std::int64_t>(bytes);
}

void StreamWriter::append(std::span<const double> row) {
  ensure(row.size() == columns_, "a stream's row has one value per column");
  buffer_.insert(buffer_.end(), row.begin(), row.end());
  if (buffer_.size() >= buffer_values) flush();
}

void StreamWriter::flush() {
  write(buffer_.data(), buffer_.size() * sizeof(double));
  buffer_.clear();
}

void StreamWriter::sync() {
  flush();
  file_.sync();
}

void StreamWriter::close() {
  flush();
  file_.close();
}

std::vector<double> StreamData::column(std::size_t index) const {
  std::vector<double> result(row_count());
  for (std::size_t row = 0; row < result.size(); ++row) result[row] = at(row, index);
  return result;
}

StreamData read_stream(const std::filesystem::path& path) {
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  std::ifstream file(path, std::ios::binary);
  if (failure || !file) fail(ExitCode::io, "{}: cannot open the stream", path.string());
  Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.magic != stream_magic || header.columns == 0 || sizeof header + header.names_bytes > bytes)
    fail(ExitCode::io, "{}: not a stream of Tetrawave, or its header is cut off", path.string());
  if (header.version != stream_version)
    fail(ExitCode::io, "{}: stream version {}, this program reads {}", path.string(), header.version, stream_version);
  std::string block(header.names_bytes, '\0');
  file.read(block.data(), header.names_bytes);
  StreamData data;
  data.columns = split_names(block);
  if (data.columns.size() != header.columns)
    fail(ExitCode::io, "{}: the stream names {} columns and has {}", path.string(), data.columns.size(),
         header.columns);
  const std::uintmax_t row_bytes = header.columns * sizeof(double);
  const std::uintmax_t rows = (bytes - sizeof header - header.names_bytes) / row_bytes;
  data.values.resize(rows * header.columns);
  file.read(reinterpret_cast<char*>(data.values.data()), static_cast<std::streamsize>(rows * row_bytes));
  if (!file) fail(ExitCode::io, "{}: cannot read the stream", path.string());
  return data;
}

}  // namespace tetrawave::store
