// Append-only histories: rows of doubles of one width, readable whatever happened to their writer.
//
// Layout (little endian): "TWSTREAM", uint32 version, uint32 columns, uint32 bytes of the names block, uint32 0; the
// names block (each name and a line feed, padded with zeros to a multiple of 8); then rows of `columns` doubles.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/hash64.hpp"
#include "store/file_mark.hpp"
#include "store/posix_file.hpp"

namespace tetrawave::store {

/// Writes DIR/streams/NAME.stream (any path). Rows are buffered; flush() passes them to the system.
class StreamWriter {
 public:
  /// A new stream; an existing one is overwritten. Missing directories are created. Column names contain no line feed.
  /// Throws UserError (io), as do the other functions: a full disk is noticed at the next flush.
  StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns);
  /// Continues a stream whose first `kept.bytes` bytes are unchanged since the mark was made; the rest is cut off.
  /// Throws UserError (bad_checkpoint) if they have changed.
  StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns, const FileMark& kept);
  /// row: one value per column.
  void append(std::span<const double> row);
  void flush();
  /// flush, then fsync.
  void sync();
  /// flush, then close. The destructor alone discards rows that were not flushed.
  void close();
  /// Length and hash of what was passed to the system so far.
  [[nodiscard]] FileMark mark(std::string name) const { return {std::move(name), bytes_, hash_.value()}; }

 private:
  void write(const void* data, std::size_t bytes);

  PosixFile file_;
  std::size_t columns_;
  std::int64_t bytes_ = 0;
  Hash64 hash_;
  std::vector<double> buffer_;
};

/// All complete rows of a stream.
struct StreamData {
  std::vector<std::string> columns;
  std::vector<double> values;  ///< [rows, columns]
  [[nodiscard]] std::size_t row_count() const { return values.size() / columns.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  /// One column, all rows.
  [[nodiscard]] std::vector<double> column(std::size_t index) const;
};

/// Reads a stream back; an incomplete last row is left out. Throws UserError (io) if it is missing or not a stream.
[[nodiscard]] StreamData read_stream(const std::filesystem::path& path);

}  // namespace tetrawave::store
