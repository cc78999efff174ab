// Shared by the HDF5 sources only: owned identifiers, element types and errors with HDF5's own reason.
#pragma once

#include <hdf5.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/hdf5.hpp"

namespace tetrawave::store {

static_assert(std::is_same_v<hid_t, std::int64_t>, "File keeps an hid_t as an int64");

/// Throws UserError (io): "WHAT in FILE: reason from HDF5's error stack".
[[noreturn]] void throw_hdf5_failure(const std::string& what, const std::string& file);

/// An identifier of HDF5 with the function that closes it.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  /// Throws UserError (io) if `id` shows that the call that created it failed.
  Handle(hid_t id, Closer closer, const std::string& what, const std::string& file) : id_(id), closer_(closer) {
    if (id_ < 0) throw_hdf5_failure(what, file);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  /// Closes now, checked: only here a dataset may report that it could not be written out.
  void close(const std::string& what, const std::string& file) {
    if (closer_(std::exchange(id_, -1)) < 0) throw_hdf5_failure(what, file);
  }

 private:
  hid_t id_;
  Closer closer_;
};

inline void check(herr_t status, const std::string& what, const std::string& file) {
  if (status < 0) throw_hdf5_failure(what, file);
}

/// The memory type of T, also used in the file. std::string: variable-length UTF-8.
template <class T>
[[nodiscard]] Handle make_type(const std::string& file);
template <>
Handle make_type<double>(const std::string& file);
template <>
Handle make_type<float>(const std::string& file);
template <>
Handle make_type<std::int32_t>(const std::string& file);
template <>
Handle make_type<std::uint8_t>(const std::string& file);
template <>
Handle make_type<std::int64_t>(const std::string& file);
template <>
Handle make_type<std::complex<double>>(const std::string& file);
template <>
Handle make_type<std::string>(const std::string& file);

/// Texts as HDF5 writes them: pointers for variable length, else one block of equal widths padded with zeros.
struct PackedTexts {
  Handle type;
  std::vector<const char*> pointers;
  std::string block;
  [[nodiscard]] const void* data() const {
    return pointers.empty() ? static_cast<const void*>(block.data()) : static_cast<const void*>(pointers.data());
  }
};
/// `texts` must outlive the result.
[[nodiscard]] PackedTexts pack_texts(std::span<const std::string> texts, TextStyle style, const std::string& file);

[[nodiscard]] inline bool is_root(const std::string& path) { return path == "/"; }
/// An object (group or dataset) by its path.
[[nodiscard]] Handle open_object(hid_t file_id, const std::string& path, const std::string& file);
/// All texts of a dataset or attribute, of fixed or variable length. `read` is called with the memory type and a
/// buffer.
template <class Read>
[[nodiscard]] std::vector<std::string> read_texts(const Handle& type, const Handle& space, const Read& read,
                                                  const std::string& what, const std::string& file);

template <class Read>
std::vector<std::string> read_texts(const Handle& type, const Handle& space, const Read& read, const std::string& what,
                                    const std::string& file) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count < 0 || H5Tget_class(type.get()) != H5T_STRING) throw_hdf5_failure(what + " (a text was expected)", file);
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type.get()) > 0) {
    const Handle memory = make_type<std::string>(file);
    check(H5Tset_cset(memory.get(), H5Tget_cset(type.get())), what, file);
    std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
    check(read(memory.get(), pointers.data()), what, file);
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    check(H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, pointers.data()), what, file);
    return texts;
  }
  const std::size_t width = H5Tget_size(type.get());
  std::vector<char> bytes(static_cast<std::size_t>(count) * width);
  check(read(type.get(), bytes.data()), what, file);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::string padded(bytes.data() + i * width, width);
    texts.push_back(padded.substr(0, padded.find('\0')));
  }
  return texts;
}

}  // namespace tetrawave::store
