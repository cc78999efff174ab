// The only access to HDF5: a file whose groups, datasets and attributes are named by their paths.
//
// Every return code is checked; a failure is a UserError (io) that names the file, the object and the reason. Files are
// written without time stamps, so that equal contents give equal bytes.
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::store {

using Extents = std::vector<std::int64_t>;

/// Storage of texts. variable: read as str by h5py. fixed: with the length of the longest, without HDF5's heap of
/// texts, which HDF5 1.10 reads unchecked: for files that must lead to an error, not a crash, when they are damaged.
enum class TextStyle { variable, fixed };

/// Element type of a dataset. complex: a compound {r, i} of two doubles.
enum class ElementKind { real, integer, complex, text, other };

/// Properties of a dataset, before any of it is read.
struct DatasetInfo {
  Extents extents;  ///< empty: a scalar
  ElementKind kind = ElementKind::other;
  std::int64_t element_bytes = 0;
  std::int64_t stored_bytes = 0;  ///< raw bytes in this file (checked against its length); -1: not plain
  /// extents times element size, or -1 if that is more than 2^63.
  [[nodiscard]] std::int64_t claimed_bytes() const;
  /// Contiguous or compact, unfiltered, and inside this very file.
  [[nodiscard]] bool is_plain() const { return stored_bytes >= 0; }
};

/// One HDF5 file. Paths are absolute ("/probes/centre/time"); missing groups are created when writing. `extents`
/// default to one dimension; `units` becomes the attribute of that name unless it is empty.
class File {
 public:
  /// A new file; an existing one is overwritten.
  static File create(const std::filesystem::path& path, TextStyle texts = TextStyle::variable);
  /// A file whose reserved datasets are to be filled. Only their values change on disk.
  static File open_to_fill(const std::filesystem::path& path);
  /// A file opened for reading, without a lock, so that many ranks can read it.
  static File open(const std::filesystem::path& path);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();
  /// Flushes and closes. Call it after the last write: the destructor cannot report a failure.
  void close();

  void create_group(const std::string& path) const;
  /// Creates `link` as another name of the object at `target`.
  void link(const std::string& link, const std::string& target) const;
  [[nodiscard]] bool has(const std::string& path) const;
  /// Names of the members of a group, ascending.
  [[nodiscard]] std::vector<std::string> list(const std::string& group) const;
  [[nodiscard]] DatasetInfo info(const std::string& path) const;

  void write(const std::string& path, std::span<const double> values, const std::string& units = "",
             const Extents& extents = {}) const;
  void write(const std::string& path, std::span<const float> values, const std::string& units = "",
             const Extents& extents = {}) const;
  void write(const std::string& path, std::span<const std::int32_t> values, const std::string& units = "",
             const Extents& extents = {}) const;
  void write(const std::string& path, std::span<const std::int64_t> values, const std::string& units = "",
             const Extents& extents = {}) const;
  void write(const std::string& path, std::span<const std::complex<double>> values, const std::string& units = "",
             const Extents& extents = {}) const;
  /// [n, 3]
  void write(const std::string& path, std::span<const Vec3> values, const std::string& units = "") const;
  /// A list of UTF-8 texts.
  void write(const std::string& path, const std::vector<std::string>& texts) const;

  /// A dataset with allocated space and no values yet. T: double, float, int32, int64, uint8.
  template <class T>
  void reserve(const std::string& path, const Extents& extents, const std::string& units = "") const;
  /// Fills rows [first, first + values.size() / numbers per row) of a dataset. T: as `reserve`.
  template <class T>
  void write_rows(const std::string& path, std::int64_t first, std::span<const T> values) const;

  /// A whole dataset, in row-major order. T: double, float, int32, int64, complex<double>, string.
  template <class T>
  [[nodiscard]] std::vector<T> read(const std::string& path) const;
  /// Rows [first, first + count) of a dataset, in row-major order. T: double, float, int32, int64, complex<double>.
  template <class T>
  [[nodiscard]] std::vector<T> read_rows(const std::string& path, std::int64_t first, std::int64_t count) const;

  /// Attributes of a group or dataset ("/": of the file).
  void set_attribute(const std::string& path, const std::string& name, const std::string& value) const;
  void set_attribute(const std::string& path, const std::string& name, double value) const;
  template <std::integral T>
  void set_attribute(const std::string& path, const std::string& name, T value) const {
    set_integer_attribute(path, name, static_cast<std::int64_t>(value));
  }
  void set_attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values) const;
  void set_attribute(const std::string& path, const std::string& name, std::span<const double> values) const;
  void set_attribute(const std::string& path, const std::string& name, std::span<const std::int64_t> values) const;
  /// A text of ASCII characters and fixed length.
  void set_ascii_attribute(const std::string& path, const std::string& name, const std::string& value) const;
  [[nodiscard]] bool has_attribute(const std::string& path, const std::string& name) const;
  /// T: string, double, int64 (one value); vector<string>, vector<double> (a list). Throws UserError (io) for a value
  /// of another kind.
  template <class T>
  [[nodiscard]] T attribute(const std::string& path, const std::string& name) const;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  File(std::int64_t id, std::string name, TextStyle texts) : id_(id), name_(std::move(name)), texts_(texts) {}
  void set_integer_attribute(const std::string& path, const std::string& name, std::int64_t value) const;
  template <class T>
  void write_values(const std::string& path, std::span<const T> values, const std::string& units,
                    const Extents& extents) const;

  std::int64_t id_ = -1;
  std::string name_;
  TextStyle texts_ = TextStyle::variable;
};

template <>
std::vector<std::string> File::attribute(const std::string& path, const std::string& name) const;
template <>
std::string File::attribute(const std::string& path, const std::string& name) const;
template <>
std::vector<double> File::attribute(const std::string& path, const std::string& name) const;
template <>
double File::attribute(const std::string& path, const std::string& name) const;
template <>
std::int64_t File::attribute(const std::string& path, const std::string& name) const;
template <>
std::vector<std::string> File::read(const std::string& path) const;

}  // namespace tetrawave::store
