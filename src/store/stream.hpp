// Append-only histories: rows of doubles of one width, safe to read whatever happened to their writer.
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

/// Writes DIR/streams/NAME.stream (any path). Rows are buffered; flush() hands them to the system.
class StreamWriter {
 public:
  /// A new stream; one that is there is overwritten. Missing directories are made. Column names hold no line feed.
  /// Throws UserError (io), as do the other functions: a full disk is noticed by the flush that meets it.
  StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns);
  /// Goes on with a stream whose first `kept.bytes` bytes are as they were when the mark was made; what follows them is
  /// cut off. Throws UserError: bad_checkpoint when they are not.
  StreamWriter(const std::filesystem::path& path, const std::vector<std::string>& columns, const FileMark& kept);
  /// row: one value per column.
  void append(std::span<const double> row);
  void flush();
  /// flush, then fsync.
  void sync();
  /// flush, then close. The destructor alone drops rows that were not flushed.
  void close();
  /// Length and hash of what was handed to the system so far.
  [[nodiscard]] FileMark mark(std::string name) const { return {std::move(name), bytes_, hash_.value()}; }

 private:
  void write(const void* data, std::size_t bytes);

  PosixFile file_;
  std::size_t columns_;
  std::int64_t bytes_ = 0;
  Hash64 hash_;
  std::vector<double> buffer_;
};

/// All whole rows of a stream.
struct StreamData {
  std::vector<std::string> columns;
  std::vector<double> values;  ///< [rows, columns]
  [[nodiscard]] std::size_t row_count() const { return values.size() / columns.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  /// One column, all rows.
  [[nodiscard]] std::vector<double> column(std::size_t index) const;
};

/// Reads a stream back; a torn last row is left out. Throws UserError (io) when it is missing or not a stream.
[[nodiscard]] StreamData read_stream(const std::filesystem::path& path);

}  // namespace tetrawave::store
